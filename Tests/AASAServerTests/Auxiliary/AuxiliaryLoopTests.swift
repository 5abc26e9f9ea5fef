// Covers: StoppableThreads.swift

import Glibc
import HTTP
import Reactor
import Synchronization
import TestSupport
import Testing

@testable import AASAServer

@Suite struct AuxiliaryLoopTests {
    /// Answers with the path and its number, and keeps the connection unless it is told otherwise.
    private struct Echo: AuxiliaryService {
        var count = 0
        var asked: Counting?

        mutating func answer(_ request: RequestView) -> AuxiliaryAnswer {
            guard request.fault?.isAnswered != false, request.fault != .headTooLarge else {
                return .message(Array("refused".utf8), isLast: true)
            }
            let path = String(decoding: request.path, as: UTF8.self)
            if path == "/never" {
                return .later(isPatient: false) { [asked] in
                    asked?.add()
                    return nil
                }
            }
            count += 1
            let answer = AuxiliaryAnswer.message(
                Array("<\(count)\(path)>".utf8), isLast: request.wantsClose || request.hasBody)
            if path != "/later" { return answer }
            // Known at the third time.
            var times = 0
            return .later(isPatient: false) {
                times += 1
                return times > 2 ? answer : nil
            }
        }
    }

    private static let limit = 32

    private func serve(
        _ service: any AuxiliaryService = Echo()
    ) throws -> (server: AuxiliaryServer, client: () throws -> Client) {
        let loopback = try #require(SocketAddress(parsing: "127.0.0.1:0"))
        var listener = try ListeningSocket(on: loopback, backlog: 64)
        let address = listener.address
        let server = try AuxiliaryServer(
            owning: [listener.release()], name: "aasa-test", connectionsMaximum: Self.limit,
            service: service)
        return (server, { try Client(address) })
    }

    /// Answers the first request only after everybody's time is over.
    private struct Paused: AuxiliaryService {
        var hasPaused = false

        mutating func answer(_ request: RequestView) -> AuxiliaryAnswer {
            if !hasPaused { CurrentProcess.sleep(AuxiliaryConnection.timeMaximum + .seconds(1)) }
            hasPaused = true
            return .message(Array("<a>".utf8), isLast: true)
        }
    }

    private func request(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    @Test func `Requests of one connection are answered in order, however they arrive`() throws {
        let (server, connect) = try serve()
        defer { server.stop() }
        let client = try connect()
        client.send(request("/a"))
        expectEqual(client.read(upTo: 4), "<1/a")
        expectEqual(client.read(upTo: 1), ">")
        // More than one turn answers, and a head in pieces behind them.
        let many = (0..<100).map { request("/\($0)") }.joined()
        client.send(many + "GET /en")
        let expected = (0..<100).map { "<\($0 + 2)/\($0)>" }.joined()
        expectEqual(client.read(upTo: expected.utf8.count), expected)
        client.send("d HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        expectEqual(client.readToEnd(), "<102/end>")
    }

    @Test func `An answer that is not known yet is asked for again`() throws {
        let (server, connect) = try serve()
        defer { server.stop() }
        let client = try connect()
        // What comes behind it waits, and a second one waits anew.
        client.send(request("/later") + request("/next") + request("/later"))
        let expected = "<1/later><2/next><3/later>"
        expectEqual(client.read(upTo: expected.utf8.count), expected)
    }

    @Test func `Who waits for an answer is not asked about without end`() throws {
        let asked = Counting()
        let (server, connect) = try serve(Echo(asked: asked))
        defer { server.stop() }
        let client = try connect()
        client.send(request("/never") + request("/behind"))
        client.endOutput()
        let other = try connect()
        for number in 0..<300 {
            other.send(request("/\(number)"))
            let answer = "<\(number + 1)/\(number)>"
            expectEqual(other.read(upTo: answer.utf8.count), answer)
        }
        // Each turn of the other's would have been one as well.
        #expect(asked.load() < 300, "\(asked.load())")
    }

    @Test func `Content ends the connection behind the answer, without a reset`() throws {
        let (server, connect) = try serve()
        defer { server.stop() }
        let client = try connect()
        let content = String(repeating: "x", count: 200_000)
        client.send(request("/p", "Content-Length: 200000\r\n") + content)
        expectEqual(client.readToEnd(), "<1/p>")
    }

    @Test func `What is no request is refused`() throws {
        let (server, connect) = try serve()
        defer { server.stop() }
        let endless = "GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 70_000)
        for bytes in ["nonsense\r\n\r\n", endless] {
            let client = try connect()
            client.send(bytes)
            expectEqual(client.readToEnd(), "refused")
        }
    }

    @Test func `Idle connections give way, those with an answer under way do not`() throws {
        let (server, connect) = try serve()
        defer { server.stop() }
        var idle: [Client] = []
        for number in 0..<(2 * Self.limit) {
            let client = try connect()
            client.send(request("/\(number)"))
            let answer = "<\(number + 1)/\(number)>"
            expectEqual(client.read(upTo: answer.utf8.count), answer)
            idle.append(client)
        }
        // The last ones are still there, and are answered again.
        let last = try #require(idle.last)
        last.send(request("/again", "Connection: close\r\n"))
        expectEqual(last.readToEnd(), "<65/again>")
        // The first ones were ended.
        expectEqual(idle[0].readToEnd(), "")
    }

    @Test func `Told to end, it answers who has asked and closes who has not`() throws {
        let (server, connect) = try serve()
        let silent = try connect()
        let kept = try connect()
        kept.send(request("/kept"))
        expectEqual(kept.read(upTo: 8), "<1/kept>")
        let asking = try connect()
        asking.send(request("/asked"))
        server.stop()
        expectEqual(asking.readToEnd(), "<2/asked>")
        expectEqual(kept.readToEnd(), "")
        expectEqual(silent.readToEnd(), "")
    }

    /// Level-triggered, a listener that cannot accept is ready in each turn.
    @Test func `Who asked while the loop was kept from running is answered`() throws {
        let loopback = try #require(SocketAddress(parsing: "127.0.0.1:0"))
        var listener = try ListeningSocket(on: loopback, backlog: 256)
        let address = listener.address
        let server = try AuxiliaryServer(
            owning: [listener.release()], name: "aasa-test", connectionsMaximum: 200,
            service: Paused())
        defer { server.stop() }
        let clients = try (0..<150).map { _ in try Client(address) }
        usleep(200_000)
        clients[0].send(request("/"))
        usleep(200_000)
        for client in clients.dropFirst() { client.send(request("/")) }
        for client in clients { expectEqual(client.readToEnd(), "<a>") }
    }

    @Test func `Who had begun to ask before a pause may end behind it`() throws {
        let (server, connect) = try serve(Paused())
        defer { server.stop() }
        let begun = try connect()
        begun.send("GET /b HTTP/1.1\r\n")
        usleep(200_000)
        let first = try connect()
        first.send(request("/a"))
        expectEqual(first.readToEnd(), "<a>")
        // The turn behind the pause has judged the deadlines.
        usleep(1_500_000)
        begun.send("Host: localhost\r\n\r\n")
        expectEqual(begun.readToEnd(), "<a>")
    }

    /// Level-triggered, a connection with unread input is ready in each turn.
    @Test func `Without descriptors it waits and does not spin`() throws {
        let loopback = try #require(SocketAddress(parsing: "127.0.0.1:0"))
        var listener = try ListeningSocket(on: loopback, backlog: 64)
        let address = listener.address
        let raw = listener.release()
        let thread = try StoppableThreads()
        let pending = Lock<Bool?>(nil)
        try thread.start(name: "aasa-test") {
            guard
                var loop = try? AuxiliaryLoop(
                    listeners: [raw], service: Echo(), connectionsMaximum: 4, thread: thread)
            else { return }
            FaultInjection.arm(.accept4, times: 10_000, number: EMFILE)
            loop.run()
            let isPending = FaultInjection.isPending(.accept4)
            pending.withLock { $0 = isPending }
            FaultInjection.disarm()
        }
        let client = try Client(address)
        client.send(request("/"))
        usleep(300_000)
        thread.stop()
        expectEqual(pending.withLock { $0 }, true)
    }
}

private final class Counting: Sendable {
    private let value = Atomic(0)
    func add() { value.wrappingAdd(1, ordering: .relaxed) }
    func load() -> Int { value.load(ordering: .relaxed) }
}

/// A blocking client; waits are bounded by a guard only.
private final class Client {
    private let descriptor: Int32

    init(_ address: SocketAddress) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = UInt16(AF_INET)
        name.sin_port = address.port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        let size = UInt32(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        let connected = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, UInt32(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(connected == 0)
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent <= 0 { return }
            rest = rest.dropFirst(sent)
        }
    }

    func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

    func read(upTo count: Int) -> String {
        var received: [UInt8] = []
        var buffer: [UInt8] = Array(repeating: 0, count: count)
        while received.count < count {
            let read = recv(descriptor, &buffer, count - received.count, 0)
            if read <= 0 { break }
            received += buffer[..<read]
        }
        return String(decoding: received, as: UTF8.self)
    }

    /// "reset" where the connection was.
    func readToEnd() -> String {
        var received: [UInt8] = []
        var buffer: [UInt8] = Array(repeating: 0, count: 65_536)
        while true {
            let read = recv(descriptor, &buffer, buffer.count, 0)
            if read < 0 { return String(decoding: received, as: UTF8.self) + "reset" }
            if read == 0 { break }
            received += buffer[..<read]
        }
        return String(decoding: received, as: UTF8.self)
    }
}
