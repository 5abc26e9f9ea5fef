import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: EtcdProcess.isInstalled, "etcd-server and etcd-client are not installed"))
struct FleetDifferenceTests {
    private let bed: FleetBed

    init() throws { bed = try FleetBed() }

    private func publish() throws {
        let done = try bed.fleet("publish", bed.site.site)
        expectEqual(done.status, 0, "\(done)")
    }

    private func lines(_ arguments: String...) throws -> (status: Int32, lines: [String]) {
        let result = try bed.fleet(["diff"] + arguments)
        return (result.status, result.stdout.split(separator: "\n").map(String.init))
    }

    /// Documents in meaning under their host, everything else by file, in order.
    @Test func aDifferenceIsToldInMeaning() throws {
        try publish()
        try bed.change("/new/*")
        try bed.site.write("example.com/well-known/assetlinks.json", "[ ]\n")
        try bed.site.write("example.com/well-known/security.txt", "Contact: mailto:a@b.example\n")
        try publish()
        let (status, lines) = try lines("2")
        expectEqual(status, 1)
        expectEqual(
            lines.filter { !$0.hasPrefix(" ") },
            [
                "~ site/example.com/well-known/assetlinks.json",
                "+ site/example.com/well-known/security.txt", "example.com",
            ], "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  ") && $0.contains("/new/*") }, "\(lines)")
        // No path of a temporary folder.
        #expect(!lines.contains { $0.contains("/tmp/") }, "\(lines)")
        // The other way round.
        let back = try self.lines("2", "1")
        expectEqual(back.status, 1)
        #expect(back.lines.contains("- site/example.com/well-known/security.txt"), "\(back)")
    }

    @Test func hostsComeAndGo() throws {
        try publish()
        try bed.site.write(
            "third.example/apple-app-site-association",
            #"{"webcredentials":{"apps":["D3KQX62K1A.com.example.third"]}}"#)
        try FileManager.default.removeItem(atPath: bed.site.site + "/other.example")
        try publish()
        let (_, lines) = try lines("2")
        expectEqual(
            lines, ["other.example", "  the host is gone", "third.example", "  the host is new"])
        // The first of all has nothing before it.
        let first = try self.lines("1")
        #expect(first.status == 1 && first.lines.contains("  the host is new"), "\(first)")
    }

    @Test func whatSaysTheSameIsNoDifferenceInMeaning() throws {
        try publish()
        let team = SampleSite.teams[0]
        try bed.site.write(
            "example.com/teams/\(team).json", SampleSite.fragment(team) + "\n\n")
        try publish()
        let (status, lines) = try lines("2")
        #expect(status == 1 && lines == ["example.com", "  the document says the same"])
        let same = try self.lines("2", "2")
        #expect(same.status == 0 && same.lines.isEmpty)
    }
}
