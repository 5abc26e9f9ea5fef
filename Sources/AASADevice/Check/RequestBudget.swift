import AASAClient

/// The time that a request gets of a check's deadline.
///
/// A request that the deadline cuts short, and that ends without an answer, says nothing about the
/// host: the host may only be slow. It counts as a request that was not sent for lack of time.
struct RequestBudget: Sendable {
    /// What is left of the deadline when the request begins.
    let left: Duration
    /// The deadline of the check.
    let whole: Duration

    /// A timeout shorter than a handshake would tell nothing.
    private static let least = Duration.milliseconds(100)

    /// Sends a request with what is left.
    /// - Returns: nil if the time did not suffice for an answer.
    func ask(
        _ request: ClientRequest, _ send: (ClientRequest) -> ClientExchange
    ) -> ClientExchange? {
        guard left > Self.least else { return nil }
        let limits = request.limits
        var cut = request
        cut.limits.total = min(limits.total, left)
        cut.limits.connect = min(limits.connect, left)
        let exchange = send(cut)
        guard case .timeout(let phase)? = exchange.failure else { return exchange }
        let own = phase == .connecting ? min(limits.connect, limits.total) : limits.total
        return isShort(of: own) ? nil : exchange
    }

    /// Whether the deadline leaves less than one request may take. With nine tenths of the
    /// whole deadline no other request took the time away: such a host is too slow for any check
    /// with this deadline.
    private func isShort(of own: Duration) -> Bool { left < own && left * 10 < whole * 9 }
}
