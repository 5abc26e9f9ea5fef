import OpenSSL
import Reactor

/// A worker's reserve of ephemeral key pairs: its memory, and what is done when the schedule says
/// so.
final class KeyReserveKeeper {
    private let memory: WipedMemory
    private let reserve: EphemeralKeyReserve
    private let counters: WorkerCounters
    private var schedule: KeyReserveSchedule

    /// - Parameter pairs: the most it keeps.
    /// - Returns: nil where none are to be kept, or the kernel or OpenSSL cannot: handshakes work
    ///   without.
    init?(for context: TLSContext, pairs: Int, counters: WorkerCounters) {
        guard pairs > 0,
            let memory = WipedMemory(
                byteCount: EphemeralKeyReserve.bytesOfHead
                    + pairs * EphemeralKeyReserve.bytesPerPair),
            let reserve = EphemeralKeyReserve(for: context, in: memory.bytes)
        else { return nil }
        self.memory = memory
        self.reserve = reserve
        self.counters = counters
        schedule = KeyReserveSchedule(capacity: reserve.capacity)
    }

    /// On the worker's thread, before its first handshake.
    func begin() { reserve.serveThread() }

    /// On the worker's thread, behind its last handshake.
    func end() {
        reserve.stopServing()
        show()
    }

    func timeout(now: MonotonicInstant) -> Duration? {
        schedule.timeout(now: now, count: reserve.count)
    }

    /// A turn begins, before anybody takes a pair.
    func turnBegan(now: MonotonicInstant, unixSeconds: Int64) {
        if schedule.turnBegan(now: now, unixSeconds: unixSeconds) { reserve.wipe() }
    }

    /// The loop slept and nothing came, and nobody waits.
    func idle(now: MonotonicInstant) {
        switch schedule.idle(now: now, count: reserve.count) {
        case .nothing: return
        case .make(let count): if !reserve.make(count) { schedule.stop() }
        case .wipe: reserve.wipe()
        }
    }

    /// The server stops: those there are serve on.
    func drain() { schedule.stop() }

    /// Tells the counters.
    func show() {
        counters.set(.keysReserved, reserve.count)
        counters.set(.keysTaken, reserve.takenCount)
    }
}
