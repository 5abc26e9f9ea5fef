import Reactor

/// How much of something may pass now: so much per second, and never more at once than comes
/// together in a short while. A value; time is a parameter.
struct Allowance: Sendable {
    /// What a rest saves up, in seconds: short, else a link would be faster after it than it is.
    static let burstSeconds = 0.02

    private let perSecond: Double
    private let most: Double
    private var left: Double
    private var at: MonotonicInstant

    /// - Parameter least: what passes at once at least, if the burst is smaller.
    init(perSecond: Int, least: Int, now: MonotonicInstant) {
        self.perSecond = Double(perSecond)
        most = max(Double(least), Double(perSecond) * Self.burstSeconds)
        left = 0
        at = now
    }

    mutating func refill(now: MonotonicInstant) {
        left = min(most, left + perSecond * (now - at).inSeconds)
        at = now
    }

    func allows(_ amount: Int) -> Bool { left >= Double(amount) }

    mutating func spend(_ amount: Int) { left -= Double(amount) }
}
