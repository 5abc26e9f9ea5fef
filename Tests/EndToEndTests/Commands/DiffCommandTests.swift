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
        expectEqual(result.status, 1)
        expectEqual(
            result.stdout,
            "applinks\n  + rule {\"/\":\"/y\"} of D3KQX62K1A.a  (\(b):1:77)\n", "\(result)")
        try expectEqual(Tool.aasa(["diff", a, a]).status, 0)
    }

    @Test func comparesHostsAndSignedFiles() throws {
        let folder = try TemporaryFolder("diff")
        let plain = try folder.write("a.json", Self.one)
        try folder.write("example.com/teams/D3KQX62K1A.json", Self.one)
        try expectEqual(Tool.aasa(["diff", plain, folder.path("example.com")]).status, 0)
        guard let signed = Corpus.folder("aasa-signed") else { return }
        for name in ["S01", "S02"] {
            let result = try Tool.aasa([
                "diff", signed.appendingPathComponent("\(name).der").path,
                signed.appendingPathComponent("\(name).payload.json").path,
            ])
            expectEqual(result.status, 0, "\(result)")
        }
    }

    @Test func saysWhatCannotBeRead() throws {
        let folder = try TemporaryFolder("diff")
        let good = try folder.write("a.json", Self.one)
        let broken = try folder.write("b.json", "{\n  'a': 1}")
        let cases = [
            (folder.path("missing"), "no such file"), (broken, "not single quotes"),
            (folder.path, "no document can be built"),
        ]
        for (path, cause) in cases {
            let result = try Tool.aasa(["diff", good, path])
            expectEqual(result.status, 3)
            #expect(result.stderr.contains(path), "\(result)")
            #expect(result.stderr.contains(cause), "\(result)")
        }
        #expect(try Tool.aasa(["diff", broken, good]).stderr.contains("\(broken):2:3: "))
        try expectEqual(Tool.aasa(["diff", "-", "-"]).status, 2)
        let large = try folder.write("large", [UInt8](repeating: 0x20, count: (4 << 20) + 1))
        #expect(try Tool.aasa(["diff", good, large]).stderr.contains("at most 4194304 are read"))
        let device = try Tool.aasa(["diff", good, "/dev/zero"])
        expectEqual(device.status, 3)
        #expect(device.stderr.contains("more than 4194304 bytes"), "\(device)")
    }
}
