// Covers: StandardStream.swift, ExitCode.swift

import Foundation
import TestSupport
import Testing

/// What a shell does with the streams of a command: full disks, readers that leave, closed ones.
@Suite struct StandardStreamsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try .forShells() }

    /// Half a document in a file must not look like a whole one.
    @Test(arguments: [
        "build example.com", "schema", "lint --format json a.json", "match a.json /x --format json",
        "diff a.json a.json --format json", "app list example.com", "lint --rules", "--help",
        "lint many.json --format sarif",
    ])
    func aFullDiskIsSaid(command: String) throws {
        let result = try folder.shell("aasa \(command) > /dev/full")
        expectEqual(result.status, 3, "\(result)")
        #expect(result.stderr.contains("standard output: No space left on device"), "\(result)")
    }

    @Test(arguments: ["lint --rules", "schema", "lint --all --format json many.json"])
    func aReaderThatLeavesIsNoFailure(command: String) throws {
        let result = try folder.shell(
            "aasa \(command) | head -c 1 > one; echo ${PIPESTATUS[0]}; wc -c < one")
        let status = command.hasPrefix("lint --all") ? "1" : "0"
        expectEqual(result.stdout, "\(status)\n1\n", "\(result)")
        expectEqual(result.stderr, "")
    }

    /// The first file that is opened must not take the number of a stream.
    @Test func closedStreamsAreNobodysFiles() throws {
        try expectEqual(folder.shell("aasa lint - <&-").status, 1)
        try expectEqual(folder.shell("aasa match - /x <&-").status, 3)
        try expectEqual(folder.shell("aasa lint a.json <&- >&- 2>&-").status, 0)
        try expectEqual(folder.shell("aasa lint none.json >&- 2>&-").status, 3)
        let result = try folder.shell(
            "aasa app add example.com D3KQX62K1A.b --path /y 0<&- >&- 2>&-")
        expectEqual(result.status, 0)
        let text = try folder.read("example.com/teams/D3KQX62K1A.json")
        #expect(String(decoding: text, as: UTF8.self).hasPrefix("{"))
        try expectEqual(Tool.aasa(["lint", folder.path("example.com")]).status, 0)
    }
}
