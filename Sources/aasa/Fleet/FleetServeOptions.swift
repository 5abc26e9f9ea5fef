import AASAFleet
import AASAServer
import ArgumentParser
import Reactor

/// The options of `aasa serve` that make it a machine of a fleet.
struct FleetServeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve what this fleet publishes, instead of --site; requires --etcd and --state. "
                + "(AASA_FLEET, default: none)", valueName: "name"))
    var fleet: String?

    @Option(
        help: ArgumentHelp(
            "The channel to follow. (AASA_CHANNEL, default: stable)", valueName: "name"))
    var channel: String?

    @Option(
        help: ArgumentHelp(
            "This machine's name in the fleet. (AASA_MACHINE, default: the host name)",
            valueName: "name"))
    var machine: String?

    @Option(
        help: ArgumentHelp(
            "Serve the fleet's certificates, which this key opens, instead of --certs; with "
                + "--acme one machine orders them for all, and --certs keeps a copy. "
                + "(AASA_FLEET_KEY, default: systemd's credential fleet-key)", valueName: "file"))
    var fleetKey: String?

    @OptionGroup var etcd: EtcdOptions

    /// Nil: no fleet, or what is wrong is with the reader.
    func settings(
        _ reader: inout OptionReader, environment: [String: String]
    ) -> AgentSettings? {
        let name = reader.text("fleet", fleet)
        let channel = reader.text("channel", channel) ?? "stable"
        let machine = reader.text("machine", machine) ?? FleetSession.hostName()
        let keyFile =
            reader.text("fleet-key", fleetKey) ?? FleetOptions.credential(environment)
        let access = etcd.access(&reader)
        guard let name else {
            // AASA_ETCD alone is for aasa fleet.
            if etcd.etcd != nil { reader.problem("etcd", "", "it requires --fleet NAME") }
            return nil
        }
        for (option, text) in [("fleet", name), ("channel", channel), ("machine", machine)]
        where !FleetKeys.isName(text) {
            reader.problem(option, text, "use letters, digits, dots and hyphens")
        }
        guard let access else {
            reader.problem("etcd", "", "name the client URLs of etcd's members")
            return nil
        }
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
