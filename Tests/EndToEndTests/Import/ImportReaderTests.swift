// Covers: FirebaseHosting.swift

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
}
