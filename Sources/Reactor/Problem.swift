/// Why something could not be done, for people: where, why, and what to do about it.
///
/// Thrown where nothing more is to be told apart. An error whose reader decides by its reason
/// (``FileError``, ``SystemError``) has a type of its own, and becomes one of these where people
/// read it.
package struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A file (with line and column where known), an option, an address, a step.
    package let place: String
    package let cause: String
    /// In one line.
    package let remedy: String
    /// What was to be read is not there: the one cause that callers tell apart.
    package let isMissing: Bool

    package init(place: String, cause: String, remedy: String, isMissing: Bool = false) {
        self.place = place
        self.cause = cause
        self.remedy = remedy
        self.isMissing = isMissing
    }

    package var description: String { "\(place): \(cause)" }

    /// The remedy where a call failed that fails on a machine at its limits alone.
    package static let limitsOfTheMachine =
        "see the limits of the unit or container (descriptors, memory, threads), and dmesg"
}
