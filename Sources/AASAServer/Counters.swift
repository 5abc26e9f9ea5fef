import Synchronization

/// The counters of a worker. Monotonic, except those marked as gauges.
package enum Counter: Int, CaseIterable, Sendable {
    /// Connections accepted from the kernel's queue.
    case connectionsAccepted
    /// Gauge: connections open now, waiting and lingering ones included.
    case connectionsOpen
    /// Gauge: connections that wait for their handshake to be started.
    case connectionsWaiting
    /// Gauge: handshakes begun and not yet finished.
    case handshakesInFlight
    /// Headers of the PROXY protocol that named a client.
    case proxyHeadersClient
    /// Headers of the PROXY protocol that did not name the client.
    case proxyHeadersUnknown
    /// Headers of the PROXY protocol on a connection of the front itself.
    case proxyHeadersLocal
    case handshakesStarted
    case handshakesTLS12
    case handshakesTLS13
    case handshakesResumed
    /// Gauge: of those, the ones whose peer has been silent for more than a second.
    case handshakesSilent
    /// Handshakes not started because TCP knew that the client had left.
    case handshakesAvoided
    /// Handshakes that ended because the client left after we had begun: wasted work.
    case handshakesAbandoned
    case requestsHTTP1
    case requestsHTTP2
    /// 200 on an association path.
    case answersDocument
    /// 200 or a redirect elsewhere (`well-known/` siblings).
    case answersSibling
    case answersNotFound
    /// 400: the request names no host, or an impossible one (RFC 9112 section 3.2).
    case answersBadRequest
    /// 503 because the host's document could not be built.
    case shedDocument
    /// 503 because the answers already under way need longer than the egress bound.
    case shedEgress
    /// 503 because memory is short.
    case shedMemory
    /// 503 because the operator's budget is spent.
    case shedBudget
    /// 503 because the server is stopping.
    case shedDraining
    /// 503: a large document whose request has waited for too long.
    case shedAge
    /// 503 for a request that names an unknown host, or cannot be answered for another reason.
    case shedRequest
    /// Plaintext bytes of answers, heads included.
    case bytesAnswered
    case bytesReceived
    case bytesSent
    /// Gauge: ephemeral key pairs in the reserve.
    case keysReserved
    /// Ephemeral key pairs that handshakes took from the reserve.
    case keysTaken
    /// Times the listeners were paused because no descriptor, slot or memory was left.
    case acceptPauses
    /// Those of them because memory ran out.
    case memoryPauses
    /// Connections that TCP reported as aborted while they waited in the accept queue.
    case acceptAborts
    /// Turns of the event loop.
    case turns
    /// Nanoseconds the loop spent working (not waiting for events).
    case busyNanoseconds
    /// Nanoseconds the loop slept while a client waited for its handshake. Always 0, unless our
    /// code has a fault.
    case idleWhileWaitingNanoseconds
    /// Times the loop was late (a pause of the process, a starved core), so that deadlines moved.
    case latePauses
}

/// What a worker measures as a distribution.
package enum Distribution: Int, CaseIterable, Sendable {
    /// From the start of the handshake, after the wait for it, to its end.
    case handshakeTime
    /// From a complete request head to its answer's last byte in the kernel.
    case answerTime
    /// How long a client waited before its handshake was started.
    case waitingTime
    /// Length of one turn of the loop without the wait: the longest time that the other clients
    /// wait.
    case turnTime
}

/// Buckets by powers of two of a microsecond: bucket `i` counts durations below `2^i` µs that are
/// not in a lower bucket.
///
/// 27 buckets from 1 µs to 67 s, and one for the rest. A factor of two is exact enough for a graph;
/// the storm measures precisely.
package struct DistributionSnapshot: Sendable, Equatable {
    package static let bucketCount = 28

    /// How many durations fell into each bucket.
    package var counts: [UInt64]
    /// Sum of all durations in nanoseconds.
    package var sumNanoseconds: UInt64

    package var count: UInt64 { counts.reduce(0, &+) }

    /// Upper bound of a bucket in seconds; infinite for the last.
    package static func upperBound(_ bucket: Int) -> Double {
        bucket >= bucketCount - 1 ? .infinity : Double(UInt64(1) << UInt64(bucket)) / 1e6
    }

    static func bucket(nanoseconds: Int64) -> Int {
        let microseconds = UInt64(max(0, nanoseconds) / 1000)
        return min(bucketCount - 1, UInt64.bitWidth - microseconds.leadingZeroBitCount)
    }
}

/// The counters of one worker: written by its thread alone, read by anyone at any time.
///
/// With a single writer, an increment is a relaxed load and a relaxed store, without a locked
/// instruction. Each worker has an allocation of its own, so two workers share no cache line. A
/// reader may see one counter newer than another, which is good enough for display.
package final class WorkerCounters: Sendable {
    private static let closeBase = Counter.allCases.count
    private static let distributionBase = closeBase + CloseReason.allCases.count
    private static let distributionStride = DistributionSnapshot.bucketCount + 1
    private static let count = distributionBase + Distribution.allCases.count * distributionStride

    // Never reallocated, and every access is atomic: the pointer may be shared.
    nonisolated(unsafe) private let cells: UnsafeMutablePointer<Atomic<UInt64>>

    package init() {
        cells = .allocate(capacity: Self.count)
        for index in 0..<Self.count { (cells + index).initialize(to: Atomic(0)) }
    }

    deinit {
        cells.deinitialize(count: Self.count)
        cells.deallocate()
    }

    @inline(__always)
    private func bump(_ index: Int, _ amount: UInt64) {
        cells[index].store(
            cells[index].load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    // MARK: Writing, from the worker's thread only

    /// Adds to a counter.
    package func add(_ counter: Counter, _ amount: Int = 1) {
        bump(counter.rawValue, UInt64(bitPattern: Int64(amount)))
    }

    /// Sets a gauge.
    package func set(_ counter: Counter, _ value: Int) {
        cells[counter.rawValue].store(UInt64(bitPattern: Int64(value)), ordering: .relaxed)
    }

    /// Counts an ended connection.
    package func closed(_ reason: CloseReason) { bump(Self.closeBase + Int(reason.rawValue), 1) }

    /// Counts a duration.
    package func record(_ distribution: Distribution, nanoseconds: Int64) {
        let base = Self.base(of: distribution)
        bump(base + DistributionSnapshot.bucket(nanoseconds: nanoseconds), 1)
        bump(base + DistributionSnapshot.bucketCount, UInt64(max(0, nanoseconds)))
    }

    // MARK: Reading, from anywhere

    package func value(_ counter: Counter) -> UInt64 { cell(counter.rawValue) }

    package func closes(_ reason: CloseReason) -> UInt64 {
        cell(Self.closeBase + Int(reason.rawValue))
    }

    fileprivate func cell(_ index: Int) -> UInt64 { cells[index].load(ordering: .relaxed) }

    /// The first cell of a distribution: its buckets, and then their sum.
    fileprivate static func base(of distribution: Distribution) -> Int {
        distributionBase + distribution.rawValue * distributionStride
    }
}

/// The counters of all workers, and sums over them.
package struct ServerCounters: Sendable {
    package let workers: [WorkerCounters]

    package init(workers: [WorkerCounters]) { self.workers = workers }

    package func total(_ counter: Counter) -> UInt64 {
        workers.reduce(0) { $0 &+ $1.value(counter) }
    }

    package func totalCloses(_ reason: CloseReason) -> UInt64 {
        workers.reduce(0) { $0 &+ $1.closes(reason) }
    }

    package func total(_ distribution: Distribution) -> DistributionSnapshot {
        let base = WorkerCounters.base(of: distribution)
        let sums = (0...DistributionSnapshot.bucketCount).map { index in
            workers.reduce(0) { $0 &+ $1.cell(base + index) }
        }
        return DistributionSnapshot(counts: sums.dropLast(), sumNanoseconds: sums.last ?? 0)
    }
}
