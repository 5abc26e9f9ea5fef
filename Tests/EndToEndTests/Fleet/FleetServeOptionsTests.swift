import Foundation
import TestSupport
import Testing

/// What `aasa serve` says of the options of a fleet, without a store.
@Suite struct FleetServeOptionsTests {
    private func serve(
        _ options: [String], _ environment: [String: String] = [:]
    ) throws -> Tool.Result {
        try Tool.aasa(
            ["serve", "--check", "--listen", "127.0.0.1:0"] + options,
            environment: environment, timeout: .seconds(60))
    }

    private static let etcd = ["--etcd", "http://127.0.0.1:1"]

    @Test func aFleetWantsAStateFolder() throws {
        let result = try serve(["--fleet", "web"] + Self.etcd)
        #expect(result.status == 2 && result.stderr.contains("--state"), "\(result)")
    }

    @Test func aFleetBringsTheSite() throws {
        let folder = try TemporaryFolder("state")
        let result = try serve(
            ["--fleet", "web", "--state", folder.path, "--site", "site"] + Self.etcd)
        expectEqual(result.status, 2)
        #expect(result.stderr.contains("--fleet provides the site"), "\(result)")
    }

    @Test func etcdAloneIsAMistakeAndItsVariableIsNot() throws {
        let result = try serve(Self.etcd)
        expectEqual(result.status, 2)
        #expect(result.stderr.contains("it requires --fleet NAME"), "\(result)")
        let site = try SampleSite()
        let other = try serve(
            ["--site", site.site, "--certs", site.certs], ["AASA_ETCD": "http://127.0.0.1:1"])
        expectEqual(other.status, 0, "\(other)")
    }

    @Test func everyMistakeIsSaid() throws {
        let folder = try TemporaryFolder("state")
        let key = try folder.write("fleet.key", "no key")
        let result = try serve([
            "--fleet", "a/b", "--channel", "c d", "--machine", "m/1", "--state", folder.path,
            "--fleet-key", key, "--etcd", "http://127.0.0.1:1",
        ])
        expectEqual(result.status, 2)
        for part in ["a/b", "c d", "m/1", "fleet-key"] {
            #expect(result.stderr.contains(part), "\(part): \(result)")
        }
        let without = try serve(["--fleet", "web", "--state", folder.path])
        expectEqual(without.status, 2)
        #expect(without.stderr.contains("--etcd \"\": write https://HOST:2379"), "\(without)")
        let empty = try serve(["--fleet", "web", "--state", folder.path, "--etcd", ","])
        expectEqual(
            empty.stderr.components(separatedBy: "--etcd").count, 2,
            "one mistake is reported once: \(empty)")
    }
}
