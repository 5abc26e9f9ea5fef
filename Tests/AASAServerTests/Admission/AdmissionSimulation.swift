import Glibc
import Reactor
import TestSupport

@testable import AASAServer

/// A surge against ``AdmissionController`` in virtual time, with the costs and the client of
/// overload.md section 5: a full service takes `1/mu` seconds, of which 4 % are spent when the
/// connection enters the kernel's queue, 3 % at accept, 75 % when the handshake is started, 18 %
/// when the client's Finished and request arrive one round trip later. A dropped SYN costs 0.5 %
/// and is repeated as XNU does.
struct AdmissionSimulation {
    struct Outcome {
        var clients = 0
        var answered = 0
        /// Share of the processor's time spent on handshakes of clients that did not get their
        /// answer.
        var wasted = 0.0
        var lastAnswer = 0.0
        var share: Double { Double(answered) / Double(max(1, clients)) }
    }

    /// Services per second.
    var mu = 100.0
    /// Arrivals per second as a multiple of `mu`.
    var load = 2.0
    var surge = 60.0
    /// Drawn from these with equal chances.
    var patience = [10.0]
    var roundTrip = 0.08
    /// Share of the clients that leave after 1.1 s on purpose.
    var poisoners = 0.0
    /// Share of the clients that send garbage behind their ClientHello and leave after 2 s. They
    /// count as no clients in the outcome.
    var attackers = 0.0
    /// Patience is learned while at least this share of the handshakes is completed.
    var completedShareMinimum = AdmissionLimits().completedShareMinimum
    var seed: UInt64 = 1
    /// The kernel's queue in seconds of handshakes once the controller knows their rate; before, as
    /// many as the listener begins with.
    var backlogSeconds: Double? = 2
    var backlogAtStart = 16_384

    private enum Event {
        case syn(Int, attempt: Int)
        case leave(Int)
        case finish(Int)
    }
    private enum Place { case outside, kernel, waiting, handshaking, answered, gone }
    private static let retries = [1.0, 1, 1, 1, 1, 2, 4, 8, 16]
    private static let tick = 0.005

    func run() -> Outcome {
        var random = SeededRandom(seed: seed)
        var outcome = Outcome()
        let horizon = surge + (patience.max() ?? 0) + 40
        var buckets: [[Event]] = Array(repeating: [], count: Int(horizon / Self.tick) + 2)
        func schedule(_ event: Event, _ time: Double) {
            let bucket = Int((time / Self.tick).rounded(.up))
            if bucket < buckets.count { buckets[bucket].append(event) }
        }
        var places: [Place] = []
        var hellos: [Double] = []
        var attacks: [Bool] = []
        var time = 0.0
        while true {
            time += -log(Double.random(in: 1e-9..<1, using: &random)) / (mu * load)
            if time >= surge { break }
            let client = places.count
            places.append(.outside)
            hellos.append(0)
            let isPoisoner = Double.random(in: 0..<1, using: &random) < poisoners
            let isAttack = attackers > 0 && Double.random(in: 0..<1, using: &random) < attackers
            attacks.append(isAttack)
            let stays = isAttack ? 2 : isPoisoner ? 1.1 : patience[client % patience.count]
            schedule(.syn(client, attempt: 0), time)
            schedule(.leave(client), time + stays)
        }
        outcome.clients = attacks.count { !$0 }

        var limits = AdmissionLimits()
        // Scaled to 100 services/s: a start takes 7.5 ms here, not 0.2.
        limits.startsPerTurn = 2
        limits.turnTimeMaximum = .seconds(1)
        limits.workingMinimum = 16
        limits.backlogSeconds = backlogSeconds
        limits.completedShareMinimum = completedShareMinimum
        func instant(_ seconds: Double) -> MonotonicInstant {
            MonotonicInstant(nanoseconds: 1_000_000_000 + Int64(seconds * 1e9))
        }
        var controller = AdmissionController(limits: limits, now: instant(0))
        func token(_ client: Int) -> SlotToken { SlotToken(rawValue: 1 << 32 | UInt64(client)) }
        let cost = 1 / mu
        var backlog = backlogAtStart
        var kernel: [Int] = []
        var kernelHead = 0
        var leftAt: [Double] = Array(repeating: 0, count: places.count)
        var finished: [Int] = []
        var now = 0.0
        var seen = 0
        var wasted = 0.0
        var busyTotal = 0.0
        while now < horizon {
            let began = now
            while seen < buckets.count, Double(seen) * Self.tick <= now {
                for event in buckets[seen] {
                    switch event {
                    case .syn(let client, let attempt):
                        if places[client] != .outside { break }
                        if kernel.count - kernelHead < backlog {
                            kernel.append(client)
                            places[client] = .kernel
                            hellos[client] = Double(seen) * Self.tick
                            now += 0.04 * cost
                        } else {
                            now += 0.005 * cost
                            if attempt < Self.retries.count {
                                let next = Double(seen) * Self.tick + Self.retries[attempt]
                                schedule(.syn(client, attempt: attempt + 1), next)
                            }
                        }
                    case .leave(let client):
                        if places[client] == .answered { break }
                        if places[client] == .waiting {
                            controller.left(
                                waited: .seconds(Double(seen) * Self.tick - hellos[client]))
                        }
                        if places[client] == .handshaking { wasted += 0.75 * cost }
                        places[client] = .gone
                        leftAt[client] = Double(seen) * Self.tick
                    case .finish(let client): finished.append(client)
                    }
                }
                seen += 1
            }
            var didWork = now > began
            for client in finished {
                let isThere = places[client] == .handshaking
                controller.ended(token(client), isCompleted: isThere)
                if isThere {
                    controller.completionTook(nanoseconds: Int64(0.18 * cost * 1e9))
                    now += 0.18 * cost
                    places[client] = .answered
                    outcome.answered += 1
                    outcome.lastAnswer = now
                }
                didWork = true
            }
            finished.removeAll(keepingCapacity: true)
            func start(_ client: Int) {
                controller.started(token(client), now: instant(now))
                controller.startTook(nanoseconds: Int64(0.75 * cost * 1e9))
                now += 0.75 * cost
                didWork = true
                if attacks[client] {
                    places[client] = .gone
                    return controller.ended(token(client), isCompleted: false)
                }
                places[client] = .handshaking
                schedule(.finish(client), now + roundTrip)
            }
            controller.turnBegan(now: instant(now), isIdle: !didWork)
            while let candidate = controller.next(now: instant(now)) {
                let client = candidate.token.index
                if places[client] == .waiting { start(client) }
            }
            for _ in 0..<32 {
                guard kernelHead < kernel.count, controller.mayAccept(now: instant(now)) else {
                    break
                }
                let client = kernel[kernelHead]
                kernelHead += 1
                controller.accepted()
                now += 0.03 * cost
                didWork = true
                if places[client] == .gone { continue }
                places[client] = .waiting
                controller.arrived(
                    token(client), helloAt: instant(hellos[client]))
            }
            busyTotal += now - began
            controller.turnEnded(busyNanoseconds: Int64((now - began) * 1e9), now: instant(now))
            backlog = controller.backlogChange() ?? backlog
            if !didWork || now == began { now = max(now, Double(seen) * Self.tick) }
        }
        outcome.wasted = wasted / max(busyTotal, 1e-9)
        return outcome
    }

    /// What any policy can answer at most: `(S + T) / (k S)`.
    var fluidBound: Double {
        let mean = patience.reduce(0, +) / Double(patience.count)
        return min(1, (surge + mean) / (load * surge))
    }
}
