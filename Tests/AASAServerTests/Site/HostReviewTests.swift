import AppSiteAssociation
import Foundation
import OpenSSL
import TestSupport
import Testing

@testable import AASAServer

/// `aasa lint` and `aasa build` report a host's ``HostReview``, `serve --check` a load with it, and
/// `lint FILE` and `--fix` the linter's findings for the file: all have to be the same.
@Suite struct HostReviewTests {
    private static let team = "9JA89QQLNQ"

    private static func review(_ site: SiteFixture, _ host: String) throws -> HostReview {
        let source = try SiteFolder.read(site.site).withoutConflicts()
        let folder = try #require(source.hosts.first { $0.name == host })
        return HostReview(folder, options: LintOptions(now: Int(SiteFixture.now)))
    }

    /// The false second error: `appIds` is the cause, and that the entry names no app follows.
    @Test func aMisspeltKeyIsOneFindingEverywhere() throws {
        let site = try SiteFixture()
        try site.certify("a.example")
        try site.write(
            "a.example/teams/\(Self.team).json",
            #"{"applinks":{"details":[{"appIds":["9JA89QQLNQ.com.example.shop"],"#
                + #""components":[{"/":"/buy/*"}]}]}}"#)
        try expectEqual(Self.review(site, "a.example").findings.map(\.code), ["entry-key-misspelt"])
        var loader = try site.loader()
        let report = try loader.load(now: SiteFixture.now).report
        expectEqual(report.findings.flatMap(\.findings).map(\.code), ["entry-key-misspelt"])
    }

    /// A sibling of no known format is served as it is, and read by any client that asks for it.
    @Test func brokenJSONIsFoundInEverySibling() throws {
        let site = try SiteFixture.withHost()
        try site.write("a.example/well-known/applinking2.json", "{\"a\": [1,}")
        try site.write("a.example/well-known/note.txt", "{\"a\": [1,}")
        let found = try Self.review(site, "a.example").findings
        expectEqual(found.map(\.code), ["json-missing-value"])
        var loader = try site.loader()
        let report = try loader.load(now: SiteFixture.now).report
        expectEqual(report.findings.flatMap(\.findings).map(\.code), ["json-missing-value"])
        // By itself it is read as the same kind of file.
        let path = "site/a.example/well-known/applinking2.json"
        expectEqual(Linter.lint(SourceText(name: path, text: "{}")), [])
    }

    /// The documents of the corpus and of the rules' examples, as fragments and as ready-made
    /// files.
    private static func documents() throws -> [[UInt8]] {
        let files =
            Corpus.files(in: "aasa", withExtension: "json")
            + Corpus.files(in: "production", withExtension: "json")
        let examples: [LintExample] = RuleCatalog.all.flatMap { rule in
            [rule.bad, rule.good].compactMap { $0 }
        }.filter { $0.file == "apple-app-site-association" && $0.padding == 0 }
        return try files.map { [UInt8](try Data(contentsOf: $0)) } + examples.map(\.bytes)
    }

    @Test func everyCommandReportsTheSame() throws {
        let documents = try Self.documents()
        #expect(documents.count > 300)
        let site = try SiteFixture()
        for (number, bytes) in documents.enumerated() {
            let text = String(decoding: bytes, as: UTF8.self)
            guard Array(text.utf8) == bytes else { continue }
            let host = "h\(number).example"
            let isFragment = number.isMultiple(of: 2)
            try site.write(
                isFragment
                    ? "\(host)/teams/\(Self.team).json" : "\(host)/apple-app-site-association",
                text)
        }
        try site.certify("h0.example")
        let source = try SiteFolder.read(site.site).withoutConflicts()
        #expect(source.hosts.count > 300)
        let builder = SnapshotBuilder(
            factory: ResponseFactory(strictTransportSecuritySeconds: 0), defaultHost: nil,
            certificatePath: "certs")
        let built = builder.build(
            source, store: CertificatesInUse(), previous: [:], generation: 1, now: SiteFixture.now,
            sign: { _, _ in [] })
        let served = Dictionary(uniqueKeysWithValues: built.findings.map { ($0.host, $0.findings) })
        var load = LoadReport()
        load.findings = built.findings
        let checked = Dictionary(
            uniqueKeysWithValues: load.reviewed(source, now: SiteFixture.now).findings.map {
                ($0.host, $0.findings)
            })
        for host in source.hosts {
            let review = HostReview(host, options: LintOptions(now: Int(SiteFixture.now)))
            let name = host.name
            // What a reload logs, and what `serve --check` prints.
            expectEqual(Set(served[name] ?? []), Set(review.findings), "\(name)")
            #expect(checked[name] ?? [] == served[name] ?? [], "\(name)")
            expectEqual(Set(review.findings).count, review.findings.count, "\(name): one twice")
            for file in review.files {
                // Of one file, with the findings that a team's name brings.
                let alone = Linter.lintHost([file], options: LintOptions(now: Int(SiteFixture.now)))
                expectEqual(
                    alone, review.findings.filter { $0.file == file.source.name }, "\(name)")
                // What `--fix --diff` begins with.
                let fixable = Linter.lintHost([LintFile(file, fixed: file.source)])
                expectEqual(fixable.map(\.code), alone.map(\.code), "\(name)")
            }
        }
    }
}
