import Reactor

/// Which addresses have left handshakes unanswered of late, beyond those that are under way.
///
/// Handshakes of silent peers are few at a time, as each costs memory (``AdmissionLimits``): a
/// thousand addresses that take turns hold one each, and none would ever look like what it is. So
/// what has ended unanswered is remembered for a while, and what the same address has answered
/// since. Addresses that never were silent are not in it: a surge of phones costs nothing.
///
/// Two generations: the older one is forgotten when the younger is full or old. A value; every step
/// takes constant time.
struct SilenceMemory: Sendable {
    struct Record: Sendable, Equatable {
        /// Handshakes that ended unanswered.
        var unanswered: UInt32 = 0
        /// Handshakes that were answered since the first of those.
        var answered: UInt32 = 0
    }

    private let generation: Duration
    private let addressesMaximum: Int
    private var young: [UInt64: Record] = [:]
    private var old: [UInt64: Record] = [:]
    private var begunAt: MonotonicInstant

    /// - Parameters:
    ///   - generation: so long is remembered at least, and twice as long at most.
    ///   - addressesMaximum: of each generation.
    init(generation: Duration, addressesMaximum: Int, now: MonotonicInstant) {
        self.generation = generation
        self.addressesMaximum = addressesMaximum
        begunAt = now
    }

    /// Time has passed.
    mutating func turnBegan(now: MonotonicInstant) {
        let age = now - begunAt
        guard age >= generation else { return }
        if age >= generation * 2 { young = [:] }
        rotate()
        begunAt = now
    }

    /// A handshake of this address has ended unanswered.
    mutating func endedUnanswered(network: UInt64) {
        if young.count >= addressesMaximum, young[network] == nil { rotate() }
        young[network, default: Record()].unanswered += 1
    }

    /// A handshake of this address was answered; nothing happens if it is not remembered.
    mutating func answered(network: UInt64) {
        if young.isEmpty && old.isEmpty { return }
        if young[network] != nil {
            young[network]?.answered += 1
        } else if old[network] != nil {
            old[network]?.answered += 1
        }
    }

    func record(of network: UInt64) -> Record {
        if young.isEmpty && old.isEmpty { return Record() }
        var record = young[network] ?? Record()
        if let earlier = old[network] {
            record.unanswered += earlier.unanswered
            record.answered += earlier.answered
        }
        return record
    }

    private mutating func rotate() {
        old = young
        young = [:]
    }
}
