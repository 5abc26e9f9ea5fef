// Covers: DiffReport.swift, InputFile.swift

import Foundation
import TestSupport
import Testing

@Suite struct DiffCommandTests {
    private static let one =
        #"{"applinks": {"details": [{"appIDs": ["D3KQX62K1A.a"], "components": [{"/": "/x"}]}]}}"#
    private static let two =
        #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.a"],"components":[{"/":"/x"},"#
        + #"{"/":"/y"}]}]}}"#

    @Test func findsWhatChanged() throws {
        let folder = try TemporaryFolder("diff")
        let a = try folder.write("a.json", Self.one)
        let b = try folder.write("b.json", Self.two)
        let result = try Tool.aasa(["diff", a, b])
        #expect(result.status == 1)
        #expect(
            result.stdout
                == "applinks\n  + rule {\"/\":\"/y\"} of D3KQX62K1A.a  (\(b):1:77)\n", "\(result)")
        #expect(try Tool.aasa(["diff", a, a]).status == 0)
    }

    @Test func answersInJSON() throws {
        let folder = try TemporaryFolder("diff")
        let a = try folder.write("a.json", Self.one)
        let result = try Tool.aasa(
            ["diff", a, "-", "--format", "json"], stdin: Array(Self.two.utf8))
        #expect(result.status == 1)
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any])
        let changes = try #require(report["changes"] as? [[String: Any]])
        #expect(changes.map { $0["kind"] as? String } == ["rule-added"])
        #expect(changes.first?["apps"] as? [String] == ["D3KQX62K1A.a"])
        #expect((changes.first?["after"] as? [String: Any])?["index"] as? Int == 1)
        #expect(report["after"] as? String == "-")
    }

    @Test func comparesHostsAndSignedFiles() throws {
        let folder = try TemporaryFolder("diff")
        let plain = try folder.write("a.json", Self.one)
        try folder.write("example.com/teams/D3KQX62K1A.json", Self.one)
        #expect(try Tool.aasa(["diff", plain, folder.path("example.com")]).status == 0)
        guard let signed = Corpus.folder("aasa-signed") else { return }
        for name in ["S01", "S02"] {
            let result = try Tool.aasa([
                "diff", signed.appendingPathComponent("\(name).der").path,
                signed.appendingPathComponent("\(name).payload.json").path,
            ])
            #expect(result.status == 0, "\(result)")
        }
    }

    @Test func pointsToTheTeamsFileAndShowsWhatMoves() throws {
        let folder = try TemporaryFolder("diff")
        let old = try folder.write("a.json", Self.one)
        try folder.write("example.com/teams/D3KQX62K1A.json", Self.one)
        let new = try folder.write(
            "example.com/teams/9JA89QQLNQ.json",
            "{\n \"applinks\": {\"details\": [\n  {\"appIDs\": [\"9JA89QQLNQ.b\"], "
                + "\"components\": [{\"/\": \"*\"}]}]}}")
        let links = try folder.write("links.csv", "/x,D3KQX62K1A.a\n/elsewhere,none\n")
        let result = try Tool.aasa([
            "diff", old, folder.path("example.com"), "--samples", "--links", links,
        ])
        #expect(result.status == 1)
        #expect(
            result.stdout.contains("rule {} (takes EVERY URL) of 9JA89QQLNQ.b  (\(new):3:"),
            "\(result)")
        #expect(result.stdout.contains("/x  D3KQX62K1A.a -> 9JA89QQLNQ.b\n"), "\(result)")
        #expect(
            result.stdout.contains("/x  D3KQX62K1A.a -> 9JA89QQLNQ.b  FAIL"), "\(result)")
        let json = try Tool.aasa([
            "diff", old, folder.path("example.com"), "--links", links, "--format", "json",
        ])
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
        #expect((report["links"] as? [[String: Any]])?.count == 2)
    }

    @Test func saysWhatCannotBeRead() throws {
        let folder = try TemporaryFolder("diff")
        let good = try folder.write("a.json", Self.one)
        let broken = try folder.write("b.json", "{\n  'a': 1}")
        let cases = [
            (folder.path("missing"), "no such file"), (broken, "single ones"),
            (folder.path, "no document can be built"),
        ]
        for (path, cause) in cases {
            let result = try Tool.aasa(["diff", good, path])
            #expect(result.status == 3)
            #expect(result.stderr.contains(path), "\(result)")
            #expect(result.stderr.contains(cause), "\(result)")
        }
        #expect(try Tool.aasa(["diff", broken, good]).stderr.contains("\(broken):2:3: "))
        #expect(try Tool.aasa(["diff", "-", "-"]).status == 2)
        let large = try folder.write("large", [UInt8](repeating: 0x20, count: (4 << 20) + 1))
        #expect(try Tool.aasa(["diff", good, large]).stderr.contains("at most 4194304 are read"))
        let device = try Tool.aasa(["diff", good, "/dev/zero"])
        #expect(device.status == 3)
        #expect(device.stderr.contains("more than 4194304 bytes"), "\(device)")
    }
}
