import AppSiteAssociation
import TestSupport
import Testing

@Suite struct SizeRulesTests: LintSuite {
    @Test func sizesCountToTheByte() {
        let head = "{\"webcredentials\":{\"apps\":[\"9JA89QQLNQ.com.example.a\"]}}"
        func size(_ bytes: Int) -> [String] {
            codes(head + String(repeating: " ", count: bytes - head.utf8.count))
        }
        expectEqual(size(131_072), ["size-near-limit"])
        expectEqual(size(131_073), ["size-over-limit"])
        expectEqual(size(102_400), ["size-near-limit"])
        expectEqual(size(102_399), [])
    }

    @Test func theSignedFormCountsToo() {
        func found(_ size: Int?) -> [Diagnostic] {
            Linter.lint(
                SourceText(name: "a", text: components(#"{"/":"/a"}"#)),
                options: LintOptions(signedSize: size))
        }
        #expect(found(nil) == [] && found(131_072) == [])
        expectEqual(found(131_073).map(\.code), ["signed-size-over-limit"])
        expectEqual(found(131_074).first?.message.contains("131074 bytes, 2 more"), true)
    }

    /// Whose entries take the room: the largest four by team, in percent of the file.
    @Test func theLargestTeamsAreNamed() throws {
        func sized(_ app: String, _ bytes: Int) -> String {
            let empty = entry(#"{"/":"/a","comment":""}"#, app: app)
            let comment = String(repeating: "x", count: bytes - empty.utf8.count)
            return entry("{\"/\":\"/a\",\"comment\":\"\(comment)\"}", app: app)
        }
        let entries = [
            sized("AAAA111111.a", 10_000), sized("BBBB222222.a", 30_000),
            sized("AAAA111111.b", 25_000), sized("CCCC333333.a", 30_000),
            sized("DDDD444444.a", 3_000), sized("EEEE555555.a", 4_000),
        ]
        let text = details(entries.joined(separator: ","))
        let padded = text + String(repeating: " ", count: 110_000 - text.utf8.count)
        let finding = try #require(lint(padded).first { $0.code == "size-near-limit" })
        expectEqual(
            finding.message,
            "the document uses 110000 of at most 131072 bytes; by team: AAAA111111 31 %, "
                + "BBBB222222 27 %, CCCC333333 27 %, EEEE555555 3 %")
    }

    @Test func entriesWithoutAnAppAreNobodys() throws {
        let comment = String(repeating: "x", count: 60_000)
        let entry = "{\"components\":[{\"/\":\"/a\",\"comment\":\"\(comment)\"}]}"
        let text = details("\(entry),{},\(entry)")
        let finding = try #require(lint(text).first { $0.code == "size-near-limit" })
        #expect(finding.message.hasSuffix("; by team: no app 99 %"))
    }

    /// A fragment is measured as it will stand: the merged document is what devices read.
    @Test func fragmentsAreMeasuredTogether() throws {
        func fragment(_ team: String, _ bytes: Int, blanks: Int = 0) -> LintFile {
            let text =
                "{\"x\(team)\":{\"a\":\"\(String(repeating: "x", count: bytes))\"}"
                + String(repeating: " ", count: blanks) + "}"
            return LintFile(
                SourceText(name: "teams/\(team).json", text: text), host: "a.example", team: team)
        }
        func found(_ files: [LintFile]) -> [Diagnostic] {
            Linter.lintHost(files).filter { $0.code.contains("size") || $0.code.contains("large") }
        }
        expectEqual(found([fragment("AAAA111111", 1_000, blanks: 150_000)]), [])
        let near = try #require(
            found([fragment("AAAA111111", 60_000), fragment("BBBB222222", 50_000)]).first)
        #expect(near.code == "size-near-limit" && near.file == "teams/AAAA111111.json")
        expectEqual(near.related.map(\.file), ["teams/AAAA111111.json", "teams/BBBB222222.json"])
        expectEqual(near.related.first?.message.hasPrefix("team AAAA111111 uses 600"), true)
        expectEqual(
            found([fragment("AAAA111111", 90_000), fragment("BBBB222222", 50_000)]).map(\.code),
            ["merge-too-large"])
    }
}
