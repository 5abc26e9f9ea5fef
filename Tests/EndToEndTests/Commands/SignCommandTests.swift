import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite struct SignCommandTests {
    private static let document = Array("{\n  \"applinks\": {\"details\": []}\n}\n".utf8)

    private struct Place {
        let folder: TemporaryFolder
        var certs: String { folder.path("certs") }
        var root: String { certs + "/local-ca/ca.pem" }

        init() throws {
            folder = try TemporaryFolder("sign")
            let made = try Tool.aasa(
                ["certs", "make", "--certs", folder.path("certs"), "example.com"])
            expectEqual(made.status, 0, "\(made)")
            try folder.write("document", SignCommandTests.document)
        }
    }

    private func verdict(_ result: Tool.Result) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any],
            "\(result)")
    }

    @Test func signsWithTheCertificatesOfTheHost() throws {
        let place = try Place()
        let output = place.folder.path("signed")
        let signed = try Tool.aasa([
            "sign", place.folder.path("document"), "--certs", place.certs, "--host", "example.com",
            "--output", output,
        ])
        expectEqual(signed.status, 0, "\(signed)")
        for command in ["cms", "smime"] {
            let checked = try Tool.run(
                "openssl",
                [
                    command, "-verify", "-inform", "DER", "-in", output, "-purpose", "sslserver",
                    "-CAfile", place.root, "-binary",
                ])
            expectEqual(checked.status, 0, "\(checked)")
            expectEqual(checked.outputBytes, Self.document)
        }
        let verified = try Tool.aasa([
            "verify", output, "--host", "example.com", "--cacert", place.root, "--format", "json",
        ])
        expectEqual(verified.status, 0, "\(verified)")
        let report = try verdict(verified)
        #expect(report["good"] as? Bool == true)
        let checks = try #require(report["checks"] as? [String: String])
        #expect(checks.count == 11 && checks.values.allSatisfy { $0 == "good" }, "\(checks)")
        #expect(report["documentBytes"] as? Int == Self.document.count)

        let payload = try Tool.aasa(["verify", output, "--payload"])
        expectEqual(payload.outputBytes, Self.document)
        let elsewhere = try Tool.aasa(["verify", output, "--host", "www.example.com"])
        expectEqual(elsewhere.status, 1)
        #expect(elsewhere.stdout.contains("[cms-wrong-host]"))
        #expect(elsewhere.stdout.contains("[cms-missing-intermediate]"))
    }

    @Test func signsStandardInputWithFiles() throws {
        let place = try Place()
        let own = place.certs + "/example.com"
        let signed = try Tool.aasa(
            [
                "sign", "--key", own + "/privkey.pem", "--signer", own + "/fullchain.pem",
                "--chain", place.root,
            ], stdin: Self.document)
        expectEqual(signed.status, 0, "\(signed)")
        let verified = try Tool.aasa(
            ["verify", "-", "--host", "example.com", "--cacert", place.root],
            stdin: signed.outputBytes)
        expectEqual(verified.status, 0, "\(verified)")
        #expect(verified.stdout.contains("SHA256 with ECDSA P-256"))
    }

    /// The order of the certificates means nothing in a signed form; a missing one does.
    @Test func aChainIsASetThatMayLackTheIssuer() throws {
        let place = try Place()
        let own = place.certs + "/example.com"
        let pair = ["--key", own + "/privkey.pem", "--signer", own + "/fullchain.pem"]
        let root = try String(contentsOfFile: place.root, encoding: .utf8)
        let other = try String(contentsOfFile: own + "/fullchain-rsa.pem", encoding: .utf8)
        let mixed = try place.folder.write("mixed.pem", other + root)
        let signed = try Tool.aasa(["sign", "--chain", mixed] + pair, stdin: Self.document)
        #expect(signed.status == 0 && signed.stderr.isEmpty, "\(signed)")
        let alone = try Tool.aasa(["sign"] + pair, stdin: Self.document)
        expectEqual(alone.status, 0, "\(alone)")
        #expect(alone.stderr.contains("lacks the certificate of"), "\(alone)")
    }

    /// It is written, as it may be wanted, and a script hears that devices refuse it.
    @Test func whatDevicesRefuseIsSignedWithStatusOne() throws {
        let place = try Place()
        let template = CertificateTemplate(
            commonName: "old.example", names: ["old.example"], notBefore: 1_700_000_000,
            notAfter: 1_705_000_000)
        let old = try template.make(issuer: nil)
        try place.folder.write("certs/old.example/fullchain.pem", old.leaf.pem)
        try place.folder.write("certs/old.example/privkey.pem", old.key.unencryptedPEM())
        let signed = try Tool.aasa(
            ["sign", "--certs", place.certs, "--host", "old.example"], stdin: Self.document)
        expectEqual(signed.status, 1, "\(signed)")
        #expect(signed.stderr.contains("expired on 2024-01-11"), "\(signed)")
        expectEqual(signed.outputBytes.first, 0x30)
    }

    @Test func otherCommandsReadSignedFiles() throws {
        let place = try Place()
        let output = try place.folder.write(
            "signed",
            try Tool.aasa(
                ["sign", "--certs", place.certs, "--host", "example.com"],
                stdin: Array(
                    #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.example"],"components":[{"/":"/x"}]}]}}"#
                        .utf8)
            ).outputBytes)
        let match = try Tool.aasa(["match", output, "https://example.com/x"])
        expectEqual(match.status, 0, "\(match)")
        #expect(match.stdout.contains("D3KQX62K1A.com.example"))
        let same = try Tool.aasa(["diff", output, output])
        expectEqual(same.status, 0, "\(same)")
        let lint = try Tool.aasa(["lint", output])
        expectEqual(lint.status, 0, "\(lint)")
    }

    @Test func wrongKeyWrongUseAndUnreadableFilesSaySo() throws {
        let place = try Place()
        let own = place.certs + "/example.com"
        for (arguments, status, words) in [
            (["sign"], 2, "say who signs"),
            (["sign", "--key", "k"], 2, "belong together"),
            (["sign", "--key", "k", "--signer", "s", "--host", "h"], 2, "either"),
            (
                ["sign", "nofile", "--certs", place.certs, "--host", "example.com"], 3,
                "no such file"
            ),
            (["sign", "--certs", place.certs, "--host", "b.example"], 3, "no certificate"),
            (["sign", "--certs", place.certs, "--host", "../x"], 2, "--host"),
            (
                [
                    "sign", "--key", own + "/privkey-rsa.pem", "--signer", own + "/fullchain.pem",
                ], 3, "is not the key of"
            ),
            (["verify", "nofile"], 3, "no such file"),
            (["verify", own + "/fullchain.pem", "--cacert", "nofile"], 3, "nofile"),
            (["verify"], 2, "file"),
        ] as [([String], Int32, String)] {
            let result = try Tool.aasa(arguments, stdin: Self.document)
            expectEqual(result.status, status, "\(arguments): \(result)")
            #expect(result.stderr.contains(words), "\(arguments): \(result)")
            #expect(result.stdout.isEmpty, "\(arguments)")
        }
    }

    /// A pipe hides the status of the command before it.
    @Test func whatIsNoDocumentEndsWithStatusOne() throws {
        let place = try Place()
        let sign = ["sign", "--certs", place.certs, "--host", "example.com"]
        let large = Array(#"{"x": "\#(String(repeating: "x", count: 131_000))"}"#.utf8)
        for (input, words) in [
            (Array("not json".utf8), "1:1: "), (Array("[]".utf8), "a document is an object"),
            (large, "are read at most"),
        ] {
            let signed = try Tool.aasa(sign, stdin: input)
            expectEqual(signed.status, 1, "\(signed)")
            #expect(signed.stderr.contains(words), "\(signed)")
            expectEqual(signed.outputBytes.first, 0x30)
        }
        let once = try Tool.aasa(sign, stdin: Self.document)
        expectEqual(once.status, 0, "\(once)")
        for (input, words) in [([], "empty"), (once.outputBytes, "signed already")] {
            let output = place.folder.path("output")
            let signed = try Tool.aasa(sign + ["--output", output], stdin: input)
            expectEqual(signed.status, 1, "\(signed)")
            #expect(signed.stderr.contains("standard input: it is"), "\(signed)")
            #expect(signed.stderr.contains(words), "\(signed)")
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    /// The document, or a key, under another name as well.
    @Test func whatIsReadIsNotOverwritten() throws {
        let place = try Place()
        let own = place.certs + "/example.com"
        let document = place.folder.path("document")
        let link = place.folder.path("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: "document")
        let files = ["--key", own + "/privkey.pem", "--signer", own + "/fullchain.pem"]
        for output in [document, link, own + "/../example.com/privkey.pem"] {
            let before = try Data(contentsOf: URL(fileURLWithPath: output))
            let signed = try Tool.aasa(["sign", document] + files + ["--output", output])
            expectEqual(signed.status, 2, "\(signed)")
            #expect(signed.stderr.contains("\(output): this is read by"), "\(signed)")
            try expectEqual(Data(contentsOf: URL(fileURLWithPath: output)), before)
        }
    }
}
