import Glibc
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct AuxiliaryConnectionTests {
    /// Answers with the path, in order; `/later` and `/patient` once it knows, `/big` with much.
    private struct Echo: AuxiliaryService {
        let knows: Lock<Bool>

        mutating func answer(_ request: RequestView) -> AuxiliaryAnswer {
            guard request.fault?.isAnswered != false, request.fault != .headTooLarge else {
                return .message(Array("refused".utf8), isLast: true)
            }
            let path = String(decoding: request.path, as: UTF8.self)
            let isLast = request.wantsClose
            if path == "/later" || path == "/patient" {
                var asked = 0
                return .later(isPatient: path == "/patient") { [knows] in
                    if knows.withLock({ $0 }) {
                        return .message(Array("<\(path) after \(asked)>".utf8), isLast: isLast)
                    }
                    asked += 1
                    return nil
                }
            }
            var message = Array("<\(path)>".utf8)
            if path == "/big" { message += [UInt8](repeating: 0x2E, count: 4 << 20) }
            return .message(message, isLast: isLast)
        }
    }

    /// The connection at one end of a socketpair, and its peer at the other.
    private final class Pair {
        private let connection: AuxiliaryConnection
        private let peer: Int32
        let knows = Lock(false)
        private var service: any AuxiliaryService

        init(now: MonotonicInstant) throws {
            var ends: [Int32] = [-1, -1]
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
            connection = AuxiliaryConnection(
                token: SlotToken(index: 0, generation: 1), socket: Socket(owning: ends[0]),
                now: now)
            peer = ends[1]
            service = Echo(knows: knows)
        }

        deinit { close(peer) }

        var deadline: MonotonicInstant { connection.deadline }
        var since: MonotonicInstant { connection.since }
        var claim: AuxiliaryConnection.Claim { connection.claim }
        var isUnderWay: Bool { connection.isUnderWay }
        var awaitsAnswer: Bool { connection.awaitsAnswer }

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            expectEqual(Glibc.send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL)), bytes.count)
        }

        func leave(now: MonotonicInstant) { connection.leave(now: now) }

        func endOutput() { shutdown(peer, Int32(SHUT_WR)) }

        /// What has come; nil: the stream has ended.
        func read() -> String? {
            var text = ""
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while true {
                let count = recv(peer, &buffer, buffer.count, 0)
                if count == 0 { return text.isEmpty ? nil : text }
                if count < 0 { return text }
                text += String(decoding: buffer[..<count], as: UTF8.self)
            }
        }

        func proceed(
            at now: MonotonicInstant, isLeaving: Bool = false
        ) -> AuxiliaryConnection.Progress {
            connection.proceed(&service, now: now, isLeaving: isLeaving)
        }
    }

    private let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    private func request(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    @Test func `A request has its time from its first byte, and more bytes do not extend it`()
        throws
    {
        let pair = try Pair(now: start)
        expectEqual(pair.deadline, start + AuxiliaryConnection.timeMaximum)
        #expect(pair.claim == .idle && !pair.isUnderWay)
        let begun = start + .seconds(3)
        pair.send("GET / HT")
        expectEqual(pair.proceed(at: begun), .waitsForInput)
        expectEqual(pair.deadline, begun + AuxiliaryConnection.timeMaximum)
        #expect(pair.claim == .request && pair.isUnderWay, "idle ones give way before it")
        pair.send("TP/1.1\r\n")
        expectEqual(pair.proceed(at: begun + .seconds(9)), .waitsForInput)
        expectEqual(pair.deadline, begun + AuxiliaryConnection.timeMaximum)
    }

    @Test func `Behind an answer it may be idle for longer than a front keeps a connection`() throws
    {
        #expect(AuxiliaryConnection.idleTimeMaximum > .seconds(60), "nginx's keep-alive")
        let pair = try Pair(now: start)
        pair.send(request("/a"))
        let later = start + .seconds(5)
        expectEqual(pair.proceed(at: later), .waitsForInput)
        expectEqual(pair.read(), "</a>")
        expectEqual(pair.deadline, later + AuxiliaryConnection.idleTimeMaximum)
        expectEqual(pair.since, later, "the order in which connections give way")
        #expect(pair.claim == .idle && !pair.isUnderWay)
    }

    /// A front's request may be on its way when the listener ends.
    @Test func `A listener that ends waits a moment for requests, and no longer`() throws {
        let closing = TerminationStateMachine.closingTime
        let idle = try Pair(now: start)
        idle.leave(now: start + .seconds(1))
        expectEqual(idle.deadline, start + .seconds(1) + closing)
        idle.send(request("/a"))
        expectEqual(idle.proceed(at: start + .seconds(1), isLeaving: true), .waitsForInput)
        expectEqual(idle.read(), "</a>")
        #expect(idle.read() == nil, "told that it was the last")
        let asking = try Pair(now: start)
        asking.send("GET / HT")
        expectEqual(asking.proceed(at: start), .waitsForInput)
        asking.leave(now: start)
        expectEqual(asking.deadline, start + AuxiliaryConnection.timeMaximum)
    }

    @Test func `The last answer ends our output, and what still comes is thrown away`() throws {
        let pair = try Pair(now: start)
        pair.send(request("/a", "Connection: close\r\n") + request("/b"))
        expectEqual(pair.proceed(at: start), .waitsForInput)
        expectEqual(pair.read(), "</a>")
        #expect(pair.read() == nil, "our direction is shut down")
        expectEqual(pair.deadline, start + AuxiliaryConnection.lingerTimeMaximum)
        pair.send(request("/c"))
        expectEqual(pair.proceed(at: start), .waitsForInput)
        #expect(pair.read() == nil)
        #expect(!pair.isUnderWay)
        pair.endOutput()
        expectEqual(pair.proceed(at: start), .finished)
    }

    @Test func `While the listener ends, the next answer is the last`() throws {
        let pair = try Pair(now: start)
        pair.send(request("/a") + request("/b"))
        expectEqual(pair.proceed(at: start, isLeaving: true), .waitsForInput)
        expectEqual(pair.read(), "</a>")
        #expect(pair.read() == nil)
    }

    /// One peer with a full socket cannot hold up the loop; it is continued at once.
    @Test func `A turn answers a bounded number of requests`() throws {
        let pair = try Pair(now: start)
        let count = AuxiliaryConnection.requestsPerTurn + 1
        pair.send((0..<count).map { request("/\($0)") }.joined())
        expectEqual(pair.proceed(at: start), .waitsForOutput)
        let first = (0..<(count - 1)).map { "</\($0)>" }.joined()
        expectEqual(pair.read(), first)
        expectEqual(pair.proceed(at: start), .waitsForInput)
        expectEqual(pair.read(), "</\(count - 1)>")
    }

    @Test func `Without an answer yet nothing more is read, and the request is asked again`() throws
    {
        let pair = try Pair(now: start)
        pair.send(request("/later") + request("/b"))
        for _ in 0..<3 {
            expectEqual(pair.proceed(at: start), .waitsForInput)
            #expect(pair.awaitsAnswer)
            #expect(pair.isUnderWay)
            expectEqual(pair.read(), "")
        }
        pair.knows.withLock { $0 = true }
        expectEqual(pair.proceed(at: start), .waitsForInput)
        #expect(!pair.awaitsAnswer)
        // The state of one question is not that of the next.
        expectEqual(pair.read(), "</later after 3></b>")
    }

    @Test func `Who waits in patience is waited for, and gives way last`() throws {
        let pair = try Pair(now: start)
        pair.send(request("/patient"))
        for seconds in [0, 10, 20] {
            let now = start + .seconds(seconds)
            expectEqual(pair.proceed(at: now), .waitsForInput)
            #expect(pair.awaitsAnswer && pair.claim == .answer)
            expectEqual(pair.deadline, now + AuxiliaryConnection.timeMaximum)
        }
        let hasty = try Pair(now: start)
        hasty.send(request("/later"))
        for seconds in [0, 10] {
            expectEqual(hasty.proceed(at: start + .seconds(seconds)), .waitsForInput)
            #expect(hasty.awaitsAnswer && hasty.claim == .request)
            expectEqual(hasty.deadline, start + AuxiliaryConnection.timeMaximum)
        }
    }

    @Test func `A peer that does not read has its answer under way until it does`() throws {
        let pair = try Pair(now: start)
        pair.send(request("/big"))
        expectEqual(pair.proceed(at: start), .waitsForOutput)
        expectEqual(pair.claim, .answer, "it gives way last")
        expectEqual(pair.since, start)
        var received = 0
        let later = start + .seconds(1)
        while pair.proceed(at: later) == .waitsForOutput {
            received += pair.read()?.utf8.count ?? 0
        }
        received += pair.read()?.utf8.count ?? 0
        expectEqual(received, "</big>".utf8.count + 4 << 20)
        expectEqual(pair.since, later)
        expectEqual(pair.claim, .idle)
    }

    @Test func `A head that is too long is refused as soon as that is known`() throws {
        let limit = HTTP1Limits().headBytes
        let pair = try Pair(now: start)
        let endless = Array("GET / HTTP/1.1\r\nA: ".utf8) + Array(repeating: 0x61, count: limit)
        pair.send(String(decoding: endless.prefix(limit - 1), as: UTF8.self))
        expectEqual(pair.proceed(at: start), .waitsForInput)
        expectEqual(pair.read(), "")
        pair.send("a")
        expectEqual(pair.proceed(at: start), .waitsForInput)
        expectEqual(pair.read(), "refused")
        #expect(pair.read() == nil)
    }

    @Test func `What is no request is refused, and a peer that ends is finished with`() throws {
        let pair = try Pair(now: start)
        pair.send("nonsense\r\n\r\n" + request("/a"))
        expectEqual(pair.proceed(at: start), .waitsForInput)
        expectEqual(pair.read(), "refused")
        let gone = try Pair(now: start)
        gone.endOutput()
        expectEqual(gone.proceed(at: start), .finished)
        // A half request is no request, whatever ended it.
        let half = try Pair(now: start)
        half.send("GET / HTTP/1.1\r\n")
        half.endOutput()
        expectEqual(half.proceed(at: start), .finished)
        expectEqual(half.read(), "")
    }
}
