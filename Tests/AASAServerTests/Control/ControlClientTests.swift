import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ControlClientTests: ControlSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("control") }

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
