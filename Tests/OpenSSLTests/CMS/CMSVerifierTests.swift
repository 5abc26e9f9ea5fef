import Foundation
import OpenSSL
import TestSupport
import Testing

/// Files that people really publish, each with the one diagnosis that helps them.
@Suite struct CMSVerifierTests {
    struct Broken: Sendable, CustomTestStringConvertible {
        let name: String
        let code: CMSFindingCode
        let check: CMSReport.Check
        /// Other findings that the same file must have, and no more than those.
        var others: Set<CMSFindingCode> = []
        var now = TestCertificates.now
        var host = "example.com"
        let make: @Sendable () throws -> [UInt8]
        var testDescription: String { name }
    }

    /// Signed over many lines: CR and LF stand in every file of its length.
    private static func withLineFeeds() throws -> [UInt8] {
        try SigningFiles.sign(
            ["-noattr", "-nodetach", "-binary", "-outform", "DER"],
            document: Array("{\r\n\n}".utf8))
    }

    private static func flip(_ bytes: [UInt8], at index: Int) -> [UInt8] {
        var bytes = bytes
        bytes[index] ^= 0x10
        return bytes
    }

    private static func good() throws -> [UInt8] {
        try SigningFiles.sign(["-noattr", "-nodetach", "-binary", "-outform", "DER"])
    }

    static let files: [Broken] = [
        Broken(name: "PEM", code: .pem, check: .encoding) {
            try SigningFiles.sign(["-noattr", "-nodetach", "-outform", "PEM"])
        },
        Broken(name: "PEM of cms", code: .pem, check: .encoding) {
            try SigningFiles.sign(
                ["-noattr", "-nodetach", "-outform", "PEM"], command: "cms", by: SigningFiles.ecdsa)
        },
        Broken(name: "S/MIME", code: .smime, check: .encoding) {
            try SigningFiles.sign(["-noattr", "-nodetach"])
        },
        Broken(name: "S/MIME, detached", code: .detached, check: .structure, others: [.smime]) {
            try SigningFiles.sign(["-noattr"])
        },
        Broken(name: "base64", code: .base64, check: .encoding) {
            let signed = try good()
            return try Tool.run("openssl", ["base64"], stdin: signed).outputBytes
        },
        Broken(name: "detached", code: .detached, check: .structure) {
            try SigningFiles.sign(["-noattr", "-outform", "DER"])
        },
        Broken(name: "-text", code: .textHeader, check: .payload, others: [.lineEnds]) {
            try SigningFiles.sign(["-text", "-noattr", "-nodetach", "-outform", "DER"])
        },
        Broken(name: "canonicalised", code: .lineEnds, check: .payload) {
            try SigningFiles.sign(
                ["-noattr", "-nodetach", "-outform", "DER"], document: SigningFiles.lines)
        },
        Broken(name: "BER stream", code: .berStream, check: .encoding) {
            try SigningFiles.sign(["-noattr", "-nodetach", "-stream", "-binary", "-outform", "DER"])
        },
        Broken(name: "BER inside", code: .notDER, check: .encoding) { try longLength() },
        Broken(name: "no intermediate", code: .missingIntermediate, check: .chain) {
            try SigningFiles.sign(
                ["-noattr", "-nodetach", "-binary", "-outform", "DER"], chain: false)
        },
        Broken(name: "no certificates", code: .signerMissing, check: .signature) {
            try SigningFiles.sign(
                ["-nocerts", "-noattr", "-nodetach", "-binary", "-outform", "DER"], chain: false)
        },
        Broken(name: "other RSA key", code: .wrongKey, check: .signature) { try wrongKey(.rsa) },
        Broken(name: "other ECDSA key", code: .wrongKey, check: .signature) {
            try wrongKey(.ecdsa)
        },
        Broken(name: "changed document", code: .contentChanged, check: .signature) {
            replace(try good(), "applinks", "applinkz")
        },
        Broken(name: "line ends changed", code: .lineEndsChanged, check: .signature) {
            // The signature over CRLF, the last 256 bytes, under a document with LF.
            let windows = try CMSSigner.sign(Array("{ }\r\n".utf8), with: SigningFiles.rsa.pair)
            let unix = try CMSSigner.sign(Array("{ }\n".utf8), with: SigningFiles.rsa.pair)
            return Array(unix.dropLast(256)) + windows.suffix(256)
        },
        Broken(name: "expired", code: .expired, check: .dates, now: 1_800_000_000) {
            try CMSSigner.sign(SigningFiles.document, with: shortLived)
        },
        Broken(name: "not yet valid", code: .notYetValid, check: .dates, now: 1_000_000_000) {
            try CMSSigner.sign(SigningFiles.document, with: onlyLeafIsYoung)
        },
        Broken(name: "ends soon", code: .endsSoon, check: .dates, now: shortEnd - 86_400) {
            try CMSSigner.sign(SigningFiles.document, with: shortLived)
        },
        Broken(name: "wrong host", code: .wrongHost, check: .hostName) {
            try SigningFiles.sign(
                ["-noattr", "-nodetach", "-binary", "-outform", "DER"], by: SigningFiles.other)
        },
        Broken(
            name: "www only", code: .wrongHost, check: .hostName, host: "www.example.com"
        ) { try good() },
        Broken(name: "signed attributes", code: .signedAttributes, check: .structure) {
            try SigningFiles.sign(["-nodetach", "-binary", "-outform", "DER"])
        },
        Broken(
            name: "attributes, changed document", code: .badSignature, check: .signature,
            others: [.signedAttributes]
        ) {
            replace(
                try SigningFiles.sign(["-nodetach", "-binary", "-outform", "DER"]), "applinks",
                "applinkz")
        },
        Broken(name: "trailing line end", code: .trailingBytes, check: .trailingBytes) {
            try good() + [0x0a]
        },
        Broken(name: "truncated", code: .truncated, check: .structure) {
            try good().dropLast(100)
        },
        Broken(name: "CR LF for LF", code: .damaged, check: .structure) {
            try withLineFeeds().flatMap { $0 == 0x0a ? [0x0d, 0x0a] : [$0] }
        },
        Broken(name: "CR taken away", code: .truncated, check: .structure) {
            try withLineFeeds().filter { $0 != 0x0d }
        },
        Broken(name: "seven bits", code: .damaged, check: .structure) {
            try good().map { $0 & 0x7f }
        },
        Broken(name: "zeros taken away", code: .truncated, check: .structure) {
            try good().filter { $0 != 0 }
        },
        Broken(name: "a byte of the type", code: .damaged, check: .structure) {
            flip(try good(), at: 8)
        },
        Broken(name: "a bit of the signature", code: .wrongKey, check: .signature) {
            let signed = try good()
            return flip(signed, at: signed.count - 10)
        },
        Broken(name: "MD5", code: .brokenDigest, check: .signature) {
            try SigningFiles.sign(
                ["-noattr", "-nodetach", "-binary", "-outform", "DER", "-md", "md5"])
        },
        Broken(name: "edited as text", code: .transcoded, check: .structure) {
            Array(String(decoding: try good(), as: UTF8.self).utf8)
        },
        Broken(name: "saved as Latin-1 to UTF-8", code: .transcoded, check: .structure) {
            Array(String(String.UnicodeScalarView(try good().map { Unicode.Scalar($0) })).utf8)
        },
        Broken(name: "gzip", code: .compressed, check: .structure) {
            try Tool.run("gzip", ["-c"], stdin: try good()).outputBytes
        },
        Broken(name: "plain JSON", code: .notSigned, check: .structure) { SigningFiles.document },
        Broken(name: "error page", code: .notSigned, check: .structure) {
            Array("<!DOCTYPE html><title>404</title>".utf8)
        },
        Broken(name: "empty", code: .empty, check: .structure) { [] },
        Broken(name: "a certificate", code: .notCMS, check: .structure) {
            SigningFiles.rsa.pair.leaf.der
        },
        Broken(name: "noise", code: .notCMS, check: .structure) { [0x30, 3, 2, 1, 5] },
        Broken(name: "encrypted", code: .wrongType, check: .structure) {
            let result = try Tool.run(
                "openssl",
                ["smime", "-encrypt", "-aes256", "-outform", "DER", SigningFiles.rsa.certificate],
                stdin: SigningFiles.document)
            expectEqual(result.status, 0, "\(result)")
            return result.outputBytes
        },
        Broken(name: "certificates only", code: .noSigner, check: .structure, others: [.detached]) {
            try Tool.run(
                "openssl",
                [
                    "crl2pkcs7", "-nocrl", "-certfile", SigningFiles.rsa.certificate, "-outform",
                    "DER",
                ]
            ).outputBytes
        },
        Broken(name: "two signatures", code: .severalSigners, check: .structure) {
            try SigningFiles.sign([
                "-noattr", "-nodetach", "-binary", "-outform", "DER", "-signer",
                SigningFiles.ecdsa.certificate, "-inkey", SigningFiles.ecdsa.key,
            ])
        },
        Broken(name: "self-signed", code: .selfSigned, check: .chain) {
            try CMSSigner.sign(SigningFiles.document, with: selfSigned)
        },
        Broken(name: "for clients", code: .wrongPurpose, check: .chain) {
            try CMSSigner.sign(
                SigningFiles.document,
                with: TestCertificates.leaf(["example.com"], purpose: "clientAuth"))
        },
        Broken(name: "SHA-1", code: .weakDigest, check: .signature) {
            try SigningFiles.sign(
                ["-md", "sha1", "-noattr", "-nodetach", "-binary", "-outform", "DER"])
        },
        Broken(name: "empty document", code: .emptyPayload, check: .payload) {
            try CMSSigner.sign([], with: SigningFiles.rsa.pair)
        },
        Broken(name: "byte order mark", code: .byteOrderMark, check: .payload) {
            try CMSSigner.sign(
                [0xef, 0xbb, 0xbf] + SigningFiles.document, with: SigningFiles.rsa.pair)
        },
        Broken(name: "large when signed", code: .fileTooLarge, check: .fileSize) {
            try CMSSigner.sign(
                [UInt8](repeating: 0x20, count: 131_072), with: SigningFiles.rsa.pair)
        },
        Broken(
            name: "too large", code: .payloadTooLarge, check: .payloadSize, others: [.fileTooLarge]
        ) {
            try CMSSigner.sign(
                [UInt8](repeating: 0x20, count: 131_073), with: SigningFiles.rsa.pair)
        },
    ]

    @Test(arguments: files) func `Each mistake has its own diagnosis`(file: Broken) throws {
        let report = SigningFiles.verify(try file.make(), host: file.host, now: file.now)
        let codes = Set(report.findings.map(\.code))
        expectEqual(codes, file.others.union([file.code]), "\(report.findings)")
        let finding = try #require(report.findings.first { $0.code == file.code })
        expectEqual(finding.check, file.check)
        #expect(!finding.message.isEmpty && !finding.remedy.isEmpty)
        let expected: CMSReport.Verdict = finding.isError ? .bad : .doubtful
        expectEqual(report.verdict(file.check), expected)
        expectEqual(report.isGood, !report.findings.contains(where: \.isError))
    }

    @Test func `Every mistake of the table has a code of its own`() {
        let covered = Set(Self.files.map(\.code))
        // The rest is in tests of their own: below, and what depends on the era in
        // SignatureReaderTests.
        let elsewhere: Set<CMSFindingCode> = [
            .untrusted, .weakKey, .badChain, .wrongContentType, .newAlgorithm, .commonName,
        ]
        expectEqual(covered.union(elsewhere), Set(CMSFindingCode.allCases))
    }

    @Test func `An unknown root, a weak key and a chain that does not hold`() throws {
        let signed = try CMSSigner.sign(SigningFiles.document, with: SigningFiles.rsa.pair)
        let report = SigningFiles.verify(signed, trust: .none)
        expectEqual(report.findings.map(\.code), [.untrusted])
        expectEqual(report.verdict(.signature), .good)

        let weak = TestCertificates.leaf(["example.com"], key: .rsa(bits: 1024))
        let weakReport = SigningFiles.verify(try CMSSigner.sign([0x7b, 0x7d], with: weak))
        #expect(weakReport.findings.map(\.code).contains(.weakKey))

        var plan = CertificateTemplate(
            commonName: "no authority", names: ["example.com"],
            notBefore: TestCertificates.now - 60, notAfter: TestCertificates.now + 6000)
        let notAuthority = try plan.make(issuer: TestCertificates.intermediate)
        plan.commonName = "example.com"
        let bad = try plan.make(issuer: notAuthority)
        let badReport = SigningFiles.verify(try CMSSigner.sign([0x7b, 0x7d], with: bad))
        #expect(badReport.findings.map(\.check).contains(.chain), "\(badReport.findings)")
    }

    @Test func `Another content type is named`() throws {
        let signed = try SigningFiles.sign(
            [
                "-econtent_type", "1.2.840.113549.1.9.16.1.4", "-nodetach", "-binary", "-outform",
                "DER",
            ], command: "cms")
        let report = SigningFiles.verify(signed)
        #expect(report.findings.map(\.code).contains(.wrongContentType), "\(report.findings)")
    }

    @Test func `Without a host its question stays open`() throws {
        let signed = try CMSSigner.sign(SigningFiles.document, with: SigningFiles.rsa.pair)
        let report = SigningFiles.verify(signed, host: nil)
        expectEqual(report.verdict(.hostName), .unknown("no host was named"))
        #expect(report.isGood)
    }

    @Test func `The document is taken out of every readable form`() throws {
        for file in Self.files {
            let payload = CMSVerifier.payload(of: try file.make())
            switch file.code {
            case .pem, .smime, .base64, .berStream, .signedAttributes, .trailingBytes, .expired:
                expectEqual(payload, SigningFiles.document, "\(file.name)")
            case .detached, .empty, .notCMS, .transcoded, .truncated, .notSigned, .noSigner:
                #expect(payload == nil, "\(file.name)")
            default: break
            }
        }
    }

    @Test func `The real signed files are read, with their expired certificates named`() throws {
        for file in Corpus.files(in: "aasa-signed", withExtension: "der") {
            let bytes = [UInt8](try Data(contentsOf: file))
            let expected = file.deletingPathExtension().appendingPathExtension("payload.json")
            let report = CMSVerifier.verify(bytes, host: nil, trust: .system, now: 1_795_000_000)
            expectEqual(report.payload, [UInt8](try Data(contentsOf: expected)))
            #expect(report.verdict(.structure) != .bad)
            #expect(report.verdict(.signature) != .bad, "\(report.findings)")
            #expect(report.findings.contains { $0.code == .expired })
        }
    }

    @Test func `No cut or change of a file does harm`() throws {
        let good = try CMSSigner.sign(SigningFiles.document, with: SigningFiles.ecdsa.pair)
        var random = SeededRandom(seed: 4)
        for _ in 0..<500 {
            var bytes = good
            switch random.next() % 3 {
            case 0: bytes = Array(bytes.prefix(Int(random.next() % UInt64(bytes.count))))
            case 1: bytes[Int(random.next() % UInt64(bytes.count))] ^= 1 << (random.next() % 8)
            default:
                bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: Int(random.next() % 64))
            }
            let report = SigningFiles.verify(bytes)
            if report.isGood { expectEqual(report.payload, SigningFiles.document) }
        }
    }

    // MARK: - Ingredients

    static let shortEnd = TestCertificates.now + 90 * 86_400
    static let shortLived = TestCertificates.leaf(["example.com"], to: shortEnd)
    /// A chain that began in 1990, but for its leaf.
    static let onlyLeafIsYoung: CertificatePair = {
        var plan = CertificateTemplate(
            commonName: "old", notBefore: 631_152_000, notAfter: TestCertificates.now + 86_400)
        plan.isAuthority = true
        plan.notBefore = 631_152_000
        let old = TestCertificates.make(plan, issuer: TestCertificates.authority.pair)
        return TestCertificates.leaf(["example.com"], issuer: old)
    }()
    static let selfSigned: CertificatePair = {
        let plan = CertificateTemplate(
            commonName: "example.com", names: ["example.com"],
            notBefore: TestCertificates.now - 60, notAfter: TestCertificates.now + 90 * 86_400)
        return TestCertificates.make(plan)
    }()

    private enum Kind { case rsa, ecdsa }

    /// A signature by one key, under the certificate of another: openssl refuses to make it, so
    /// the signature of one file is put into another.
    private static func wrongKey(_ kind: Kind) throws -> [UInt8] {
        switch kind {
        case .rsa:
            // The signature is the last 256 bytes of the file.
            let stranger = TestCertificates.leaf(["example.com"], key: .rsa(bits: 2048))
            let theirs = try CMSSigner.sign(SigningFiles.document, with: stranger)
            return Array(try good().dropLast(256)) + theirs.suffix(256)
        case .ecdsa:
            // ECDSA signatures vary in length: until two have the same.
            let stranger = TestCertificates.leaf(["example.com"])
            let own = try CMSSigner.sign(SigningFiles.document, with: SigningFiles.ecdsa.pair)
            guard let start = signatureStart(own) else { throw Tool.Failure(description: "no end") }
            for _ in 0..<1000 {
                let theirs = try CMSSigner.sign(SigningFiles.document, with: stranger)
                if let other = signatureStart(theirs),
                    theirs.count - other == own.count - start
                {
                    return Array(own[..<start]) + theirs[other...]
                }
            }
            throw Tool.Failure(description: "no signature of the same length")
        }
    }

    /// Where the octet string that ends the file begins.
    private static func signatureStart(_ file: [UInt8]) -> Int? {
        file.indices.suffix(80).first { file[$0] == 4 && $0 + 2 + Int(file[$0 + 1]) == file.count }
    }

    static func replace(_ file: [UInt8], _ old: String, _ new: String) -> [UInt8] {
        let old = Array(old.utf8)
        let new = Array(new.utf8)
        precondition(old.count == new.count)
        var file = file
        for start in file.indices.dropLast(old.count)
        where Array(file[start..<start + old.count]) == old {
            file.replaceSubrange(start..<start + old.count, with: new)
            break
        }
        return file
    }

    /// The version `02 01 01` of the signed data with a length in long form: valid BER, not DER.
    static func longLength() throws -> [UInt8] {
        var file = try good()
        // 30 82 LL LL 06 09 … a0 82 LL LL 30 82 LL LL 02 01 01
        guard file[1] == 0x82, file[15] == 0xa0, file[16] == 0x82, file[19] == 0x30,
            file[20] == 0x82, file[23] == 0x02
        else { throw Tool.Failure(description: "unexpected layout") }
        file.insert(0x81, at: 24)
        for place in [2, 17, 21] {
            let length = (Int(file[place]) << 8) + Int(file[place + 1]) + 1
            file[place] = UInt8(length >> 8)
            file[place + 1] = UInt8(length & 0xff)
        }
        return file
    }
}
