import AppSiteAssociation
import TestSupport
import Testing

@Suite struct EntryRulesTests: LintSuite {
    private let rules = #""components": [{"/": "/a"}]"#
    private let id = #""appIDs": ["9JA89QQLNQ.com.example.shop"]"#
    private let one = #""appID": "9JA89QQLNQ.com.example.shop""#

    private func found(_ members: String...) -> [String] {
        codes(details("{\(members.joined(separator: ", "))}"))
    }

    @Test func theTwoListsOfRules() {
        expectEqual(found(id, rules), [])
        expectEqual(found(one, #""paths": ["/a"]"#), ["legacy-paths"])
        expectEqual(found(id, #""paths": ["/a"]"#), ["paths-with-app-ids"])
        expectEqual(found(id, one, #""paths": ["/a"]"#), ["legacy-paths"])
        expectEqual(found(id, rules, #""paths": ["/a"]"#), ["components-beside-paths"])
        expectEqual(found(id), ["entry-rules-missing"])
        expectEqual(found(id, #""components": []"#), ["rules-empty"])
        expectEqual(found(one, #""paths": []"#), ["rules-empty"])
        // A list that cannot be read is another finding.
        expectEqual(
            found(id, #""components": {}"#, #""paths": ["/a"]"#).contains(
                "components-beside-paths"),
            false)
    }

    @Test func theNamesOfApps() {
        expectEqual(found(one, rules), [])
        expectEqual(found(#""appIDs": []"#, rules), ["app-list-empty"])
        expectEqual(
            found(#""appID": ["9JA89QQLNQ.com.example.shop"]"#, rules), ["app-id-array"])
        expectEqual(found(id, one, rules), [])
        expectEqual(
            found(id, #""appID": "9JA89QQLNQ.com.example.news""#, rules),
            ["app-id-beside-app-ids"])
        expectEqual(found(#""appID": "x.y""#, rules), ["app-id-prefix-missing"])
        expectEqual(
            found(
                #""appIDs": ["9JA89QQLNQ.com.example.shop", "9JA89QQLNQ.com.example.shop"]"#, rules),
            ["app-listed-twice"])
        expectEqual(codes(details("{\(rules)}")), ["app-ids-missing"])
    }

    /// `appId` may be one or many: the value tells which key was meant.
    @Test(arguments: [
        (#""appId": "9JA89QQLNQ.com.example.shop""#, #"Write "appID"."#),
        (#""appId": ["9JA89QQLNQ.com.example.shop"]"#, #"Write "appIDs"."#),
        (#""appids": "9JA89QQLNQ.com.example.shop""#, #"Write "appID"."#),
        (#""Paths": []"#, #"Write "paths"."#), (#""component": []"#, #"Write "components"."#),
        (#""default": {}"#, #"Write "defaults"."#),
    ]) func misspeltKeysAreNamed(_ member: String, _ remedy: String) {
        let findings = lint(details("{\(member)}")).filter { $0.code == "entry-key-misspelt" }
        expectEqual(findings.map(\.remedy), [remedy])
    }

    /// The misspelt key is the cause; what is missing by it is not said as well.
    @Test func aMisspeltKeyIsSaidAlone() {
        expectEqual(
            found(#""appid": "9JA89QQLNQ.com.example.shop""#, rules), ["entry-key-misspelt"])
        expectEqual(found(id, #""path": ["/a"]"#), ["entry-key-misspelt"])
        #expect(found(id, #""default": {}"#).contains("entry-rules-missing"))
        #expect(found(#""component": []"#).contains("app-ids-missing"))
    }

    @Test(arguments: [
        (#""exclude": true"#, "key-misplaced"), (#""/": "/a""#, "key-without-effect"),
        (#""details": []"#, "key-without-effect"), (#""webcredentials": {}"#, "key-without-effect"),
        (#""owner": "x""#, "entry-key-unknown"), (#""comment": "x""#, "entry-key-unknown"),
    ]) func otherKeysAreTold(_ member: String, _ code: String) {
        expectEqual(found(id, rules, member), [code])
    }

    @Test func detailsOfEitherForm() {
        expectEqual(codes(details("")), ["details-empty"])
        let old = codes(
            #"{"applinks": {"details": {"9JA89QQLNQ.com.example.shop": {"paths": ["/a"]}, "x": {}}}}"#
        )
        expectEqual(
            old,
            [
                "details-dictionary", "legacy-paths", "entry-rules-missing",
                "app-id-prefix-missing",
            ])
    }

    @Test func oneAppInSeveralEntries() {
        func message(_ entries: String...) -> [String] {
            lint(details(entries.joined(separator: ", "))).filter {
                $0.code == "app-in-several-entries"
            }.map(\.message)
        }
        let a = "{\(id), \(rules)}"
        let b = #"{"appID": "9JA89QQLNQ.com.example.shop", "components": [{"/": "/b"}]}"#
        let c = #"{"appID": "9JA89QQLNQ.com.example.shop", "paths": ["/c"]}"#
        expectEqual(message(a), [])
        expectEqual(message(a, b), ["9JA89QQLNQ.com.example.shop has more than one entry"])
        expectEqual(message(a, c).first?.contains("one with paths"), true)
        expectEqual(message(a, b, c).count, 2)
        // Twice in one entry is another finding.
        let twice =
            #"{"appIDs": ["9JA89QQLNQ.com.example.shop", "9JA89QQLNQ.com.example.shop"], "#
            + rules + "}"
        expectEqual(message(twice), [])
        // Of an entry with both keys, appIDs counts.
        let both = "{\(id), \"appID\": \"9JA89QQLNQ.com.example.news\", \(rules)}"
        expectEqual(message(both, #"{"appID": "9JA89QQLNQ.com.example.news", "paths": []}"#), [])
    }
}
