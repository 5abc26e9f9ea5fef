// Covers: SignerOptions.swift

import Foundation
import TestSupport
import Testing

@Suite struct VerifyCommandTests {
    private func verdict(_ result: Tool.Result) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any],
            "\(result)")
    }

    @Test func whatIsNotSignedIsNamed() throws {
        let json = try Tool.aasa(["verify", "-", "--format", "json"], stdin: Array("{}".utf8))
        expectEqual(json.status, 1)
        let findings = try #require(try verdict(json)["findings"] as? [[String: Any]])
        expectEqual(findings.map { $0["code"] as? String }, ["cms-not-signed"])
        let empty = try Tool.aasa(["verify", "-"], stdin: [])
        expectEqual(empty.status, 1)
        #expect(empty.stdout.contains("[cms-empty]"))
    }

    /// One mistake does not hide another: each question has its own answer.
    @Test func judgesEachQuestionByItself() throws {
        let site = try SampleSite()
        let document = try site.folder.write("document", "{\"applinks\": {\"details\": []}}")
        let signed = site.folder.path("signed")
        let made = try Tool.aasa([
            "sign", document, "--certs", site.certs, "--host", "example.com", "--output", signed,
        ])
        expectEqual(made.status, 0, "\(made)")
        let root = site.certs + "/local-ca/ca.pem"
        func bad(_ more: [String]) throws -> Set<String> {
            let result = try Tool.aasa(["verify", signed, "--format", "json"] + more)
            let report = try verdict(result)
            let checks = try #require(report["checks"] as? [String: String])
            let bad = Set(checks.filter { $0.value == "bad" }.keys)
            expectEqual((report["good"] as? Bool), (result.status == 0))
            expectEqual(bad.isEmpty, (result.status == 0), "\(result)")
            return bad
        }
        let good = ["--cacert", root, "--host", "example.com"]
        try expectEqual(bad(good), [])
        try expectEqual(bad(["--cacert", root, "--host", "other.example"]).count, 1)
        try expectEqual(bad(["--host", "example.com"]).count, 1)
        #expect(try bad(good + ["--at", "2020-01-01T00:00:00Z"]).count >= 1)
        // The name of --cacert until 1.1, for one release.
        try expectEqual(bad(["--cafile", root, "--host", "example.com"]), [])
        #expect(try !Tool.aasa(["verify", "--help"]).stdout.contains("--cafile"))
        let text = try Tool.aasa(["verify", signed] + good)
        #expect(text.stdout.contains("signature       good"), "\(text)")
        for line in ["iOS 8             accepts", "iOS 26 and later  accepts"] {
            #expect(text.stdout.contains(line), "\(text)")
        }
        #expect(text.stdout.contains("of 131072 bytes"), "\(text)")
        let other = try verdict(
            try Tool.aasa([
                "verify", signed, "--cacert", root, "--host", "b.test", "--format", "json",
            ]))
        let eras = try #require(other["eras"] as? [[String: Any]])
        expectEqual(
            eras.map { $0["era"] as? String }, ["ios8", "ios9.3", "ios13", "ios14", "ios26"])
        #expect(eras.allSatisfy { $0["accepts"] as? Bool == false })
        // Whether systems read it with a line feed behind it is not known.
        let trailing = try Tool.aasa(
            ["verify", "-", "--format", "json"] + good,
            stdin: try Array(Data(contentsOf: URL(fileURLWithPath: signed))) + [0x0A])
        expectEqual(trailing.status, 0, "\(trailing)")
        let open = try #require(try verdict(trailing)["eras"] as? [[String: Any]])
        #expect(open.allSatisfy { $0["accepts"] is NSNull && $0["reason"] is String })
        let payload = try Tool.aasa(["verify", signed, "--payload"])
        expectEqual(payload.outputBytes, Array("{\"applinks\": {\"details\": []}}".utf8))
    }

    @Test(arguments: [
        (["--at", "tomorrow"], Int32(2), "write it like"),
        (["--host", "a b"], 2, "--host"), (["--cacert", "/no/file"], 3, "no such file"),
    ]) func refusesWhatItCannotJudge(
        _ more: [String], _ status: Int32, _ message: String
    ) throws {
        let result = try Tool.aasa(["verify", "-"] + more, stdin: Array("{}".utf8))
        #expect(result.status == status && result.stderr.contains(message), "\(result)")
    }

    /// "A Common Name or Subject Alternative Name": until iOS 12.
    @Test func listsTheErasThatAcceptACommonName() throws {
        let folder = try TemporaryFolder("common-name")
        let (chain, key) = (folder.path("chain.pem"), folder.path("key.pem"))
        let made = try Tool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", chain,
                "-subj", "/CN=example.com", "-days", "90", "-addext",
                "extendedKeyUsage=serverAuth",
            ])
        expectEqual(made.status, 0, "\(made)")
        let signed = folder.path("signed")
        let done = try Tool.run(
            "openssl",
            [
                "cms", "-sign", "-binary", "-nodetach", "-noattr", "-outform", "DER", "-signer",
                chain, "-inkey", key, "-out", signed,
            ], stdin: Array("{\"applinks\": {\"details\": []}}".utf8))
        expectEqual(done.status, 0, "\(done)")
        let report = try verdict(
            try Tool.aasa([
                "verify", signed, "--cacert", chain, "--host", "example.com", "--format", "json",
            ]))
        let eras = try #require(report["eras"] as? [[String: Any]])
        let accepted = eras.map { $0["accepts"] as? Bool }
        expectEqual(accepted, [true, true, false, false, false], "\(eras)")
    }

    /// The root is not in the file, and expires all the same.
    @Test func anExpiredRootIsFound() throws {
        let folder = try TemporaryFolder("expired-root")
        func openssl(_ arguments: String, _ stdin: String = "") throws {
            let done = try Tool.run(
                "openssl", arguments.split(separator: " ").map(String.init),
                stdin: Array(stdin.utf8))
            expectEqual(done.status, 0, "\(done)")
        }
        let f = folder.path
        try folder.write(
            "leaf.ext", "subjectAltName=DNS:example.com\nextendedKeyUsage=serverAuth\n")
        try openssl(
            "req -x509 -newkey rsa:2048 -nodes -keyout \(f)/ca.key -out \(f)/ca.pem -subj /CN=root"
                + " -days 2")
        try openssl(
            "req -newkey rsa:2048 -nodes -keyout \(f)/leaf.key -out \(f)/leaf.csr -subj /CN=x")
        try openssl(
            "x509 -req -in \(f)/leaf.csr -CA \(f)/ca.pem -CAkey \(f)/ca.key -CAcreateserial"
                + " -days 90 -out \(f)/leaf.pem -extfile \(f)/leaf.ext")
        try openssl(
            "cms -sign -binary -nodetach -noattr -outform DER -signer \(f)/leaf.pem"
                + " -inkey \(f)/leaf.key -out \(f)/signed",
            "{\"applinks\": {\"details\": []}}")
        let day = ISO8601DateFormatter()
        for (days, status) in [(1.0, Int32(0)), (10, 1)] {
            let moment = day.string(from: Date() + days * 86_400)
            let done = try Tool.aasa([
                "verify", "\(f)/signed", "--cacert", "\(f)/ca.pem", "--host", "example.com", "--at",
                moment,
            ])
            expectEqual(done.status, status, "\(done)")
            expectEqual(done.stdout.contains("an authority above"), (status == 1), "\(done)")
        }
    }
}
