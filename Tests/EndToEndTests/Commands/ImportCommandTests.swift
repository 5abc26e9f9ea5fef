// Covers: FirebaseHosting.swift, ImportedSite.swift, ImportReader.swift, LiveImport.swift
// Covers: NewFolder.swift, NginxConfiguration.swift

import Foundation
import TestSupport
import Testing

@Suite struct ImportCommandTests {
    private static let document = """
        {"applinks": {"apps": [], "details": [
          {"appIDs": ["D3KQX62K1A.com.example.shop", "9JA89QQLNQ.com.example.old"],
           "components": [{"/": "/buy/*"}]}]},
         "webcredentials": {"apps": ["D3KQX62K1A.com.example.shop"]}}
        """

    private func folder(_ files: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder("import")
        for (path, text) in files { try folder.write(path, text) }
        return folder
    }

    /// Imports, and expects that the result says the same as the document.
    private func imports(
        _ folder: TemporaryFolder, _ source: String, status: Int32 = 0, as original: String? = nil,
        host: String = "example.com"
    ) throws {
        let target = folder.path("site/\(host)")
        let done = try Tool.aasa(["import", folder.path(source), target])
        #expect(done.status == status, "\(done)")
        try folder.write("expected.json", original ?? Self.document)
        let difference = try Tool.aasa(["diff", folder.path("expected.json"), target])
        #expect(difference.status == 0, "\(difference)")
    }

    @Test func takesAFile() throws {
        let folder = try folder(["aasa": Self.document])
        try imports(folder, "aasa")
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.path("site/example.com/teams"))
        #expect(names.sorted() == ["9JA89QQLNQ.json", "D3KQX62K1A.json"])
    }

    @Test func takesAWebRootWithItsSiblings() throws {
        let folder = try folder([
            "www/.well-known/apple-app-site-association": Self.document,
            "www/.well-known/security.txt": "Contact: mailto:a@example.com\n",
            "www/index.html": "<html>",
        ])
        try imports(folder, "www")
        let text = try folder.read("site/example.com/well-known/security.txt")
        #expect(String(decoding: text, as: UTF8.self) == "Contact: mailto:a@example.com\n")
    }

    @Test func takesAnNginxTree() throws {
        let folder = try folder([
            "etc/nginx/sites-enabled/shop": """
            server {
                server_name other.example;
                location = /.well-known/apple-app-site-association { return 404; }
            }
            server {
                server_name example.com www.example.com;   # the shop
                root /var/www/shop;
                location = /apple-app-site-association { proxy_pass http://app; }
                location ~ ^/\\.well-known/apple-app-site-association$ {
                    default_type application/json;
                    alias /srv/aasa.json;
                }
            }
            """,
            "srv/aasa.json": Self.document,
        ])
        try imports(folder, "etc")
    }

    @Test func takesTheTextOfAReturn() throws {
        let folder = try folder([
            "nginx.conf": """
            http { server { server_name example.com;
              location /apple-app-site-association {
                return 200 '{"webcredentials": {"apps": ["D3KQX62K1A.com.example.shop"]}}'; } } }
            """
        ])
        try imports(
            folder, "nginx.conf",
            as: #"{"webcredentials": {"apps": ["D3KQX62K1A.com.example.shop"]}}"#)
    }

    @Test func takesAFirebaseProjectAndSaysWhatFirebaseHid() throws {
        let folder = try folder([
            "app/firebase.json":
                #"{"hosting": {"public": "dist", "ignore": ["firebase.json", "**/.*"]}}"#,
            "app/dist/.well-known/apple-app-site-association": Self.document,
        ])
        try imports(folder, "app", status: 1)
    }

    @Test func keepsWholeWhatCannotBeDivided() throws {
        // Two teams claim the same URL, and one of them stands before and behind the other.
        let alternating = """
            {"applinks": {"details": [
              {"appIDs": ["AAAA111111.a"], "components": [{"/": "/a"}]},
              {"appIDs": ["BBBB222222.b"], "components": [{"/": "/a"}]},
              {"appIDs": ["AAAA111111.c"], "components": [{"/": "/a"}]}]}}
            """
        let folder = try folder(["aasa": alternating])
        let target = folder.path("site/example.com")
        let done = try Tool.aasa(["import", folder.path("aasa"), target])
        let difference = try Tool.aasa(["diff", folder.path("aasa"), target])
        #expect(difference.status == 0, "\(done) \(difference)")
    }

    @Test func `Every real file that lint finds valid comes through with its meaning`() throws {
        let folder = try TemporaryFolder("import")
        var count = 0
        for file in Corpus.files(in: "aasa", withExtension: "json") {
            guard try Tool.aasa(["lint", file.path]).status == 0 else { continue }
            count += 1
            let target = folder.path("\(count)/example.com")
            let done = try Tool.aasa(["import", file.path, target])
            // 1: a document that names no app is kept whole, which is said.
            #expect(done.status <= 1, "\(file.lastPathComponent): \(done)")
            let difference = try Tool.aasa(["diff", file.path, target])
            #expect(difference.status == 0, "\(file.lastPathComponent): \(difference)")
        }
        if Corpus.root != nil { #expect(count > 100) }
    }

    @Test func changesNothingThatIsThere() throws {
        let folder = try folder([
            "aasa": Self.document, "site/example.com/teams/D3KQX62K1A.json": "{}",
        ])
        let done = try Tool.aasa(["import", folder.path("aasa"), folder.path("site/example.com")])
        #expect(done.status == 3, "\(done)")
        #expect(try folder.read("site/example.com/teams/D3KQX62K1A.json") == Array("{}".utf8))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("site"))
                == ["example.com"])
    }

    @Test func refusesWhatIsNoDocument() throws {
        let folder = try folder(["aasa": "{\"applinks\": ", "empty/x": ""])
        for source in ["aasa", "empty", "missing"] {
            let done = try Tool.aasa([
                "import", folder.path(source), folder.path("site/example.com"),
            ])
            #expect(done.status != 0, "\(done)")
            #expect(done.stderr.contains("remedy: "), "\(done)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("site/example.com")))
        }
    }
}
