import Reactor
import Testing

@testable import AASAServer

@Suite struct ShutdownDeadlineTests {
    private let log: FileLog

    init() throws { log = try FileLog() }

    @Test func `What is done in time is not ended`() throws {
        let isEnded = Lock(false)
        let deadline = try ShutdownDeadline(patience: .seconds(600), log: log.logger) {
            isEnded.withLock { $0 = true }
        }
        deadline.met()
        try #require(deadline.begin()).join()
        #expect(!isEnded.withLock { $0 })
        #expect(log.lines.isEmpty)
    }

    @Test func `What is not done in time is ended, and why is said`() throws {
        let isEnded = Lock(false)
        let deadline = try ShutdownDeadline(patience: .zero, log: log.logger) {
            isEnded.withLock { $0 = true }
        }
        try #require(deadline.begin()).join()
        #expect(isEnded.withLock { $0 })
        #expect(log.lines.count == 1 && log.lines[0].contains("took longer than 0 s"))
    }
}
