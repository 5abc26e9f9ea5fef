package import Reactor

/// The sockets of an endpoint: handed over, or to be bound. If binding fails, the error names the
/// process that has the port.
package struct EndpointSockets {
    /// The most addresses of one server: a machine with more of them listens on `*`.
    static let listenersMaximum = 32

    /// To be bound by the server; empty where sockets were handed over.
    let addresses: [SocketAddress]
    let handed: [Int32]
    /// Of some addresses: a listening socket for each worker (``PortHold``).
    let held: [SocketAddress: [Int32]]
    /// A listening socket for the admin side, kept open for an upgrade.
    let adminDescriptor: Int32?

    /// - Parameters:
    ///   - hold: what this server has of its ports already.
    ///   - patience: with another aasa that shuts down and still holds a port.
    init(
        _ configuration: ServerConfiguration, _ sockets: [InheritedSocket],
        hold: PortHold? = nil, patience: PortPatience? = nil
    ) throws(Problem) {
        let admin = sockets.first(where: SocketActivation.isAdmin)
        let serving = sockets.filter { !SocketActivation.isAdmin($0) }
        handed = serving.map(\.descriptor)
        let wanted = try Self.wanted(configuration, sockets)
        if wanted.count > Self.listenersMaximum {
            let (count, most) = ("\(wanted.count)", "\(Self.listenersMaximum)")
            throw Problem(.manyAddresses, at: "--listen", count, most)
        }
        held = hold?.take() ?? [:]
        try Self.refuseIfTaken(
            wanted.filter { [held] in held[$0] == nil }, option: "--listen", patience)
        addresses = wanted
        if let admin {
            try Self.refuseIfOpened(admin, configuration)
            adminDescriptor = admin.descriptor
        } else {
            adminDescriptor = try Self.bindAdmin(configuration, sockets, patience)?.descriptor
        }
    }

    /// Binds the admin listener, which answers before anything is served.
    ///
    /// - Returns: nil if there is none, if it was handed over, or if it is to be bound later.
    package static func bindAdmin(
        _ configuration: ServerConfiguration, _ sockets: [InheritedSocket],
        _ patience: PortPatience?
    ) throws(Problem) -> InheritedSocket? {
        guard let listen = configuration.admin, !sockets.contains(where: SocketActivation.isAdmin)
        else { return nil }
        let address = adminAddress(listen)
        let bound = try explaining("--admin") { () throws(SystemError) in
            try PortPatience.take(patience) { () throws(SystemError) in
                var socket = try ListeningSocket(
                    on: address, backlog: AdminServer.backlog, sharesPort: false, takesIPv4: true)
                return socket.release()
            }
        }
        guard let descriptor = bound else { return nil }
        if address.isUnix, CurrentProcess.user == 0,
            let owner = Privileges.owner(configuration.user)
        {
            // For its user, who has to connect to it.
            try? Files.give(address.host, to: owner)
        }
        return InheritedSocket(descriptor: descriptor, name: "admin")
    }

    package static func wanted(
        _ configuration: ServerConfiguration, _ sockets: [InheritedSocket]
    ) throws(Problem) -> [SocketAddress] {
        if sockets.contains(where: { !SocketActivation.isAdmin($0) }) { return [] }
        if let problem = conflict(configuration.listeners) { throw problem }
        return addresses(configuration.listen)
    }

    /// The addresses to bind. `*` means both families, and a kernel without IPv6 has one.
    static func addresses(_ listen: [SocketAddress]) -> [SocketAddress] {
        listen.filter { address in
            address.host != "::" || !listen.contains(.v4(0, port: address.port))
                || ListeningSocket.probe(address)?.isAddressUnknown != true
        }
    }

    /// `[::]` accepts IPv4 as well, so that one socket serves the probes of pods of either family.
    /// If the kernel has no IPv6, the address is `0.0.0.0`.
    private static func adminAddress(_ address: SocketAddress) -> SocketAddress {
        if address.host != "::" || ListeningSocket.probe(address)?.isAddressUnknown != true {
            return address
        }
        return .v4(0, port: address.port)
    }

    /// The rule for a socket that systemd bound is the same as for one that is bound here.
    private static func refuseIfOpened(
        _ socket: InheritedSocket, _ configuration: ServerConfiguration
    ) throws(Problem) {
        if configuration.adminAllowsNetwork { return }
        // Borrowed only to read its address: the admin side owns the descriptor.
        var borrowed = Socket(owning: socket.descriptor)
        let bound = borrowed.localAddress
        _ = borrowed.release()
        guard let address = bound, !address.isLoopback else { return }
        throw Problem(.adminOpened, at: "the admin socket handed over", "\(address)")
    }

    /// Why this configuration cannot listen, other than for a port that a server has now: it may be
    /// the one that this server is to replace. Listens nowhere.
    static func problems(_ configuration: ServerConfiguration) -> [Problem] {
        let listeners = configuration.listeners
        if let problem = conflict(listeners) { return [problem] }
        var problems: [Problem] = []
        for (option, listen) in listeners {
            let addresses = option == "--admin" ? listen.map(adminAddress) : addresses(listen)
            do throws(Problem) {
                for address in addresses { try check(address, option: option) }
            } catch {
                problems.append(error)
            }
        }
        return problems
    }

    private static func check(_ address: SocketAddress, option: String) throws(Problem) {
        if address.isUnix {
            let place = "\(option) \(address)"
            if Files.hasEntry(address.host), Files.status(address.host)?.isSocket != true {
                throw Problem(.fileInTheWay, at: place)
            }
            try Problem.explaining(try Files.checkWritable(address.host)) {
                cannotBeMade(place, $0)
            }
        } else if let error = ListeningSocket.probe(address), !error.isAddressInUse {
            throw failure(error, option: option)
        }
    }

    /// Two options of this server that name one port or path: the second bind would report that
    /// this very process has it.
    private static func conflict(
        _ listeners: [(option: String, listen: [SocketAddress])]
    ) -> Problem? {
        let all = listeners.flatMap { option, listen in
            listen.map { (option: option, listen: $0) }
        }
        for (index, later) in all.enumerated() {
            let first = all[..<index].first {
                $0.option != later.option && overlaps($0.listen, later.listen)
            }
            guard let first else { continue }
            return Problem(
                .sameAddress, at: "\(later.option) \(later.listen)",
                "\(first.option) \(first.listen)")
        }
        return nil
    }

    private static func overlaps(_ one: SocketAddress, _ other: SocketAddress) -> Bool {
        if one.isUnix || other.isUnix { return one == other }
        let hosts: Set = [one.host, other.host]
        return one.port == other.port && one.port != 0
            && (hosts.count == 1 || !hosts.isDisjoint(with: ["0.0.0.0", "::"]))
    }

    /// With SO_REUSEPORT a second server of the same user can bind the same port and take half of
    /// the connections without any error. So the port is tried without it first.
    package static func refuseIfTaken(
        _ wanted: [SocketAddress], option: String, _ patience: PortPatience?
    ) throws(Problem) {
        for address in wanted where address.port != 0 {
            _ = try explaining(option) { () throws(SystemError) in
                try PortPatience.take(patience) { () throws(SystemError) in
                    if let error = ListeningSocket.probe(address) { throw error }
                }
            }
        }
    }

    /// Runs a body that listens at the addresses of an option.
    static func explaining<Value>(
        _ option: String, _ body: () throws(SystemError) -> Value
    ) throws(Problem) -> Value {
        try Problem.explaining(try body()) { failure($0, option: option) }
    }

    static func failure(_ error: SystemError, option: String) -> Problem {
        if error.subject.hasPrefix("unix:") { return unixFailure(error, option: option) }
        if error.isAddressInUse {
            let port = SocketAddress(parsing: error.subject)?.port ?? 0
            let who = PortOwner.find(port: port).map { " by \($0)" } ?? ""
            return Problem(.portInUse, at: "\(option) \(error.subject)", who)
        }
        return Problem(
            place: "\(option) \(error.subject)", cause: error.reason,
            remedy: error.likelyCause ?? Problem.limitsOfTheMachine)
    }

    /// A Unix socket's name is a path: a server listens there, or the file is not a socket.
    private static func unixFailure(_ error: SystemError, option: String) -> Problem {
        let (place, path) = ("\(option) \(error.subject)", String(error.subject.dropFirst(5)))
        if !error.isAddressInUse {
            return cannotBeMade(place, FileError("writing", path, .system(error.number)))
        }
        let isSocket = Files.status(path)?.isSocket == true
        return Problem(isSocket ? .pathInUse : .fileInTheWay, at: place)
    }

    private static func cannotBeMade(_ place: String, _ error: FileError) -> Problem {
        Problem(
            place: place, cause: error.cause,
            remedy: error.remedyForWriting(or: "name another path"))
    }

    /// Each address once: handed sockets and workers report it several times.
    func distinct(_ addresses: [SocketAddress]) -> [SocketAddress] {
        var seen: Set<SocketAddress> = []
        return addresses.filter { seen.insert($0).inserted }
    }
}
