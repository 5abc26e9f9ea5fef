package import Reactor

/// Whether the link is full: what it takes of the large answers, how many share it, and whether
/// they are slow because of it or because of their readers (overload.md section 5.1).
///
/// Only large answers are measured. A handshake or a 503 leaves the kernel unseen: counted as taken
/// by the link, a burst of them passed for three times its rate.
///
/// A value; time is a parameter.
package struct LinkLoad: Sendable {
    private let limits: ShedLimits
    /// The large answers that the link carries, and those of which that is not known yet.
    private var carried = Sum()
    private var undecided = Sum()
    /// Answers begun since the last sample; `answers` counts connections that had none before.
    private var added = Sum()
    private var next = (carried: Sum(), undecided: Sum(), left: 0)
    /// What the kernel still delivers of connections that had to give way.
    private var unseen = Sum()
    /// What answers under way still have to bring, at the last sample.
    private var backlogBytes = 0
    /// Bytes of large answers that arrived since the last sample.
    private var progress = 0
    private var sampledAt: MonotonicInstant
    /// The rate of the link while there is a backlog, in bytes per second: over some seconds, and
    /// in the last period.
    private var drain: Double?
    private var lastDrain = 0.0
    /// How the last answers came, newest last.
    private var votes: [Vote] = []
    /// Answers that are let through although the link is believed to be full.
    private var passes: Double

    struct Sum: Sendable {
        var bytes = 0
        var answers = 0

        mutating func add(_ bytes: Int) {
            self.bytes += bytes
            answers += 1
        }
    }

    private enum Vote {
        /// Under way for longer than ``ShedLimits/slowAnswerTime``, and the link carries it.
        case slow
        case fast
        /// Far sooner than an equal share of the link would have brought it.
        case early
    }

    package init(limits: ShedLimits, now: MonotonicInstant) {
        self.limits = limits
        sampledAt = now
        passes = limits.passesByTime
    }

    // MARK: What is decided

    /// What is under way is not too much for any link.
    package var isIdle: Bool { backlogBytes + undecided.bytes < limits.egressBytesMinimum }

    /// Whether an answer begun now would take longer than `maximum`, because the link is full.
    ///
    /// - Parameter bytes: what its connection would have under way.
    package func isFull(bytes: Int, beyond maximum: Duration, now: MonotonicInstant) -> Bool {
        // The process was paused and the link was not: the last sample is out of date.
        guard now - sampledAt <= limits.sampleAgeMaximum,
            backlogBytes + added.bytes >= limits.egressBytesMinimum,
            let drain, drain > 0, areMostSlow
        else { return false }
        // Many slow clients that begin together take more from period to period, until all of them
        // read (`slowClientsThatBeginTogetherShedNobody`).
        return seconds(bytes: bytes, drain: max(drain, lastDrain)) > maximum.inSeconds
    }

    /// Not slow readers among others whose answers leave fast, and hardly any came early.
    private var areMostSlow: Bool {
        let last = votes.suffix(limits.votesLooked)
        return last.count >= limits.votesMinimum
            && last.count(where: { $0 == .slow }) * 4 >= last.count * 3
            && votes.count(where: { $0 == .early }) < limits.votesMaximum / limits.earlyShare
    }

    /// How long an answer takes that is begun now.
    ///
    /// TCP shares a link in about equal parts. So a new answer does not arrive when the rest of the
    /// answers under way has been sent (half of them on average), but about when all of them could
    /// have been sent once more as a whole. Or earlier: when each connection has had as much as
    /// this one needs. A client that asks for eight documents over one connection has the share of
    /// one connection.
    private func seconds(bytes: Int, drain: Double) -> Double {
        let connections = carried.answers + undecided.answers + added.answers
        let whole = carried.bytes + undecided.bytes + added.bytes
        return Double(min(whole, connections * bytes)) / drain
    }

    /// Whether an answer is let through a link that is believed to be full: one each second, and
    /// `ShedLimits.earlyShare` for each that came early.
    package mutating func letsThrough() -> Bool {
        guard passes >= 1 else { return false }
        passes -= 1
        return true
    }

    // MARK: What is observed

    /// A large answer was begun.
    ///
    /// - Parameter isBehind: another one of its connection is under way.
    package mutating func began(bytes: Int, isBehind: Bool = false) {
        added.bytes += bytes
        if !isBehind { added.answers += 1 }
    }

    /// A large answer is no longer in progress; so many bytes arrived since its last check.
    package mutating func ended(
        _ answer: LargeAnswer, hasArrived: Bool, progress bytes: Int, now: MonotonicInstant
    ) {
        progress += bytes
        // How long it would have taken without a pause of the process is unknown.
        guard hasArrived, !answer.wasPaused else { return }
        let age = answer.age(at: now)
        if answer.hasVoted || age > limits.slowAnswerTime { return }
        let shared = drain.map { seconds(bytes: answer.bytes, drain: max(1, $0)) } ?? 0
        let isEarly =
            shared > limits.egressTimeMaximum.inSeconds
            && age.inSeconds * limits.earlyFactor < shared
        vote(isEarly ? .early : .fast)
        if isEarly { passes = min(passes + Double(limits.earlyShare), limits.passesMaximum) }
    }

    /// A connection with a large answer is closed, and the kernel delivers the rest of it.
    package mutating func lostSight(left: Int) { unseen.add(left) }

    /// Whether it is time to check the answers in progress and call ``sampled(now:)``.
    package func isSampleDue(now: MonotonicInstant) -> Bool {
        now - sampledAt >= limits.samplePeriod
    }

    /// Checks an answer that is in progress.
    ///
    /// - Parameters:
    ///   - left: what it still has to bring.
    ///   - bytes: what arrived since the last check.
    package mutating func saw(
        _ answer: inout LargeAnswer, _ look: LargeAnswer.Look, left: Int, progress bytes: Int,
        now: MonotonicInstant
    ) {
        progress += bytes
        let age = answer.age(at: now)
        switch look {
        case .arrived, .late: break
        case .heldBack, .stalled:
            if look == .heldBack, age <= limits.travelsKnown { next.undecided.add(answer.bytes) }
            // It was its reader.
            if answer.hasVoted, let index = votes.firstIndex(of: .slow) {
                votes.remove(at: index)
                answer.hasVoted = false
            }
        case .travels:
            next.carried.add(answer.bytes)
            next.left += left
            if age > limits.slowAnswerTime, !answer.hasVoted, !answer.wasPaused {
                answer.hasVoted = true
                vote(.slow)
            }
        }
    }

    /// What the link took before and did not bring to answers in sight, it brought to those out of
    /// sight. Nothing holds them back where the link is not full; after a pause, or a time without
    /// any in sight, nothing is known.
    private mutating func followUnseen(elapsed: Double) {
        let taken = min(unseen.bytes, max(0, Int((drain ?? 0) * elapsed) - progress))
        unseen.bytes -= taken
        progress += taken
        let isKnown = areMostSlow && elapsed <= limits.sampleAgeMaximum.inSeconds
        if unseen.bytes == 0 || !isKnown { unseen = Sum() }
    }

    private mutating func vote(_ vote: Vote) {
        if votes.count >= limits.votesMaximum { votes.removeFirst() }
        votes.append(vote)
    }

    /// All answers under way were seen.
    package mutating func sampled(now: MonotonicInstant) {
        let elapsed = (now - sampledAt).inSeconds
        followUnseen(elapsed: elapsed)
        // During a pause of the process the link ran out of bytes, so its rate was not measured.
        let isMeasured = !isIdle && elapsed > 0 && elapsed <= limits.sampleAgeMaximum.inSeconds
        lastDrain = isMeasured ? Double(progress) / elapsed : 0
        if isMeasured { drain = drain.map { $0 * 0.7 + lastDrain * 0.3 } ?? lastDrain }
        if passes < limits.passesByTime { passes = min(limits.passesByTime, passes + elapsed) }
        (carried, undecided, backlogBytes) = next
        carried.bytes += unseen.bytes
        carried.answers += unseen.answers
        backlogBytes += unseen.bytes
        next = (Sum(), Sum(), 0)
        added = Sum()
        progress = 0
        sampledAt = now
        if isIdle {
            votes.removeAll(keepingCapacity: true)
            passes = min(passes, limits.passesByTime)
        }
    }
}
