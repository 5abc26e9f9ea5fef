import TestSupport
import Testing

@Suite(.enabled(if: EtcdProcess.isInstalled, "etcd-server and etcd-client are not installed"))
struct FleetHistoryTests {
    private let bed: FleetBed

    init() throws {
        bed = try FleetBed()
        for number in 1...3 {
            try bed.change("/\(number)/*")
            let done = try bed.fleet(
                "publish", bed.site.site, "--note", "note \(number)", "--author", "ann")
            expectEqual(done.status, 0, "\(done)")
        }
    }

    private func lines(_ options: String...) throws -> [String] {
        let result = try bed.fleet(["history"] + options)
        expectEqual(result.status, 0, "\(result)")
        return result.stdout.split(separator: "\n").map(String.init)
    }

    @Test func theNewestComesFirstWithItsChannels() throws {
        try expectEqual(bed.fleet("promote", "stable", "canary").status, 0)
        try expectEqual(bed.fleet("rollback", "2", "--note", "oops", "--author", "bob").status, 0)
        let lines = try lines()
        expectEqual(lines.prefix(3).map { $0.prefix(3) }, ["3  ", "2  ", "1  "])
        #expect(lines[0].hasSuffix("  ann  5 files  [canary]  note 3"), "\(lines[0])")
        #expect(lines[1].hasSuffix("  ann  5 files  [stable]  note 2"), "\(lines[1])")
        #expect(lines[2].hasSuffix("  ann  5 files  note 1"), "\(lines[2])")
        // Moves that were no publications, with their authors.
        expectEqual(lines.count, 5)
        #expect(lines[3].hasPrefix("canary: promote to 3 by "), "\(lines[3])")
        #expect(lines[4].hasPrefix("stable: rollback to 2 by bob at "), "\(lines[4])")
        #expect(lines[4].hasSuffix(": oops"))
    }

    @Test func theNewestSoManyAreShown() throws {
        try expectEqual(lines("--limit", "2").map { $0.prefix(1) }, ["3", "2"])
        try expectEqual(bed.fleet("history", "--limit", "0").status, 2)
    }

    @Test func aProgramReadsTheSame() throws {
        let text = try lines("--format", "json").joined(separator: "\n")
        #expect(text.contains("\"note\": \"note 3\"") && text.contains("\"parent\": 2"), "\(text)")
        #expect(text.contains("\"stable\""), "\(text)")
        #expect(text.contains("\"files\": 5") && text.contains("\"author\": \"ann\""))
    }

    /// Another release wrote it, or nobody: the others are shown all the same.
    @Test func whatCannotBeReadIsNamed() throws {
        try bed.etcd.control(["put", "/aasa/web/revisions/0000000002", "{}"])
        let result = try bed.fleet("history")
        #expect(result.status == 0 && result.stderr.contains("0000000002 cannot be read"))
        expectEqual(result.stdout.split(separator: "\n").map { $0.prefix(1) }, ["3", "1"])
    }
}
