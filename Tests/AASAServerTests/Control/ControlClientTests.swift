import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ControlClientTests: ControlSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("control") }

    @Test func whoListensAndDoesNotAnswerIsSilentAndNotGone() throws {
        let listener = try ListeningSocket(on: .requireUnix(path: path), backlog: 0)
        // The second one fills the queue, and the third one waits for a place in it.
        for _ in 1...3 {
            #expect(throws: ControlClient.Failure.silent(seconds: 1)) {
                try ask(.process, seconds: 1)
            }
        }
        #expect(listener.raw >= 0)
    }

    @Test func onlyTheWantedProcessIsAsked() throws {
        let server = try self.server()
        expectEqual(ControlClient.look(in: [run], for: getpid()).found.count, 1)
        #expect(ControlClient.look(in: [run], for: 1).found.isEmpty)
        server.stop()
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func rootDoesNotAskInAFolderOfAnotherUser() throws {
        let server = try self.server()
        expectEqual(chown(run.path, 65_534, 65_534), 0)
        #expect(ControlClient.look(in: [run]).found.isEmpty)
        let named = RunFolder(path: run.path, isNamed: true)
        expectEqual(ControlClient.look(in: [named]).found.count, 1)
        server.stop()
    }

    @Test func whoAnswersIsTheOwnerOfTheFolderOrRoot() {
        typealias Client = ControlClient
        for user: UserID in [0, 7] {
            #expect(Client.stranger(17, of: user, insteadOf: 17, owner: 7) == nil)
            #expect(Client.stranger(0, of: user, insteadOf: 17, owner: 7) == nil)
        }
        expectEqual(
            Client.stranger(17, of: 8, insteadOf: 17, owner: 7),
            .stranger("user 8 answers on its socket, and the folder belongs to another user")
        )
        #expect(Client.stranger(17, of: 8, insteadOf: 17, owner: nil) != nil)
        expectEqual(
            Client.stranger(18, of: 7, insteadOf: 17, owner: 7),
            .stranger("process 18 answers on its socket"))
    }

    /// A number that is used again, or a socket that somebody else put there.
    @Test func aStrangerIsNotTakenForTheServer() throws {
        let server = try self.server()
        #expect(throws: ControlClient.Failure.self) {
            try ControlClient.ask(path, .process, process: 1, seconds: 5)
        }
        server.stop()
        #expect(throws: ControlClient.Failure.gone) { try ask(.process) }
    }

    /// 10,000 hosts: more than a document may have.
    @Test func anAnswerAboutManyHostsIsRead() throws {
        let row = String(repeating: "x", count: 700)
        let lines = (0..<10_000).map { "host\($0) \(row)" }
        let server = try self.server(Replies(reply: ControlReply(.good, lines: lines)))
        try expectEqual(ask(.status).lines.count, 10_000)
        server.stop()
    }
}
