import Foundation
import TestSupport
import Testing

@Suite struct ImportProofTests {
    /// A document that the server would refuse: the folder is made, and why it cannot be served is
    /// listed.
    @Test(arguments: [false, true]) func listsWhatKeepsItFromBeingServed(isDry: Bool) throws {
        let folder = try ImportSource.folder([
            "aasa": #"{"applinks": {"details": [{"appIDs": ["a.b"], "paths": "/buy/*"}]}}"#
        ])
        let target = folder.path("site/example.com")
        let done = try Tool.aasa(
            ["import", folder.path("aasa"), target] + (isDry ? ["--dry-run"] : []))
        expectEqual(done.status, 1, "\(done)")
        #expect(done.stderr.contains("error"), "\(done)")
        #expect(!done.stderr.contains("can be served"), "\(done)")
        expectEqual(FileManager.default.fileExists(atPath: target), !isDry)
    }

    /// A name belongs to one host: the site that the folder joins decides, not the folder alone.
    @Test(arguments: [
        (["example.com"], "example.com"), (["www.example.com"], "www.example.com"),
        (["shop.example"], "shop.example"),
    ])
    func aNameThatTheSiteHasIsFound(aliases: [String], name: String) throws {
        let folder = try ImportSource.folder([
            "aasa": ImportSource.document,
            "site/shop.example/host.json": #"{"aliases": ["www.example.com"]}"#,
            "site/shop.example/apple-app-site-association": ImportSource.document,
        ])
        let arguments =
            ["import", folder.path("aasa"), folder.path("site/example.com")]
            + aliases.flatMap { ["--alias", $0] }
        for more in [["--dry-run"], []] {
            let done = try Tool.aasa(arguments + more)
            expectEqual(done.status, 1, "\(done)")
            #expect(done.stderr.contains("site-alias-conflict"), "\(done)")
            #expect(done.stderr.contains(": \"\(name)\" "), "\(done)")
            #expect(!done.stderr.contains("can be served"), "\(done)")
        }
    }

    @Test func saysThatTheMeaningIsTheSame() throws {
        let folder = try ImportSource.folder(["aasa": ImportSource.document])
        for more in [["--dry-run"], []] {
            let done = try Tool.aasa(
                ["import", folder.path("aasa"), folder.path("site/example.com")] + more)
            expectEqual(done.status, 0, "\(done)")
            #expect(done.stderr.contains("has the same meaning as"), "\(done)")
        }
    }

    @Test func anErrorOfASiblingIsListed() throws {
        let steps = (0..<32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16).uppercased() }
            .joined(separator: ":")
        let statement =
            #"{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","package_name":"com.acme.a","sha256_cert_fingerprints":["\#(steps)"]}}"#
        let folder = try ImportSource.folder([
            "www/.well-known/apple-app-site-association": ImportSource.document,
            "www/.well-known/assetlinks.json": "[\(statement)]",
        ])
        let done = try Tool.aasa(["import", folder.path("www"), folder.path("site/example.com")])
        expectEqual(done.status, 1, "\(done)")
        #expect(done.stderr.contains("assetlinks-fingerprint-sample"), "\(done)")
        #expect(!done.stderr.contains("can be served"), "\(done)")
    }
}
