import Reactor

/// A token bucket: a rate per second with a short burst. A value; time is a parameter.
struct TokenBucket: Sendable {
    /// The burst in seconds of the rate: short, or a link would be too fast after a pause.
    static let burstSeconds = 0.02

    private let perSecond: Double
    private let most: Double
    private var left: Double
    private var at: MonotonicInstant

    /// - Parameter least: the minimum size of the burst.
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
