import AASAStorm
import Reactor

@testable import AASAServer

/// A link that all transfers under way share in equal parts, as TCP does, on a simulated clock, and
/// the ``ShedController`` that decides about the answers that go through it.
struct ModelLink: ~Copyable {
    /// How a client takes its answer.
    enum Reader {
        case asItComes
        /// So many bytes per second: a radio link of its own, or a reader that takes little. Its
        /// window closes between two looks, if `closes`.
        case slowly(Double, closes: Bool)
        /// Its window is closed, and stays so.
        case never

        var bytesPerSecond: Double {
            switch self {
            case .asItComes: .infinity
            case .slowly(let rate, _): rate
            case .never: 0
            }
        }
    }

    private struct Transfer {
        var left: Double
        let reader: Reader
        let connection: Int
        /// `nil`: a 503.
        var document: LargeAnswer?
    }

    private static let step = 0.02
    static let documentBytes = 110_000.0
    let bytesPerSecond: Double
    /// A proxy with small buffers stands before the link: the server sees closed windows.
    var isProxied = false
    private(set) var controller: ShedController
    private var transfers: [Transfer] = []
    private(set) var time = 0.0
    private(set) var asked = 0
    private(set) var answered = 0
    private(set) var unavailable = 0
    /// Seconds of the slowest answer to a reader that takes it as it comes.
    private(set) var slowest = 0.0

    init(bytesPerSecond: Double, isProxied: Bool = false, limits: ShedLimits = ShedLimits()) {
        self.bytesPerSecond = bytesPerSecond
        self.isProxied = isProxied
        controller = ShedController(limits: limits, now: MonotonicInstant(nanoseconds: 0))
    }

    init(documentsPerSecond: Double, isProxied: Bool = false) {
        self.init(
            bytesPerSecond: documentsPerSecond
                * (Self.documentBytes + StormPlan.handshakeBytes),
            isProxied: isProxied)
    }

    var now: MonotonicInstant { MonotonicInstant(nanoseconds: Int64(time * 1e9)) }
    var underWay: Int { transfers.count { $0.document != nil } }
    /// Whether a new client would wait for too long.
    func isFull(bytes: Double = documentBytes) -> Bool {
        controller.link.isFull(
            bytes: Int(bytes), beyond: ShedLimits().egressTimeMaximum, now: now)
    }

    /// So many requests per second for so long, then as long as it takes.
    mutating func surge(requestsPerSecond: Double, seconds: Double) {
        run(seconds) { $0.ask(each: requestsPerSecond) }
        while !transfers.isEmpty { run(Self.step) { _ in } }
    }

    /// Steps of 20 ms; `body` asks in each.
    mutating func run(_ seconds: Double, _ body: (inout Self) -> Void = { _ in }) {
        let end = time + seconds - 1e-6
        while time < end {
            body(&self)
            carry()
            if controller.link.isSampleDue(now: now) { sample() }
            time += Self.step
        }
    }

    /// Asks at a rate: in each step as many as are due.
    mutating func ask(each perSecond: Double, _ reader: Reader = .asItComes) {
        // The clock is a sum of steps, and a little off.
        func due(_ time: Double) -> Int { Int(time * perSecond + 1e-6) }
        for _ in due(time)..<due(time + Self.step) { ask(reader) }
    }

    /// - Parameter documents: at once on one connection.
    mutating func ask(_ reader: Reader = .asItComes, documents: Int = 1) {
        asked += 1
        var bytes = StormPlan.handshakeBytes
        var earlier: LargeAnswer?
        for _ in 0..<documents {
            let cause = controller.judge(
                now: now, userAgent: nil, bytes: (earlier?.bytes ?? 0) + Int(Self.documentBytes))
            if cause != nil {
                unavailable += 1
                bytes += StormPlan.unavailableBytes
                continue
            }
            bytes += Self.documentBytes
            controller.link.began(bytes: Int(Self.documentBytes), isBehind: earlier != nil)
            earlier = LargeAnswer(
                bytes: Int(Self.documentBytes), behind: earlier, acknowledged: 0, end: Int(bytes),
                now: now)
        }
        transfers.append(
            Transfer(left: bytes, reader: reader, connection: asked, document: earlier))
    }

    /// How many of so many requests in the crawler's name would get the document.
    mutating func askAsCrawler(times: Int) -> Int {
        (0..<times).count { _ in
            Array("aasa-bot".utf8).withUnsafeBytes {
                controller.judge(now: now, userAgent: $0, bytes: Int(Self.documentBytes))
            } == nil
        }
    }

    /// The process is kept from running while the link is not.
    mutating func pause(_ seconds: Double) {
        for index in transfers.indices {
            transfers[index].document?.serverWasLate(by: .seconds(seconds))
        }
        time += seconds
    }

    /// Clients give up: their connections are closed with what they had not received.
    mutating func leave(where isMeant: (Int) -> Bool) {
        for transfer in transfers where isMeant(transfer.connection) {
            guard let document = transfer.document else { continue }
            controller.link.ended(
                document, hasArrived: false,
                progress: max(0, document.left - Int(transfer.left)), now: now)
        }
        transfers.removeAll { isMeant($0.connection) }
    }

    /// Connections are closed whose answers the kernel holds whole, and still delivers.
    mutating func loseSight(of isMeant: (Int) -> Bool) {
        for index in transfers.indices where isMeant(transfers[index].connection) {
            transfers[index].document = nil
            controller.link.lostSight(left: Int(transfers[index].left))
        }
    }

    private mutating func carry() {
        var capacity = bytesPerSecond * Self.step
        var room = transfers.map { min($0.left, $0.reader.bytesPerSecond * Self.step) }
        var open = room.indices.filter { room[$0] > 0 }
        while capacity > 1, !open.isEmpty {
            let each = min(open.map { room[$0] }.min() ?? 0, capacity / Double(open.count))
            for index in open {
                transfers[index].left -= each
                room[index] -= each
            }
            capacity -= each * Double(open.count)
            open.removeAll { room[$0] < 1 }
        }
        for transfer in transfers where transfer.left < 1 {
            guard let document = transfer.document else { continue }
            answered += 1
            if case .asItComes = transfer.reader {
                slowest = max(slowest, document.age(at: now).inSeconds)
            }
            controller.link.ended(
                document, hasArrived: true, progress: document.left, now: now)
        }
        transfers.removeAll { $0.left < 1 }
    }

    private mutating func sample() {
        for index in transfers.indices {
            guard var document = transfers[index].document else { continue }
            let queued = Int(transfers[index].left)
            let before = document.left
            let look = document.look(
                queued: queued, own: 0,
                acknowledged: document.end - queued, awaitsWindow: false, now: now,
                answerTime: .seconds(120), stallTolerated: ShedLimits().stallTolerated,
                isWindowClosed: { isWindowClosed(transfers[index].reader) })
            controller.link.saw(
                &document, look, left: queued, progress: before - document.left, now: now)
            transfers[index].document = document
        }
        controller.link.sampled(now: now)
    }

    private func isWindowClosed(_ reader: Reader) -> Bool {
        switch reader {
        case .never: true
        case .slowly(_, let closes): closes
        case .asItComes: isProxied
        }
    }
}
