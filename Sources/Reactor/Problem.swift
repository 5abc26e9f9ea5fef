/// An error message for people: the place, the cause and the fix.
///
/// Thrown where no caller distinguishes reasons. Errors whose reasons matter to callers
/// (``FileError``, ``SystemError``) have their own types and are converted to this one for display.
package struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds that callers handle themselves.
    package enum Kind: Sendable, Hashable {
        /// The file to read does not exist.
        case missing
        /// Another process holds it, often only briefly.
        case busy
        case other
    }

    /// A file (with line and column if known), an option, an address or a step; empty if the cause
    /// includes it.
    package let place: String
    package let cause: String
    /// The suggested fix, in one line; empty if none is known.
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

    /// The message for people: what is wrong and where, then the fix.
    package var lines: [String] {
        [description] + (remedy.isEmpty ? [] : ["fix: \(remedy)"])
    }

    /// A call failed that fails only on a machine at its limits.
    package static func limits(_ place: String, _ error: any Error) -> Problem {
        Problem(place: place, cause: "\(error)", remedy: limitsOfTheMachine)
    }

    /// The value of a call whose error is explained to people.
    package static func explaining<Value: ~Copyable, Failure: Error>(
        _ call: @autoclosure () throws(Failure) -> Value, by explanation: (Failure) -> Problem
    ) throws(Problem) -> Value {
        do throws(Failure) { return try call() } catch { throw explanation(error) }
    }

    /// The fix for such a call.
    package static let limitsOfTheMachine =
        "check dmesg and the limits of the unit or container (descriptors, memory, threads)"
}
