import AppSiteAssociation
import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// A server that speaks the protocol of aasa 1.1.0, as that release wrote it.
@Suite struct ControlClientVersion1Tests: ControlSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("control") }

    /// Takes so many connections: one line in, one line out.
    private func serve(_ connections: Int) throws -> (lines: Lock<[String]>, thread: WorkerThread) {
        let lines = Lock<[String]>([])
        var listener = try ListeningSocket(on: .requireUnix(path: path), backlog: 4)
        let raw = listener.release()
        let thread = try WorkerThread(name: "old-server") {
            _ = fcntl(raw, F_SETFL, 0)
            defer { close(raw) }
            for _ in 0..<connections {
                let peer = accept(raw, nil, nil)
                defer { close(peer) }
                var bytes = [UInt8](repeating: 0, count: 1024)
                let count = recv(peer, &bytes, bytes.count, 0)
                let line = bytes.prefix(max(0, count)).prefix { $0 != 10 }
                lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
                let isRequest = line.first == UInt8(ascii: "{")
                let reply =
                    isRequest
                    ? #"{"aasa":"1.1.0","pid":7,"phase":"serving","outcome":"good","lines":["done"],"problems":[],"status":{"health":"well"}}"#
                    : #"{"aasa":"","pid":0,"phase":"","outcome":"refused","lines":[],"problems":["not a request"]}"#
                _ = send(peer, reply + "\n", reply.utf8.count + 1, Int32(MSG_NOSIGNAL))
            }
        }
        return (lines, thread)
    }

    @Test(arguments: [
        (ControlRequest.process, #"{"command":"who","force":false}"#),
        (.status, #"{"command":"status","force":false}"#),
        (.reload, #"{"command":"reload","force":false}"#),
        (.upgrade, #"{"command":"upgrade","force":false}"#),
        (.forcedUpgrade, #"{"command":"upgrade","force":true}"#),
    ])
    func anOlderServerIsAskedInItsOwnWords(_ request: ControlRequest, _ line: String) throws {
        let (lines, thread) = try serve(2)
        let reply = try ask(request)
        #expect(reply.version == "1.1.0" && reply.outcome == .good && reply.lines == ["done"])
        thread.join()
        expectEqual(lines.withLock { $0.count }, 2)
        expectEqual(lines.withLock { $0 }.last, line)
    }

    @Test func itsStatusDocumentIsPartOfItsReply() throws {
        let (_, thread) = try serve(2)
        let document = try ControlClient.fetch(path, .document, process: getpid(), seconds: 30)
        expectEqual(document["health"]?.string, "well")
        thread.join()
    }
}
