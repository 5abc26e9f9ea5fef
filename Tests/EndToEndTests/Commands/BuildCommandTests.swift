// Covers: AssociationInput.swift, FindingNotes.swift

import Foundation
import TestSupport
import Testing

@Suite struct BuildCommandTests {
    private func site() throws -> TemporaryFolder {
        let folder = try TemporaryFolder("build")
        try folder.write(
            "example.com/teams/D3KQX62K1A.json",
            #"{ "webcredentials": { "apps": ["D3KQX62K1A.com.example.shop"] } }"#)
        try folder.write(
            "example.com/teams/9JA89QQLNQ.json",
            #"{ "webcredentials": { "apps": ["9JA89QQLNQ.com.example.news"] } }"#)
        return folder
    }

    private static let merged =
        #"{"webcredentials":{"apps":["9JA89QQLNQ.com.example.news","#
        + #""D3KQX62K1A.com.example.shop"]}}"#

    @Test func writesTheDocumentAndTheSizes() throws {
        let site = try site()
        let result = try Tool.aasa(["build", site.path("example.com/")])
        expectEqual(result.status, 0, "\(result)")
        expectEqual(result.stdout, Self.merged)
        #expect(result.stderr.contains("9JA89QQLNQ"))
        #expect(result.stderr.contains("of 131072"))
    }

    @Test func writesAFileInOneStep() throws {
        let site = try site()
        let output = try site.write("out.json", "old")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: output)
        let result = try Tool.aasa(["build", site.path("example.com"), "--output", output])
        expectEqual(result.status, 0, "\(result)")
        #expect(result.outputBytes.isEmpty)
        try expectEqual(site.read("out.json"), Array(Self.merged.utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: output)[.posixPermissions]
        #expect(mode as? Int == 0o640)
        let left = try FileManager.default.contentsOfDirectory(atPath: site.path)
        expectEqual(left.sorted(), ["example.com", "out.json"])
    }

    @Test func reportsInJSON() throws {
        let site = try site()
        let result = try Tool.aasa(["build", site.path("example.com"), "--format", "json"])
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(result.errorBytes)) as? [String: Any])
        #expect(report["host"] as? String == "example.com")
        #expect(report["built"] as? Bool == true)
        #expect(report["bytes"] as? Int == Self.merged.utf8.count)
        expectEqual((report["teams"] as? [[String: Any]])?.count, 2)
        // The name of --format until 1.1, for one release.
        let old = try Tool.aasa(["build", site.path("example.com"), "--report", "json"])
        expectEqual(old.errorBytes, result.errorBytes)
    }

    @Test func refusesWhatMustNotBeServed() throws {
        let site = try site()
        let bad = try site.write(
            "example.com/teams/D3KQX62K1A.json",
            #"{ "webcredentials": { "apps": ["9JA89QQLNQ.com.example.shop"] } }"#)
        try site.write("out.json", "old")
        let result = try Tool.aasa(
            ["build", site.path("example.com"), "--output", site.path("out.json")])
        expectEqual(result.status, 1)
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.contains("\(bad):1:32: error:"), "\(result)")
        #expect(result.stderr.contains("merge-foreign-app"))
        #expect(result.stderr.contains("9JA89QQLNQ.json"))
        try expectEqual(site.read("out.json"), Array("old".utf8))
    }

    @Test func namesLineAndColumnOfBrokenJSON() throws {
        let site = try site()
        let bad = try site.write("example.com/teams/D3KQX62K1A.json", "{\n  \"a\": 1,\n}")
        let result = try Tool.aasa(["build", site.path("example.com")])
        expectEqual(result.status, 1)
        #expect(result.stderr.contains("\(bad):2:9: error:"), "\(result)")
        #expect(result.stderr.contains("json-trailing-comma"))
    }

    @Test func saysWhatIsNoHost() throws {
        let site = try site()
        let file = try site.write("file", "x")
        for (path, cause) in [(site.path("missing"), "no such folder"), (file, "not a folder")] {
            let result = try Tool.aasa(["build", path])
            expectEqual(result.status, 3)
            #expect(result.stderr.contains("\(path): "), "\(result)")
            #expect(result.stderr.contains(cause), "\(result)")
        }
        try expectEqual(Tool.aasa(["build"]).status, 2)
        try expectEqual(Tool.aasa(["build", "x", "--nonsense"]).status, 2)
    }

    @Test func servesReadyMadeFilesAsTheyAre() throws {
        let folder = try TemporaryFolder("ready")
        let text = "{ \"webcredentials\": {\n \"apps\": [ \"D3KQX62K1A.com.example.shop\" ] } }\n"
        try folder.write("example.com/apple-app-site-association", text)
        let result = try Tool.aasa(["build", folder.path("example.com")])
        expectEqual(result.status, 0, "\(result)")
        expectEqual(result.stdout, text)
    }

    /// What `aasa lint` calls an error is not written, in a whole sibling or in a team's part.
    @Test(arguments: ["well-known/assetlinks.json", "teams/D3KQX62K1A.assetlinks.json"])
    func siblingsWithErrorsAreNotWritten(_ file: String) throws {
        let site = try site()
        try site.write(
            "example.com/" + file,
            #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"#
                + #""android_app","package_name":"com.example","#
                + #""sha256_cert_fingerprints":["14:6D:E9"]}}]"#)
        let build = ["build", site.path("example.com"), "--sibling", "assetlinks"]
        let result = try Tool.aasa(build + ["-o", site.path("out")])
        expectEqual(result.status, 1, "\(result)")
        #expect(result.stderr.contains("[assetlinks-fingerprint]"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: site.path("out")))
    }

    /// In the form that all get, or with "auto" nearly all.
    @Test(arguments: ["", #"{"form": "signed"}"#, #"{"form": "auto"}"#])
    func servesReadyMadeSignedFilesAsTheyAre(_ settings: String) throws {
        let folder = try TemporaryFolder("signed")
        let text = #"{"webcredentials":{"apps":["D3KQX62K1A.com.example.shop"]}}"#
        let plain = try folder.write("plain.json", text)
        let certs = folder.path("certs")
        try expectEqual(Tool.aasa(["certs", "make", "--certs", certs, "example.com"]).status, 0)
        let sign = try Tool.aasa(["sign", plain, "--certs", certs, "--host", "example.com"])
        expectEqual(sign.status, 0, "\(sign)")
        try folder.write("example.com/apple-app-site-association", sign.outputBytes)
        if !settings.isEmpty { try folder.write("example.com/host.json", settings) }
        let output = folder.path("out")
        let host = folder.path("example.com")
        let (shown, written) = (
            try Tool.aasa(["build", host]), try Tool.aasa(["build", host, "--output", output])
        )
        let expected = settings.contains("auto") ? Array(text.utf8) : sign.outputBytes
        #expect(shown.status == 0 && shown.outputBytes == expected, "\(shown)")
        expectEqual(written.status, 0, "\(written)")
        try expectEqual(folder.read("out"), expected)
        #expect(shown.stderr.contains("\(sign.outputBytes.count) bytes"), "\(shown)")
    }

    /// A fragment would be lost, and the host would have two documents.
    @Test(arguments: [
        "teams/D3KQX62K1A.json", "host.json", "apple-app-site-association",
        "well-known/security.txt",
    ]) func theHostItselfIsNotOverwritten(_ output: String) throws {
        let site = try site()
        try site.write("example.com/host.json", "{}")
        try site.write("example.com/well-known/security.txt", "Contact: mailto:a@example.com\n")
        let path = site.path("example.com") + "/" + output
        let before = FileManager.default.contents(atPath: path)
        for more in [[], ["--sibling", "security.txt"]] {
            let result = try Tool.aasa(["build", site.path("example.com"), "-o", path] + more)
            expectEqual(result.status, 2, "\(result)")
            #expect(result.stderr.contains("\(path): this is read by"), "\(result)")
            expectEqual(FileManager.default.contents(atPath: path), before)
        }
    }

    /// What has no effect is a warning, and keeps nothing from being served.
    @Test(arguments: [
        #"{"applinks":{},"webcredentials":{"apps":["D3KQX62K1A.com.acme.app"]},"appclips":{}}"#,
        ##"{"applinks":{"details":[{"appID":"D3KQX62K1A.com.acme.app","paths":["NOT /#","*"]}]}}"##,
    ]) func whatHasNoEffectIsWritten(_ text: String) throws {
        let folder = try TemporaryFolder("harmless")
        try folder.write("example.com/apple-app-site-association", text)
        let result = try Tool.aasa(["build", folder.path("example.com")])
        #expect(result.status == 0 && result.stdout == text, "\(result)")
        #expect(result.stderr.contains("warning"), "\(result)")
    }
}
