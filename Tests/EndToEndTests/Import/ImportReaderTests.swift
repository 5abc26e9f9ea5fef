// Covers: FirebaseHosting.swift, NginxServerName.swift

import Foundation
import TestSupport
import Testing

@Suite struct ImportReaderTests {
    @Test func takesAWebRootWithItsSiblings() throws {
        let folder = try ImportSource.folder([
            "www/.well-known/apple-app-site-association": ImportSource.document,
            "www/.well-known/security.txt": "Contact: mailto:a@example.com\n",
            "www/index.html": "<html>",
        ])
        try ImportSource.imports(folder, "www")
        let text = try folder.read("site/example.com/well-known/security.txt")
        #expect(String(decoding: text, as: UTF8.self) == "Contact: mailto:a@example.com\n")
    }

    /// As a shell completes it.
    @Test func aSlashAtTheEndChangesNothing() throws {
        let folder = try ImportSource.folder([
            "www/.well-known/apple-app-site-association": ImportSource.document,
            "www/.well-known/security.txt": "Contact: mailto:a@example.com\n",
        ])
        try ImportSource.imports(folder, "www/.well-known/")
        #expect(try !folder.read("site/example.com/well-known/security.txt").isEmpty)
    }

    private static func server(_ names: String, _ app: String) -> String {
        "server { \(names) location = /.well-known/apple-app-site-association "
            + "{ return 200 '{\"webcredentials\":{\"apps\":[\"D3KQX62K1A.com.\(app)\"]}}'; } }"
    }

    /// nginx's own order; a document of another host is never taken.
    @Test(arguments: [
        ("server_name .EXAMPLE.com;", true), ("server_name *.com;", true),
        ("server_name example.*;", true), ("server_name _;", true), ("", true),
        ("server_name other.example;", false), ("server_name *.example.com;", false),
        ("server_name myexample.com;", false),
    ])
    func takesTheServerThatNginxWouldChoose(names: String, isOurs: Bool) throws {
        let folder = try ImportSource.folder([
            "ng/sites-enabled/a": Self.server("server_name intranet.example;", "intranet"),
            "ng/sites-enabled/b": Self.server(names, "shop"),
        ])
        let done = try Tool.aasa([
            "import", folder.path("ng"), folder.path("site/example.com"),
        ])
        #expect(done.status == (isOurs ? 0 : 3), "\(done)")
        if isOurs {
            let text = try folder.read("site/example.com/teams/D3KQX62K1A.json")
            #expect(String(decoding: text, as: UTF8.self).contains("com.shop"))
        } else {
            #expect(done.stderr.contains("none of them for example.com"), "\(done)")
        }
    }

    @Test func oneServerOfAnotherNameIsTakenAndSaid() throws {
        let folder = try ImportSource.folder([
            "ng/sites-enabled/a": Self.server("server_name other.example;", "shop")
        ])
        let done = try Tool.aasa([
            "import", folder.path("ng"), folder.path("site/example.com"),
        ])
        #expect(done.status == 1, "\(done)")
        #expect((done.stdout + done.stderr).contains("is for other.example"), "\(done)")
    }

    @Test func refusesWhatIsNoDocument() throws {
        let folder = try ImportSource.folder(["aasa": "{\"applinks\": ", "empty/x": ""])
        for source in ["aasa", "empty", "missing"] {
            let done = try Tool.aasa([
                "import", folder.path(source), folder.path("site/example.com"),
            ])
            #expect(done.status != 0, "\(done)")
            #expect(done.stderr.contains("remedy: "), "\(done)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("site/example.com")))
        }
    }

    @Test func takesAFirebaseProjectAndSaysWhatFirebaseHid() throws {
        let folder = try ImportSource.folder([
            "app/firebase.json":
                #"{"hosting": {"public": "dist", "ignore": ["firebase.json", "**/.*"]}}"#,
            "app/dist/.well-known/apple-app-site-association": ImportSource.document,
        ])
        try ImportSource.imports(folder, "app", status: 1)
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
