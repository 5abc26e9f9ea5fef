import Reactor

/// Addresses whose handshakes recently ended unanswered; handshakes under way are not counted here.
///
/// Few handshakes of silent peers are under way at a time, because each costs memory
/// (``AdmissionLimits``). So a thousand attacking addresses that take turns hold one each, and none
/// of them looks suspicious. That is why this remembers for a while which handshakes ended
/// unanswered, and how many the same address has answered since. It holds no address that was never
/// silent: a surge of phones needs no memory here.
///
/// Two generations: the older one is forgotten when the younger is full or old. A value; every step
/// takes constant time.
struct SilentAddressHistory: Sendable {
    struct Record: Sendable, Equatable {
        /// Handshakes that ended unanswered.
        var unanswered: UInt32 = 0
        /// Handshakes that were answered since the first unanswered one.
        var answered: UInt32 = 0
    }

    private let generation: Duration
    private let addressesMaximum: Int
    private var young: [UInt64: Record] = [:]
    private var old: [UInt64: Record] = [:]
    private var begunAt: MonotonicInstant

    /// - Parameters:
    ///   - generation: the shortest time that is remembered; the longest is twice this.
    ///   - addressesMaximum: of each generation.
    init(generation: Duration, addressesMaximum: Int, now: MonotonicInstant) {
        self.generation = generation
        self.addressesMaximum = addressesMaximum
        begunAt = now
    }

    /// Forgets what is older than the generations.
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

    /// A handshake of this address was answered; counts only for an address that is remembered.
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
