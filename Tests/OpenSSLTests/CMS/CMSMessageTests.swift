import TestSupport
import Testing

@testable import OpenSSL

/// Bounds and cases that ``CMSVerifierTests``' files do not have.
@Suite struct CMSMessageTests {
    private func codes(_ report: CMSReport) -> [CMSFindingCode] { report.findings.map(\.code) }

    private func signed(
        _ document: [UInt8] = SigningFiles.document,
        by pair: CertificatePair = TestCertificates.ecdsa
    ) throws -> [UInt8] {
        try CMSSigner.sign(document, with: pair)
    }

    // MARK: The document

    /// As codesign signs a code directory: detached, with attributes.
    @Test func aDetachedSignatureHoldsOverItsContentOnly() throws {
        let content = Array("{\r\n\n}".utf8)
        let signed = try SigningFiles.sign(
            ["-binary", "-outform", "DER"], command: "cms", document: content)
        expectEqual(CMSVerifier.holds(signed, over: content), true)
        expectEqual(CMSVerifier.holds(signed, over: content + [0]), false)
        expectEqual(CMSVerifier.holds(signed), false)
        expectEqual(
            CMSVerifier.holds(try SigningFiles.sign(["-nodetach", "-outform", "DER"])), true)
        #expect(CMSVerifier.holds(content, over: content) == nil)
    }

    @Test func `A good file is good in every respect`() throws {
        let report = SigningFiles.verify(try signed())
        #expect(CMSReport.Check.allCases.allSatisfy { report.verdict($0) == .good })
        expectEqual(report.payload, SigningFiles.document)
        expectEqual(report.signer, TestCertificates.ecdsa.leaf.summary)
        expectEqual(Set(report.included), Set(TestCertificates.ecdsa.chain.map(\.summary)))
        expectEqual(report.algorithm, "SHA256 with ECDSA P-256")
    }

    @Test(arguments: [(131_072, CMSReport.Verdict.good), (131_073, .bad)])
    func `The document may have so many bytes`(count: Int, verdict: CMSReport.Verdict) throws {
        let report = SigningFiles.verify(try signed(Array(repeating: 0x20, count: count)))
        expectEqual(report.verdict(.payloadSize), verdict)
    }

    @Test(arguments: [
        ("{\r\n}", [CMSFindingCode.lineEnds]), ("{\r\r\n}", [.lineEnds]), ("{\n\r}", []),
        ("\r", []), ("\n", []), ("\u{FEFF}{}", [.byteOrderMark]),
        ("\u{FEFF}{\r\n}", [.byteOrderMark, .lineEnds]), ("Content-Type: x\n\n{}", [.textHeader]),
        ("content-type: x\n\n{}", [.textHeader]), (" Content-Type: x", []), ("", [.emptyPayload]),
    ])
    func `The document is looked at as text`(text: String, found: [CMSFindingCode]) throws {
        expectEqual(codes(SigningFiles.verify(try signed(Array(text.utf8)))), found)
    }

    // MARK: The signature

    @Test(arguments: [
        ("a\nb", ["CRLF"]), ("a\r\nb", ["LF"]), ("ab", []), ("a\r\nb\nc", ["LF", "CRLF"]),
        ("a\rb", []), ("\r\r\n", ["LF"]),
    ])
    func `Line ends are tried both ways, where that makes another document`(
        text: String, names: [String]
    ) {
        let variants = CMSMessage.lineEndVariants(Array(text.utf8))
        expectEqual(variants.map(\.0), names)
        for (name, bytes) in variants {
            let hasCRLF = String(decoding: bytes, as: UTF8.self).utf8.contains(0x0D)
            expectEqual(hasCRLF, (name == "CRLF" || text.contains("\r\r")))
            expectEqual(bytes.count(where: { $0 == 0x0A }), text.utf8.count(where: { $0 == 0x0A }))
        }
    }

    @Test func `A changed document under ECDSA cannot be told from another key`() throws {
        let file = CMSVerifierTests.replace(try signed(), "applinks", "applinkz")
        let report = SigningFiles.verify(file)
        expectEqual(codes(report), [.wrongKey])
        expectEqual(report.findings.first?.message.contains("or the document was changed"), true)
        expectEqual(report.verdict(.chain), .good, "what is right stays right")
    }

    @Test(arguments: [(2048, false), (2047, true)])
    func `A short key is named`(bits: Int, isWeak: Bool) throws {
        let pair = TestCertificates.leaf(["example.com"], key: .rsa(bits: bits))
        let report = SigningFiles.verify(try signed(by: pair))
        expectEqual(codes(report).contains(.weakKey), isWeak)
        expectEqual(report.algorithm, "SHA256 with RSA-\(bits)")
    }

    // MARK: Dates

    private static let (start, end) = (TestCertificates.now, TestCertificates.now + 4000)
    private static let dated = TestCertificates.leaf(["example.com"], from: start, to: end)

    @Test(arguments: [
        (start - 1, [CMSFindingCode.notYetValid]), (start, []), (end - 1000, []),
        (end - 999, [.endsSoon]), (end - 1, [.endsSoon]), (end, [.expired]),
    ])
    func `Dates have exact bounds`(now: Int64, found: [CMSFindingCode]) throws {
        let report = SigningFiles.verify(try signed(by: Self.dated), now: now)
        expectEqual(codes(report), found)
        expectEqual(report.verdict(.chain), .good, "dates are a question of their own")
    }

    /// The signer's own dates are good.
    @Test func `An intermediate that has ended is named, and one that ends soon is not`() throws {
        var plan = CertificateTemplate(
            commonName: "short intermediate", notBefore: Self.start - 10, notAfter: Self.start + 90)
        plan.isAuthority = true
        let issuer = try plan.make(issuer: TestCertificates.authority.pair)
        let file = try signed(by: TestCertificates.leaf(["example.com"], issuer: issuer))
        expectEqual(codes(SigningFiles.verify(file, now: Self.start + 89)), [])
        let report = SigningFiles.verify(file, now: Self.start + 90)
        expectEqual(codes(report), [.expired])
        expectEqual(report.findings.first?.message.contains("CN=short intermediate"), true)
        let early = SigningFiles.verify(file, now: Self.start - 11)
        #expect(early.findings.map(\.message).contains { $0.contains("CN=short intermediate") })
    }

    // MARK: The chain

    @Test func `Roots come from a file, from certificates, or from nowhere`() throws {
        let file = try signed()
        let folder = try TemporaryFolder("roots")
        let root = TestCertificates.authority.pair.leaf
        let path = try folder.write("root.pem", root.pem)
        let trusts: [(TLSClientSettings.Trust, [CMSFindingCode])] = [
            (.file(path), []), (.systemAndFile(path), []), (.certificates([root]), []),
            (.none, [.untrusted]), (.certificates([]), [.untrusted]),
            (.certificates([TestCertificates.other.leaf]), [.untrusted]),
        ]
        for (trust, found) in trusts {
            expectEqual(codes(SigningFiles.verify(file, trust: trust)), found, "\(trust)")
        }
        // Where roots cannot be read the question stays open.
        for trust in [
            TLSClientSettings.Trust.file(folder.path("none")), .systemAndFile("/dev/null"),
        ] {
            let report = SigningFiles.verify(file, trust: trust)
            guard case .unknown(let reason) = report.verdict(.chain) else {
                Issue.record("\(report.verdict(.chain))")
                continue
            }
            #expect(reason.contains("trusted certificates in"))
        }
    }

    @Test func `A root in the file is trusted by nobody for that`() throws {
        let pair = TestCertificates.ecdsa
        let root = TestCertificates.authority.pair.leaf
        let whole = CertificatePair(
            chain: pair.chain + [root], key: pair.key, chainName: "c", keyName: "k")
        let file = try signed(by: whole)
        expectEqual(codes(SigningFiles.verify(file, trust: .none)), [.untrusted])
        expectEqual(codes(SigningFiles.verify(file)), [])
    }

    @Test func `An intermediate that was damaged on the way is told from one that is missing`()
        throws
    {
        var file = try signed()
        let issuer = TestCertificates.intermediate.leaf.der
        let place = try #require(file.indices.first { file[$0...].starts(with: issuer) })
        // In its signature, at its end.
        file[place + issuer.count - 1] ^= 1
        let report = SigningFiles.verify(file)
        expectEqual(codes(report), [.badChain])
        expectEqual(report.findings.first?.message.contains("issuer's signature"), true)
        expectEqual(report.verdict(.signature), .good)
        let alone = CertificatePair(
            chain: [TestCertificates.ecdsa.leaf], key: TestCertificates.ecdsa.key, chainName: "c",
            keyName: "k")
        let missing = SigningFiles.verify(try signed(by: alone))
        expectEqual(codes(missing), [.missingIntermediate])
        expectEqual(missing.findings.first?.message.contains("CN=test intermediate"), true)
    }

    @Test func theNamesThatTheSignerDoesNotCoverAreTold() throws {
        let names = ["example.com", "other.example"]
        let good = try SigningFiles.sign(
            ["-noattr", "-nodetach", "-binary", "-outform", "DER"])
        expectEqual(CMSVerifier.uncovered(names, by: good), ["other.example"])
        let bare = try SigningFiles.sign(
            ["-noattr", "-nodetach", "-nocerts", "-binary", "-outform", "DER"])
        expectEqual(CMSVerifier.uncovered(names, by: bare), names)
        expectEqual(CMSVerifier.uncovered(names, by: Array("{}".utf8)), names)
    }
}
