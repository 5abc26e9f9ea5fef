import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HostSettingsSchemaTests {
    private func codes(_ text: String) -> [String] {
        HostSettingsReader.read(SourceText(name: "host.json", text: text)).1.map(\.code)
    }

    /// The pattern that the schema has for a member's strings.
    private func pattern(_ key: String) throws -> Regex<AnyRegexOutput> {
        var node = try #require(HostSettings.format.schema["properties"]?[key])
        node = node["items"] ?? node["additionalProperties"] ?? node
        return try Regex(try #require(node["pattern"]?.string))
    }

    /// What an editor marks is what the server refuses, and nothing else.
    private func compare(_ key: String, _ values: [String], _ written: (String) -> String) throws {
        let pattern = try pattern(key)
        for value in values {
            let isTaken = codes("{\"\(key)\": \(written(quoted(value)))}").isEmpty
            expectEqual(value.contains(pattern), isTaken, "\(key): \(value.debugDescription)")
        }
    }

    private func quoted(_ text: String) -> String {
        String(decoding: JSONWriter.minified(.text(text)), as: UTF8.self)
    }

    private static let names = [
        "example.com", "www.example.com", "a", "a-b.example", "xn--bcher-kva.example", "1a.example",
        "1.example", "", ".", "a.", ".a", "a..b", "-a.example", "a-.example", "A.example",
        "*.example.com", "192.0.2.7", "example.1", "a_b.example", "a b", "https://example.com",
        "example.com:443", "bücher.example", "../x", String(repeating: "a", count: 63) + ".example",
        String(repeating: "a", count: 64) + ".example",
        Array(repeating: "a", count: 127).joined(separator: "."),
        Array(repeating: "a", count: 128).joined(separator: "."),
    ]

    @Test func namesAreThoseThatTheServerTakes() throws {
        try compare("aliases", Self.names) { "[\($0)]" }
        try compare("certificate", Self.names) { $0 }
    }

    @Test func fieldsAreThoseThatCanBeSent() throws {
        try compare(
            "cacheControl",
            [
                "max-age=60", "a", "a b", "a  b", "", " ", " a", "a ", "a\r\nb", "a\tb", "ä",
                String(repeating: "x", count: 2048), String(repeating: "x", count: 2049),
            ]
        ) { $0 }
    }

    @Test func aPageToRedirectToIsAURLOrAPath() throws {
        try compare(
            "changePassword",
            [
                "/", "/password", "/a/b?c=d#e", "//evil.example/", "/a//b", "password", "",
                "https://example.com/password", "https://", "https://x", "http://example.com/",
                "HTTPS://example.com/", "https://example.com/a b", "/a b", "javascript:alert(1)",
                "/.well-known/change-password", "https://a.example/.well-known/change-password",
                "/.well-known/change-password/x", "/ä",
            ]
        ) { $0 }
    }

    /// RFC 9110 section 8.3.1: a type and a subtype.
    @Test func aMediaTypeHasTwoHalves() throws {
        try compare(
            "types",
            [
                "application/json", "text/plain; charset=utf-8", "a/b", "a/b/c", "json", "/json",
                "json/", "/", "", " a/b", "a/b ", "a/\u{7}", "ä/b",
            ]
        ) { "{\"nodeinfo\": \($0)}" }
    }

    @Test func formsAndSwitchesAreThoseOfTheReader() throws {
        let properties = try #require(HostSettings.format.schema["properties"])
        let forms = (properties["form"]?["enum"]?.array ?? []).compactMap(\.string)
        expectEqual(Set(forms), Set(AssociationForm.allCases.map(\.rawValue)))
        for form in forms { #expect(codes("{\"form\": \"\(form)\"}").isEmpty) }
        for key in ["default", "strict"] {
            expectEqual(properties[key]?["type"]?.string, "boolean")
            #expect(codes("{\"\(key)\": true}").isEmpty && !codes("{\"\(key)\": 1}").isEmpty)
        }
        // A team can stand in the order once.
        expectEqual(properties["order"]?["uniqueItems"]?.bool, true)
        expectEqual(codes("{\"order\": [\"A\", \"A\"]}"), ["host-team-twice"])
        expectEqual(HostSettings.format.schema["additionalProperties"]?.bool, false)
    }

    @Test func theSchemaAndTheReaderKnowTheSameSettings() throws {
        let members = try #require(HostSettings.format.schema["properties"]?.members)
        #expect(members.count >= 10)
        for member in members {
            // A value that no setting takes: the key is known, or another code would say so.
            let codes = codes("{\"\(member.key)\": null}")
            #expect(
                !codes.isEmpty && !codes.contains("host-unknown-key"), "\(member.key): \(codes)")
        }
        #expect(codes("{\"$schema\": \"../../schemas/host.json\"}").isEmpty)
    }
}
