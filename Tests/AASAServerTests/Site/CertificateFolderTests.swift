// Covers: LocalAuthority.swift

import Foundation
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// Certificates that another authority than `aasa certs make` signed.
private enum Pairs {
    /// 2026-01-01T00:00:00Z.
    static let now: Int64 = 1_767_225_600
    static let ecdsa = make("example.com", .ecdsaP256)
    static let rsa = make("example.com", .rsa(bits: 2048))
    static let other = make("other.example", .ecdsaP256)

    private static func make(_ name: String, _ key: CertificateTemplate.Key) -> CertificatePair {
        var plan = CertificateTemplate(
            commonName: name, names: [name], notBefore: now - 3600, notAfter: now + 86_400)
        plan.key = key
        do {
            return try plan.make(issuer: nil)
        } catch {
            fatalError("test certificates cannot be made: \(error)")
        }
    }
}

@Suite struct CertificateFolderTests {
    private let now = Pairs.now

    @Test func `lego's layout is read as it is`() throws {
        let temporary = try TemporaryFolder("certs-lego")
        let pair = Pairs.ecdsa
        try temporary.write("example.com.crt", pair.chain.flatMap(\.pem))
        try temporary.write("example.com.key", pair.key.unencryptedPEM())
        try temporary.write("example.com.issuer.crt", Pairs.other.chain.flatMap(\.pem))
        try temporary.write("example.com.json", Array("{}".utf8))
        let folder = CertificateFolder(path: temporary.path(""))
        try expectEqual(folder.hosts(), ["example.com"])
        expectEqual(folder.load("example.com").pairs.map(\.identity), [pair.identity])
        let store = CertificatesInUse().reloaded(from: folder, names: [:], now: now)
        expectEqual(store.folders, ["example.com"])
    }

    /// What other tools write, by its place: with what beside it is none, and the host.
    @Test(arguments: [
        ("Caddy", ["example.com/example.com.crt", "example.com/example.com.key"], "example.com"),
        ("acme.sh", ["example.com/fullchain.cer", "example.com/example.com.key"], "example.com"),
        (
            "acme.sh", ["example.com_ecc/fullchain.cer", "example.com_ecc/example.com.key"],
            "example.com_ecc"
        ),
        ("mkcert", ["example.com+1.pem", "example.com+1-key.pem"], "example.com+1"),
        ("others", ["example.com.pem", "example.com.key"], "example.com"),
        ("HAProxy", ["example.com.pem"], "example.com"),
        ("one file", ["example.com.crt"], "example.com"),
        ("one file", ["example.com/fullchain.pem"], "example.com"),
    ])
    func `Other tools' layouts are read as they are`(
        tool: String, files: [String], host: String
    ) throws {
        let temporary = try TemporaryFolder("certs-layouts")
        let (chain, key) = (Pairs.ecdsa.chain.flatMap(\.pem), Pairs.ecdsa.key.unencryptedPEM())
        let stranger = Pairs.other.chain.flatMap(\.pem)
        try temporary.write(files[0], files.count == 1 ? key + chain : chain)
        if files.count > 1 { try temporary.write(files[1], key) }
        // The certificate without its issuers, those of authorities, and a key of something else.
        if tool == "acme.sh" { try temporary.write("\(host)/example.com.cer", stranger) }
        try temporary.write("ca.pem", stranger)
        try temporary.write("account.pem", Pairs.other.key.unencryptedPEM())
        let folder = CertificateFolder(path: temporary.path(""))
        try expectEqual(folder.hosts(), [host], "\(tool)")
        let store = CertificatesInUse().reloaded(from: folder, names: [:], now: now)
        expectEqual(store.pairs(in: host).map(\.identity), [Pairs.ecdsa.identity], "\(tool)")
        expectEqual(store.problems.filter(\.isError).map(\.problem.cause), [], "\(tool)")
        // They come back from the state folder under the same names.
        var tree = KeptTree()
        store.keep(in: &tree, used: [host], path: folder.path)
        expectEqual(
            tree.pairs(of: host, in: folder.path), store.slots[host]?.map(\.kept), "\(tool)")
    }

    /// A secret of type kubernetes.io/tls, mounted as the host's folder: links into `..data`, which
    /// is exchanged as a whole.
    @Test func `A mounted secret is read as it is, and its exchange is seen`() throws {
        let temporary = try TemporaryFolder("certs-secret")
        let folder = CertificateFolder(path: temporary.path("certs"))
        func mount(_ version: String, _ pair: CertificatePair) throws {
            let place = "certs/example.com/..\(version)"
            try temporary.write("\(place)/tls.crt", pair.chain.flatMap(\.pem))
            try temporary.write("\(place)/tls.key", pair.key.unencryptedPEM())
            try Reactor.Files.replaceLink(
                temporary.path("certs/example.com/..data"), to: "..\(version)")
        }
        try mount("1", Pairs.ecdsa)
        for name in ["tls.crt", "tls.key"] {
            try Reactor.Files.replaceLink(
                temporary.path("certs/example.com/\(name)"), to: "..data/\(name)")
        }
        try expectEqual(folder.hosts(), ["example.com"])
        let first = CertificatesInUse().reloaded(from: folder, names: [:], now: now)
        expectEqual(first.pairs(in: "example.com").map(\.identity), [Pairs.ecdsa.identity])
        let before = FolderFingerprint(of: [folder.path])
        try mount("2", Pairs.rsa)
        #expect(FolderFingerprint(of: [folder.path]) != before)
        let second = first.reloaded(from: folder, names: [:], now: now)
        expectEqual(second.pairs(in: "example.com").map(\.identity), [Pairs.rsa.identity])
        #expect(second.problems.filter(\.isError).isEmpty)
    }

    @Test func `A pair that renewals gave up is not kept; one that somebody took away is`() throws {
        let temporary = try TemporaryFolder("certs-given-up")
        for (version, pairs) in [
            ("1", [("", Pairs.ecdsa), ("-rsa", Pairs.rsa)]), ("2", [("", Pairs.ecdsa)]),
        ] {
            for (suffix, pair) in pairs {
                let place = ".acme/issued/example.com/\(version)"
                try temporary.write("\(place)/fullchain\(suffix).pem", pair.chain.flatMap(\.pem))
                try temporary.write("\(place)/privkey\(suffix).pem", pair.key.unencryptedPEM())
            }
        }
        let link = temporary.path("example.com")
        func reload(_ store: CertificatesInUse, _ version: String) throws -> CertificatesInUse {
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: version)
            return store.reloaded(
                from: CertificateFolder(path: temporary.path("")),
                names: ["example.com": ["example.com"]], now: now)
        }
        let first = try reload(CertificatesInUse(), ".acme/issued/example.com/1")
        expectEqual(first.pairs(in: "example.com").count, 2)
        let second = try reload(first, ".acme/issued/example.com/2")
        expectEqual(second.pairs(in: "example.com").count, 1)
        #expect(second.problems.isEmpty)
        // The same files, reached as somebody else's.
        let elsewhere = try reload(first, temporary.path(".acme/issued/example.com/2"))
        expectEqual(elsewhere.pairs(in: "example.com").count, 2)
        expectEqual(elsewhere.problems.count, 1)
    }

    @Test func `Both layouts of a second pair are read, by key and not by name`() throws {
        let temporary = try TemporaryFolder("certs")
        let folder = CertificateFolder(path: temporary.path)
        func put(_ pair: CertificatePair, _ place: String, _ suffix: String = "") throws {
            try temporary.write("\(place)/fullchain\(suffix).pem", pair.chain.flatMap(\.pem))
            try temporary.write("\(place)/privkey\(suffix).pem", pair.key.unencryptedPEM())
        }
        try put(Pairs.rsa, "one.example")
        try put(Pairs.ecdsa, "one.example/ecdsa")
        let one = folder.load("one.example")
        #expect(one.failures.isEmpty)
        expectEqual(one.pairs.map(\.leaf.isECDSA), [true, false], "ECDSA first")

        try put(Pairs.rsa, "one.example/rsa")
        #expect(folder.load("one.example").failures.isEmpty, "the same pair twice is no matter")
        try put(Pairs.other, "one.example", "-rsa")
        let twice = folder.load("one.example")
        expectEqual(twice.failures.count, 1)
        expectEqual(twice.pairs.count, 2)

        let none = folder.load("none.example")
        #expect(none.pairs.isEmpty)
        expectEqual(none.failures.first?.contains("aasa certs make"), true)
        try temporary.write("half.example/fullchain.pem", Pairs.rsa.leaf.pem)
        let half = folder.load("half.example")
        #expect(half.pairs.isEmpty)
        expectEqual(half.failures.first?.contains("privkey.pem"), true)
        #expect(throws: FileError.self) { try CertificateFolder(path: "/nonexistent").hosts() }
    }
}
