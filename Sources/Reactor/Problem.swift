/// Why something could not be done, for people: where, why, and what to do about it.
///
/// Thrown where nothing more is to be told apart. An error whose reader decides by its reason
/// (``FileError``, ``SystemError``) has a type of its own, and becomes one of these where people
/// read it.
package struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What callers do something about themselves.
    package enum Kind: Sendable, Hashable {
        /// What was to be read is not there.
        case missing
        /// Another process holds it: often a matter of moments.
        case busy
        case other
    }

    /// A file (with line and column where known), an option, an address, a step; empty where the
    /// cause says it all.
    package let place: String
    package let cause: String
    /// In one line; empty where nothing is known that helps.
    package let remedy: String
    package let kind: Kind

    package init(place: String, cause: String, remedy: String, kind: Kind = .other) {
        self.place = place
        self.cause = cause
        self.remedy = remedy
        self.kind = kind
    }

    package var isMissing: Bool { kind == .missing }
    package var isBusy: Bool { kind == .busy }

    package var description: String { place.isEmpty ? cause : "\(place): \(cause)" }

    /// As people read it: what is wrong and where, then what to do about it.
    package var lines: [String] {
        [description] + (remedy.isEmpty ? [] : ["remedy: \(remedy)"])
    }

    /// The remedy where a call failed that fails on a machine at its limits alone.
    package static let limitsOfTheMachine =
        "see the limits of the unit or container (descriptors, memory, threads), and dmesg"
}
