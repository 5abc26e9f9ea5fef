import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct HostClaimsTests: LintSuite, RuleSuite {
    private func claims(_ entries: String...) throws -> [HostClaims.Claim] {
        hostClaims(entries).list
    }

    private func hostClaims(_ entries: [String]) -> HostClaims {
        HostClaims([
            LintFile(SourceText(name: "f", text: details(entries.joined(separator: ", "))))
        ])
    }

    private let other = "D3KQX62K1A.org.other.app"
    private let radio = "9JA89QQLNQ.com.example.radio"

    @Test func rulesOfOneEntryAreOneClaim() throws {
        let found = try claims(
            entry(#"{"/":"/b/*"},{"/":"/c"}"#),
            entry(#"{"/":"/b/1"},{"/":"/x"},{"/":"/b/2"},{"/":"/c"}"#, app: other))
        #expect(found.map(\.rules) == [2, 1] && found.map(\.entries) == [1, 1])
        expectEqual(found.map(\.first.label), ["/b/1", "/c"])
        expectEqual(found.map(\.by.label), ["/b/*", "/c"])
        #expect(found.allSatisfy { !$0.isOwn })
    }

    @Test func entriesOfOneTeamAreOneClaim() throws {
        let found = try claims(
            entry(#"{"/":"/b/*"}"#), entry(#"{"/":"/b/1"},{"/":"/b/2"}"#, app: radio),
            entry(#"{"/":"/b/3"}"#, app: "9JA89QQLNQ.com.example.news"))
        #expect(found.map(\.rules) == [3] && found.map(\.entries) == [2])
        #expect(found.allSatisfy { $0.isOwn })
        let strangers = try claims(
            entry(#"{"/":"/b/*"}"#), entry(#"{"/":"/b/1"}"#, app: other),
            entry(#"{"/":"/b/3"}"#, app: "D3KQX62K1A.org.third.app"))
        expectEqual(strangers.map(\.entries), [1, 1])
    }

    /// A rule of the same app, or of another build of it, takes nothing away; nor does one that
    /// the app precedes.
    @Test func whoBelongsTogetherClaimsNothing() throws {
        let all = entry(#"{"/":"*"}"#)
        #expect(try claims(all, entry(#"{"/":"/a"}"#)).isEmpty)
        #expect(try claims(all, entry(#"{"/":"/a"}"#, app: "D3KQX62K1A.com.example.shop")).isEmpty)
        let found = try claims(
            entry(#"{"/":"/a"}"#), entry(#"{"/":"*"}"#, app: other), entry(#"{"/":"/a"}"#))
        #expect(found.isEmpty)
        // The first entry of an app may have no rules.
        let late = [entry("", app: radio), entry(#"{"/":"*"}"#, app: other)]
        #expect(hostClaims(late + [entry(#"{"/":"/a"}"#, app: radio)]).list.isEmpty)
        expectEqual(hostClaims(late + [entry(#"{"/":"/a"}"#)]).list.count, 1)
        // Nor does an entry from itself, nor one without an app in the way.
        #expect(try claims(entry(#"{"/":"*"},{"/":"/a"}"#)).isEmpty)
    }

    @Test(arguments: [
        // One app under several teams, builds of it, and parts of it.
        ("com.example.shop", "com.example.shop", true),
        ("com.example.shop", "com.Example.SHOP", true),
        ("com.example.shop", "com.example.shop.dev", true),
        ("com.example.shop-beta", "com.example.shop", true),
        ("com.example.shop", "com.example.shop_qa", true),
        ("com.example.shop", "com.example.shop.one.two", true),
        ("com.example.shop.dev", "com.example.shop.enterprise", true),
        // Other apps of one company, and other companies.
        ("com.example.shop", "com.example.news", false),
        ("com.example.shop", "com.other.shop", false),
        ("com.example.shopping", "com.example.shop", false),
    ]) func buildsOfOneAppAreRelated(_ left: String, _ right: String, _ isRelated: Bool) throws {
        let found = try claims(
            entry(#"{"/":"*"}"#, app: "9JA89QQLNQ.\(left)"),
            entry(#"{"/":"/a"}"#, app: "D3KQX62K1A.\(right)"))
        expectEqual(found.isEmpty, isRelated)
    }

    @Test func exclusionsClaimNothing() throws {
        #expect(
            try claims(
                entry(#"{"/":"*","exclude":true}"#), entry(#"{"/":"/a"}"#, app: other)
            ).isEmpty)
        #expect(
            try claims(
                entry(#"{"/":"*"}"#), entry(#"{"/":"/a","exclude":true}"#, app: other)
            ).isEmpty)
    }

    /// Two apps that leave the same pages to the browser still claim all others.
    @Test func claimsBehindTheSameExclusionsAreTold() throws {
        let help = #"{"/": "/help/*", "exclude": true}"#
        func count(_ second: String) throws -> Int {
            try claims(
                entry("\(help), {\"/\": \"*\"}"), entry("\(second){\"/\": \"*\"}", app: other)
            ).count
        }
        try expectEqual(count("\(help), "), 1)
        try expectEqual(count(#"{"/": "/h*", "exclude": true}, "#), 1)
        // The second app opens /help/*, which the first does not take.
        try expectEqual(count(""), 0)
        try expectEqual(count(#"{"/": "/help/me", "exclude": true}, "#), 0)
        // An exclusion of other URLs, or behind the rule, is in nobody's way.
        try expectEqual(
            claims(
                entry("\(help), {\"/\": \"/b/*\"}"), entry(#"{"/": "/b/x"}"#, app: other)
            ).count, 1)
        try expectEqual(
            claims(
                entry("{\"/\": \"*\"}, \(help)"), entry(#"{"/": "/help/x"}"#, app: other)
            ).count, 1)
    }

    @Test func whatIsComparedIsCounted() throws {
        let few = hostClaims([entry(#"{"/":"/a"},{"/":"/b"}"#), entry(#"{"/":"/c"}"#)])
        #expect(few.total == 3 && few.compared == 3 && !few.isIncomplete)
        let many = (0..<2_000).map { "{\"/\": \"*-\($0)-*a*b\"}" }.joined(separator: ",")
        let spent = hostClaims([entry(many), entry(many, app: other)])
        #expect(spent.isIncomplete && spent.total == 4_000)
        #expect((2_000..<4_000).contains(spent.compared))
    }

    @Test func aFileAloneStandsForItsHost() {
        let text = details(
            [
                entry(#"{"/": "/a/*", "exclude": true}, {"/": "*"}"#),
                entry(#"{"/": "/a/x"}, {"/": "/b/x"}"#, app: other),
            ].joined(separator: ", "))
        let claims = lint(text).filter { $0.code == "team-urls-claimed" }
        // /a/x is excluded for the first app, so only /b/x is taken.
        #expect(claims.count == 1 && claims.first?.message.contains("/b/x") == true)
    }

    @Test func variablesOfAnotherFileAreOthers() {
        func file(_ team: String, _ value: String) -> LintFile {
            let rules = entry(#"{"/": "/$(part)/*"}"#, app: "\(team).com.\(team.lowercased())")
            let variables = "\"substitutionVariables\": {\"part\": [\"\(value)\"]}, "
            return LintFile(
                SourceText(
                    name: "teams/\(team).json", text: details(rules, applinks: variables)),
                host: "example.com", team: team)
        }
        let found = Linter.lintHost([file("9JA89QQLNQ", "buy"), file("D3KQX62K1A", "news")])
        expectEqual(found.map(\.code), ["merge-variable-renamed"])
    }
}
