import AASAClient
import TestSupport
import Testing

@testable import AASADevice

@Suite struct CheckJudgeSiblingsTests: EvaluatorSuite {
    private static let related = "/.well-known/webauthn"
    private static let origins = "{\"origins\":[\"https://example.org\"]}"
    private static let text = "/.well-known/security.txt"
    private static let password = "/.well-known/change-password"
    private static var absent: String {
        Sibling.all.first { $0.kind == .absent }?.path ?? ""
    }

    private static func codes(
        _ path: String, _ status: Int, _ body: String = origins,
        type: String = "application/json"
    ) -> [String] {
        let exchange = exchange(status, body, [("Content-Type", type)])
        return codes(base(good) + [(.sibling(path), exchange)])
    }

    /// What the readers of each kind make of a status.
    @Test(arguments: [
        (related, 200, []), (related, 404, ["sibling-missing"]),
        (related, 410, ["sibling-missing"]),
        (related, 301, ["sibling-redirect"]), (related, 399, ["sibling-redirect"]),
        (related, 403, ["sibling-status"]), (related, 400, ["sibling-status"]), (related, 204, []),
        (text, 301, []), (text, 500, ["sibling-status"]), (text, 404, ["sibling-missing"]),
        (password, 302, []), (password, 300, []), (password, 399, []), (password, 200, []),
        (password, 404, ["sibling-missing"]), (password, 400, ["sibling-status"]),
        (password, 299, ["sibling-status"]), (password, 500, ["sibling-status"]),
        (absent, 404, []), (absent, 200, ["sibling-status"]), (absent, 299, ["sibling-status"]),
        (absent, 300, []), (absent, 500, []),
    ])
    func judgesTheStatus(path: String, status: Int, codes: [String]) {
        expectEqual(Self.codes(path, status), codes)
    }

    @Test func saysWhatAFalseAnswerBreaks() {
        let findings = Self.findings(
            Self.base(Self.good) + [(.sibling(Self.absent), Self.exchange(200, "x"))])
        expectEqual(findings.first?.remedy?.contains("change-password"), true)
    }

    @Test func judgesNothingWithoutAWholeAnswer() {
        expectEqual(
            Self.codes(
                Self.base(Self.good) + [(.sibling(Self.related), Self.failed(.reset(.head)))]),
            [])
    }

    @Test func wantsTheTypeOfJSON() {
        expectEqual(Self.codes(Self.related, 200, type: "Application/JSON; charset=utf-8"), [])
        expectEqual(Self.codes(Self.related, 200, type: "text/plain"), ["sibling-content-type"])
        let none = Self.findings(
            Self.base(Self.good) + [(.sibling(Self.related), Self.exchange(200, Self.origins, []))])
        expectEqual(none.map(\.message), ["Content-Type: none"])
    }

    /// Each is read by the rules of its own kind.
    @Test func readsTheDocument() {
        let broken = Self.codes(Self.related, 200, "{")
        #expect(!broken.isEmpty)
        #expect(broken.allSatisfy { $0.hasPrefix("json-") })
        let old = Self.codes(
            Self.text, 200, "Contact: mailto:a@example.com\nExpires: 2020-01-01T00:00:00Z\n",
            type: "text/plain")
        #expect(!old.isEmpty)
        let current = Self.codes(
            Self.text, 200, "Contact: mailto:a@example.com\nExpires: 2027-06-01T00:00:00Z\n",
            type: "text/plain")
        expectEqual(current, [])
    }
}
