import OpenSSL
import Reactor

/// A worker's reserve of ephemeral key pairs: its memory, and the actions of the schedule.
final class WorkerKeyPool {
    private let memory: WipedMemory
    private let reserve: EphemeralKeyPool
    private let counters: WorkerCounters
    private var schedule: KeyPoolSchedule

    /// - Parameter pairs: the most pairs that are kept.
    /// - Returns: nil if `pairs` is 0, or if the kernel or OpenSSL does not support it: handshakes
    ///   work without a reserve.
    init?(for context: TLSContext, pairs: Int, counters: WorkerCounters) {
        guard pairs > 0,
            let memory = WipedMemory(
                byteCount: EphemeralKeyPool.bytesOfHead
                    + pairs * EphemeralKeyPool.bytesPerPair),
            let reserve = EphemeralKeyPool(for: context, in: memory.bytes)
        else { return nil }
        self.memory = memory
        self.reserve = reserve
        self.counters = counters
        schedule = KeyPoolSchedule(capacity: reserve.capacity)
    }

    /// On the worker's thread, before its first handshake.
    func begin() { reserve.serveThread() }

    /// On the worker's thread, after its last handshake.
    func end() {
        reserve.stopServing()
        show()
    }

    func timeout(now: MonotonicInstant) -> Duration? {
        schedule.timeout(now: now, count: reserve.count)
    }

    /// A turn begins, before any handshake takes a pair.
    func turnBegan(now: MonotonicInstant, unixSeconds: Int64) {
        if schedule.turnBegan(now: now, unixSeconds: unixSeconds) { reserve.wipe() }
    }

    /// The loop slept and no event came, and no client waits.
    func idle(now: MonotonicInstant) {
        switch schedule.idle(now: now, count: reserve.count) {
        case .nothing: return
        case .make(let count): if !reserve.make(count) { schedule.stop() }
        case .wipe: reserve.wipe()
        }
    }

    /// The server stops: remaining pairs are still used, but no new ones are made.
    func drain() { schedule.stop() }

    /// Tells the counters.
    func show() {
        counters.set(.keysReserved, reserve.count)
        counters.set(.keysTaken, reserve.takenCount)
    }
}
