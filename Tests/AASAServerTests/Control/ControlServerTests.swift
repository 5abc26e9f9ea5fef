// Covers: ControlClient.swift, ControlMessage.swift, ControlOrders.swift, ControlDesk.swift
// Covers: PeerIdentity.swift
import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ControlServerTests {
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

    @Test func aQuestionGetsItsAnswer() throws {
        let server = try server { request, answer in
            var reply = ControlReply(.findings, lines: ["\(request.command)"], problems: ["ä\n\""])
            reply.version = "1.2"
            reply.process = 17
            reply.phase = "serving"
            answer(reply)
        }
        for command in ControlRequest.Command.allCases {
            let reply = try ask(ControlRequest(command, isForced: true))
            #expect(reply.outcome == .findings)
            #expect(reply.lines == ["\(command)"])
            #expect(reply.problems == ["ä\n\""])
            #expect(reply.process == 17 && reply.version == "1.2" && reply.phase == "serving")
        }
        #expect(ControlClient.servers(in: [run]).found.map(\.process) == [getpid()])
        server.stop()
        #expect(access(path, F_OK) != 0)
        #expect(ControlClient.servers(in: [run]).found.isEmpty)
    }

    /// One that waits for its outcome is in nobody's way.
    @Test func aSlowOutcomeHoldsNobodyUp() throws {
        let slow = try ControlOrders()
        let server = try server { request, answer in
            if request.command == .reload {
                slow.put(.upgrade(isForced: false, answer))
            } else {
                answer(ControlReply(.good))
            }
        }
        let waiting = try WorkerThread(name: "waiting") { [self] in
            let reply = try? ask(ControlRequest(.reload))
            #expect(reply?.outcome == .refused)
        }
        #expect(try ask(ControlRequest(.who)).outcome == .good)
        while true {
            if case .upgrade(_, let answer)? = slow.take().first {
                answer(ControlReply(.refused))
                break
            }
            usleep(1000)
        }
        waiting.join()
        server.stop()
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

    private func connected() throws -> Int32 {
        let address = try #require(SocketAddress.unix(path: path))
        var socket = try Socket(for: address)
        _ = socket.connect(to: address)
        let raw = socket.release()
        _ = fcntl(raw, F_SETFL, 0)
        return raw
    }

    /// A number that is used again, or a socket that somebody else put there.
    @Test func aStrangerIsNotTakenForTheServer() throws {
        let server = try server { _, answer in answer(ControlReply(.good)) }
        #expect(throws: ControlClient.Failure.self) {
            try ControlClient.ask(path, ControlRequest(.who), process: 1, seconds: 5)
        }
        server.stop()
        #expect(throws: ControlClient.Failure.gone) { try ask(ControlRequest(.who)) }
    }
}
