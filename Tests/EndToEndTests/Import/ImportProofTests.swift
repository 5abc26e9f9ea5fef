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
        #expect(done.status == 1, "\(done)")
        #expect(done.stderr.contains("error"), "\(done)")
        #expect(!done.stderr.contains("can be served"), "\(done)")
        #expect(FileManager.default.fileExists(atPath: target) == !isDry)
    }

    @Test func saysThatTheMeaningIsTheSame() throws {
        let folder = try ImportSource.folder(["aasa": ImportSource.document])
        for more in [["--dry-run"], []] {
            let done = try Tool.aasa(
                ["import", folder.path("aasa"), folder.path("site/example.com")] + more)
            #expect(done.status == 0, "\(done)")
            #expect(done.stderr.contains("has the same meaning as"), "\(done)")
        }
    }
}
