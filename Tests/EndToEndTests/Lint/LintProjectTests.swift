import Foundation
import TestSupport
import Testing

@Suite struct LintProjectTests {
    private static let misspelt =
        #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.b"],"compnents":[{"/":"/b"}]}]}}"#

    @Test func aProjectDecidesAboutRules() throws {
        let folder = try TemporaryFolder("lint")
        let file = try folder.write("a.json", Self.misspelt)
        let config = try folder.write(
            ".aasa.json",
            #"{"rules":[{"code":"entry-key-misspelt","severity":"off","reason":"r","#
                + #""paths":["a.*"]}]}"#
        )
        let result = try Tool.aasa(["lint", file, "--config", config])
        #expect(
            result.status == 0 && result.stderr.contains("1 finding switched off"), "\(result)")
        try folder.write(".aasa.json", #"{"rules":[{"code":"catch-all","severity":"off"}]}"#)
        let broken = try Tool.aasa(["lint", file, "--config", config])
        #expect(broken.status == 2 && broken.stderr.contains("without a reason"), "\(broken)")
    }

    @Test func aBaselineHidesWhatIsKnown() throws {
        let folder = try TemporaryFolder("lint")
        let file = try folder.write("a.json", Self.misspelt)
        let baseline = folder.path("baseline.json")
        try expectEqual(Tool.aasa(["lint", file, "--write-baseline", baseline]).status, 0)
        let same = try Tool.aasa(["lint", file, "--baseline", baseline])
        #expect(same.status == 0 && same.stderr.contains("1 known finding of"), "\(same)")
        // However the path is written.
        let near = try Tool.run(
            try Tool.aasa(), ["lint", "./a.json", "--baseline", "baseline.json"],
            folder: folder.path)
        expectEqual(near.status, 0, "\(near)")
    }

    /// The nearest one counts, from the current folder upward, and its paths are those below it.
    @Test func theNearestConfigurationAboveCounts() throws {
        let folder = try TemporaryFolder("lint")
        try folder.write("a/b/x.json", Self.misspelt)
        func configuration(_ path: String) -> String {
            ##"{"rules":[{"code":"entry-key-misspelt","severity":"off","reason":"r","##
                + ##""paths":["\##(path)"]}]}"##
        }
        func status() throws -> Int32 {
            try Tool.run(
                try Tool.aasa(), ["lint", "x.json"], folder: folder.path("a/b")
            ).status
        }
        try expectEqual(status(), 1)
        try folder.write(".aasa.json", configuration("a/b/x.json"))
        try expectEqual(status(), 0)
        try folder.write("a/.aasa.json", configuration("a/b/x.json"))
        try expectEqual(status(), 1)
        try folder.write("a/.aasa.json", configuration("b/*"))
        try expectEqual(status(), 0)
    }

    @Test func saysWhatIsNoBaseline() throws {
        let folder = try TemporaryFolder("lint")
        let file = try folder.write("a.json", Self.misspelt)
        for (text, message) in [("{}", "this is not a baseline"), ("{", "1:2")] {
            let baseline = try folder.write("baseline.json", text)
            let result = try Tool.aasa(["lint", file, "--baseline", baseline])
            #expect(result.status == 2 && result.stderr.contains(message), "\(result)")
        }
    }

    /// A slip in the command would replace a document by the list of what is wrong in it.
    @Test func aBaselineReplacesNothingElse() throws {
        let folder = try TemporaryFolder("lint")
        let file = try folder.write("a.json", Self.misspelt)
        let result = try Tool.aasa(["lint", file, "--write-baseline", file])
        expectEqual(result.status, 2, "\(result)")
        #expect(result.stderr.contains("\(file): this is not a baseline"), "\(result)")
        try expectEqual(folder.read("a.json"), Array(Self.misspelt.utf8))
        let baseline = try folder.write("baseline.json", "")
        for _ in 1...2 {
            try expectEqual(Tool.aasa(["lint", file, "--write-baseline", baseline]).status, 0)
        }
    }
}
