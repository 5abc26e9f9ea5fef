import Glibc
import HTTP
import TestSupport
import Testing

@testable import AASAServer

/// A process that starts beside broken files and knows what the one before it served.
@Suite struct KeptTreeHostTests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now

    init() throws {
        fixture = try SiteFixture()
        try fixture.write("a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try fixture.write(
            "a.example/teams/9JA89QQLNQ.json", "{\"appclips\":{\"apps\":[\"9JA89QQLNQ.b.Clip\"]}}")
        try fixture.write(
            "a.example/host.json",
            "{\"aliases\":[\"w.a.example\"],\"form\":\"auto\",\"cacheControl\":\"no-cache\"}")
        try fixture.write("a.example/well-known/assetlinks.json", "[]")
        try fixture.write("a.example/well-known/nodeinfo/x", "{}")
        try fixture.certify("a.example", names: ["a.example", "w.a.example"])
        try fixture.certify("a.example", names: ["a.example", "w.a.example"], rsa: true)
    }

    /// All that a host answers, byte for byte.
    private func answers(_ publication: Publication) -> [String] {
        publication.snapshot.hosts.flatMap { host -> [String] in
            var lines = ["\(host.name) \(host.aliases)"]
            let old = Array("swcd CFNetwork/711.1.16".utf8)
            for agent in [nil, old] {
                let response =
                    agent?.withUnsafeBytes { host.association.response(userAgent: $0).response }
                    ?? host.association.response(userAgent: nil).response
                lines.append("\(response.status) \(response.fields) \(Array(response.body.bytes))")
            }
            return lines
                + host.siblings.map { "\($0.name) \($0.response.fields) \($0.response.text)" }
        }
    }

    /// Loads, breaks something, and loads in a process that has only what is kept.
    private func afterBreaking(
        _ breakIt: () throws -> Void, keeping change: ((inout KeptHost) -> Void)? = nil
    ) throws -> (before: [String], after: [String], report: LoadReport, next: SiteLoader) {
        var first = try fixture.loader()
        let before = answers(try first.load(now: now).publication)
        let inventory = try #require(first.inventory)
        var tree = first.kept
        if let change, var kept = tree.hosts["a.example"] {
            change(&kept)
            tree.add(kept, of: "a.example")
        }
        let encoded = KeptArchive.encode(tree)
        try breakIt()
        var next = try fixture.loader()
        let handed = try #require(KeptArchive.decode(encoded))
        #expect(next.restore(handed).isEmpty && handed.inventory == inventory)
        let (publication, report) = try next.load(now: now + 60)
        #expect(inventory.subtracting(next.inventory ?? []).isEmpty)
        return (before, answers(publication), report, next)
    }

    private static let breakages: [(String, @Sendable (SiteFixture) throws -> Void)] = [
        ("a torn fragment", { try $0.write("a.example/teams/D3KQX62K1A.json", "{\"webcred") }),
        ("an empty fragment", { try $0.write("a.example/teams/D3KQX62K1A.json", "") }),
        ("torn settings", { try $0.write("a.example/host.json", "{") }),
        ("settings gone", { unlink($0.site + "/a.example/host.json") }),
        ("a torn sibling", { try $0.write("a.example/well-known/assetlinks.json", "[") }),
        (
            "a folder for a fragment",
            {
                unlink($0.site + "/a.example/teams/D3KQX62K1A.json")
                mkdir($0.site + "/a.example/teams/D3KQX62K1A.json", 0o755)
            }
        ),
        (
            "a folder for a sibling",
            {
                unlink($0.site + "/a.example/well-known/assetlinks.json")
                mkdir($0.site + "/a.example/well-known/assetlinks.json", 0o755)
            }
        ),
        (
            "a link to nothing for a sibling",
            {
                unlink($0.site + "/a.example/well-known/assetlinks.json")
                symlink("/no/such", $0.site + "/a.example/well-known/assetlinks.json")
            }
        ),
        (
            "no teams",
            { rename($0.site + "/a.example/teams", $0.site + "/away") }
        ),
        (
            "a file for well-known",
            {
                rename($0.site + "/a.example/well-known", $0.site + "/away")
                try $0.write("a.example/well-known", "x")
            }
        ),
        (
            "a file for the host",
            {
                try $0.write("b.example/teams/D3KQX62K1A.json", "x")
                rename($0.site + "/b.example", $0.folder.path("b"))
                rename($0.site + "/a.example", $0.folder.path("a"))
                try $0.write("a.example", "x")
                try $0.write("c.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
            }
        ),
        ("no site", { rename($0.site, $0.site + ".away") }),
        ("an empty site", { rename($0.site + "/a.example", $0.folder.path("away")) }),
        (
            "a torn chain",
            { try $0.folder.write("certs/a.example/fullchain.pem", "-----BEGIN CERT") }
        ),
        ("a key gone", { unlink($0.certs + "/a.example/privkey-rsa.pem") }),
        (
            "another's key",
            {
                try $0.certify("b.example")
                rename(
                    $0.certs + "/b.example/privkey.pem", $0.certs + "/a.example/privkey.pem")
            }
        ),
        ("no certificates", { rename($0.certs, $0.certs + ".away") }),
    ]

    @Test(arguments: breakages.indices)
    func whatWasServedIsServed(index: Int) throws {
        let (name, breakIt) = Self.breakages[index]
        let (before, after, report, _) = try afterBreaking { try breakIt(fixture) }
        for line in before { #expect(after.contains(line), "\(name)") }
        #expect(report.hasErrors, "\(name)")
    }

    @Test func whatIsKeptIsSaidWithItsTimeOverProcesses() throws {
        let (_, _, report, next) = try afterBreaking {
            try fixture.write("a.example/teams/D3KQX62K1A.json", "{\n  \"webcredentials\": }")
        }
        let text = try #require(report.kept.first?.text)
        #expect(
            text.hasPrefix("serving the last good version since 2026-11-21T00:01:00Z, because "))
        #expect(text.contains("D3KQX62K1A.json:2:21: "))
        var third = try fixture.loader()
        _ = third.restore(next.kept)
        let later = try third.load(now: now + 9999).report.kept
        expectEqual(later.first?.text, text)
        try fixture.write("a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        #expect(try third.load(now: now + 10_000).report.kept.isEmpty)
    }

    @Test func aTeamThatWasTakenAwayIsNewsAndNoError() throws {
        let (_, after, report, next) = try afterBreaking {
            unlink(fixture.site + "/a.example/teams/9JA89QQLNQ.json")
        }
        #expect(!report.hasErrors)
        #expect(!after.contains { $0.contains("9JA89QQLNQ") })
        expectEqual(
            report.changes.first?.lines.contains("team 9JA89QQLNQ removed, with 1 app"), true)
        var later = next
        let facts = try later.load(now: now + 120).publication.snapshot.hosts[0].facts
        expectEqual(facts.removedTeams.map(\.team), ["9JA89QQLNQ"])
        let nextDay = try later.load(now: now + 100_000).publication.snapshot.hosts[0].facts
        #expect(nextDay.removedTeams.isEmpty)
    }

    @Test func aHostThatWasTakenAwayIsNotKept() throws {
        try fixture.write("b.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try fixture.certify("b.example")
        var first = try fixture.loader()
        _ = try first.load(now: now)
        rename(fixture.site + "/a.example", fixture.folder.path("away"))
        var next = try fixture.loader()
        _ = next.restore(first.kept)
        let (publication, report) = try next.load(now: now)
        expectEqual(publication.snapshot.hosts.map(\.name), ["b.example"])
        #expect(report.changes.contains { $0.lines == ["host removed"] })
        #expect(next.kept.hosts["a.example"] == nil)
        // Nobody has confirmed it, so every later process says it, too.
        var last = try fixture.loader()
        _ = last.restore(next.kept)
        _ = try last.load(now: now + 60)
        expectEqual(last.vanished, ["a.example": now])
        _ = try last.load(now: now + 120, confirmed: last.losses)
        #expect(last.vanished.isEmpty && last.kept.vanished.isEmpty)
    }

    @Test func aHostThatAnotherNowAnswersForHasNotVanished() throws {
        try fixture.write("b.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        rename(fixture.site + "/a.example", fixture.folder.path("away"))
        try fixture.write("b.example/host.json", "{\"aliases\": [\"a.example\"]}")
        _ = try loader.load(now: now)
        #expect(loader.vanished.isEmpty)
    }

    @Test func overTheLimitTheKnownSiblingsStay() throws {
        let (before, after, report, _) = try afterBreaking {
            for number in 0..<100 { try fixture.write("a.example/well-known/a\(number)", "x") }
        }
        #expect(report.hasErrors)
        for line in before { #expect(after.contains(line)) }
        let beyond = try afterBreaking {
            for number in 0..<300 { try fixture.write("a.example/well-known/b\(number)", "x") }
        }
        expectEqual(beyond.before.count, before.count + 64 - 2)
        for line in beyond.before { #expect(beyond.after.contains(line)) }
    }

    @Test func aSiblingThatNeverWasGoodIsServedAndNamed() throws {
        try fixture.write("a.example/well-known/webauthn", "{\"origins\": ")
        var loader = try fixture.loader()
        let (publication, report) = try loader.load(now: now)
        let sibling = publication.snapshot.hosts[0].siblings.first { $0.name.hasSuffix("webauthn") }
        expectEqual(sibling?.response.text, "{\"origins\": ")
        expectEqual(report.errors.first?.text.contains("well-known/webauthn:1:"), true)
        // As loud at the next look.
        try expectEqual(loader.load(now: now).report.errors.first?.text, report.errors.first?.text)
    }

    /// What the bytes do not say themselves is kept, too.
    @Test func nothingThatIsKeptIsForgotten() throws {
        var loader = try fixture.loader { $0.defaultHost = "w.a.example" }
        _ = try loader.load(now: now)
        rename(fixture.site + "/a.example/teams", fixture.folder.path("away"))
        _ = try loader.load(now: now)
        rename(fixture.site + "/a.example", fixture.folder.path("gone"))
        _ = try loader.load(now: now)
        let tree = loader.kept
        let read = try #require(KeptTree.read(tree.contents))
        #expect(read.tree == tree && read.damage.isEmpty)
        let kept = try #require(read.tree.hosts["a.example"])
        expectEqual(
            Set(kept.files.keys),
            [
                "host.json", "teams/D3KQX62K1A.json", "teams/9JA89QQLNQ.json",
                "well-known/assetlinks.json", "well-known/nodeinfo/x",
            ])
        #expect(kept.isLost && kept.lost.contains(.document) && kept.lost.contains(.settings))
        #expect(kept.facts.defaultName == "w.a.example" && kept.facts.aliases == ["w.a.example"])
        #expect(kept.facts.form == .auto && kept.facts.signature != nil)
        expectEqual(kept.facts.since, now)
    }

    /// A later release may find faults in what an earlier one served.
    @Test func whatWasServedIsServedByAStricterRelease() throws {
        let (before, after, report, _) = try afterBreaking(
            {
                try fixture.write("a.example/teams/D3KQX62K1A.json", "{")
                try fixture.write("a.example/host.json", "{")
            },
            keeping: { kept in
                // As if these had not been errors then: no app, and an unknown setting.
                kept.files["teams/D3KQX62K1A.json"] = Array(
                    #"{"webcredentials":{"apps":["D3KQX62K1A.com.example","no app"]}}"#.utf8)
                kept.files["host.json"] = Array(
                    (#"{"aliases":["w.a.example"],"form":"auto","later":1,"#
                        + #""cacheControl":"no-cache"}"#).utf8)
            })
        #expect(report.hasErrors && report.findings.allSatisfy { $0.findings.count == 2 })
        expectEqual(before, after)
    }

    /// A server that gets the folder of another one late keeps what that one kept.
    @Test func whatIsGoodStaysAndTheRestIsAdded() throws {
        func host(_ path: String, _ text: String) -> KeptHost {
            var kept = KeptHost()
            kept.files[path] = Array(text.utf8)
            return kept
        }
        var (own, other) = (KeptTree(), KeptTree())
        own.add(host("apple-app-site-association", "own"), of: "a.example")
        own.add(host("host.json", "own"), of: "b.example")
        other.add(host("apple-app-site-association", "other"), of: "a.example")
        other.add(host("teams/9JA89QQLNQ.json", "other"), of: "b.example")
        other.add(host("host.json", "other"), of: "c.example")
        var rest = other
        let both = own.adding(&rest)
        expectEqual(Set(rest.hosts.keys), ["b.example", "c.example"])
        expectEqual(both.hosts["a.example"], own.hosts["a.example"])
        expectEqual(both.hosts["b.example"], other.hosts["b.example"])
        expectEqual(both.hosts.count, 3)
        var none = KeptTree()
        #expect(own.adding(&none) == own && none == KeptTree())
    }
}
