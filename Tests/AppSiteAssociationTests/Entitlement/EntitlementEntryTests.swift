import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct EntitlementEntryTests {
    @Test func agreesWithTheFormatTable() throws {
        guard let folder = Corpus.folder("matching") else { return }
        let table = try String(
            contentsOf: folder.appendingPathComponent("entitlement-format.tsv"), encoding: .utf8)
        let rows = table.split(separator: "\n").dropFirst().map { $0.split(separator: "\t") }
        for row in rows where row.count >= 2 {
            let entry = EntitlementEntry(String(row[0]))
            expectEqual(
                entry.problems.isEmpty, row[1].hasPrefix("ok"), "\(row[0]): \(entry.problems)")
        }
        #expect(rows.count > 10)
    }

    @Test func takesEntriesApart() {
        let plain = EntitlementEntry("applinks:www.example.com")
        expectEqual(plain.service, "applinks")
        expectEqual(plain.domain, "www.example.com")
        #expect(!plain.isWildcard && plain.port == nil && plain.mode.isEmpty)

        let full = EntitlementEntry("webcredentials:*.example.com:8443?mode=developer+managed")
        expectEqual(full.domain, "example.com")
        #expect(full.isWildcard)
        expectEqual(full.port, 8443)
        expectEqual(full.mode, [.developer, .managed])
        expectEqual(full.problems, [.port])
        expectEqual(full.text, "webcredentials:*.example.com:8443?mode=developer+managed")
    }

    @Test(arguments: [
        ("", EntitlementEntry.Problem.serviceMissing), ("example.com", .serviceMissing),
        ("https://example.com", .scheme), ("applinks:", .domainMissing),
        ("applinks:example.com/", .path), ("applinks:https://example.com", .scheme),
        ("applinks: example.com", .blank), ("applinks:example.com ", .blank),
        ("applinks:\u{200B}example.com", .blank), ("applinks:me@example.com", .invalidDomain),
        ("applinks:exa_mple..com", .invalidDomain), ("applinks:-a.com", .invalidDomain),
        ("applinks:example.com:8443", .portOfLinks), ("appclips:example.com:0", .invalidPort),
        ("applinks:example.com:http", .invalidPort), ("applinks:*example.com", .misplacedWildcard),
        ("applinks:www.*.com", .misplacedWildcard), ("applinks:*.", .domainMissing),
        ("applinks:bücher.example", .notPunycode), ("applinks:Example.com", .upperCase),
        ("applinks:example.com?mode=Developer", .unknownMode),
        ("applinks:example.com?x=1", .query), ("appclips:*.example.com", .wildcardAppClip),
        ("applink:example.com", .misspeltService), ("wallet:example.com", .unknownService),
        ("applinks:$(DOMAIN)", .buildVariable),
    ]) func findsTheProblem(_ text: String, _ problem: EntitlementEntry.Problem) {
        let entry = EntitlementEntry(text)
        #expect(entry.problems.contains(problem), "\(entry.problems)")
        #expect(!problem.message.isEmpty && !problem.remedy.isEmpty)
    }

    @Test(arguments: [
        ("applinks:example.com", "example.com", true),
        ("applinks:example.com", "EXAMPLE.com", true),
        ("applinks:example.com", "www.example.com", false),
        ("applinks:*.example.com", "www.example.com", true),
        ("applinks:*.example.com", "a.b.example.com", true),
        ("applinks:*.example.com", "example.com", false),
        ("applinks:*.example.com", "badexample.com", false),
        ("applinks:*", "anything.example", true),
    ]) func coversHosts(_ text: String, _ host: String, _ covers: Bool) {
        expectEqual(EntitlementEntry(text).covers(host: host), covers)
    }

    @Test func ratesProblems() {
        for problem in EntitlementEntry.Problem.allCases {
            #expect(problem.rawValue.hasPrefix("entitlement-"))
        }
        expectEqual(EntitlementEntry.Problem.port.severity, .warning)
        expectEqual(EntitlementEntry.Problem.portOfLinks.severity, .error)
    }
}
