import Foundation
import TestSupport
import Testing

@Suite struct ImportCommandTests {
    @Test func `Every real file that lint finds valid comes through with its meaning`() throws {
        let folder = try TemporaryFolder("import")
        var count = 0
        for (index, file) in Corpus.files(in: "aasa", withExtension: "json").enumerated() {
            let target = folder.path("\(index)/example.com")
            let done = try Tool.aasa(["import", file.path, target])
            guard done.status == 0 else {
                let lint = try Tool.aasa(["lint", file.path])
                #expect(lint.status != 0, "\(file.lastPathComponent): \(done)")
                continue
            }
            count += 1
            let difference = try Tool.aasa(["diff", file.path, target])
            expectEqual(difference.status, 0, "\(file.lastPathComponent): \(difference)")
        }
        if Corpus.root != nil { #expect(count > 100) }
    }

    /// A folder that the server would not serve.
    @Test func aFolderThatIsNoHostIsNotMade() throws {
        let folder = try ImportSource.folder(["aasa": ImportSource.document])
        let done = try Tool.aasa(["import", folder.path("aasa"), folder.path("im/Example.COM")])
        expectEqual(done.status, 2, "\(done)")
        #expect(done.stderr.contains("fix: write example.com"), "\(done)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("im")))
    }
}
