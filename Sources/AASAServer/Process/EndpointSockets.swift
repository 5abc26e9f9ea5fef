package import Reactor

/// The sockets of an endpoint: handed over, or to be bound. If binding fails, the error names the
/// process that has the port.
package struct EndpointSockets {
    /// The most addresses of one server: a worker keeps one bit of 64 for each of its listeners. A
    /// machine with more addresses than half of that listens on `*`.
    static let listenersMaximum = 32

    /// To be bound by the server; empty where sockets were handed over.
    let addresses: [SocketAddress]
    let handed: [Int32]
    /// A listening socket for the admin side, kept open for an upgrade.
    let adminDescriptor: Int32?

    /// - Parameter patience: with another aasa that shuts down and still holds a port.
    init(
        _ configuration: ServerConfiguration, _ sockets: [InheritedSocket],
        patience: PortPatience? = nil
    ) throws(Problem) {
        let admin = sockets.first(where: SocketActivation.isAdmin)
        let serving = sockets.filter { !SocketActivation.isAdmin($0) }
        handed = serving.map(\.descriptor)
        let wanted = try Self.wanted(configuration, sockets)
        if wanted.count > Self.listenersMaximum {
            throw Problem(
                place: "--listen",
                cause: "\(wanted.count) addresses; at most \(Self.listenersMaximum) are allowed",
                remedy: "listen on *:PORT, which means every address of the machine")
        }
        try Self.refuseIfTaken(wanted, patience)
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
    /// - Returns: nil if there is none, or it was handed over.
    package static func bindAdmin(
        _ configuration: ServerConfiguration, _ sockets: [InheritedSocket],
        _ patience: PortPatience?
    ) throws(Problem) -> InheritedSocket? {
        guard let listen = configuration.admin, !sockets.contains(where: SocketActivation.isAdmin)
        else { return nil }
        try refuseIfShared(listen, wanted(configuration, sockets))
        let address = try address(listen, option: "--admin")
        let descriptor = try bindAdmin(address, patience)
        if address.isUnix, CurrentProcess.user == 0,
            let owner = Privileges.owner(configuration.user)
        {
            // For its user, who has to connect to it.
            try? Files.give(address.host, to: owner)
        }
        return InheritedSocket(descriptor: descriptor, name: "admin")
    }

    /// Whether another server has a port of this one: a second start by mistake, to be noticed
    /// before it touches what belongs to the first.
    package static func refuseIfTaken(
        _ configuration: ServerConfiguration, _ sockets: [InheritedSocket],
        patience: PortPatience
    ) throws(Problem) {
        try refuseIfTaken(wanted(configuration, sockets), patience)
    }

    private static func refuseIfTaken(
        _ wanted: [SocketAddress], _ patience: PortPatience?
    ) throws(Problem) {
        for address in wanted where address.port != 0 {
            try refuseIfTaken(address, option: "--listen", patience)
        }
    }

    private static func wanted(
        _ configuration: ServerConfiguration, _ sockets: [InheritedSocket]
    ) throws(Problem) -> [SocketAddress] {
        var wanted: [SocketAddress] = []
        if sockets.contains(where: { !SocketActivation.isAdmin($0) }) { return wanted }
        for listen in configuration.listen {
            wanted.append(try address(listen, option: "--listen"))
        }
        return wanted
    }

    static func address(
        _ listen: ListenAddress, option: String
    ) throws(Problem) -> SocketAddress {
        let address: SocketAddress? =
            switch listen {
            case .tcp(let host, let port): SocketAddress(host: host, port: port)
            case .unix(let path): SocketAddress.unix(path: path)
            }
        guard let address else {
            throw Problem(
                place: option, cause: "\(listen) is not an address",
                remedy: "write ADDR:PORT with a numeric address, such as 0.0.0.0:443 or [::]:443")
        }
        return address
    }

    /// `[::]` accepts IPv4 as well, so that one socket serves the probes of pods of either family.
    /// If the kernel has no IPv6, the address is `0.0.0.0`.
    private static func bindAdmin(
        _ address: SocketAddress, _ patience: PortPatience?
    ) throws(Problem) -> Int32 {
        do throws(SystemError) {
            return try PortPatience.take(patience) { () throws(SystemError) in
                var socket = try ListeningSocket(
                    on: address, backlog: AdminServer.backlog, sharesPort: false, takesIPv4: true)
                return socket.release()
            }
        } catch {
            if address.host == "::", error.isAddressUnknown {
                return try bindAdmin(.v4(0, port: address.port), patience)
            }
            throw failure(error, option: "--admin")
        }
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
        throw Problem(
            place: "the admin socket handed over", cause: "other machines can reach \(address)",
            remedy: "listen on 127.0.0.1 or a Unix path, or add --admin-allow-network")
    }

    /// The admin side cannot use a port of the public side: without this check, the second bind
    /// would report that this very process has the port.
    private static func refuseIfShared(
        _ admin: ListenAddress, _ wanted: [SocketAddress]
    ) throws(Problem) {
        guard case .tcp(let host, let port) = admin, port != 0 else { return }
        let everywhere = ["0.0.0.0", "::"]
        let rival = wanted.first {
            $0.port == port
                && ($0.host == host || everywhere.contains($0.host)
                    || everywhere.contains(host))
        }
        guard let rival else { return }
        throw Problem(
            place: "--admin \(admin)",
            cause: "this is the port of --listen \(rival)",
            remedy: "choose another port for one of them")
    }

    /// With SO_REUSEPORT a second server of the same user can bind the same port and take half of
    /// the connections without any error. So the port is tried without it first.
    static func refuseIfTaken(
        _ address: SocketAddress, option: String, _ patience: PortPatience?
    ) throws(Problem) {
        do throws(SystemError) {
            try PortPatience.take(patience) { () throws(SystemError) in
                var probe = try ListeningSocket(on: address, backlog: 1, sharesPort: false)
                probe.close()
            }
        } catch {
            throw failure(error, option: option)
        }
    }

    func failure(_ error: SystemError) -> Problem {
        Self.failure(error, option: "--listen")
    }

    static func failure(_ error: SystemError, option: String) -> Problem {
        if error.isAddressInUse, error.subject.hasPrefix("unix:") {
            return unixFailure(error, option: option)
        }
        if error.isAddressInUse {
            let port = SocketAddress(parsing: error.subject)?.port ?? 0
            let who = PortOwner.find(port: port).map { " by \($0)" } ?? ""
            return Problem(
                place: "\(option) \(error.subject)", cause: "the port is in use\(who)",
                remedy: "stop that process, or choose another port")
        }
        return Problem(
            place: "\(option) \(error.subject)", cause: error.reason,
            remedy: error.likelyCause ?? Problem.limitsOfTheMachine)
    }

    /// A Unix socket's name is a path: a server listens there, or the file is not a socket.
    private static func unixFailure(_ error: SystemError, option: String) -> Problem {
        let path = String(error.subject.dropFirst("unix:".count))
        let isSocket = Files.status(path)?.isSocket == true
        return Problem(
            place: "\(option) \(error.subject)",
            cause: isSocket
                ? "another process listens there" : "there is a file that is not a socket",
            remedy: isSocket
                ? "stop that process, or name another path"
                : "move the file, or name another path: aasa does not overwrite it")
    }

    /// Each address once: handed sockets and workers report it several times.
    func distinct(_ addresses: [SocketAddress]) -> [SocketAddress] {
        var seen: Set<SocketAddress> = []
        return addresses.filter { seen.insert($0).inserted }
    }
}
