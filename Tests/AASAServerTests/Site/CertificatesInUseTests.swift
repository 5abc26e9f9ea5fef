// Covers: KeyPermission.swift
import Glibc
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct CertificatesInUseTests {
    private let fixture: SiteFixture
    private let good: CertificatePair
    private let names = ["a.example": ["a.example"]]

    init() throws {
        fixture = try SiteFixture()
        good = try fixture.certify("a.example")
    }

    @Test func aKeyThatEverybodyCanReadIsReported() throws {
        let key = fixture.certs + "/a.example/privkey.pem"
        // With its place: the log and aasa reload show the cause alone.
        func isReported() -> Bool {
            load().problems.contains { $0.problem.cause.hasSuffix("the private key \(key)") }
        }
        // Open the way down to the key, as far as the folder of the test reaches.
        var folder = key[..<(key.lastIndex(of: "/") ?? key.startIndex)]
        while folder.count > 1, chmod(String(folder), 0o755) == 0,
            let slash = folder.lastIndex(of: "/"), folder != "/tmp"
        { folder = folder[..<slash] }
        expectEqual(chmod(key, 0o600), 0)
        #expect(!isReported())
        expectEqual(chmod(key, 0o640), 0)
        #expect(!isReported())
        expectEqual(chmod(key, 0o644), 0)
        #expect(isReported())
        // The status page shows what the snapshot knows of its certificates.
        try fixture.write("a.example/apple-app-site-association", SiteFixture.fragment)
        var loader = try fixture.loader()
        let snapshot = try loader.load(now: SiteFixture.now).publication.snapshot
        expectEqual(
            snapshot.certificates.first?.problems.contains {
                $0.contains("the private key \(key)")
            },
            true)
        let parent = String(key[..<(key.lastIndex(of: "/") ?? key.startIndex)])
        expectEqual(chmod(parent, 0o700), 0)
        #expect(!isReported())
        #expect(!KeyPermission.isReadByOthers("/no/such/key"))
    }

    @Test func aCertificateFolderThatCannotBeReadIsSaidWithWhatHelps() throws {
        expectEqual(rename(fixture.certs, fixture.certs + ".away"), 0)
        let missing = try #require(load().problems.first)
        #expect(missing.problem.place == fixture.certs && missing.isError)
        #expect(missing.problem.remedy.hasPrefix("restore the folder"))
        try fixture.folder.write("certs", "x")
        expectEqual(load().problems.first?.problem.cause.contains("Not a directory"), true)
    }

    /// As after `--user` gave root up: what is closed is named, and not what it hides. In a process
    /// of its own, as nothing is closed to root.
    @Test(arguments: ["", "/a.example", "/a.example/privkey.pem"])
    func whatTheServersUserMayNotReadIsSaidWithWhatHelps(closed: String) async {
        let (certs, host) = (fixture.certs, fixture.certs + "/a.example")
        for path in [fixture.folder.path, certs, host] { chmod(path, 0o755) }
        let place = certs + closed
        expectEqual(chmod(place, 0), 0)
        defer { chmod(place, 0o700) }
        await #expect(processExitsWith: .success) {
            [certs = certs as String, place = place as String] in
            guard geteuid() != 0 || setuid(65_534) == 0 else { exit(2) }
            let verb = place.hasSuffix(".pem") ? "read" : "enter"
            let remedy = CertificatesInUse().reloaded(
                from: CertificateFolder(path: certs), names: ["a.example": ["a.example"]],
                now: SiteFixture.now
            ).problems.first?.problem.remedy
            exit(remedy?.hasPrefix("let user \(geteuid()) \(verb) \(place): ") == true ? 0 : 3)
        }
    }

    private func load(
        _ store: CertificatesInUse = CertificatesInUse(), confirmed: Set<Loss> = []
    ) -> CertificatesInUse {
        store.reloaded(
            from: CertificateFolder(path: fixture.certs), names: names, confirmed: confirmed,
            now: SiteFixture.now)
    }

    private enum Fault: CaseIterable {
        case truncatedChain, truncatedKey, otherKey, expired, notYetValid, otherName, garbage
        case missingKey, unreadable, weakKey, wrongOrder, wrongIntermediate, selfSigned
    }

    private func inflict(_ fault: Fault) throws {
        let chain = "certs/a.example/fullchain.pem"
        let key = "certs/a.example/privkey.pem"
        switch fault {
        case .truncatedChain:
            try fixture.folder.write(chain, try fixture.folder.read(chain).prefix(300))
        case .truncatedKey:
            try fixture.folder.write(key, try fixture.folder.read(key).prefix(100))
        case .otherKey:
            let old = try fixture.folder.read(chain)
            try fixture.certify("a.example")
            try fixture.folder.write(chain, old)
        case .expired: try fixture.certify("a.example", begins: -90, ends: -1)
        case .notYetValid: try fixture.certify("a.example", begins: 1, ends: 90)
        case .otherName: try fixture.certify("a.example", names: ["b.example"])
        case .garbage: try fixture.folder.write(chain, "<html>502 Bad Gateway</html>")
        case .missingKey: expectEqual(unlink(fixture.folder.path(key)), 0)
        case .unreadable:
            expectEqual(unlink(fixture.folder.path(chain)), 0)
            try fixture.folder.makeFolder(chain)
        case .weakKey:
            let pair = try fixture.weakPair("a.example")
            try fixture.folder.write(chain, pair.chain.flatMap(\.pem))
            try fixture.folder.write(key, pair.key.unencryptedPEM())
        case .wrongOrder:
            let pair = try fixture.certify("a.example")
            try fixture.folder.write(
                chain, fixture.authority.pair.leaf.pem + pair.chain.flatMap(\.pem))
        case .selfSigned:
            let pair = try CertificateTemplate(
                commonName: "a.example", names: ["a.example"], notBefore: SiteFixture.now - 10,
                notAfter: SiteFixture.now + 1_000_000
            ).make(issuer: nil)
            try fixture.folder.write(chain, pair.leaf.pem)
            try fixture.folder.write(key, pair.key.unencryptedPEM())
        case .wrongIntermediate:
            var plan = CertificateTemplate(
                commonName: "a.example", names: ["a.example"], notBefore: SiteFixture.now - 10,
                notAfter: SiteFixture.now + 1_000_000)
            plan.issuerLocation = "http://ca.example/new.der"
            let pair = try plan.make(issuer: fixture.authority.pair)
            let old = try LocalAuthority.make(now: SiteFixture.now - 86_400)
            try fixture.folder.write(chain, pair.leaf.pem + old.pair.leaf.pem)
            try fixture.folder.write(key, pair.key.unencryptedPEM())
        }
    }

    /// Each kind of broken pair: none replaces the good one, each is said, and the next good
    /// one does.
    @Test func brokenPairsNeverReplaceGoodOnes() throws {
        var store = load()
        expectEqual(store.pairs(in: "a.example").map(\.identity), [good.identity])
        for fault in Fault.allCases {
            try inflict(fault)
            store = load(store)
            expectEqual(store.pairs(in: "a.example").map(\.identity), [good.identity], "\(fault)")
            #expect(store.problems.contains { $0.isError }, "\(fault)")
            #expect(store.slots["a.example"]?.first?.kept.since != nil, "\(fault)")
            let chain = fixture.folder.path("certs/a.example/fullchain.pem")
            if fault == .unreadable { rmdir(chain) }
        }
        let renewed = try fixture.certify("a.example", ends: 85)
        store = load(store)
        expectEqual(store.pairs(in: "a.example").map(\.identity), [renewed.identity])
        #expect(store.problems.isEmpty)
    }

    /// Every client refuses what has ended; few mind the order of a chain.
    @Test func whatHasEndedYieldsToAFault() throws {
        let store = load()
        let stranger = try LocalAuthority.make(now: SiteFixture.now - 86_400).pair.leaf
        let new = try fixture.certify("a.example", ends: 200)
        try fixture.folder.write(
            "certs/a.example/fullchain.pem",
            new.leaf.pem + stranger.pem + fixture.authority.pair.leaf.pem)
        func leaf(_ store: CertificatesInUse) -> [UInt8]? {
            store.pairs(in: "a.example").first?.leaf.der
        }
        let kept = load(store)
        expectEqual(leaf(kept), good.leaf.der)
        let later = kept.reloaded(
            from: CertificateFolder(path: fixture.certs), names: names,
            now: SiteFixture.now + 100 * 86_400)
        expectEqual(leaf(later), new.leaf.der)
        #expect(later.problems.contains { $0.isError && $0.problem.cause.contains("wrong order") })
    }

    /// As `certbot -d example.com` after `-d example.com -d www.example.com`.
    @Test(arguments: ["w.example", "*.w.example"])
    func aRenewalThatForgetsANameOfTheSiteIsRefused(name: String) throws {
        let alias = name.replacing("*", with: "www")
        func reloaded(_ store: CertificatesInUse, _ aliases: Set<String>) -> CertificatesInUse {
            store.reloaded(
                from: CertificateFolder(path: fixture.certs), names: names,
                wanted: aliases.union(["a.example"]), now: SiteFixture.now)
        }
        func identity(_ store: CertificatesInUse) -> String? {
            store.pairs(in: "a.example").first?.identity
        }
        let wide = try fixture.certify("a.example", names: ["a.example", name])
        var store = reloaded(CertificatesInUse(), [alias])
        let narrow = try fixture.certify("a.example")
        store = reloaded(store, [alias])
        expectEqual(identity(store), wide.identity)
        expectEqual(store.problems.first?.problem.cause.contains("not cover \(alias)"), true)
        // No client asks for it any more.
        expectEqual(identity(reloaded(store, [])), narrow.identity)
        // Another certificate covers it, once it has begun.
        try fixture.certify(alias, begins: 1, ends: 90)
        expectEqual(identity(reloaded(store, [alias])), wide.identity)
        try fixture.certify(alias)
        expectEqual(identity(reloaded(store, [alias])), narrow.identity)
    }

    @Test func aPairThatHasEndedYieldsToOneThatForgetsAName() throws {
        try fixture.certify("a.example", names: ["a.example", "w.example"], begins: -90, ends: -1)
        let store = load()
        let narrow = try fixture.certify("a.example")
        let next = store.reloaded(
            from: CertificateFolder(path: fixture.certs), names: names,
            wanted: ["a.example", "w.example"], now: SiteFixture.now)
        expectEqual(next.pairs(in: "a.example").map(\.identity), [narrow.identity])
    }

    @Test func aFaultyCertificateIsBetterThanNone() throws {
        try fixture.certify("a.example", begins: -90, ends: -1)
        let store = load()
        expectEqual(store.pairs(in: "a.example").count, 1)
        #expect(store.problems.contains { $0.isError })
    }

    /// OpenSSL would refuse it when all hosts are put into a context, and all would be down.
    @Test func aPairThatNoServerTakesIsLeftOut() throws {
        try inflict(.weakKey)
        try fixture.certify("b.example")
        let store = CertificatesInUse().reloaded(
            from: CertificateFolder(path: fixture.certs),
            names: ["a.example": ["a.example"], "b.example": ["b.example"]], now: SiteFixture.now)
        #expect(store.pairs(in: "a.example").isEmpty)
        expectEqual(store.pairs(in: "b.example").count, 1)
        let finding = try #require(store.problems.first { $0.isError })
        #expect(finding.problem.remedy.contains("2048"), "\(finding)")
    }

    @Test func filesThatVanishStayInUse() throws {
        let store = load()
        expectEqual(unlink(fixture.folder.path("certs/a.example/fullchain.pem")), 0)
        expectEqual(unlink(fixture.folder.path("certs/a.example/privkey.pem")), 0)
        let after = load(store)
        expectEqual(after.pairs(in: "a.example").map(\.identity), [good.identity])
        expectEqual(
            after.problems.first?.problem.cause.hasSuffix(
                "because \(fixture.certs)/a.example/fullchain.pem and its key are missing"), true)
    }

    /// What stands in the way is named, and not what it hides.
    @Test(arguments: ["a loop", "a file", "a closed archive"])
    func whatHidesTheFilesIsNamed(what: String) throws {
        let store = load()
        let place = fixture.folder.path("certs/a.example")
        expectEqual(rename(place, place + ".away"), 0)
        switch what {
        case "a loop": expectEqual(symlink(place, place), 0)
        case "a file": try fixture.folder.write("certs/a.example", "x")
        default:
            // As certbot's links into an archive that this user may not enter.
            try fixture.folder.makeFolder("certs/a.example")
            for name in ["fullchain.pem", "privkey.pem"] {
                expectEqual(symlink("\(place)/\(name)", "\(place)/\(name)"), 0)
            }
        }
        let words =
            what == "a file" ? "Not a directory" : "Too many levels of symbolic links"
        let after = load(store)
        expectEqual(after.pairs(in: "a.example").map(\.identity), [good.identity])
        let finding = try #require(after.problems.first)
        #expect(finding.problem.cause.contains(words), "\(finding)")
        #expect(!finding.problem.cause.contains("gone"))
        expectEqual(after.problems.count, 1)
        // Without a pair in use it is said as well, rather than that there is none.
        let fresh = load().problems
        #expect(fresh.count == 1 && fresh[0].problem.cause.contains(words), "\(fresh)")
        #expect(fresh.allSatisfy { !$0.problem.remedy.contains("certs make") })
        let listed = CertificateFolder(path: fixture.certs).load("a.example").failures
        #expect(listed.count == 1 && listed[0].contains(words), "\(listed)")
    }

    @Test func bothKeyTypesStandSideBySide() throws {
        let rsa = try fixture.certify("a.example", rsa: true)
        expectEqual(load().pairs(in: "a.example").map(\.identity), [good.identity, rsa.identity])
    }

    /// One of two is given up by an order; the last one that covers a host is not.
    @Test func aPairThatIsGoneCanBeGivenUpWhereAnotherCoversTheHost() throws {
        let rsa = try fixture.certify("a.example", rsa: true)
        func reload(_ store: CertificatesInUse, isOrdered: Bool) -> CertificatesInUse {
            load(store, confirmed: isOrdered ? store.losses : [])
        }
        var store = load()
        for name in ["fullchain.pem", "privkey.pem"] {
            expectEqual(unlink("\(fixture.certs)/a.example/\(name)"), 0)
        }
        // An order that comes before the report confirms nothing.
        store = reload(store, isOrdered: true)
        #expect(store.pairs(in: "a.example").count == 2 && store.losses.count == 1)
        expectEqual(reload(store, isOrdered: false).pairs(in: "a.example").count, 2)
        store = reload(store, isOrdered: true)
        expectEqual(store.pairs(in: "a.example").map(\.identity), [rsa.identity])
        #expect(store.problems.isEmpty && store.losses.isEmpty, "\(store.problems)")
        for name in ["fullchain-rsa.pem", "privkey-rsa.pem"] {
            expectEqual(unlink("\(fixture.certs)/a.example/\(name)"), 0)
        }
        for _ in 0..<3 { store = reload(store, isOrdered: true) }
        expectEqual(store.pairs(in: "a.example").map(\.identity), [rsa.identity])
        #expect(store.problems.contains { $0.isError })
        // Two that vanished together stay together.
        try fixture.certify("a.example")
        try fixture.certify("a.example", rsa: true)
        store = load(store)
        Files.removeTree("\(fixture.certs)/a.example")
        for _ in 0..<3 { store = reload(store, isOrdered: true) }
        #expect(store.pairs(in: "a.example").count == 2 && store.losses.count == 2)
        // A certificate of another folder covers the host.
        try fixture.certify("a.example", folder: "all")
        store = reload(store, isOrdered: true)
        #expect(store.folders == ["all"] && store.problems.isEmpty, "\(store.problems)")
    }

    /// A wildcard's folder, or certbot's second lineage, has no host of its name: the
    /// names of the site say who relies on it.
    @Test(arguments: ["wild", "a.example-0001"])
    func theLastPairOfAFolderWithoutItsOwnHostIsNotGivenUp(folder: String) throws {
        Files.removeTree("\(fixture.certs)/a.example")
        try fixture.certify("a.example", folder: folder)
        func reload(_ store: CertificatesInUse) -> CertificatesInUse {
            store.reloaded(
                from: CertificateFolder(path: fixture.certs), names: names,
                wanted: ["a.example"], used: [folder], confirmed: store.losses,
                now: SiteFixture.now)
        }
        var store = reload(CertificatesInUse())
        Files.removeTree("\(fixture.certs)/\(folder)")
        for _ in 0..<3 { store = reload(store) }
        #expect(store.folders == [folder] && store.losses.count == 1, "\(store.folders)")
        // Once another one covers the host, it goes.
        try fixture.certify("a.example")
        for _ in 0..<2 { store = reload(store) }
        #expect(store.folders == ["a.example"] && store.problems.isEmpty, "\(store.problems)")
    }

    /// The second pair lies in a folder of its own, as a lineage of certbot.
    @Test(arguments: [true, false])
    func aPairBehindAFolderThatCannotBeEnteredIsNotGivenUp(isLoop: Bool) throws {
        let place = "\(fixture.certs)/a.example/rsa"
        let rsa = try fixture.certify("a.example", rsa: true)
        try fixture.folder.makeFolder("certs/a.example/rsa")
        for name in ["fullchain", "privkey"] {
            let from = "\(fixture.certs)/a.example/\(name)-rsa.pem"
            expectEqual(rename(from, "\(place)/\(name).pem"), 0)
        }
        var store = load()
        expectEqual(store.pairs(in: "a.example").map(\.identity), [good.identity, rsa.identity])
        Files.removeTree(place)
        if isLoop {
            expectEqual(symlink(place, place), 0)
        } else {
            try fixture.folder.write("certs/a.example/rsa", "x")
        }
        for _ in 0..<2 { store = load(store, confirmed: store.losses) }
        expectEqual(store.pairs(in: "a.example").count, 2)
        let finding = try #require(store.problems.first)
        let words = isLoop ? "Too many levels of symbolic links" : "Not a directory"
        #expect(finding.problem.cause.contains(words), "\(finding)")
        // What is not there is a loss, which the order confirms.
        expectEqual(unlink(place), 0)
        for _ in 0..<2 { store = load(store, confirmed: store.losses) }
        expectEqual(store.pairs(in: "a.example").map(\.identity), [good.identity])
    }
}
