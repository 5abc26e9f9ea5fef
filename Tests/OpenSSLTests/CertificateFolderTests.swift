// Covers: FileAccess.swift, LocalAuthority.swift, LocalAuthorityFolder.swift

import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite struct CertificateFolderTests {
    private let now = TestCertificates.now

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
        #expect(first.map(\.action) == [.made, .made, .made, .made, .made])
        #expect(try folder.hosts() == ["a.example", "b.example"])
        let found = folder.load("b.example")
        #expect(found.failures.isEmpty)
        #expect(found.pairs.map(\.key.type.description) == ["ECDSA P-256", "RSA-2048"])
        for pair in found.pairs {
            #expect(pair.problems(for: ["b.example", "www.b.example"], at: now).isEmpty)
            #expect(pair.leaf.summary.notAfter - now <= 366 * 86_400)
        }
        for name in ["local-ca/privkey.pem", "a.example/privkey.pem", "a.example/privkey-rsa.pem"] {
            #expect(try mode(folder.path + "/" + name) == 0o600)
        }
        let verified = try Tool.run(
            "openssl",
            [
                "verify", "-attime", "\(now)", "-x509_strict", "-purpose", "sslserver",
                "-verify_hostname", "b.example", "-CAfile", folder.authorityCertificate,
                folder.ecdsaFiles(of: "b.example").chain, folder.rsaFiles(of: "b.example").chain,
            ])
        #expect(verified.status == 0, "\(verified)")

        let second = try maker.make(hosts: ["a.example"], now: now + 86_400)
        #expect(second.map(\.action) == [.kept, .kept, .kept])
        // A further name is asked for: made again, the other host untouched.
        let third = try maker.make(
            hosts: ["a.example"], names: ["a.example": ["x.example"]], now: now)
        #expect(third.map(\.action) == [.kept, .renewed, .renewed])
        // In the last third of the life.
        let late = try maker.make(hosts: ["b.example"], now: now + 61 * 86_400)
        #expect(late.map(\.action) == [.kept, .renewed, .renewed])
        let leftovers = try FileAccess.names(in: folder.folder(of: "b.example"))
        #expect(leftovers.count == 4, "no temporary file is left: \(leftovers)")
    }

    @Test func `Certificates of another authority are never touched`() throws {
        let temporary = try TemporaryFolder("certs")
        let folder = CertificateFolder(path: temporary.path)
        let files = folder.ecdsaFiles(of: "example.com")
        try temporary.write(
            "example.com/fullchain.pem", TestCertificates.ecdsa.chain.flatMap(\.pem))
        try temporary.write(
            "example.com/privkey.pem", TestCertificates.ecdsa.key.unencryptedPEM())
        let before = try FileAccess.read(files.chain)
        let steps = try LocalAuthorityFolder(folder: folder).make(hosts: ["example.com"], now: now)
        #expect(steps.map(\.action) == [.made, .foreign, .made])
        #expect(try FileAccess.read(files.chain) == before)
    }

    @Test func `A key without certificate, and damaged files, stop rather than being replaced`()
        throws
    {
        let temporary = try TemporaryFolder("certs")
        let maker = LocalAuthorityFolder(folder: CertificateFolder(path: temporary.path))
        let key = try temporary.write("a.example/privkey.pem", "precious")
        #expect(throws: OpenSSLError.self) { try maker.make(hosts: ["a.example"], now: now) }
        try temporary.write("a.example/fullchain.pem", "precious too")
        #expect(throws: OpenSSLError.self) { try maker.make(hosts: ["a.example"], now: now) }
        #expect(try FileAccess.read(key) == Array("precious".utf8))
    }

    @Test(arguments: ["../x", ".", "..", "a/b", "local-ca", "*.example", "", "a b"])
    func `Names that are no host are refused`(name: String) throws {
        let temporary = try TemporaryFolder("certs")
        let maker = LocalAuthorityFolder(folder: CertificateFolder(path: temporary.path("in")))
        #expect(throws: OpenSSLError.self) { try maker.make(hosts: [name], now: now) }
        #expect(!FileAccess.exists(temporary.path("in")), "nothing was made")
    }

    @Test func `Both layouts of a second pair are read, by key and not by name`() throws {
        let temporary = try TemporaryFolder("certs")
        let folder = CertificateFolder(path: temporary.path)
        func put(_ pair: CertificatePair, _ place: String, _ suffix: String = "") throws {
            try temporary.write("\(place)/fullchain\(suffix).pem", pair.chain.flatMap(\.pem))
            try temporary.write("\(place)/privkey\(suffix).pem", pair.key.unencryptedPEM())
        }
        try put(TestCertificates.rsa, "one.example")
        try put(TestCertificates.ecdsa, "one.example/ecdsa")
        let one = folder.load("one.example")
        #expect(one.failures.isEmpty)
        #expect(one.pairs.map(\.leaf.isECDSA) == [true, false], "ECDSA first")

        try put(TestCertificates.rsa, "one.example/rsa")
        #expect(folder.load("one.example").failures.isEmpty, "the same pair twice is no matter")
        try put(TestCertificates.other, "one.example", "-rsa")
        let twice = folder.load("one.example")
        #expect(twice.failures.count == 1)
        #expect(twice.pairs.count == 2)

        let none = folder.load("none.example")
        #expect(none.pairs.isEmpty)
        #expect(none.failures.first?.contains("aasa certs make") == true)
        try temporary.write("half.example/fullchain.pem", TestCertificates.rsa.leaf.pem)
        let half = folder.load("half.example")
        #expect(half.pairs.isEmpty)
        #expect(half.failures.first?.contains("privkey.pem") == true)
        #expect(throws: FileError.self) { try CertificateFolder(path: "/nonexistent").hosts() }
    }

    @Test func `Replacing a file is whole and leaves nothing behind when it fails`() throws {
        let temporary = try TemporaryFolder("files")
        let path = temporary.path("f")
        try FileAccess.replace(path, with: [1, 2, 3], mode: 0o600)
        try FileAccess.replace(path, with: [4], mode: 0o644)
        #expect(try FileAccess.read(path) == [4])
        #expect(try mode(path) == 0o644)
        try temporary.makeFolder("d")
        #expect(throws: FileError.self) {
            try FileAccess.replace(temporary.path("d"), with: [1], mode: 0o600)
        }
        #expect(throws: FileError.self) { try FileAccess.makeFolder(path + "/below") }
        #expect(try FileAccess.names(in: temporary.path) == ["d", "f"])
    }
}
