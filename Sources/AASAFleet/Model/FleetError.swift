package import Reactor

/// What went wrong with a fleet, for people: where, why, what to do.
package struct FleetError: Error, Sendable, Equatable, CustomStringConvertible {
    package let place: String
    package let cause: String
    package let remedy: String
    /// etcd's reason, where it was etcd.
    package let store: EtcdFailure?

    package init(place: String, cause: String, remedy: String) {
        self.place = place
        self.cause = cause
        self.remedy = remedy
        store = nil
    }

    package init(_ failure: EtcdFailure, doing action: String) {
        place = action
        cause = failure.description
        remedy = failure.remedy
        store = failure
    }

    /// For those to whom the store's reason is all the same.
    package var problem: Problem { Problem(place: place, cause: cause, remedy: remedy) }

    package var description: String { "\(place): \(cause)" }

    /// Something in the store is not what was published: it is refused by everybody who looks.
    static func damaged(_ place: String, _ cause: String) -> FleetError {
        FleetError(
            place: place, cause: cause,
            remedy: "aasa fleet verify shows all that is damaged; publish the site again")
    }
}
