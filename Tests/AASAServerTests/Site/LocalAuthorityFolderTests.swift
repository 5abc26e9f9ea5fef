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

@Suite struct LocalAuthorityFolderTests {
    private let now = Pairs.now

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `What is made is found, private, trusted by its root, and kept the next time`()
        throws
    {
        let temporary = try TemporaryFolder("certs")
        let folder = CertificateFolder(path: temporary.path("certs") + "/")
        let maker = LocalAuthorityFolder(folder: folder)
        let first = try maker.make(
            hosts: ["a.example", "b.example"], names: ["b.example": ["www.b.example"]], now: now)
        expectEqual(first.map(\.action), [.made, .made, .made, .made, .made])
        try expectEqual(folder.hosts(), ["a.example", "b.example"])
        let found = folder.load("b.example")
        #expect(found.failures.isEmpty)
        expectEqual(found.pairs.map(\.key.type.description), ["ECDSA P-256", "RSA-2048"])
        for pair in found.pairs {
            #expect(pair.problems(for: ["b.example", "www.b.example"], at: now).isEmpty)
            #expect(pair.leaf.summary.notAfter - now <= 366 * 86_400)
        }
        for name in ["local-ca/privkey.pem", "a.example/privkey.pem", "a.example/privkey-rsa.pem"] {
            try expectEqual(mode(folder.path + "/" + name), 0o600)
        }
        let verified = try Tool.run(
            "openssl",
            [
                "verify", "-attime", "\(now)", "-x509_strict", "-purpose", "sslserver",
                "-verify_hostname", "b.example", "-CAfile", folder.authorityFiles.chain,
                folder.files(of: "b.example").chain,
                folder.files(of: "b.example", suffix: "-rsa").chain,
            ])
        expectEqual(verified.status, 0, "\(verified)")

        let second = try maker.make(hosts: ["a.example"], now: now + 86_400)
        expectEqual(second.map(\.action), [.kept, .kept, .kept])
        // A further name is asked for: made again, the other host untouched.
        let third = try maker.make(
            hosts: ["a.example"], names: ["a.example": ["x.example"]], now: now)
        expectEqual(third.map(\.action), [.kept, .renewed, .renewed])
        // In the last third of the life.
        let late = try maker.make(hosts: ["b.example"], now: now + 61 * 86_400)
        expectEqual(late.map(\.action), [.kept, .renewed, .renewed])
        let leftovers = try Files.names(in: folder.folder(of: "b.example"), limit: 100)
        expectEqual(leftovers.count, 4, "no temporary file is left: \(leftovers)")
    }

    @Test func `Certificates of another authority are never touched`() throws {
        let temporary = try TemporaryFolder("certs")
        let folder = CertificateFolder(path: temporary.path)
        let files = folder.files(of: "example.com")
        try temporary.write(
            "example.com/fullchain.pem", Pairs.ecdsa.chain.flatMap(\.pem))
        try temporary.write(
            "example.com/privkey.pem", Pairs.ecdsa.key.unencryptedPEM())
        let before = try Files.read(files.chain, limit: 1 << 20)
        let steps = try LocalAuthorityFolder(folder: folder).make(hosts: ["example.com"], now: now)
        expectEqual(steps.map(\.action), [.made, .foreign, .made])
        try expectEqual(Files.read(files.chain, limit: 1 << 20), before)
    }

    @Test func `A key without certificate, and damaged files, stop rather than being replaced`()
        throws
    {
        let temporary = try TemporaryFolder("certs")
        let maker = LocalAuthorityFolder(folder: CertificateFolder(path: temporary.path))
        let key = try temporary.write("a.example/privkey.pem", "precious")
        #expect(throws: FileError.self) { try maker.make(hosts: ["a.example"], now: now) }
        try temporary.write("a.example/fullchain.pem", "precious too")
        #expect(throws: OpenSSLError.self) { try maker.make(hosts: ["a.example"], now: now) }
        try expectEqual(Files.read(key, limit: 1 << 20), Array("precious".utf8))
    }

    @Test(arguments: [
        "../x", ".", "..", "a/b", "local-ca", "*.example", "", "a b",
        "example.com.", "a..b", "-a.example", "A.example",
    ])
    func `Names that are no host are refused`(name: String) throws {
        let temporary = try TemporaryFolder("certs")
        let maker = LocalAuthorityFolder(folder: CertificateFolder(path: temporary.path("in")))
        #expect(throws: OpenSSLError.self) { try maker.make(hosts: [name], now: now) }
        #expect(!Files.exists(temporary.path("in")), "nothing was made")
    }
}
