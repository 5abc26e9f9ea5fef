import HTTP
package import Reactor

/// Decides when a request for a document is answered 503 although the document is there.
///
/// Never to save processor time: a 503 needs the same handshake as the 200. It helps when the
/// *link* is the limit (large documents), when memory is short, when the operator has set a budget
/// because the machine serves others as well, and where the handshake is long paid for (a front
/// that pools its connections) and a large document would come too late. Apple's crawler is shed
/// last: one answer to it serves millions of devices. Who only says that it is the crawler is
/// believed for a bounded number of answers per second.
///
/// A value; time is a parameter.
package struct ShedController: Sendable {
    private let limits: ShedLimits
    private var budgetTokens: Double
    private var crawlerTokens: Double
    private var refilledAt: MonotonicInstant
    /// Bytes that answers under way still have to bring to their clients, at the last sample.
    package private(set) var backlogBytes = 0
    /// The whole size of those answers.
    private var wholeBytes = 0
    /// Bytes added by answers since the last sample, and the connections that had none before.
    private var addedBytes = 0
    private var addedConnections = 0
    private var sentSinceSample = 0
    private var kernelBytesAtSample = 0
    private var sampledAt: MonotonicInstant
    /// Of answers whose connection was closed, and their whole size: as much as is left, about.
    private var unseenBytes = 0.0
    private var unseenWholeBytes = 0.0
    private var unseenAnswers = 0.0
    /// What the link takes while there is a backlog, in bytes per second.
    package private(set) var drainBytesPerSecond: Double?
    /// What it took in the last period, if there was a backlog, and in the mean of the last two.
    private var lastDrain: Double?
    private var recentDrain = 0.0
    /// How long the last large answers took, newest last.
    private var completions: [Duration] = []
    /// Large answers begun, by sample period, the newest last; as far back as `egressTimeMaximum`.
    /// And those that arrived far sooner than their share of the link would have brought them.
    private var begun: [(until: MonotonicInstant, count: Int, early: Int)] = []
    /// Those begun until then are not in ``begun`` any more.
    private var begunFrom = MonotonicInstant(nanoseconds: 0)
    private var begunSinceSample = 0
    private var earlySinceSample = 0
    /// Answers that the link carries, at the last sample.
    private var answersUnderWay = 0
    /// Most answers of the last seconds are still under way, at the last sample.
    private var mostAreUnderWay = false
    /// Some of them arrived so early that it cannot be the link that holds the others back.
    private var someCameEarly = false
    package var isMemoryShort = false
    /// Answers still under way then are cut.
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
    ///   - bytes: what its connection would have under way with this document.
    ///   - waited: for how long a request for a large document has waited, where the handshake was
    ///     paid for an earlier answer.
    package mutating func judge(
        now: MonotonicInstant, userAgent: UnsafeRawBufferPointer?, bytes: Int,
        waited: Duration? = nil
    ) -> ShedCause? {
        // The common case decides without looking at anything else.
        if limits.answersPerSecond == nil, !isMemoryShort, waited == nil,
            backlogBytes < limits.egressBytesMinimum
        {
            return nil
        }
        refill(now: now)
        let isCrawler = crawlerTokens >= 1 && Crawler.matches(userAgent)
        if isCrawler { crawlerTokens -= 1 }
        if let waited, waited > limits.requestAgeMaximum, !isCrawler { return .age }
        if isMemoryShort && !isCrawler { return .memory }
        if !isCrawler {
            if isEgressFull(bytes: bytes, beyond: limits.egressTimeMaximum, now: now) {
                return .egress
            }
            // The 503 is complete in time; the document would be cut.
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
        // The link has gone on while the process did not: what was known of it is past.
        guard now - sampledAt <= limits.sampleAgeMaximum,
            backlogBytes + addedBytes >= limits.egressBytesMinimum,
            let drain = drainBytesPerSecond, drain > 0
        else { return false }
        // TCP shares a link in about equal parts: a new answer arrives when each of those under way
        // could have been sent once more as a whole, and not when the rest of them has been, which
        // is half of it on average. And when each connection has had as much as this one needs: who
        // asks for eight documents over one connection has the share of one.
        let connections = Double(answersUnderWay + addedConnections + Int(unseenAnswers))
        let ahead = min(Double(wholeBytes + addedBytes), connections * Double(bytes))
        let seconds = ahead / max(drain, recentDrain)
        if seconds <= maximum.inSeconds || someCameEarly { return false }
        // Many slow clients that begin together take more from period to period, until all are at
        // it; a full link takes the same.
        if recentDrain > drain * limits.risingDrain { return false }
        if mostAreUnderWay { return true }
        guard completions.count >= limits.completionsMinimum else { return false }
        // A quarter of the answers still leave fast: the link is free, only some readers are slow.
        let quarter = completions.sorted()[completions.count / 4]
        return quarter.inSeconds > maximum.inSeconds / 4
    }

    /// Tokens per second, and the most that are kept: never less than one, else nobody would ever
    /// be believed.
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

    /// The crawler may overdraw what is there, by as much as its own tokens allow; the next
    /// requests of others pay it back, so that all together stay within the budget.
    private mutating func spendsBudget(isCrawler: Bool) -> Bool {
        guard limits.answersPerSecond != nil else { return true }
        guard budgetTokens >= 1 || isCrawler else { return false }
        budgetTokens -= 1
        return true
    }

    /// The server stops, and ends what is not answered by then.
    package mutating func drain(until: MonotonicInstant) { drainsUntil = until }

    // MARK: What is observed

    /// Answers under way between these two ages are what ``EgressSample/slowAnswers`` counts.
    package var slowAnswerTime: Duration { limits.slowAnswerTime }
    package var egressTimeMaximum: Duration { limits.egressTimeMaximum }

    /// For how long one of so many answers may stand still: until each of the others has had three
    /// segments of the link.
    package func stillness(answers: Int) -> LargeAnswer.Stillness {
        // Before the link is known, as long as a reader may: what stands still is not measured.
        var turn = limits.stallTolerated
        if let drain = drainBytesPerSecond, drain > 0 {
            turn = min(.seconds(Double(3 * 1460 * answers) / drain), limits.egressTimeMaximum)
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
        guard let drain = drainBytesPerSecond, drain > 0 else { return }
        // In equal parts it would have come when each of the others had had as much.
        let shared = Double(bytes) * Double(answersUnderWay) / drain
        if duration.inSeconds * limits.earlyFactor < shared { earlySinceSample += 1 }
    }

    /// A large answer that was begun then will not arrive: its client has gone, or asks for the
    /// next one. It says nothing about the link, and must not count as one that left fast.
    package mutating func abandoned(begunAt instant: MonotonicInstant) {
        if instant > sampledAt {
            begunSinceSample = max(0, begunSinceSample - 1)
        } else if instant > begunFrom, let index = begun.firstIndex(where: { instant <= $0.until })
        {
            begun[index].count = max(0, begun[index].count - 1)
        }
    }

    /// The connection of an answer is closed, and the kernel goes on to deliver it: it takes its
    /// part of the link, and nobody sees how much is left.
    package mutating func leftToKernel(bytes: Int, of whole: Int) {
        unseenBytes += Double(bytes)
        unseenWholeBytes += Double(whole)
        unseenAnswers += 1
    }

    /// Whether it is time for ``sampled(_:now:)``.
    package func isSampleDue(now: MonotonicInstant) -> Bool {
        now - sampledAt >= limits.samplePeriod
    }

    /// What the sockets of the answers under way said.
    package mutating func sampled(_ sample: EgressSample, now: MonotonicInstant) {
        countSlowAnswers(sample, now: now)
        let elapsed = (now - sampledAt).inSeconds
        // Such an answer is delivered within the time that a full link is given.
        let rest = max(0, 1 - elapsed / limits.egressTimeMaximum.inSeconds)
        unseenBytes *= rest
        unseenWholeBytes *= rest
        unseenAnswers *= rest
        let kernelBytes = sample.kernelBytes + sample.stalledKernelBytes + Int(unseenBytes)
        let acknowledged = sentSinceSample + kernelBytesAtSample - kernelBytes
        // Over a pause of the process the link ran out of bytes: that is no measure of it.
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
        kernelBytesAtSample = kernelBytes
        addedBytes = 0
        addedConnections = 0
        sentSinceSample = 0
        sampledAt = now
        if backlogBytes == 0 { completions.removeAll(keepingCapacity: true) }
    }

    /// A link that many connections share in equal parts completes hardly any answer once it is
    /// overloaded: to wait for slow completions would be to wait until everybody has given up. So
    /// those begun some seconds ago are asked how many of them are still under way. Only those:
    /// readers that read slowly on purpose gather over a long time, and must not outvote the
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
        // Those whose readers do not read say nothing about the link.
        let asked = begunThen - sample.stalledAnswers
        let early = begun.reduce(0) { $0 + $1.early }
        someCameEarly =
            early >= limits.completionsMinimum && early * limits.earlyShare >= asked
        mostAreUnderWay =
            asked >= limits.completionsMinimum && sample.slowAnswers * 4 >= asked * 3
    }
}

/// What the sockets of the large answers under way said, summed up.
///
/// A reader that does not read is told apart from a full link: its window is closed, nothing is in
/// flight, and nothing of its answer has been acknowledged for a while (``Socket``'s `TCP_INFO`).
package struct EgressSample: Sendable, Equatable {
    /// Sent and not acknowledged (SIOCOUTQ), of answers that the link holds back.
    package var kernelBytes = 0
    /// Of the same answers: not yet handed to the kernel.
    package var ownBytes = 0
    /// The whole size of the same answers; without it what is left of them.
    package var wholeBytes = 0
    /// How many they are.
    package var answers = 0
    /// Of the same: those under way for longer than `slowAnswerTime`, but not than
    /// `egressTimeMaximum`.
    package var slowAnswers = 0
    /// Not acknowledged, of answers whose readers do not read.
    package var stalledKernelBytes = 0
    /// Of those: as old as ``slowAnswers``.
    package var stalledAnswers = 0

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
