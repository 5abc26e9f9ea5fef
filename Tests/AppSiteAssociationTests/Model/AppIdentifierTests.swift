import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct AppIdentifierTests {
    @Test func takesIdentifiersApart() throws {
        let identifier = try #require(AppIdentifier("D3KQX62K1A.com.example.App-1"))
        expectEqual(identifier.prefix, "D3KQX62K1A")
        expectEqual(identifier.bundleID, "com.example.App-1")
        expectEqual(identifier.description, "D3KQX62K1A.com.example.App-1")
    }

    @Test(arguments: [
        ("", AppIdentifier.Problem.empty), ("D3KQX62K1A.com.a b", .blank),
        ("D3KQX62K1A.com.a\u{A0}", .blank), ("\u{200B}D3KQX62K1A.com.a", .blank),
        ("D3KQX62K1A.com.example.app ", .blank), ("D3KQX62K1A.com.*", .wildcard), ("*", .wildcard),
        ("com.example.app", .prefixMissing), ("example", .prefixMissing),
        ("6479632616.kr.app", .appStoreID), ("D3KQX62K1.com.a", .prefixLength),
        ("D3KQX62K1AA.com.a", .prefixLength), ("D3KQX62k1A.com.a", .prefixCharacters),
        ("D3KQX62К1A.com.a", .prefixCharacters),
        ("<TEAM_DEVELOPER_ID>.com.a", .placeholder), ("[TEAM_ID].com.a", .placeholder),
        ("TEAMID.com.example.app", .placeholder), ("XXXX.com.a", .placeholder),
        ("$(AppIdentifierPrefix)com.a", .placeholder), ("D3KQX62K1A", .bundleIDMissing),
        ("D3KQX62K1A.", .bundleIDMissing), ("D3KQX62K1A.com.a_b", .bundleIDCharacters),
        ("D3KQX62K1A.com..a", .bundleIDEmptyPart), ("D3KQX62K1A.com.a.", .bundleIDEmptyPart),
        ("null.com.a", .placeholder), ("undefined.com.a", .placeholder),
        ("None.com.a", .placeholder),
        ("D3KQX62K1A.com.a,9JA89QQLNQ.com.b", .several),
        ("D3KQX62K1A.com.a, D3KQX62K1A.com.b", .several), ("D3KQX62K1A_com.a", .separator),
        ("D3KQX62K1A-com.a", .separator), ("D3KQX62K1A:com.a", .separator),
        ("D3KQX62K1A/com.a", .separator),
    ]) func namesTheProblem(_ text: String, _ problem: AppIdentifier.Problem) {
        expectEqual(AppIdentifier.problem(in: text), problem)
        #expect(AppIdentifier(text) == nil)
        #expect(!problem.message.isEmpty && !problem.remedy.isEmpty)
    }

    @Test(arguments: [
        ("group.com.a", "share"), ("iCloud.com.a", "share"), ("merchant.com.a", "share"),
        ("webcredentials.D3KQX62K1A.com.a", "service"), ("applinks:a.de", "service"),
        ("Acme Ltd. - 8J4XS92YN9", "company name"), ("1:100200300:web:0a1b2c", "Firebase"),
    ]) func namesWhatElseItIs(_ text: String, _ part: String) {
        expectEqual(AppIdentifier.problem(in: text)?.message.contains(part), true)
    }

    @Test(arguments: AppIdentifier.Problem.allCases)
    func everyProblemHasItsTexts(_ problem: AppIdentifier.Problem) {
        #expect(RuleCatalog.rule(problem.code) != nil)
        #expect(!problem.message.isEmpty && !problem.remedy.isEmpty)
    }

    @Test func acceptsWhatProductionSitesPublish() throws {
        guard let folder = Corpus.folder("production") else { return }
        let table = try String(
            contentsOf: folder.appendingPathComponent("apps.tsv"), encoding: .utf8)
        var total = 0
        var refused = 0
        for row in table.split(separator: "\n").dropFirst() {
            let fields = row.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count >= 3 else { continue }
            total += 1
            if AppIdentifier("\(fields[1]).\(fields[2])") == nil { refused += 1 }
        }
        // 1.8 % of the domains publish a prefix that is none, and a few bundle IDs are broken.
        #expect(total > 1000)
        #expect(Double(refused) < 0.03 * Double(total), "\(refused) of \(total)")
        #expect(refused > 0)
    }

    @Test func knowsPrefixes() {
        #expect(AppIdentifier.isPrefix("D3KQX62K1A"))
        #expect(!AppIdentifier.isPrefix("D3KQX62K1"))
        #expect(!AppIdentifier.isPrefix("d3kqx62k1a"))
    }
}
