import OpenSSL
import TestSupport
import Testing

@Suite struct CMSSignerTests {
    @Test(arguments: ["rsa", "ecdsa"], ["cms", "smime"])
    func `openssl accepts what we sign and gives back the exact document`(
        key: String, command: String
    ) throws {
        let signer = key == "rsa" ? SigningFiles.rsa : SigningFiles.ecdsa
        for document in [SigningFiles.document, SigningFiles.lines, Array("a\r\nb\n\0\u{e9}".utf8)]
        {
            let signed = try CMSSigner.sign(document, with: signer.pair)
            let result = try Tool.run(
                "openssl",
                [
                    command, "-verify", "-inform", "DER", "-purpose", "sslserver", "-CAfile",
                    SigningFiles.root, "-binary",
                ], stdin: signed)
            expectEqual(result.status, 0, "\(result)")
            expectEqual(result.outputBytes, document)
        }
    }

    @Test(arguments: ["rsa", "ecdsa"])
    func `Our verifier finds nothing wrong with what we sign`(key: String) throws {
        let signer = key == "rsa" ? SigningFiles.rsa : SigningFiles.ecdsa
        let signed = try CMSSigner.sign(SigningFiles.lines, with: signer.pair)
        let report = SigningFiles.verify(signed)
        #expect(report.findings.isEmpty, "\(report.findings)")
        #expect(report.isGood)
        for check in CMSReport.Check.allCases { expectEqual(report.verdict(check), .good) }
        expectEqual(report.payload, SigningFiles.lines)
        expectEqual(report.fileSize, signed.count)
        expectEqual(report.included.count, 2, "signer and intermediate, no root")
        expectEqual(report.algorithm, "SHA256 with " + (key == "rsa" ? "RSA-2048" : "ECDSA P-256"))
    }

    /// Without parameters in the signature, RSA-PSS would make one that no client can verify.
    @Test(arguments: ["rsa-pss", "ED25519"])
    func `A key of another kind does not sign`(kind: String) throws {
        let folder = try TemporaryFolder("signer")
        let (key, chain) = (folder.path("key.pem"), folder.path("chain.pem"))
        let made = try Tool.run(
            "openssl",
            [
                "req", "-x509", "-nodes", "-newkey", kind, "-subj", "/CN=x", "-days", "2",
                "-keyout", key, "-out", chain,
            ])
        expectEqual(made.status, 0, "\(made)")
        let pair = try CertificatePair.load(
            chainPEM: try folder.read("chain.pem"), keyPEM: try folder.read("key.pem"),
            chainName: "chain", keyName: "key")
        let error = #expect(throws: OpenSSLError.self) {
            try CMSSigner.sign(SigningFiles.document, with: pair)
        }
        expectEqual(error?.cause.hasPrefix("signing with chain: iOS 8 reads no"), true)
    }

    @Test func `RSA signatures are the same every time, and so is the file`() throws {
        let first = try CMSSigner.sign(SigningFiles.document, with: SigningFiles.rsa.pair)
        try expectEqual(CMSSigner.sign(SigningFiles.document, with: SigningFiles.rsa.pair), first)
    }

    @Test func `The documented command's output is accepted`() throws {
        let signed = try SigningFiles.sign(["-noattr", "-nodetach", "-outform", "DER"])
        let report = SigningFiles.verify(signed)
        #expect(report.isGood, "\(report.findings)")
        expectEqual(report.payload, SigningFiles.document)
    }
}
