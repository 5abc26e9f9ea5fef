import Reactor
import Testing

@testable import AASAServer

@Suite struct MessageTests {
    @Test func `Each message has a line, and each line is a message`() {
        #expect(Set(Message.templates.keys) == Set(Message.Name.allCases.map(\.rawValue)))
        #expect(Message.Name.allCases.allSatisfy { !Message($0).text.isEmpty })
        #expect(LoadMonitor.Cause.allCases.allSatisfy { !$0.remedy.isEmpty })
    }

    /// Values are not read as templates, whatever a file is named.
    @Test func `Values fill the sentence and the fix in their order`() {
        let problem = Problem(.noToken, at: "a", "16", "{} | b", "c")
        #expect(
            problem.description
                == "a: not a token: a token is one line of at least 16 visible ASCII characters")
        #expect(problem.remedy == "create one: openssl rand -base64 32 > {} | b; chmod 600 c")
        #expect(Message(.starting, [": why", ""]).fix.isEmpty)
    }

    @Test func `A sentence may have no value and no fix`() {
        #expect(Message(.workersStopped).text == "all workers have stopped")
        #expect(Message(.draining).fix.isEmpty)
        #expect(Problem(.linesLost, "no space").place.isEmpty)
    }
}
