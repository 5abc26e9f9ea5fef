import Foundation
import TestSupport
import Testing

@Suite struct ConnectOptionsTests {
    private static let commands = [
        ["check", "example.com"],
        ["device", "--domain", "applinks:e.com", "--app", "D3KQX62K1A.a"],
        ["storm", "https://127.0.0.1:1/"], ["import", "https://127.0.0.1:1", "OUT/example.com"],
        ["match", "https://127.0.0.1:1/", "https://example.com/a"],
    ]

    /// A file of roots that holds none is no fault of the host's either.
    @Test(arguments: commands)
    func aFileWithoutRootsIsSaid(_ command: [String]) throws {
        let folder = try TemporaryFolder("connect")
        let roots = try folder.write("roots.pem", "no certificate\n")
        let result = try Tool.aasa(
            command.map { $0.replacingOccurrences(of: "OUT", with: folder.path) }
                + ["--cacert", roots])
        expectEqual(result.status, 3, "\(result)")
        #expect(result.stderr.hasPrefix("aasa: \(roots) holds no certificate"), "\(result)")
        #expect(result.stdout.isEmpty, "\(result)")
    }

    /// A missing file of roots is said, and is no fault of the host's.
    @Test(arguments: commands)
    func aMissingFileOfRootsIsSaid(_ command: [String]) throws {
        let folder = try TemporaryFolder("connect")
        let roots = folder.path("none.pem")
        let result = try Tool.aasa(
            command.map { $0.replacingOccurrences(of: "OUT", with: folder.path) }
                + ["--cacert", roots])
        expectEqual(result.status, 3, "\(result)")
        #expect(result.stderr.hasPrefix("aasa: \(roots): "), "\(result)")
    }
}
