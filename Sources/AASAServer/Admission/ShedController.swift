import HTTP
package import Reactor

/// Decides when a request for a document is answered 503 although the document is there.
///
/// Never to save processor time: a 503 needs the same handshake as the 200. A 503 helps when the
/// *link* is the limit (large documents), when memory is short, and when the operator has set a
/// budget because the machine serves others as well. It also helps on a connection whose handshake
/// is long done (a front that pools its connections), if a large document would come too late.
/// Apple's crawler is shed last: one answer to it serves millions of devices. Any client can claim
/// to be the crawler, so the claim is believed for a bounded number of answers per second.
///
/// A value; time is a parameter.
package struct ShedController: ~Copyable, Sendable {
    private let limits: ShedLimits
    private var budgetTokens: Double
    private var crawlerTokens: Double
    private var refilledAt: MonotonicInstant
    /// Whether the link is full.
    package var link: LinkLoad
    package var isMemoryShort = false
    /// When the server stops: answers still under way then are cut.
    private var drainsUntil: MonotonicInstant?

    package init(limits: ShedLimits, now: MonotonicInstant) {
        self.limits = limits
        budgetTokens = limits.answersPerSecond ?? 0
        crawlerTokens = max(1, Self.crawlerRate(limits))
        refilledAt = now
        link = LinkLoad(limits: limits, now: now)
    }

    /// Whether, and why, a request for a document is to be answered 503 now.
    ///
    /// - Parameters:
    ///   - bytes: what the connection would have under way with this document.
    ///   - waited: how long a request for a large document has waited, on a connection that already
    ///     had an answer before.
    package mutating func judge(
        now: MonotonicInstant, userAgent: UnsafeRawBufferPointer?, bytes: Int,
        waited: Duration? = nil
    ) -> Counter? {
        // The common case is decided first, at the lowest cost.
        if limits.answersPerSecond == nil, !isMemoryShort, waited == nil, link.isIdle { return nil }
        refill(now: now)
        let isCrawler = crawlerTokens >= 1 && Crawler.matches(userAgent)
        if isCrawler { crawlerTokens -= 1 }
        if let waited, waited > limits.requestAgeMaximum, !isCrawler { return .shedAge }
        // A small answer needs as much as the 503 in its place.
        if isMemoryShort && bytes > limits.largeAnswerBytes && !isCrawler { return .shedMemory }
        if !isCrawler {
            if link.isFull(bytes: bytes, beyond: limits.egressTimeMaximum, now: now),
                !link.letsThrough()
            {
                return .shedEgress
            }
            // A 503 is complete in time; the document would be cut.
            if let until = drainsUntil,
                link.isFull(bytes: bytes, beyond: max(.zero, until - now), now: now)
            {
                return .shedDraining
            }
        }
        if limits.answersPerSecond == nil { return nil }
        // The crawler may overdraw the budget by as much as its own tokens allow. The next requests
        // of other clients make up for it, so that all clients together stay within the budget.
        guard budgetTokens >= 1 || isCrawler else { return .shedBudget }
        budgetTokens -= 1
        return nil
    }

    /// Tokens per second, and the most that are kept. At least one is kept: otherwise no claim
    /// would ever be believed.
    private static func crawlerRate(_ limits: ShedLimits) -> Double {
        guard let perSecond = limits.answersPerSecond else {
            return limits.crawlerAnswersPerSecond
        }
        return min(limits.crawlerAnswersPerSecond, perSecond * limits.crawlerBudgetShare)
    }

    private mutating func refill(now: MonotonicInstant) {
        let seconds = (now - refilledAt).inSeconds
        refilledAt = now
        let rate = Self.crawlerRate(limits)
        crawlerTokens = min(max(1, rate), crawlerTokens + rate * seconds)
        if let perSecond = limits.answersPerSecond {
            budgetTokens = min(max(1, perSecond), budgetTokens + perSecond * seconds)
        }
    }

    /// The server stops, and cuts the answers that are not sent by then.
    package mutating func drain(until: MonotonicInstant) { drainsUntil = until }
}

/// Apple's crawler, which fills the CDN that devices ask: `AASA-Bot/1.0.0` (domain.md).
enum Crawler {
    private static let mark: StaticString = "aasa-bot"

    static func matches(_ userAgent: UnsafeRawBufferPointer?) -> Bool {
        let length = mark.utf8CodeUnitCount
        guard let userAgent, userAgent.count >= length else { return false }
        return UnsafeRawBufferPointer(rebasing: userAgent[..<length]).equalsIgnoringCase(mark)
    }
}
