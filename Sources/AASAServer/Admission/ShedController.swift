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
package struct ShedController: Sendable {
    private let limits: ShedLimits
    private var budgetTokens: Double
    private var crawlerTokens: Double
    private var refilledAt: MonotonicInstant
    /// Bytes of the answers under way that their clients have not received yet, at the last sample.
    package private(set) var backlogBytes = 0
    /// The whole size of those answers.
    private var wholeBytes = 0
    /// Bytes added by answers since the last sample, and the connections that had none before.
    private var addedBytes = 0
    private var addedConnections = 0
    private var sentSinceSample = 0
    private var kernelBytesAtSample = 0
    private var sampledAt: MonotonicInstant
    /// An estimate for answers whose connection was closed: bytes left, and their whole size.
    private var unseenBytes = 0.0
    private var unseenWholeBytes = 0.0
    private var unseenAnswers = 0.0
    /// The rate of the link while there is a backlog, in bytes per second.
    package private(set) var drainBytesPerSecond: Double?
    /// The same rate in the last period, if there was a backlog, and the mean of the last two
    /// periods.
    private var lastDrain: Double?
    private var recentDrain = 0.0
    /// How long the last large answers took, newest last.
    private var completions: [Duration] = []
    /// Large answers begun, by sample period, newest last, as far back as `egressTimeMaximum`; and
    /// how many of them arrived far sooner than an equal share of the link would have allowed.
    private var begun: [(until: MonotonicInstant, count: Int, early: Int)] = []
    /// Answers begun up to then are not in ``begun`` any more.
    private var begunFrom = MonotonicInstant(nanoseconds: 0)
    private var begunSinceSample = 0
    private var earlySinceSample = 0
    /// Answers that the link carries, at the last sample.
    private var answersUnderWay = 0
    /// Answers of which that is not known yet, and their whole size, at the last sample.
    private var undecidedAnswers = 0
    private var undecidedWholeBytes = 0
    /// Most answers of the last seconds are still under way, at the last sample.
    private var mostAreUnderWay = false
    /// Some answers arrived so early that the link cannot be what delays the others.
    private var someCameEarly = false
    package var isMemoryShort = false
    /// When the server stops: answers still under way then are cut.
    private var drainsUntil: MonotonicInstant?

    package init(limits: ShedLimits, now: MonotonicInstant) {
        self.limits = limits
        budgetTokens = limits.answersPerSecond ?? 0
        crawlerTokens = max(1, Self.crawlerRate(limits))
        refilledAt = now
        sampledAt = now
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
    ) -> ShedCause? {
        // The common case is decided first, at the lowest cost.
        if limits.answersPerSecond == nil, !isMemoryShort, waited == nil,
            backlogBytes < limits.egressBytesMinimum
        {
            return nil
        }
        refill(now: now)
        let isCrawler = crawlerTokens >= 1 && Crawler.matches(userAgent)
        if isCrawler { crawlerTokens -= 1 }
        if let waited, waited > limits.requestAgeMaximum, !isCrawler { return .age }
        // A small answer needs as much as the 503 in its place.
        if isMemoryShort && bytes > limits.largeAnswerBytes && !isCrawler { return .memory }
        if !isCrawler {
            if isEgressFull(bytes: bytes, beyond: limits.egressTimeMaximum, now: now) {
                return .egress
            }
            // A 503 is complete in time; the document would be cut.
            if let until = drainsUntil,
                isEgressFull(bytes: bytes, beyond: max(.zero, until - now), now: now)
            {
                return .draining
            }
        }
        return spendsBudget(isCrawler: isCrawler) ? nil : .budget
    }

    private func isEgressFull(
        bytes: Int, beyond maximum: Duration, now: MonotonicInstant
    ) -> Bool {
        // The process was paused and the link was not: the last sample is out of date.
        guard now - sampledAt <= limits.sampleAgeMaximum,
            backlogBytes + addedBytes >= limits.egressBytesMinimum,
            let drain = drainBytesPerSecond, drain > 0
        else { return false }
        // TCP shares a link in about equal parts. So a new answer does not arrive when the rest of
        // the answers under way has been sent (half of them on average), but about when all of them
        // could have been sent once more as a whole. Or earlier: when each connection has had as
        // much as this one needs. A client that asks for eight documents over one connection has
        // the share of one connection.
        let connections = Double(
            answersUnderWay + undecidedAnswers + addedConnections + Int(unseenAnswers))
        let ahead = min(
            Double(wholeBytes + undecidedWholeBytes + addedBytes), connections * Double(bytes))
        let seconds = ahead / max(drain, recentDrain)
        if seconds <= maximum.inSeconds || someCameEarly { return false }
        // Many slow clients that begin together take more from period to period, until all of them
        // read; the rate of a full link stays the same.
        if recentDrain > drain * limits.risingDrain { return false }
        if mostAreUnderWay { return true }
        guard completions.count >= limits.completionsMinimum else { return false }
        // A quarter of the answers still leave fast: the link is free, and only some readers are
        // slow.
        let quarter = completions.sorted()[completions.count / 4]
        return quarter.inSeconds > maximum.inSeconds / 4
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

    /// The crawler may overdraw the budget by as much as its own tokens allow. The next requests of
    /// other clients make up for it, so that all clients together stay within the budget.
    package mutating func spendsBudget(isCrawler: Bool) -> Bool {
        guard limits.answersPerSecond != nil else { return true }
        guard budgetTokens >= 1 || isCrawler else { return false }
        budgetTokens -= 1
        return true
    }

    /// The server stops, and cuts the answers that are not sent by then.
    package mutating func drain(until: MonotonicInstant) { drainsUntil = until }

    // MARK: What is observed

    /// ``EgressSample/slowAnswers`` counts answers under way whose age is between these two.
    package var slowAnswerTime: Duration { limits.slowAnswerTime }
    package var egressTimeMaximum: Duration { limits.egressTimeMaximum }
    /// ``EgressSample/undecidedAnswers`` counts answers that are not older.
    package var travelsKnown: Duration { limits.travelsKnown }

    /// For how long an answer may make no progress while so many answers share the link: until each
    /// of the others has had three segments of the link.
    package func stallLimits(answers: Int) -> LargeAnswer.StallLimits {
        // Before the rate of the link is known, use the tolerance for readers: stalled answers are
        // not part of the measurement.
        var turn = limits.stallTolerated
        if let drain = drainBytesPerSecond, drain > 0 {
            // Compared as numbers: behind a dead link the rate falls with each sample, until the
            // quotient is more than a `Duration` can hold, and making one would end the process.
            let seconds = Double(3 * 1460 * answers) / drain
            turn = .seconds(min(seconds, limits.egressTimeMaximum.inSeconds))
        }
        return .init(ofTheLink: turn, ofReaders: max(limits.stallTolerated, turn))
    }

    /// A large answer was begun.
    ///
    /// - Parameter isBehind: another one of its connection is under way.
    package mutating func began(bytes: Int, isBehind: Bool = false) {
        addedBytes += bytes
        if !isBehind { addedConnections += 1 }
        begunSinceSample += 1
    }

    /// The kernel took bytes.
    package mutating func sent(_ bytes: Int) { sentSinceSample += bytes }

    /// A large answer of so many bytes has arrived.
    package mutating func completed(bytes: Int, after duration: Duration) {
        if completions.count >= 64 { completions.removeFirst() }
        completions.append(duration)
        if isEarly(bytes: bytes, after: duration) { earlySinceSample += 1 }
    }

    func isEarly(bytes: Int, after duration: Duration) -> Bool {
        guard let drain = drainBytesPerSecond, drain > 0 else { return false }
        // With equal shares it would have come after each of the other answers had as many bytes.
        let shared = Double(bytes) * Double(answersUnderWay) / drain
        return duration.inSeconds * limits.earlyFactor < shared
    }

    /// A large answer that was begun at this time will not arrive: its client has gone, or asks for
    /// the next one. It says nothing about the link, and must not count as an answer that left
    /// fast.
    package mutating func abandoned(begunAt instant: MonotonicInstant) {
        if instant > sampledAt {
            begunSinceSample = max(0, begunSinceSample - 1)
        } else if instant > begunFrom, let index = begun.firstIndex(where: { instant <= $0.until })
        {
            begun[index].count = max(0, begun[index].count - 1)
        }
    }

    /// The connection of an answer is closed, and the kernel continues to deliver the answer. It
    /// still uses the link, but nobody can see how much is left.
    package mutating func leftToKernel(bytes: Int, of whole: Int) {
        unseenBytes += Double(bytes)
        unseenWholeBytes += Double(whole)
        unseenAnswers += 1
    }

    /// Whether it is time for ``sampled(_:now:)``.
    package func isSampleDue(now: MonotonicInstant) -> Bool {
        now - sampledAt >= limits.samplePeriod
    }

    /// Takes the figures from the sockets of the answers under way.
    package mutating func sampled(_ sample: EgressSample, now: MonotonicInstant) {
        countSlowAnswers(sample, now: now)
        let elapsed = (now - sampledAt).inSeconds
        // We assume that the kernel delivers such an answer within `egressTimeMaximum`.
        let rest = max(0, 1 - elapsed / limits.egressTimeMaximum.inSeconds)
        unseenBytes *= rest
        unseenWholeBytes *= rest
        unseenAnswers *= rest
        let kernelBytes = sample.kernelBytes + sample.stalledKernelBytes + Int(unseenBytes)
        let acknowledged = sentSinceSample + kernelBytesAtSample - kernelBytes
        // During a pause of the process the link ran out of bytes, so its rate was not measured.
        if elapsed > 0, elapsed <= limits.sampleAgeMaximum.inSeconds,
            backlogBytes >= limits.egressBytesMinimum, acknowledged >= 0
        {
            let rate = Double(acknowledged) / elapsed
            drainBytesPerSecond = drainBytesPerSecond.map { $0 * 0.7 + rate * 0.3 } ?? rate
            recentDrain = (rate + (lastDrain ?? rate)) / 2
            lastDrain = rate
        } else {
            recentDrain = 0
            lastDrain = nil
        }
        backlogBytes = sample.kernelBytes + sample.ownBytes + Int(unseenBytes)
        wholeBytes = max(sample.wholeBytes + Int(unseenWholeBytes), backlogBytes)
        answersUnderWay = sample.answers
        undecidedAnswers = sample.undecidedAnswers
        undecidedWholeBytes = sample.undecidedWholeBytes
        kernelBytesAtSample = kernelBytes
        addedBytes = 0
        addedConnections = 0
        sentSinceSample = 0
        sampledAt = now
        if backlogBytes == 0 { completions.removeAll(keepingCapacity: true) }
    }

    /// A link that many connections share in equal parts completes hardly any answer once it is
    /// overloaded: whoever waits for slow completions waits until all clients have given up. So we
    /// count how many of the answers begun some seconds ago are still under way. Only those:
    /// readers that read slowly on purpose accumulate over a long time, and must not outnumber the
    /// others.
    private mutating func countSlowAnswers(_ sample: EgressSample, now: MonotonicInstant) {
        begun.append((now, begunSinceSample, earlySinceSample))
        begunSinceSample = 0
        earlySinceSample = 0
        while let first = begun.first, now - first.until > limits.egressTimeMaximum {
            begunFrom = first.until
            begun.removeFirst()
        }
        let begunThen = begun.reduce(0) {
            $0 + (now - $1.until >= limits.slowAnswerTime ? $1.count : 0)
        }
        // Answers whose readers do not read say nothing about the link.
        let asked = begunThen - sample.stalledAnswers
        let early = begun.reduce(0) { $0 + $1.early }
        someCameEarly =
            early >= limits.completionsMinimum && early * limits.earlyShare >= asked
        mostAreUnderWay =
            asked >= limits.completionsMinimum && sample.slowAnswers * 4 >= asked * 3
    }
}

/// The sums over the sockets of the large answers under way.
///
/// A reader that does not read differs from a full link: its window is closed, nothing is in
/// flight, and nothing of its answer has been acknowledged for a while (``Socket``'s `TCP_INFO`).
package struct EgressSample: Sendable, Equatable {
    /// Sent and not acknowledged (SIOCOUTQ), of answers that the link delays.
    package var kernelBytes = 0
    /// Not yet handed to the kernel, of the same answers.
    package var ownBytes = 0
    /// The whole size of the same answers; `kernelBytes` and `ownBytes` are only what is left.
    package var wholeBytes = 0
    /// The number of the same answers.
    package var answers = 0
    /// How many of the same answers have been under way for longer than `slowAnswerTime`, but not
    /// for longer than `egressTimeMaximum`.
    package var slowAnswers = 0
    /// Not acknowledged, of answers whose readers do not read.
    package var stalledKernelBytes = 0
    /// How many of those answers are as old as those that ``slowAnswers`` counts.
    package var stalledAnswers = 0
    /// How many of those answers are too young for that to be known, and their whole size. They say
    /// nothing about the link, but if it is full, they wait for it as well: behind a proxy every
    /// answer begins with a closed window.
    package var undecidedAnswers = 0
    package var undecidedWholeBytes = 0

    package init() {}
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
