import Foundation
import TestSupport
import Testing

@Suite struct NewFolderTests {
    @Test func changesNothingThatIsThere() throws {
        let folder = try ImportSource.folder([
            "aasa": ImportSource.document, "site/example.com/teams/D3KQX62K1A.json": "{}",
        ])
        let done = try Tool.aasa(["import", folder.path("aasa"), folder.path("site/example.com")])
        expectEqual(done.status, 3, "\(done)")
        try expectEqual(folder.read("site/example.com/teams/D3KQX62K1A.json"), Array("{}".utf8))
        try expectEqual(
            FileManager.default.contentsOfDirectory(atPath: folder.path("site")),
            ["example.com"])
    }

    /// A failure leaves nothing behind, neither the folder nor its hidden draft.
    @Test func leavesNothingBehindWhereItCannotWrite() throws {
        let folder = try ImportSource.folder(["aasa": ImportSource.document, "file": "x"])
        let done = try Tool.aasa([
            "import", folder.path("aasa"), folder.path("file/example.com"),
        ])
        expectEqual(done.status, 3, "\(done)")
        #expect(done.stderr.contains("file is not a folder: import into another"), "\(done)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        expectEqual(names.sorted(), ["aasa", "file"])
    }

    @Test func takesAFile() throws {
        let folder = try ImportSource.folder(["aasa": ImportSource.document])
        try ImportSource.imports(folder, "aasa")
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.path("site/example.com/teams"))
        expectEqual(names.sorted(), ["9JA89QQLNQ.json", "D3KQX62K1A.json"])
    }
}
