import OpenSSL
import Reactor

/// A worker's pool of ephemeral key pairs: its memory, and the actions of the schedule.
final class WorkerKeyPool {
    private let memory: WipedMemory
    private let pool: EphemeralKeyPool
    private let counters: WorkerCounters
    private var schedule: KeyPoolSchedule

    /// - Parameter pairs: the most pairs that are kept.
    /// - Returns: nil if `pairs` is 0, or if the kernel or OpenSSL does not support it: handshakes
    ///   work without a pool.
    init?(for context: TLSContext, pairs: Int, counters: WorkerCounters) {
        guard pairs > 0,
            let memory = WipedMemory(
                byteCount: EphemeralKeyPool.bytesOfHead
                    + pairs * EphemeralKeyPool.bytesPerPair),
            let pool = EphemeralKeyPool(for: context, in: memory.bytes)
        else { return nil }
        self.memory = memory
        self.pool = pool
        self.counters = counters
        schedule = KeyPoolSchedule(capacity: pool.capacity)
    }

    /// On the worker's thread, before its first handshake.
    func begin() { pool.serveThread() }

    /// On the worker's thread, after its last handshake.
    func end() {
        pool.stopServing()
        show()
    }

    func timeout(now: MonotonicInstant) -> Duration? {
        schedule.timeout(now: now, count: pool.count)
    }

    /// A turn begins, before any handshake takes a pair.
    func turnBegan(now: MonotonicInstant, unixSeconds: Int64) {
        if schedule.turnBegan(now: now, unixSeconds: unixSeconds) { pool.wipe() }
    }

    /// The loop slept and no event came, and no client waits.
    func idle(now: MonotonicInstant) {
        switch schedule.idle(now: now, count: pool.count) {
        case .nothing: return
        case .make(let count): if !pool.make(count) { schedule.stop() }
        case .wipe: pool.wipe()
        }
    }

    /// The server stops: remaining pairs are still used, but no new ones are made.
    func drain() { schedule.stop() }

    /// Tells the counters.
    func show() {
        counters.set(.keysReserved, pool.count)
        counters.set(.keysTaken, pool.takenCount)
    }
}
