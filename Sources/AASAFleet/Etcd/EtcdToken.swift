import AASAClient

/// The token of a user, and when to give it up.
///
/// etcd rejects most invalid tokens (`invalid auth token`), but not those from before a restored
/// backup: a simple token is valid up to the log index at which it was created, and a member whose
/// log restarted blocks every request until it reaches that index (etcd 3.4, `isValidSimpleToken`),
/// which looks like an unresponsive member.
///
/// A value: it sends no requests.
package struct EtcdToken: Sendable, Equatable {
    /// nil: the next request gets one first.
    package private(set) var text: String?
    private var silences = 0

    package init(_ text: String? = nil) { self.text = text }

    package mutating func received(_ text: String) { self = EtcdToken(text) }

    package mutating func forget() { self = EtcdToken() }

    package mutating func answered() { silences = 0 }

    /// A cluster of three without two members has no leader and reports this. This many requests of
    /// 8 s (``EtcdAccess/requestTime``) and the ring's pause of 8 s before them leave 6 of the 30 s
    /// within which a machine follows a restored store.
    package static let silencesMaximum = 2

    /// A request with the token failed. One unresponsive member does not discard the token, as a
    /// new one costs etcd a bcrypt (some 70 ms of processor time); two in a row do.
    ///
    /// - Parameter members: the number of cluster members.
    package mutating func failed(_ failure: EtcdFailure, members: Int) {
        guard text != nil, failure == .unanswered(.timeout(.head)) else { return }
        silences += 1
        if silences >= min(members, Self.silencesMaximum) { forget() }
    }
}
