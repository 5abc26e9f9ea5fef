import AASADevice
import AppSiteAssociation
import Testing

@Suite struct WebhookTemplateTests {
    static let change = WatchChange(
        time: 1_795_000_000, host: "example.com", kind: .resolved, code: "tls-expired",
        severity: .error, message: "it \"ended\"\n\u{1}\\ on", remedy: "renew </script>",
        id: "example.com/tls-expired", since: 1_794_996_400, seconds: 3600)

    static func json(_ body: [UInt8]) throws -> JSONValue {
        try JSONReader.read(SourceText(name: "body", bytes: body)).root
    }

    @Test func writesSlacksShape() throws {
        let template = try WebhookTemplate(WebhookTemplate.slack) { _ in nil }
        let body = try Self.json(template.body(Self.change))
        let text = try #require(body["text"]?.string)
        #expect(text.contains("example.com: resolved after 1 h: it \"ended\"\n\u{1}\\ on"))
        #expect(text.contains("_tls-expired_"))
        #expect(template.takesNotes)
    }

    /// One incident per id: opened by "trigger", closed by "resolve" (Events API v2).
    @Test func writesPagerDutysShape() throws {
        // A key from a file comes with the file's line end, which is not part of it.
        let template = try WebhookTemplate(WebhookTemplate.pagerDuty, takesNotes: false) {
            $0 == "PAGERDUTY_ROUTING_KEY" ? "R0\"UTE\r\n" : nil
        }
        let body = try Self.json(template.body(Self.change))
        #expect(body["routing_key"]?.string == "R0\"UTE")
        #expect(body["event_action"]?.string == "resolve")
        #expect(body["dedup_key"]?.string == "example.com/tls-expired")
        #expect(body["payload"]?["severity"]?.string == "error")
        #expect(body["payload"]?["source"]?.string == "example.com")
        #expect(!template.takesNotes)
    }

    @Test func sendsTheWholeChangeWithoutATemplate() throws {
        let body = try Self.json(WebhookTemplate.plain.body(Self.change))
        #expect(body.means(Self.change.json))
    }

    @Test(arguments: [
        ("{\"a\": \"{{hots}}\"}", WebhookTemplate.Problem.unknownName(line: 1, "hots")),
        ("{\n\"a\":\n\"{{host\"}", .notClosed(line: 3)),
        (
            "{\"a\": \"{{env.NO_SUCH_VARIABLE}}\"}",
            .variableMissing(line: 1, "NO_SUCH_VARIABLE")
        ),
    ])
    func refusesWhatCannotWork(text: String, problem: WebhookTemplate.Problem) {
        #expect(throws: problem) { try WebhookTemplate(text) { _ in nil } }
        #expect(!problem.description.isEmpty)
    }

    @Test func refusesWhatIsNoJSON() {
        for text in ["{{host}}", "{\"a\": {{message}}}", "{\"a\": \"{{host}}\"", ""] {
            #expect(throws: WebhookTemplate.Problem.self, "\(text)") {
                try WebhookTemplate(text) { _ in nil }
            }
        }
    }
}
