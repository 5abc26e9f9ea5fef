import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ControlClientTests {
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
