import TestSupport
import Testing

@testable import AASAServer

@Suite struct SocketActivationTests {
    private func sockets(_ environment: [String: String]) -> [InheritedSocket] {
        SocketActivation.sockets(environment: environment, process: 42)
    }

    @Test func socketsAreNamed() {
        let found = sockets([
            "LISTEN_PID": "42", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "https:https:admin",
        ])
        expectEqual(found.map(\.descriptor), [3, 4, 5])
        expectEqual(found.map(\.name), ["https", "https", "admin"])
        expectEqual(found.map(SocketActivation.isAdmin), [false, false, true])
    }

    @Test func namesMayBeMissing() {
        expectEqual(sockets(["LISTEN_PID": "42", "LISTEN_FDS": "2"]).map(\.name), ["", ""])
    }

    @Test func theUnitsNameTellsTheAdminSocket() {
        #expect(
            SocketActivation.isAdmin(InheritedSocket(descriptor: 3, name: "aasa-admin.socket")))
    }

    @Test(arguments: [
        [:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "41", "LISTEN_FDS": "1"],
        ["LISTEN_PID": "42"], ["LISTEN_PID": "42", "LISTEN_FDS": "0"],
        ["LISTEN_PID": "42", "LISTEN_FDS": "-1"], ["LISTEN_PID": "42", "LISTEN_FDS": "9999"],
        ["LISTEN_PID": "x", "LISTEN_FDS": "1"],
    ])
    func othersSocketsAreNotTaken(environment: [String: String]) {
        #expect(sockets(environment).isEmpty)
    }
}
