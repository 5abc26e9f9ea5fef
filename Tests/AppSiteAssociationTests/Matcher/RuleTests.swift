import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct RuleTests: RuleSuite {
    private func covers(_ list: String, applinks: String = "") throws -> Bool {
        let rules = try rules(list, applinks: applinks)
        return rules[0].covers(rules[1], Steps())
    }

    @Test(arguments: [
        // Covered.
        ("{\"/\": \"*\"}, {\"/\": \"/a\"}", true),
        ("{\"/\": \"/a/*\"}, {\"/\": \"/a\"}", true),
        ("{\"/\": \"/a/*\"}, {\"/\": \"/a/?/c\"}", true),
        ("{\"/\": \"/a?\"}, {\"/\": \"/ab\"}", true),
        ("{\"/\": \"/$(digit)*\"}, {\"/\": \"/5\"}", true),
        ("{\"/\": \"/a\"}, {\"/\": \"/a/\"}", true),
        ("{\"/\": \"/a\"}, {\"/\": \"a\", \"?\": {\"x\": \"1\"}}", true),
        (
            "{\"/\": \"/a\", \"?\": {\"x\": \"?*\"}}, {\"/\": \"/a\", \"?\": {\"x\": \"1\", "
                + "\"y\": \"2\"}}",
            true
        ),
        ("{\"/\": \"/A\", \"caseSensitive\": false}, {\"/\": \"/a\"}", true),
        ("{\"/\": \"/a\", \"#\": \"*\"}, {\"/\": \"/a\", \"#\": \"x\"}", true),
        // Not covered, though it looks alike.
        ("{\"/\": \"/a/*\"}, {\"/\": \"/ab\"}", false),
        ("{\"/\": \"/a/?*\"}, {\"/\": \"/a/*\"}", false),
        ("{\"/\": \"/a?\"}, {\"/\": \"/a*\"}", false),
        ("{\"/\": \"/a/*/c\"}, {\"/\": \"/a/c\"}", false),
        ("{\"/\": \"/$(digit)\"}, {\"/\": \"/?\"}", false),
        ("{\"/\": \"/a\", \"?\": {\"x\": \"1\"}}, {\"/\": \"/a\"}", false),
        ("{\"/\": \"/a\"}, {\"/\": \"/A\", \"caseSensitive\": false}", false),
        ("{\"/\": \"/%61\"}, {\"/\": \"/%61\", \"percentEncoded\": false}", false),
        ("{\"/\": \"/a\", \"#\": \"x\"}, {\"/\": \"/a\"}", false),
        ("{\"/\": \"/?\"}, {\"/\": \"/é\"}", false),
        (#"{"?": {"x": "?*", "y": "*"}}, {"?": {"x": "1"}}"#, true),
        (#"{"?": {"x": "1", "y": "2"}}, {"?": {"x": "1"}}"#, false),
        (#"{"?": {"x": "1"}}, {"?": {"X": "1"}}"#, false), (#"{"?": "a*"}, {"?": "ab"}"#, true),
        (#"{"?": "*"}, {"?": {"x": "1"}}"#, true), (#"{"?": "a*"}, {"?": {"a": "1"}}"#, false),
        (#"{"?": {"x": "*"}}, {"?": "a"}"#, true), (#"{"?": {"x": "1"}}, {"?": "x=1"}"#, false),
        (#"{"/": "/A*", "caseSensitive": false}, {"/": "/aB", "caseSensitive": false}"#, true),
        (#"{"/": "/É", "caseSensitive": false}, {"/": "/é"}"#, true),
        (#"{"/": "/a*"}, {"/": "/ab", "percentEncoded": false}"#, false),
        (#"{"/": "*"}, {"/": "/ab", "percentEncoded": false, "caseSensitive": false}"#, true),
        (##"{"/": "*", "#": "x"}, {"/": "/a", "#": "x"}"##, true),
        (##"{"/": "*", "#": "x"}, {"/": "/a"}"##, false),
    ])
    func coveringIsCertain(list: String, isCovered: Bool) throws {
        try expectEqual(covers(list), isCovered, "\(list)")
    }

    @Test func aSpentBudgetShowsNothing() throws {
        let rules = try rules(#"{"/": "*"}, {"/": "/a"}"#)
        #expect(!rules[0].covers(rules[1], Steps(0)))
    }

    @Test func defaultsAreATemplate() throws {
        // The path of the defaults applies to both, so the second says nothing new.
        #expect(
            try covers(##"{"?": "*"}, {"#": "x"}"##, applinks: #""defaults": {"/": "/a"}, "#))
        let defaults =
            ##""defaults": {"/": "/D", "?": "q", "#": "f", "exclude": true, "##
            + #""caseSensitive": false, "percentEncoded": false}, "#
        let found = try rules(
            ##"{}, {"/": "/e", "?": {}, "#": "*", "exclude": false, "caseSensitive": true, "##
                + #""percentEncoded": true}"#, applinks: defaults)
        expectEqual(found.map(\.label), ["/D ?q #f", "/e ? #*"])
        #expect(
            found.map(\.excludes) == [true, false] && found.map(\.caseSensitive) == [false, true])
        expectEqual(found.map(\.percentEncoded), [false, true])
        expectEqual(found[0].path.symbols, Pattern("/d").symbols)
    }

    /// Defaults of the entry go before those of the document; patterns are not read for paths.
    @Test func defaultsOfTheEntryComeFirst() throws {
        let outer = #""defaults": {"/": "/o", "?": "o", "caseSensitive": false}, "#
        let entry =
            #"{"appID": "A.a", "defaults": {"/": "/i"}, "components": [{}]}, "#
            + #"{"appID": "A.a", "defaults": {"exclude": true}, "paths": ["/p", "NOT /q"]}"#
        let found = try entries(entry, applinks: outer)
        expectEqual(found[0].rules.map(\.label), ["/i ?o"])
        expectEqual(found[1].rules.map(\.label), ["/p", "NOT /q"])
        expectEqual(found[1].rules.map(\.excludes), [false, true])
        #expect(found[1].rules.allSatisfy { !$0.caseSensitive && $0.isPathAlone })
        expectEqual(found.map(\.hasComponents), [true, false])
    }

    @Test(arguments: [
        (#"{"/": "/a"}"#, "/a"), ("{}", "*"), (#"{"?": "q=1"}"#, "* ?q=1"),
        (#"{"/": "/a", "?": {"x": "1", "y": "?*"}}"#, "/a ?x=1&y=?*"),
        (##"{"/": "/a", "#": "f"}"##, "/a #f"),
    ]) func labelsAreWhatPeopleKnow(_ component: String, _ label: String) throws {
        try expectEqual(rules(component).map(\.label), [label])
    }

    @Test(arguments: [
        ("{}", true, true), (#"{"/": "*"}"#, true, true), (#"{"/": "/*"}"#, true, true),
        (#"{"/": "/a"}"#, false, true), (#"{"?": "*"}"#, true, false),
        (#"{"?": "a"}"#, false, false), (#"{"?": {"x": "*"}}"#, true, false),
        (#"{"?": {"x": "*", "y": "1"}}"#, false, false), (##"{"#": "*"}"##, true, true),
        (##"{"#": "a"}"##, false, false), (#"{"/": "?*"}"#, false, true),
    ]) func whatARuleTakes(_ component: String, _ isCatchAll: Bool, _ isPathAlone: Bool) throws {
        let rule = try #require(try rules(component).first)
        #expect(rule.isCatchAll == isCatchAll && rule.isPathAlone == isPathAlone)
    }

    @Test(arguments: [
        (#"{"/": "/a/*"}, {"/": "/b/*"}"#, true), (#"{"/": "/a/*"}, {"/": "/a/b"}"#, false),
        (#"{"/": "/a"}, {"/": "/b", "caseSensitive": false}"#, false),
        (#"{"/": "/a", "caseSensitive": false}, {"/": "/b"}"#, false),
        (#"{"/": "/a"}, {"/": "/b", "percentEncoded": false}"#, false),
        (#"{"/": "/a", "percentEncoded": false}, {"/": "/b"}"#, false),
    ]) func apartIsCertain(_ list: String, _ isApart: Bool) throws {
        let rules = try rules(list)
        expectEqual(rules[0].isCertainlyApart(from: rules[1]), isApart)
    }
}
