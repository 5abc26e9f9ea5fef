import AppSiteAssociation
import Glibc
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// What aasa 1.1.0 kept, as it wrote it.
@Suite struct StateVersion1Tests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now
    private static let other = "{\"appclips\":{\"apps\":[\"9JA89QQLNQ.b.Clip\"]}}"
    private static let merged =
        "{\"webcredentials\":{\"apps\":[\"D3KQX62K1A.com.example\"]},"
        + "\"appclips\":{\"apps\":[\"9JA89QQLNQ.b.Clip\"]}}"

    init() throws { fixture = try .withHost() }

    /// As 1.1.0 encodes it.
    private func record(
        _ kind: String, _ name: String, _ fields: [(String, [UInt8])]
    ) -> [UInt8] {
        var body: [UInt8] = []
        for (name, bytes) in fields {
            body += Array("\(name) \(bytes.count)\n".utf8) + bytes + [10]
        }
        return Array("aasa-state 1 \(kind) \(name) \(hexadecimal(sha256(body)))\n".utf8) + body
    }

    private func handOver(_ records: [UInt8]...) -> [UInt8] {
        records.flatMap { Array("\($0.count)\n".utf8) + $0 }
    }

    private func tree(
        _ fields: [(String, String)], more: [(String, [UInt8])] = []
    ) throws -> KeptTree {
        let record = record(
            "host", "a.example", fields.map { ($0.0, Array($0.1.utf8)) } + more)
        return try #require(KeptArchive.decode(handOver(record)))
    }

    private func host(
        _ fields: [(String, String)], more: [(String, [UInt8])] = []
    ) throws -> KeptHost {
        try #require(try tree(fields, more: more).hosts["a.example"])
    }

    private static let usual = [
        (
            "host.json",
            #"{"aliases":["w.a.example"],"cacheControl":"no-cache"}"#
        ),
        ("document.json", merged),
        ("document.source", "fragments"), ("document.teams", "D3KQX62K1A 60\n9JA89QQLNQ 50"),
        ("sibling/assetlinks.json", "[1]"), ("sibling.type/assetlinks.json", "application/json"),
        ("sibling.cache/assetlinks.json", "no-cache"), ("sibling.merged/assetlinks.json", "1"),
        ("sibling/nodeinfo/x", "{}"), ("sibling.type/nodeinfo/x", "application/json"),
        ("kept", "\(SiteFixture.now - 60)"),
    ]

    private func served(_ host: ServedHost) -> [String] {
        [host.association.response(userAgent: nil).response.text]
            + host.siblings.map { "\($0.name) \($0.response.text)" }
    }

    /// Whatever is broken on disk when the next release starts.
    @Test(arguments: ["fragment", "settings", "siblings", "teams", "host", "site"])
    func whatWasServedIsServed(broken: String) throws {
        try fixture.write("a.example/teams/9JA89QQLNQ.json", Self.other)
        try fixture.write("a.example/well-known/assetlinks.json", "[1]")
        try fixture.write("a.example/well-known/nodeinfo/x", "{}")
        try fixture.write("a.example/host.json", Self.usual[0].1)
        let host = fixture.site + "/a.example"
        let away = fixture.folder.path("away")
        switch broken {
        case "fragment": try fixture.write("a.example/teams/9JA89QQLNQ.json", "{")
        case "settings": expectEqual(unlink(host + "/host.json"), 0)
        case "siblings": expectEqual(rename(host + "/well-known", away), 0)
        case "teams": expectEqual(rename(host + "/teams", away), 0)
        case "host":
            expectEqual(rename(host, away), 0)
            try fixture.write("a.example", "x")
            try fixture.write("b.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        default: expectEqual(rename(fixture.site, away), 0)
        }
        var loader = try fixture.loader()
        #expect(loader.restore(try tree(Self.usual)).isEmpty)
        for _ in 0..<2 {
            let (publication, report) = try loader.load(now: now)
            let host = try #require(publication.snapshot.host(named: "a.example"))
            expectEqual(
                served(host),
                [
                    Self.merged, "/.well-known/assetlinks.json [1]", "/.well-known/nodeinfo/x {}",
                ], "\(broken)")
            #expect(publication.snapshot.host(named: "w.a.example") === host)
            expectEqual(
                host.association.response(userAgent: nil).response.field("Cache-Control"),
                "no-cache")
            expectEqual(
                report.kept.first?.text.contains(
                    "serving the last good version since 2026-11-20T23:59:00Z"), true)
            #expect(report.changes.allSatisfy { $0.host != "a.example" }, "\(report.changes)")
            // From here on it is kept as it is now.
            var next = try fixture.loader()
            #expect(next.restore(loader.kept).isEmpty)
            loader = next
        }
    }

    /// 1.1.0 wrote which teams there had been: until all are back, the document stays.
    @Test func aLostDocumentComesBackTeamByTeam() throws {
        var loader = try fixture.loader()
        let lost = Self.usual + [("lost.document", "1"), ("lost.siblings", "nodeinfo/x")]
        #expect(loader.restore(try tree(lost)).isEmpty)
        let (publication, report) = try loader.load(now: now)
        expectEqual(served(publication.snapshot.hosts[0]).first, Self.merged)
        #expect(report.findings.flatMap(\.findings).map(\.code).contains("site-teams-gone"))
        try fixture.write("a.example/teams/9JA89QQLNQ.json", Self.other)
        let whole = try loader.load(now: now).report
        #expect(!whole.findings.flatMap(\.findings).map(\.code).contains("site-teams-gone"))
    }

    @Test func factsAreRead() throws {
        let kept = try host(
            Array(Self.usual.dropFirst()) + [
                ("host.json", #"{"aliases":["w.a.example","v.a.example"],"default":true}"#),
                ("refused.aliases", "v.a.example"), ("lost.host", "1"),
                ("lost.siblings", "assetlinks.json"),
                ("default", "w.a.example"), ("refused.default", "1"),
            ])
        #expect(kept.isLost && kept.lost == [.sibling("assetlinks.json")])
        #expect(kept.facts.aliases == ["w.a.example"] && !kept.facts.isDefault)
        #expect(kept.facts.defaultName == "w.a.example" && kept.facts.form == .json)
        #expect(kept.facts.since == now - 60 && kept.facts.signature == nil)
        let empty = try host([("host.json", "{\"form\":\"auto\"}")])
        #expect(empty.facts.form == nil && empty.files.count == 1)
    }

    @Test func aSignatureIsKeptWithWhatItSigns() throws {
        let pair = try fixture.certify("a.example")
        let document = Array(SiteFixture.fragment.utf8)
        let der = try CMSSigner.sign(document, with: pair)
        let kept = try host(
            [
                ("host.json", "{\"form\":\"auto\"}"), ("document.json", SiteFixture.fragment),
                ("signature.signer", pair.identity), ("signature.life", "\(now - 9) \(now + 9)"),
            ], more: [("signature", der)])
        let signature = try #require(kept.facts.signature)
        #expect(signature.payload == document && signature.der == der)
        #expect(signature.signer == pair.identity && signature.notAfter == now + 9)
        // One that another tool made is the document.
        let ready = try host(
            [("document.json", SiteFixture.fragment), ("document.source", "readyMade")],
            more: [("document.signed", der)])
        expectEqual(ready.files["apple-app-site-association"], der)
    }

    private func certificates(_ name: String, _ names: [(String, String)]) throws -> [UInt8] {
        var fields: [(String, [UInt8])] = []
        for (index, files) in names.enumerated() {
            let pair = try fixture.certify("a.example", rsa: index == 1)
            fields += [
                ("\(index).chain.name", Array(files.0.utf8)),
                ("\(index).chain", pair.chain.flatMap(\.pem)),
                ("\(index).key.name", Array(files.1.utf8)),
                ("\(index).key", pair.key.unencryptedPEM()),
            ]
            if index == 0 { fields.append(("0.kept", Array("\(now)".utf8))) }
        }
        return record("certificates", name, fields)
    }

    /// Whether the pairs lie in a folder or beside the others.
    @Test func certificatesAreRead() throws {
        for (names, files) in [
            (
                [("fullchain.pem", "privkey.pem"), ("rsa/fullchain.pem", "rsa/privkey.pem")],
                ["/a.example/fullchain.pem", "/a.example/privkey.pem"]
            ),
            ([("crt", "key")], ["/a.example.crt", "/a.example.key"]),
            ([("pem", "-key.pem")], ["/a.example.pem", "/a.example-key.pem"]),
            ([("pem", "pem")], ["/a.example.pem", "/a.example.pem"]),
        ] {
            let bytes = handOver(try certificates("a.example", names))
            let pairs = try #require(KeptArchive.decode(bytes)).pairs(of: "a.example", in: "")
            expectEqual(pairs.count, names.count)
            expectEqual([pairs[0].files.chain, pairs[0].files.key], files)
            #expect(pairs[0].since == now && pairs.dropFirst().allSatisfy { $0.since == nil })
        }
        let odd = handOver(try certificates("%2a.b%c3%bc", [("crt", "key")]))
        expectEqual(KeptArchive.decode(odd)?.certificateFolders, ["*.bü"])
    }

    @Test func whatIsServedIsRead() throws {
        let items = Array("the host a.example\nthe host b.example".utf8)
        let host = record("host", "a.example", [("document.json", Array("{}".utf8))])
        let bytes = handOver(host, record("inventory", "served", [("items", items)]))
        let handed = try #require(KeptArchive.decode(bytes))
        expectEqual(handed.inventory, ["the host a.example", "the host b.example"])
        expectEqual(Array(handed.hosts.keys), ["a.example"])
        for damaged in [Array(bytes.dropLast()), [UInt8](bytes.dropFirst()), bytes + [49, 10]] {
            #expect(KeptArchive.decode(damaged) == nil)
        }
    }

    /// The folder of 1.1.0 is read, then written as it is now; what is damaged in it stays.
    @Test func aStateFolderIsReadAndWrittenAnew() throws {
        let path = fixture.folder.path("state")
        try fixture.folder.write("state/aasa-state", "aasa-state 1\n")
        try fixture.folder.write(
            "state/hosts/a.example",
            record("host", "a.example", Self.usual.map { ($0.0, Array($0.1.utf8)) }))
        try fixture.folder.write(
            "state/certificates/a.example",
            try certificates("a.example", [("fullchain.pem", "privkey.pem")]))
        try fixture.folder.write("state/hosts/b.example", "aasa-state 1 host b.example 00\ntorn")
        var state = try StateFolder(path: path)
        let (tree, problems) = state.read()
        expectEqual(problems.map(\.place), [path + "/hosts/b.example"])
        expectEqual(Array(tree.hosts.keys), ["a.example"])
        expectEqual(tree.certificateFolders, ["a.example"])
        try expectEqual(fixture.folder.read("state/aasa-state"), Array("aasa-state 1\n".utf8))
        try state.write(tree)
        let (next, _) = state.read()
        expectEqual(next, tree)
        // 1.1.0 leaves it alone.
        try expectEqual(fixture.folder.read("state/aasa-state"), Array("aasa-state 3\n".utf8))
        #expect(!Files.exists(path + "/certificates"))
        try expectEqual(Files.names(in: path + "/hosts", limit: 9), ["b.example"])
    }
}
