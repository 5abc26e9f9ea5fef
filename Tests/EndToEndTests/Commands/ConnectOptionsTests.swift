import Foundation
import TestSupport
import Testing

@Suite struct ConnectOptionsTests {
    /// A missing file of roots is said, and is no fault of the host's.
    @Test(arguments: [
        ["check", "example.com"],
        ["device", "--domain", "applinks:e.com", "--app", "D3KQX62K1A.a"],
        ["storm", "https://127.0.0.1:1/"], ["import", "https://127.0.0.1:1", "OUT/example.com"],
    ]) func aMissingFileOfRootsIsSaid(_ command: [String]) throws {
        let folder = try TemporaryFolder("connect")
        let roots = folder.path("none.pem")
        let result = try Tool.aasa(
            command.map { $0.replacingOccurrences(of: "OUT", with: folder.path) }
                + ["--cacert", roots])
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.hasPrefix("aasa: \(roots): "), "\(result)")
    }
}
