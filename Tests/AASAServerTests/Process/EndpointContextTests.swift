import Glibc
import Reactor
import Testing

@testable import AASAServer

@Suite struct EndpointContextTests {
    /// What a command does not ask for is not started, and the status is the command's own.
    @Test func hasOnlyWhatTheCommandGaveIt() {
        let board = StatusBoard(version: "1")
        let context = EndpointContext(
            notifier: ServiceNotifier(environment: [:], process: getpid()),
            board: board, arguments: ["aasa"], environment: [:])
        #expect(context.board === board)
        #expect(context.parts.isEmpty && context.accessLog == nil && context.messages == nil)
        #expect(context.deadline == nil)
    }
}
