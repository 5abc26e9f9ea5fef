import Foundation
import TestSupport
import Testing

@Suite struct ImportedSiteTests {
    @Test func keepsWholeWhatCannotBeDivided() throws {
        // Two teams claim the same URL, and one of them stands before and behind the other.
        let alternating = """
            {"applinks": {"details": [
              {"appIDs": ["AAAA111111.a"], "components": [{"/": "/a"}]},
              {"appIDs": ["BBBB222222.b"], "components": [{"/": "/a"}]},
              {"appIDs": ["AAAA111111.c"], "components": [{"/": "/a"}]}]}}
            """
        let folder = try ImportSource.folder(["aasa": alternating])
        let target = folder.path("site/example.com")
        let done = try Tool.aasa(["import", folder.path("aasa"), target])
        let difference = try Tool.aasa(["diff", folder.path("aasa"), target])
        expectEqual(difference.status, 0, "\(done) \(difference)")
    }

    /// Each team gets its part, and what belongs to none is not lost.
    @Test func dividesByTeams() throws {
        let folder = try ImportSource.folder(["aasa": ImportSource.document])
        try ImportSource.imports(folder, "aasa")
        func team(_ name: String) throws -> String {
            let path = "site/example.com/teams/\(name).json"
            return String(decoding: try folder.read(path), as: UTF8.self)
        }
        let shop = try team("D3KQX62K1A")
        #expect(shop.contains("webcredentials") && shop.contains("/buy/*"))
        let old = try team("9JA89QQLNQ")
        #expect(!old.contains("webcredentials") && old.contains("/buy/*"))
    }

    @Test func takesAliases() throws {
        let folder = try ImportSource.folder(["aasa": ImportSource.document])
        let target = folder.path("site/example.com")
        let done = try Tool.aasa([
            "import", folder.path("aasa"), target, "--alias", "www.example.com", "--alias",
            "example.org",
        ])
        expectEqual(done.status, 0, "\(done)")
        #expect(done.stdout.contains("\(target)/host.json\n"))
        let settings = String(
            decoding: try folder.read("site/example.com/host.json"), as: UTF8.self)
        #expect(settings.contains("\"www.example.com\"") && settings.contains("\"example.org\""))
        #expect(settings.contains("\"order\""), "the teams are not in the alphabet's order")
        let wrong = try Tool.aasa([
            "import", folder.path("aasa"), target + "2", "--alias", "*.example.com",
        ])
        #expect(wrong.status == 2 && wrong.stderr.contains("--alias: "), "\(wrong)")
    }
}
