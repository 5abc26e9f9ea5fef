import TestSupport
import Testing

@Suite struct FleetOptionsTests {
    private func run(
        _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> Tool.Result {
        try Tool.aasa(
            ["fleet"] + arguments,
            environment: ["AASA_FLEET": "", "AASA_ETCD": "", "AASA_FLEET_KEY": ""].merging(
                environment
            ) { _, own in own })
    }

    @Test func bothMistakesAreSaid() throws {
        let result = try run(["history"])
        expectEqual(result.status, 2)
        #expect(result.stderr.contains("name the fleet: letters"), "\(result)")
        #expect(result.stderr.contains("write https://HOST:2379"), "\(result)")
        #expect(result.stderr.contains("fix: aasa fleet status --help-hidden"), "\(result)")
    }

    @Test func aNameThatCannotStandInKeysIsNone() throws {
        let result = try run(["history", "--fleet", "a/b", "--etcd", "http://127.0.0.1:1"])
        #expect(result.status == 2 && result.stderr.contains("a/b"), "\(result)")
    }

    @Test(arguments: [
        ["publish", "site", "--channel", "a/b"], ["status", "--channel", ".."],
        ["rollback", "1", "--channel", "a b"], ["promote", "canary", ""],
        ["promote", "a/b", "stable"],
    ])
    func aChannelsNameIsChecked(_ arguments: [String]) throws {
        let result = try run(arguments, ["AASA_FLEET": "web", "AASA_ETCD": "http://127.0.0.1:1"])
        #expect(
            result.status == 2 && result.stderr.contains("is not a channel name"), "\(result)")
    }

    /// Named, from the environment, or handed over by systemd; a folder of credentials without
    /// this one is no mistake.
    @Test func theKeyIsFoundWhereItIs() throws {
        let folder = try TemporaryFolder("keys")
        let broken = try folder.write("fleet-key", "no key")
        let environment = ["AASA_FLEET": "web", "AASA_ETCD": "http://127.0.0.1:1"]
        for own in [
            (["--fleet-key", broken], [:]), ([], ["AASA_FLEET_KEY": broken]),
            ([], ["CREDENTIALS_DIRECTORY": folder.path]),
        ] {
            let result = try run(
                ["verify"] + own.0, environment.merging(own.1) { _, own in own })
            #expect(result.status == 3 && result.stderr.contains("fleet-key"), "\(result)")
        }
        // Where the option counts, the credential is not read.
        let none = try run(
            ["verify", "--fleet-key", folder.path("none")],
            environment.merging(["CREDENTIALS_DIRECTORY": folder.path]) { _, own in own })
        #expect(none.stderr.contains(folder.path("none")), "\(none)")
        let empty = try TemporaryFolder("no-keys")
        let without = try run(
            ["key", empty.path("fleet.key")],
            ["CREDENTIALS_DIRECTORY": empty.path])
        expectEqual(without.status, 0, "\(without)")
    }
}
