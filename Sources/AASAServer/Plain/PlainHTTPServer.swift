package import Reactor

/// The listeners without TLS, on a thread of their own.
package final class PlainHTTPServer: Sendable {
    /// Enough for a second of a storm behind a terminator, or all validators of an order at once.
    package static let backlog: Int32 = 256
    /// 256 connections of 64 KB of input and one document each at most: 16 MB and 32 MB.
    static let connectionsMaximum = 256

    /// Every user of the machine may connect to a Unix socket: the answers are public.
    private static let socketMode: UInt32 = 0o666

    /// Where it listens, with real ports.
    package let addresses: [SocketAddress]
    private let server: AuxiliaryServer
    private let names: [SocketName]
    private let ports: [Int32]

    /// Binds and serves.
    ///
    /// Ports are shared (SO_REUSEPORT), and a Unix socket takes over its predecessor's name with
    /// ``takeNames()``. At an upgrade both processes answer, and clients in the old queue are
    /// answered before it is closed.
    ///
    /// - Parameters:
    ///   - name: of the thread.
    ///   - replaces: a predecessor may still listen there.
    ///   - owner: the user that this process becomes, and that starts its successor.
    /// - Throws: `SystemError` about the address.
    package init(
        on wanted: [SocketAddress], name: StaticString, service: any AuxiliaryService,
        replaces: Bool, owner: Files.Owner? = nil
    ) throws(SystemError) {
        var raw: [Int32] = []
        var ports: [Int32] = []
        var bound: [SocketAddress] = []
        var named: [SocketName] = []
        for address in wanted {
            if address.isUnix {
                let (descriptor, name) = try SocketName.listen(
                    address.host, backlog: Self.backlog, mode: Self.socketMode, replaces: replaces)
                named.append(name)
                bound.append(address)
                raw.append(descriptor)
            } else {
                var listener = try ListeningSocket(on: address, backlog: Self.backlog)
                if let owner { listener.give(to: owner) }
                bound.append(listener.address)
                ports.append(listener.release())
            }
        }
        self.ports = ports
        addresses = bound
        names = named
        server = try AuxiliaryServer(
            owning: raw + ports, name: name, connectionsMaximum: Self.connectionsMaximum,
            backlog: Self.backlog, service: service)
    }

    /// Takes the names of Unix sockets from a predecessor. Call it when nothing can fail any more
    /// that would leave the predecessor serving.
    package func takeNames() throws(SystemError) {
        for name in names { try name.take() }
    }

    /// A process that failed before it served leaves nothing beside its predecessor's names.
    deinit { for name in names { name.leave() } }

    /// No new connection begins at a port. Call it only before ``leave()``.
    package func refuseNewClients() {
        for port in ports { ListeningSocket.refuseNewClients(port) }
    }

    /// Leaves the addresses to the next server; see ``AuxiliaryServer/leave()``.
    package func leave() { server.leave() }

    /// Answers the requests that have arrived, ends the thread and waits for it. Call exactly once.
    package func stop() {
        server.stop()
        for name in names { name.remove() }
    }
}
