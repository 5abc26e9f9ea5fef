import AASAClient

/// The token that etcd gave for a user's name and password, and when it is not worth another try.
///
/// etcd says so of most tokens (`invalid auth token`), not of those from before a backup was put
/// back: a simple token ends with the index of the log at which it was made, and a member whose
/// log starts anew holds every request until it gets there (etcd 3.4, `isValidSimpleToken`), which
/// looks like a member that does not answer.
///
/// A value: it never asks anybody.
package struct EtcdToken: Sendable, Equatable {
    /// nil: the next request asks for one first.
    package private(set) var text: String?
    private var silences = 0

    package init(_ text: String? = nil) { self.text = text }

    package mutating func received(_ text: String) { self = EtcdToken(text) }

    package mutating func forget() { self = EtcdToken() }

    package mutating func answered() { silences = 0 }

    /// A cluster of three without two members has no leader, and says so. This many requests of 8 s
    /// (``EtcdAccess/requestTime``) and the ring's pause of 8 s before them leave 6 of the 30 s in
    /// which a machine follows a store that is back.
    package static let silencesMaximum = 2

    /// A request with the token ended in a failure. One paused member does not cost the token, as a
    /// new one costs etcd a bcrypt (some 70 ms of processor); two in a row do.
    ///
    /// - Parameter members: of the cluster.
    package mutating func failed(_ failure: EtcdFailure, members: Int) {
        guard text != nil, failure == .unanswered(.timeout(.head)) else { return }
        silences += 1
        if silences >= min(members, Self.silencesMaximum) { forget() }
    }
}
