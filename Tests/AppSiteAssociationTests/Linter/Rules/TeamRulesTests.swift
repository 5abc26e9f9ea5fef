import AppSiteAssociation
import TestSupport
import Testing

@Suite struct TeamRulesTests: LintSuite {
    private let shop = Self.shop
    private let other = "D3KQX62K1A.org.other.app"
    private let radio = "9JA89QQLNQ.com.example.radio"

    private func said(_ entries: String...) -> [String] {
        lint(details(entries.joined(separator: ", "))).filter { $0.code.hasSuffix("urls-claimed") }
            .map { "\($0.code): \($0.message)" }
    }

    @Test func theEarlierEntryTakesTheURLs() {
        let all = entry(#"{"/":"/b/*"}"#)
        expectEqual(
            said(all, entry(#"{"/":"/b/x"}"#, app: other)),
            [
                #"team-urls-claimed: "/b/x" of \#(other) is already claimed by "/b/*" of \#(shop)"#
            ])
        expectEqual(
            said(all, entry(#"{"/":"/b/x"},{"/":"/b/y"},{"/":"/c"}"#, app: other)),
            [
                #"team-urls-claimed: "/b/x" of \#(other) (and 1 more of its rules) is already claimed by "#
                    + #""/b/*" of \#(shop)"#
            ])
        expectEqual(said(entry(#"{"/":"/b/x"}"#, app: other), all), [])
    }

    /// Within a team one finding for all entries.
    @Test func aTeamsOwnClaimsAreOneNote() {
        let all = entry(#"{"/":"/b/*"}"#)
        let more = (0..<3).map {
            entry(
                #"{"/":"/b/\#($0)"}"#,
                app: "9JA89QQLNQ.com.example.n\("abc".dropFirst($0).prefix(1))")
        }
        expectEqual(
            said(all, more[0]),
            [
                #"app-urls-claimed: "/b/0" of 9JA89QQLNQ.com.example.na is already claimed by "/b/*" of "#
                    + shop
            ])
        expectEqual(
            said(all, more[0], more[1]).first?.contains(
                "(and 1 more of its rules), and 1 more entry, is already claimed"), true)
        expectEqual(
            said(all, more[0], more[1], more[2]).first?
                .contains(", and 2 more entries, is already claimed"),
            true)
        // Another team's entries are told one by one.
        expectEqual(
            said(
                all, entry(#"{"/":"/b/1"}"#, app: other),
                entry(#"{"/":"/b/2"}"#, app: "D3KQX62K1A.org.third.app")
            ).filter { $0.hasPrefix("team-") }.count, 2)
    }

    @Test func entriesOfSeveralAppsAreNamedByTheFirst() {
        let two = "{\"appIDs\": [\"\(shop)\", \"\(radio)\"], \"components\": [{\"/\": \"/b/*\"}]}"
        expectEqual(
            said(two, entry(#"{"/":"/b/x"}"#, app: other)).first?.hasSuffix(
                "of \(shop) and 1 more"),
            true)
    }

    @Test func thePlaceOfTheEarlierRuleIsShown() {
        let found = lint(
            details("\(entry(#"{"/":"/b/*"}"#)),\n\(entry(#"{"/":"/b/x"}"#, app: other))"))
        expectEqual(found.first?.start?.line, 2)
        expectEqual(found.first?.related.map(\.message), ["claimed here"])
        expectEqual(found.first?.related.map(\.start?.line), [1])
    }

    /// What was not compared is reported, once, in the last document.
    @Test func whatIsNotComparedIsSaidOnce() {
        func file(_ team: String) -> LintFile {
            let rules = (0..<2_000).map { "{\"/\": \"*-\($0)-*a*b\"}" }.joined(separator: ",")
            return LintFile(
                SourceText(
                    name: "teams/\(team).json",
                    text: details(entry(rules, app: "\(team).com.\(team.lowercased())"))),
                host: "a.example", team: team)
        }
        let found = Linter.lintHost([file("9JA89QQLNQ"), file("D3KQX62K1A")]).filter {
            $0.message.hasPrefix("aasa compared the URLs of different apps")
        }
        expectEqual(found.map(\.code), ["comparison-incomplete"])
        expectEqual(found.map(\.file), ["teams/D3KQX62K1A.json"])
        expectEqual(found.first?.message.hasSuffix("of 4000 rules"), true)
    }
}
