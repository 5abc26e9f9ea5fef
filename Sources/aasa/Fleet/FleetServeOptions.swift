import AASAFleet
import AASAServer
import ArgumentParser
import Reactor

/// The options of `aasa serve` that make it a machine of a fleet.
struct FleetServeOptions: ParsableArguments {
    @Option(
        help: .value(
            "name",
            "Serve what this fleet publishes instead of --site. It requires --etcd and --state."))
    var fleet: String?

    @Option(help: .rare("name", "The channel to follow. (default: stable)"))
    var channel: String?

    @Option(help: .rare("name", "This machine's name in the fleet. (default: the host name)"))
    var machine: String?

    @Option(
        help: .rare(
            "file",
            "Serve the fleet's certificates, decrypted with this key, instead of --certs. With --acme, "
                + "one machine orders them for all. (default: systemd's credential fleet-key)"))
    var fleetKey: String?

    @OptionGroup var etcd: EtcdOptions

    /// Nil: no fleet, or what is wrong is with the reader.
    func settings(
        _ reader: inout OptionReader, environment: [String: String]
    ) -> AgentSettings? {
        let name = reader.text("fleet", fleet)
        let channel = reader.text("channel", channel) ?? "stable"
        let machine = reader.text("machine", machine) ?? FleetOptions.hostName()
        let keyFile =
            reader.text("fleet-key", fleetKey) ?? FleetOptions.credential(environment)
        let access = etcd.access(&reader, isNeeded: name != nil)
        guard let name else {
            // AASA_ETCD alone is for aasa fleet.
            if etcd.etcd != nil { reader.problem("etcd", "", "it requires --fleet NAME") }
            return nil
        }
        for (option, text) in [("fleet", name), ("channel", channel), ("machine", machine)]
        where !FleetKeys.isName(text) {
            reader.problem(option, text, "use letters, digits, dots and hyphens")
        }
        guard let access else { return nil }
        var keyRing: KeyRing?
        if let keyFile {
            do throws(FleetError) {
                keyRing = try KeyRing(reading: keyFile)
            } catch {
                let problem = error.problem
                reader.problem("fleet-key", keyFile, "\(problem.cause); \(problem.remedy)")
            }
        }
        return AgentSettings(
            access: access, keys: FleetKeys(fleet: name), channel: channel, machine: machine,
            version: AASA.configuration.version, keyRing: keyRing,
            seed: Self.seed(machine))
    }

    /// FNV-1a of the name: machines spread over members and time, each always alike.
    private static func seed(_ machine: String) -> UInt64 {
        machine.utf8.reduce(14_695_981_039_346_656_037) {
            ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }
    }
}
