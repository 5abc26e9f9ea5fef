package import Reactor

/// Large answers that are let through a link that is believed to be full, to see whether it is.
///
/// The belief comes from answers that take long. Clients that read slowly on purpose take as long,
/// and once documents are refused, nothing arrives any more that could refute the belief: forty
/// readers of 8 KB/s, begun when nobody else asked, had honest clients refused on an idle link for
/// as long as they stayed. A few answers that arrive far earlier than a full link could bring them
/// refute it.
///
/// A value; time is a parameter.
package struct LinkProbes: Sendable {
    private let limits: ShedLimits
    private var tokens: Double
    private var refilledAt: MonotonicInstant
    /// Networks whose answers took long, and until when they get no probe: slow readers ask more
    /// often than others, as they are refused. On a full link only newcomers get one.
    private var slowUntil: [UInt64: MonotonicInstant] = [:]
    /// Whether the last probes were early, newest last.
    private var wereEarly: [Bool] = []
    private var freeUntil: MonotonicInstant?

    package init(limits: ShedLimits, now: MonotonicInstant) {
        self.limits = limits
        tokens = limits.probesMaximum
        refilledAt = now
    }

    /// Whether probes have shown lately that the link is not full.
    package func isFree(now: MonotonicInstant) -> Bool { freeUntil.map { now < $0 } ?? false }

    /// Whether an answer to this network is let through, to see how long it takes.
    package mutating func letThrough(network: UInt64, now: MonotonicInstant) -> Bool {
        let seconds = (now - refilledAt).inSeconds
        refilledAt = now
        tokens = min(limits.probesMaximum, tokens + limits.probesPerSecond * seconds)
        if tokens < 1 { return false }
        if let until = slowUntil[network] {
            if now < until { return false }
            slowUntil[network] = nil
        }
        tokens -= 1
        return true
    }

    /// A probe has arrived, or will not arrive.
    ///
    /// - Parameter wasEarly: it arrived far sooner than an equal share of the link would have
    ///   allowed.
    package mutating func ended(wasEarly: Bool, network: UInt64, now: MonotonicInstant) {
        if wereEarly.count >= limits.probesLooked { wereEarly.removeFirst() }
        wereEarly.append(wasEarly)
        if !wasEarly {
            tookLong(network: network, now: now)
        } else if wereEarly.count(where: { $0 }) * 4 >= limits.probesLooked * 3 {
            freeUntil = now + limits.egressTimeMaximum
        }
    }

    /// An answer to this network is under way for long.
    package mutating func tookLong(network: UInt64, now: MonotonicInstant) {
        if slowUntil.count >= limits.slowNetworksMaximum, slowUntil[network] == nil {
            // Many networks must not cost memory.
            slowUntil = slowUntil.filter { now < $0.value }
            if slowUntil.count >= limits.slowNetworksMaximum { slowUntil.removeAll() }
        }
        slowUntil[network] = now + limits.probePause
    }
}
