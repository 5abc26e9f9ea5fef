package import Reactor

/// An error of a fleet: the problem for people, and the store's reason for callers.
package struct FleetError: Error, Sendable, Equatable, CustomStringConvertible {
    package let problem: Problem
    /// etcd's error, if it was the cause.
    package let store: EtcdFailure?

    package init(place: String, cause: String, remedy: String) {
        problem = Problem(place: place, cause: cause, remedy: remedy)
        store = nil
    }

    package init(_ failure: EtcdFailure, doing action: String) {
        problem = Problem(
            place: action, cause: failure.description, remedy: failure.remedy)
        store = failure
    }

    package var description: String { problem.description }

    /// Something in the store is not what was published: every reader rejects it.
    static func damaged(_ place: String, _ cause: String) -> FleetError {
        FleetError(
            place: place, cause: cause,
            remedy: "run aasa fleet verify for all damage, then publish the site again")
    }
}
