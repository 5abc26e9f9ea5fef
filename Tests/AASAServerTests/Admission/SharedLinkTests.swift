// Covers: ShedController.swift
import AASAStorm
import Reactor
import Testing

@testable import AASAServer

/// The shedding of a server behind a link that is too narrow, on a simulated clock: egress sheds as
/// much as the link cannot carry, and not more (`aasa storm plan` says the same by arithmetic).
@Suite struct SharedLinkTests {
    /// A link that all transfers under way share in equal parts, as TCP does, and the controller
    /// before it.
    private struct SharedLink {
        private struct Transfer {
            var left: Double
            let began: Double
            /// `nil`: a 503.
            var document: LargeAnswer?
        }

        private static let step = 0.02
        let documentBytes = 110_000.0
        let handshakeBytes = StormPlan.handshakeBytes
        let documentsPerSecond: Double
        /// A proxy with small buffers stands before the link: the server sees closed windows.
        let isProxied: Bool
        private var controller = ShedController(
            limits: ShedLimits(), now: MonotonicInstant(nanoseconds: 0))
        private var probes = LinkProbes(
            limits: ShedLimits(), now: MonotonicInstant(nanoseconds: 0))
        private var transfers: [Transfer] = []
        private var time = 0.0
        private(set) var asked = 0
        private(set) var answered = 0
        private(set) var unavailable = 0
        private(set) var slowest = 0.0

        init(documentsPerSecond: Double, isProxied: Bool = false) {
            self.documentsPerSecond = documentsPerSecond
            self.isProxied = isProxied
        }

        private var now: MonotonicInstant { MonotonicInstant(nanoseconds: Int64(time * 1e9)) }

        /// So many requests per second for so long.
        mutating func run(requestsPerSecond: Double, seconds: Double) {
            var due = 0.0
            while time < seconds || !transfers.isEmpty {
                while due <= time, time < seconds {
                    ask()
                    due += 1 / requestsPerSecond
                }
                carry()
                if controller.isSampleDue(now: now) { sample() }
                time += Self.step
            }
        }

        private mutating func ask() {
            asked += 1
            let isFull =
                controller.judge(
                    now: now, userAgent: nil, bytes: Int(documentBytes)) != nil
                && !probes.isFree(now: now)
            // Nobody asks twice: each of them may be a probe.
            let isProbe = isFull && probes.letThrough(network: UInt64(asked), now: now)
            let isShed = isFull && !isProbe
            let bytes = handshakeBytes + (isShed ? StormPlan.unavailableBytes : documentBytes)
            var document =
                isShed
                ? nil
                : LargeAnswer(
                    bytes: Int(documentBytes), behind: nil, acknowledged: 0, end: Int(bytes),
                    now: now)
            document?.isProbe = isProbe
            transfers.append(Transfer(left: bytes, began: time, document: document))
            controller.sent(Int(bytes))
            if isShed { unavailable += 1 } else { controller.began(bytes: Int(documentBytes)) }
        }

        private mutating func carry() {
            var capacity = documentsPerSecond * (documentBytes + handshakeBytes) * Self.step
            while capacity > 1, !transfers.isEmpty {
                let least = transfers.map(\.left).min() ?? 0
                let each = min(least, capacity / Double(transfers.count))
                for index in transfers.indices { transfers[index].left -= each }
                capacity -= each * Double(transfers.count)
                for transfer in transfers where transfer.left < 1 {
                    guard let document = transfer.document else { continue }
                    answered += 1
                    if document.isProbe {
                        probes.ended(
                            wasEarly: controller.isEarly(document, now: now), network: 0, now: now)
                    }
                    slowest = max(slowest, time - transfer.began)
                    controller.completed(
                        bytes: Int(documentBytes), after: .seconds(time - transfer.began))
                }
                transfers.removeAll { $0.left < 1 }
            }
        }

        private mutating func sample() {
            var sample = EgressSample()
            let stallLimits = controller.stallLimits(
                answers: transfers.count { $0.document != nil })
            for index in transfers.indices {
                guard var document = transfers[index].document else { continue }
                let queued = Int(transfers[index].left)
                let look = document.look(
                    queued: queued, own: 0,
                    acknowledged: Int(handshakeBytes + documentBytes) - queued, awaitsWindow: false,
                    now: now,
                    answerTime: .seconds(120), stallLimits: stallLimits,
                    isWindowClosed: { isProxied })
                transfers[index].document = document
                sample.add(
                    document, look, queued: queued, own: 0, now: now,
                    slowAfter: controller.slowAnswerTime, slowUntil: controller.egressTimeMaximum,
                    travelsKnown: controller.travelsKnown)
            }
            controller.sampled(sample, now: now)
        }
    }

    /// At k times what the link carries, 1/k of the clients get the document; within five points,
    /// and within the patience of a client that waits for ten seconds.
    @Test(arguments: [1.2, 1.5, 2.0, 3.0, 5.0], [12.0, 30.0])
    func asManyAreAnsweredAsTheLinkCarries(load: Double, documentsPerSecond: Double) {
        asManyAreAnswered(SharedLink(documentsPerSecond: documentsPerSecond), load)
    }

    /// Also behind a proxy, where each answer begins with a closed window.
    @Test(arguments: [1.2, 1.5, 2.0, 3.0, 5.0], [12.0, 30.0])
    func asManyAreAnsweredAsAProxyCarries(load: Double, documentsPerSecond: Double) {
        asManyAreAnswered(
            SharedLink(documentsPerSecond: documentsPerSecond, isProxied: true), load)
    }

    private func asManyAreAnswered(_ shared: SharedLink, _ load: Double) {
        var link = shared
        let documentsPerSecond = link.documentsPerSecond
        link.run(requestsPerSecond: load * documentsPerSecond, seconds: 60)
        #expect(link.answered + link.unavailable == link.asked)
        let percent = 100 * Double(link.answered) / Double(link.asked)
        #expect(abs(percent - 100 / load) <= 5, "\(percent) % of \(100 / load) %")
        #expect(link.slowest <= 10)
    }

    /// Short surges too, where what is under way at their end counts: as many get the document as
    /// the plan says, within five points.
    @Test(arguments: [1.5, 2.0, 3.0, 5.0], [10.0, 20.0, 60.0])
    func asManyAreAnsweredAsThePlanSays(load: Double, seconds: Double) {
        var link = SharedLink(documentsPerSecond: 30)
        link.run(requestsPerSecond: load * 30, seconds: seconds)
        let plan = StormPlan(
            handshakesPerSecond: 3000,
            linkBitsPerSecond: 30 * (link.documentBytes + link.handshakeBytes) * 8,
            documentBytes: link.documentBytes, devices: Double(link.asked), surgeSeconds: seconds,
            patienceSeconds: 10)
        let percent = 100 * Double(link.answered) / Double(link.asked)
        let planned = 100 * plan.associated / plan.devices
        #expect(abs(percent - planned) <= 5, "\(percent) % of \(planned) %")
    }

    /// The plan's figures are the server's.
    @Test func thePlanKnowsTheServersLimits() {
        let limits = ShedLimits()
        #expect(limits.egressTimeMaximum.inSeconds == StormPlan.fullLinkAnswerSeconds)
        #expect(Double(limits.largeAnswerBytes) == StormPlan.shedDocumentBytes)
    }

    /// Behind a proxy every answer begins with a closed window. On a full link those wait for it as
    /// well: 30 of 120 KB are 3.6 s of it, and 15 more 5.4 s. On a free one they say nothing.
    @Test(arguments: [(30, 0, false), (30, 15, true), (0, 1000, false)])
    func whatIsUndecidedWaitsForAFullLink(travelling: Int, undecided: Int, isShed: Bool) {
        func at(_ seconds: Double) -> MonotonicInstant {
            MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
        }
        var controller = ShedController(limits: ShedLimits(), now: at(0))
        for number in 1...10 {
            for _ in 0..<(number < 8 ? 5 : 0) { controller.began(bytes: 120_000) }
            controller.sent(200_000)
            var sample = EgressSample()
            sample.kernelBytes = 120_000 * travelling
            sample.answers = travelling
            sample.slowAnswers = travelling
            sample.undecidedAnswers = undecided
            sample.undecidedWholeBytes = undecided * 120_000
            controller.sampled(sample, now: at(Double(number) * 0.2))
        }
        let cause = controller.judge(now: at(2.1), userAgent: nil, bytes: 120_000)
        #expect((cause == .egress) == isShed)
    }

    @Test func aLinkThatCarriesAllShedsNothing() {
        var link = SharedLink(documentsPerSecond: 30)
        link.run(requestsPerSecond: 28, seconds: 20)
        #expect(link.unavailable == 0)
    }
}
