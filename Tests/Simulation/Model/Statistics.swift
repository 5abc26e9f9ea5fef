import AASAServer

/// What a run has counted.
package struct Statistics: Sendable {
    /// Of one population.
    package struct Population: Sendable {
        package var arrived = 0
        /// Came when this worker did not listen any more.
        package var arrivedAfterEnd = 0
        package var answered = 0
        package var unavailable = 0
        package var gaveUp = 0
        package var cut = 0
        /// Processor time that its connections took.
        package var processorNanoseconds: Int64 = 0
    }

    package var populations: [Population]
    /// By reason.
    package private(set) var closes: [String: Int] = [:]
    package var turns = 0
    package var seconds = 0.0
    /// Clients that mean it and gave up, by what they waited for.
    package private(set) var gaveUpIn: [String: Int] = [:]
    package var memoryShareMaximum = 0.0
    package var keptBytesMaximum = 0

    init(populations count: Int) {
        populations = Array(repeating: Population(), count: count)
    }

    mutating func count(_ counters: WorkerCounters) {
        for reason in CloseReason.allCases where counters.closes(reason) > 0 {
            closes[reason.label] = Int(counters.closes(reason))
        }
    }

    mutating func charge(_ peer: Peer, _ nanoseconds: Int64, slowness: Double) {
        populations[peer.population].processorNanoseconds += Int64(Double(nanoseconds) * slowness)
    }

    mutating func gaveUp(_ peer: Peer) {
        guard peer.kind.isHonest, case .underWay = peer.outcome else { return }
        let place =
            switch peer.stage {
            case .connecting: "connecting"
            case .waiting where !peer.isAccepted: "in the kernel's queue"
            case .waiting where !peer.handshakeBegan: "waiting for the handshake"
            case .waiting, .handshaking: "in the handshake"
            case .asking, .done: "waiting for the answer"
            }
        gaveUpIn[place, default: 0] += 1
    }

    mutating func settle(_ peer: Peer) {
        switch peer.outcome {
        case .underWay: break
        case .answered: populations[peer.population].answered += 1
        case .unavailable: populations[peer.population].unavailable += 1
        case .gaveUp: populations[peer.population].gaveUp += 1
        case .cut: populations[peer.population].cut += 1
        }
    }
}
