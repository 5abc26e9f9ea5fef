import AppSiteAssociation
import TestSupport
import Testing

@testable import AASADevice

@Suite struct WatchChangeTests {
    private static func change(
        _ kind: WatchChange.Kind, _ message: String = "a \"message\"\nof two"
    ) -> WatchChange {
        let finding = Diagnostic(
            code: "tls-expired", severity: .error, message: message, remedy: "R", file: "s")
        return WatchChange(
            kind: kind, finding: finding, host: "example.com", time: 3660, since: 0)
    }

    @Test func isJSON() throws {
        let bytes = JSONWriter.minified(Self.change(.resolved).json)
        let json = try JSONReader.read(SourceText(name: "line", bytes: bytes)).root
        for (name, text) in [
            ("time", "1970-01-01T01:01:00Z"), ("since", "1970-01-01T00:00:00Z"),
            ("host", "example.com"), ("change", "resolved"),
        ] { expectEqual(json[name]?.string, text, "\(name)") }
        let finding = Self.change(.resolved).finding
        expectEqual(
            json["finding"].map { JSONWriter.minified($0) }, JSONWriter.minified(finding.json))
        #expect(!bytes.contains(UInt8(ascii: "\n")))
    }

    /// One line, whatever the host has put into the message.
    @Test func isALine() {
        func text(_ kind: WatchChange.Kind) -> String { Self.change(kind, "m\n\u{1B}[31m").text }
        let moment = "1970-01-01T01:01:00Z example.com: "
        expectEqual(text(.problem), moment + "error tls-expired: m\\u000a\\u001b[31m")
        #expect(text(.resolved).hasPrefix(moment + "resolved tls-expired after 1 h 1 min: m"))
        #expect(text(.note).hasPrefix(moment + "note tls-expired: m"))
    }
}
