import Foundation
import TestSupport
import Testing

@Suite struct ImportReaderTests {
    private static let contact =
        "Contact: mailto:a@example.com\nExpires: 2099-01-01T00:00:00Z\n"

    @Test func takesAWebRootWithItsSiblings() throws {
        let folder = try ImportSource.folder([
            "www/.well-known/apple-app-site-association": ImportSource.document,
            "www/.well-known/security.txt": Self.contact,
            "www/index.html": "<html>",
        ])
        try ImportSource.imports(folder, "www")
        let text = try folder.read("site/example.com/well-known/security.txt")
        expectEqual(String(decoding: text, as: UTF8.self), Self.contact)
    }

    @Test func aNameWithAnExtensionIsNotTheDocument() throws {
        let folder = try ImportSource.folder([
            "www/.well-known/apple-app-site-association.json": ImportSource.document
        ])
        let done = try Tool.aasa([
            "import", folder.path("www"), folder.path("site/example.com"),
        ])
        #expect(done.status != 0 && done.stderr.contains("the name has an extension"), "\(done)")
        let lint = try Tool.aasa(["lint", folder.path("www")])
        #expect(lint.stdout.contains("file-name-extension"), "\(lint)")
    }

    /// As a shell completes it.
    @Test func aSlashAtTheEndChangesNothing() throws {
        let folder = try ImportSource.folder([
            "www/.well-known/apple-app-site-association": ImportSource.document,
            "www/.well-known/security.txt": Self.contact,
        ])
        try ImportSource.imports(folder, "www/.well-known/")
        #expect(try !folder.read("site/example.com/well-known/security.txt").isEmpty)
    }

    /// The web server may have served none of it.
    @Test func aLinkThatLeadsOutOfTheWebRootIsNotFollowed() throws {
        let folder = try ImportSource.folder([
            "www/.well-known/apple-app-site-association": ImportSource.document,
            "www/shared/security.txt": "Contact: mailto:a@example.com\n",
            "private/secret": "secret",
        ])
        let known = folder.path("www/.well-known")
        let links = [
            ("../../private/secret", "leak"), ("../../private", "room"),
            ("../shared/security.txt", "security.txt"),
        ]
        for (target, name) in links {
            try FileManager.default.createSymbolicLink(
                atPath: "\(known)/\(name)", withDestinationPath: target)
        }
        let done = try Tool.aasa([
            "import", folder.path("www"), folder.path("site/example.com"),
        ])
        expectEqual(done.status, 1, "\(done)")
        for name in ["leak", "room/secret"] {
            #expect(done.stderr.contains("\(known)/\(name): the link points out"), "\(done)")
        }
        let taken = folder.path("site/example.com/well-known")
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: taken), ["security.txt"])
    }

    @Test func refusesWhatIsNoDocument() throws {
        let folder = try ImportSource.folder(["aasa": "{\"applinks\": ", "empty/x": ""])
        for source in ["aasa", "empty", "missing"] {
            let done = try Tool.aasa([
                "import", folder.path(source), folder.path("site/example.com"),
            ])
            #expect(done.status != 0, "\(done)")
            #expect(done.stderr.contains("fix: "), "\(done)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("site/example.com")))
        }
    }

    /// A file brings along what lies beside it: in `.well-known/`, or in that of its web root.
    @Test(arguments: ["www/.well-known/apple-app-site-association", "www/old/aasa.json"])
    func aFileBringsItsSiblings(source: String) throws {
        let folder = try ImportSource.folder([
            source: ImportSource.document,
            "www/.well-known/pki-validation/a.txt": "a",
            "www/.well-known/acme-challenge/token": "gone in a minute",
            "www/old/.well-known/pki-validation/a.txt": "a",
        ])
        try ImportSource.imports(folder, source)
        try expectEqual(folder.read("site/example.com/well-known/pki-validation/a.txt"), [0x61])
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.path("site/example.com/well-known"))
        expectEqual(names, ["pki-validation"])
    }

    /// What a host cannot serve is listed, and the rest comes.
    @Test func listsWhatIsMissing() throws {
        let folder = try ImportSource.folder([
            "www/.well-known/apple-app-site-association": ImportSource.document,
            "www/.well-known/assetlinks.json": "[]",
            "www/.well-known/a b.txt": "x",
            "www/.well-known/one/two/three.txt": "x",
        ])
        let target = folder.path("site/example.com")
        let done = try Tool.aasa(["import", folder.path("www"), target])
        expectEqual(done.status, 1, "\(done)")
        #expect(done.stderr.contains("missing: \(folder.path("www/.well-known/a b.txt")): "))
        #expect(done.stderr.contains("missing: \(folder.path("www/.well-known/one/two")): "))
        #expect(done.stdout.contains("\(target)/well-known/assetlinks.json\n"))
        try expectEqual(
            folder.read("site/example.com/well-known/assetlinks.json"), Array("[]".utf8))
    }

    @Test func saysThatTheRootHasAnotherDocument() throws {
        let files = [
            "www/.well-known/apple-app-site-association": ImportSource.document,
            "www/apple-app-site-association": "{}",
        ]
        let folder = try ImportSource.folder(files)
        try ImportSource.imports(folder, "www", status: 1)
        let same = try ImportSource.folder(
            files.merging(["www/apple-app-site-association": ImportSource.document + "\n"]) { $1 })
        try ImportSource.imports(same, "www")
    }
}
