import AppSiteAssociation
import Testing

@testable import AASADevice

@Suite struct WatchChangeTests {
    private static func change(_ kind: WatchChange.Kind, seconds: Int64? = nil) -> WatchChange {
        WatchChange(
            time: 60, host: "example.com", kind: kind, code: "tls-expired", severity: .error,
            message: "a \"message\"\nof two", remedy: "R", id: "example.com/tls-expired", since: 0,
            seconds: seconds)
    }

    /// One line whatever the message holds.
    @Test func writesALineThatMachinesCanRead() throws {
        let line = Self.change(.resolved, seconds: 60).line
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
        let json = try JSONReader.read(SourceText(name: "line", bytes: Array(line.dropLast()))).root
        for (name, text) in [
            ("time", "1970-01-01T00:01:00Z"), ("since", "1970-01-01T00:00:00Z"),
            ("host", "example.com"), ("change", "resolved"), ("code", "tls-expired"),
            ("severity", "error"), ("message", "a \"message\"\nof two"), ("remedy", "R"),
            ("id", "example.com/tls-expired"),
        ] { #expect(json[name]?.string == text, "\(name)") }
        guard case .number("60") = json["seconds"]?.kind else {
            Issue.record("\(String(describing: json["seconds"]))")
            return
        }
        #expect(Self.change(.problem).json["seconds"] == nil)
    }

    @Test func saysItInASentence() {
        func summary(_ kind: WatchChange.Kind) -> String {
            Self.change(kind, seconds: 3660).summary
        }
        #expect(summary(.resolved).hasPrefix("example.com: resolved after 1 h 1 min: a "))
        #expect(Self.change(.resolved).summary.contains("after 0 s"))
        #expect(summary(.flapping).hasPrefix("example.com: comes and goes: a "))
        for kind in [WatchChange.Kind.problem, .note] {
            #expect(summary(kind).hasPrefix("example.com: a "))
        }
    }
}
