import AASAClient
import AASAFleet
import AASAServer
import ArgumentParser
import OpenSSL
import Reactor

/// The options of every `aasa fleet` command: which fleet, and where it is kept.
struct FleetOptions: ParsableArguments {
    @Option(help: .value("name", "The fleet. (AASA_FLEET)"))
    var fleet: String?

    @OptionGroup(title: "etcd") var etcd: EtcdOptions

    /// The fleet's store, for the length of a command.
    ///
    /// - Throws: status 2 with everything that is wrong.
    func store() throws -> FleetStore {
        var reader = OptionReader(environment: CurrentProcess.environment)
        let name = reader.text("fleet", fleet)
        if name.map(FleetKeys.isName) != true {
            reader.problem(
                "fleet", name ?? "", "name the fleet: letters, digits, dots and hyphens")
        }
        let access = etcd.access(&reader, isNeeded: true)
        guard reader.problems.isEmpty, let name, let access else {
            throw reader.failure(
                remedy: "aasa fleet status --help-hidden explains the options of etcd")
        }
        let client = try EtcdClient(access, seed: UInt64(CurrentProcess.id))
        return FleetStore(keys: FleetKeys(fleet: name)) { request throws(EtcdFailure) in
            try client.ask(request)
        }
    }

    /// A channel's name that was given.
    static func check(channel: String) throws {
        if !FleetKeys.isName(channel) {
            throw ValidationError(
                "\"\(channel)\" is not a channel name: letters, digits, dots and hyphens")
        }
    }

    /// The key file: named, or handed over by systemd (`LoadCredential=fleet-key:…`).
    static func keyRing(_ path: String?) throws -> KeyRing? {
        let environment = CurrentProcess.environment
        let named = path ?? environment["AASA_FLEET_KEY"].flatMap { $0.isEmpty ? nil : $0 }
        guard let file = named ?? credential(environment) else { return nil }
        return try KeyRing(reading: file)
    }

    /// `fleet-key` among systemd's credentials; nil: there is none.
    static func credential(_ environment: [String: String]) -> String? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else { return nil }
        let path = folder + "/fleet-key"
        return Files.exists(path) ? path : nil
    }

    /// `USER@MACHINE`, unless the command was told another name.
    static func author(_ given: String?) -> String {
        if let given, !given.isEmpty { return given }
        let environment = CurrentProcess.environment
        let user = environment["LOGNAME"] ?? environment["USER"] ?? "user \(CurrentProcess.user)"
        return "\(user)@\(hostName())"
    }

    /// The machine's name, as far as it can stand in a key.
    static func hostName() -> String {
        let name = CurrentProcess.hostName
        return FleetKeys.isName(name) ? name : "machine"
    }
}

extension ChannelPointer {
    /// Who moved the channel, when and why.
    var origin: String {
        "by \(author) at \(DateText.moment(time))" + (note.isEmpty ? "" : ": \(note)")
    }
}
