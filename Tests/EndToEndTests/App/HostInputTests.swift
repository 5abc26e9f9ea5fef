import Foundation
import TestSupport
import Testing

@Suite struct HostInputTests {
    @Test func namesTheHostsOfASite() throws {
        let site = try AppSite.make()
        for arguments in [["list"], ["add"], ["remove"]] {
            let rest =
                arguments == ["list"] ? [] : ["D3KQX62K1A.com.example.shop"]
            let more = arguments == ["add"] ? ["--service", "appclips"] : []
            let result = try Tool.aasa(["app"] + arguments + [site.path("")] + rest + more)
            expectEqual(result.status, 2, "\(result)")
            #expect(result.stderr.contains("its hosts are example.com"), "\(result)")
        }
        let inside = try Tool.aasa(["app", "list", site.path("example.com/teams")])
        expectEqual(inside.status, 2, "\(inside)")
        #expect(!FileManager.default.fileExists(atPath: site.path("teams")))
    }

    @Test(arguments: [
        ("none", Int32(3), "no such folder"), ("file", 3, "this is a file, not a folder"),
        ("file/x", 3, "folder"), ("host/teams", 2, "inside a host folder"),
        ("no_host", 2, "not a host's folder"),
    ]) func saysWhatIsNoHost(_ path: String, _ status: Int32, _ message: String) throws {
        let folder = try TemporaryFolder("host")
        try folder.write("file", "x")
        try folder.write("host/teams/README", "x")
        try folder.makeFolder("no_host")
        let result = try Tool.aasa(["app", "list", folder.path(path)])
        #expect(result.status == status && result.stderr.contains(message), "\(result)")
        #expect(result.stderr.contains("fix: "), "\(result)")
    }

    @Test func aSlashAtTheEndChangesNothing() throws {
        let site = try AppSite.make()
        let plain = try Tool.aasa(["app", "list", site.path("example.com")])
        let slashes = try Tool.aasa(["app", "list", site.path("example.com") + "//"])
        #expect(slashes.stdout == plain.stdout && !plain.stdout.isEmpty)
    }
}
