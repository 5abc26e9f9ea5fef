import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ControlMessageTests {
    private let folder: TemporaryFolder
    private var run: RunFolder { RunFolder(path: folder.path) }
    private var path: String { run.socket(of: getpid()) }

    init() throws { folder = try TemporaryFolder("control") }

    private func server(
        _ perform: @escaping @Sendable (ControlRequest, @escaping ControlServer.Answer) -> Void
    ) throws -> ControlServer {
        try ControlServer(path: path, perform: perform)
    }

    private func ask(_ request: ControlRequest, seconds: Int = 30) throws -> ControlReply {
        try ControlClient.ask(path, request, process: getpid(), seconds: seconds)
    }

    private func connected() throws -> Int32 {
        let address = try #require(SocketAddress.unix(path: path))
        var socket = try Socket(for: address)
        _ = socket.connect(to: address)
        let raw = socket.release()
        _ = fcntl(raw, F_SETFL, 0)
        return raw
    }

    @Test func whatIsNoRequestIsRefused() throws {
        let server = try server { _, answer in answer(ControlReply(.good)) }
        for text in ["nonsense", "{}", "{\"command\": \"erase\"}", ""] {
            let socket = try connected()
            defer { close(socket) }
            _ = send(socket, text + "\n", text.utf8.count + 1, 0)
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(socket, &bytes, bytes.count, 0)
            #expect(ControlReply(Array(bytes.prefix(max(0, count))))?.outcome == .refused)
        }
        // Without an end, it is cut.
        let socket = try connected()
        defer { close(socket) }
        _ = send(socket, String(repeating: "x", count: 5000), 5000, Int32(MSG_NOSIGNAL))
        var byte: UInt8 = 0
        #expect(recv(socket, &byte, 1, 0) <= 0)
        #expect(try ask(ControlRequest(.who)).outcome == .good)
        server.stop()
    }

    /// 10,000 hosts: more than a document may have.
    @Test func anAnswerAboutManyHostsIsRead() throws {
        let row = String(repeating: "x", count: 700)
        let server = try server { _, answer in
            answer(ControlReply(.good, lines: (0..<10_000).map { "host\($0) \(row)" }))
        }
        #expect(try ask(ControlRequest(.status)).lines.count == 10_000)
        server.stop()
    }
}
