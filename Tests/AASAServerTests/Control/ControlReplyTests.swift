import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ControlReplyTests {
    private func read(_ text: String) throws -> ControlReply? {
        ControlReply(try JSONReader.read(SourceText(name: "reply", text: text)).root)
    }

    @Test func whatIsWrittenIsRead() throws {
        var reply = ControlReply(.findings, lines: ["one", "two"], problems: ["ä\n\""])
        reply.version = "1.2"
        reply.process = 17
        reply.phase = "serving"
        let again = try #require(try read(String(decoding: reply.line, as: UTF8.self)))
        #expect(again.outcome == .findings && again.process == 17)
        #expect(again.version == "1.2" && again.phase == "serving")
        #expect(again.lines == ["one", "two"] && again.problems == ["ä\n\""])
        expectEqual(again.line, reply.line)
    }

    @Test(arguments: [
        "{}", "[]", "{\"aasa\":\"1\",\"pid\":1}", "{\"aasa\":\"1\",\"pid\":1,\"outcome\":\"x\"}",
        "{\"aasa\":\"1\",\"outcome\":\"good\"}", "{\"pid\":1,\"outcome\":\"good\"}",
    ])
    func whatIsNoReplyIsNotRead(_ text: String) throws {
        #expect(try read(text) == nil)
    }
}
