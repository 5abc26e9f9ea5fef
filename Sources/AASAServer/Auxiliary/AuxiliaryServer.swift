package import Reactor

/// Auxiliary listeners on a thread of their own: a stuck page costs the workers nothing, and a
/// storm on the public port does not hide the page.
package final class AuxiliaryServer: Sendable {
    /// Enough for a second of a storm behind a terminator, or all validators of an order at once.
    static let backlog: Int32 = 256
    /// 256 connections of 64 KB of input and one document each at most: 16 MB and 32 MB.
    package static let connectionsMaximum = 256

    /// Where it listens, with real ports; empty for sockets that the caller has bound.
    package let addresses: [SocketAddress]
    private let thread: StoppableThreads
    /// Of its Unix sockets.
    private let names: [SocketName]
    /// The descriptors of the other sockets.
    private let ports: [Int32]

    /// Serves on listening sockets until `stop`.
    ///
    /// - Parameters:
    ///   - ports: raw descriptors; the server owns them from here on.
    ///   - named: the same of Unix sockets, with their names.
    ///   - name: of the thread, 15 bytes at most.
    /// - Throws: `SystemError` when a thread or descriptor cannot be had.
    package init(
        owning ports: [Int32], named: [(descriptor: Int32, name: SocketName)] = [],
        at addresses: [SocketAddress] = [], name: StaticString, connectionsMaximum: Int,
        service: any AuxiliaryService
    ) throws(SystemError) {
        let thread = try StoppableThreads()
        self.thread = thread
        self.addresses = addresses
        self.ports = ports
        names = named.map(\.name)
        let listeners = named.map(\.descriptor) + ports
        try thread.start(name: "\(name)") {
            var loop = try? AuxiliaryLoop(
                listeners: listeners, service: service, connectionsMaximum: connectionsMaximum,
                thread: thread)
            loop?.run()
        }
    }

    /// Binds and serves.
    ///
    /// Ports are shared (SO_REUSEPORT), and a Unix socket takes over its predecessor's name with
    /// ``takeNames()``. At an upgrade both processes answer, and clients in the old queue are
    /// answered before it is closed.
    ///
    /// - Parameters:
    ///   - replaces: a predecessor may still listen there.
    ///   - owner: the user that this process becomes, and that starts its successor.
    ///   - mode: who may connect to a Unix socket (chmod(2)); every user of the machine, where the
    ///     answers are public.
    /// - Throws: `SystemError` about the address.
    package convenience init(
        on wanted: [SocketAddress], name: StaticString, service: any AuxiliaryService,
        replaces: Bool = false, owner: Files.Owner? = nil, mode: UInt32 = 0o666,
        connectionsMaximum: Int = connectionsMaximum
    ) throws(SystemError) {
        var ports: [Int32] = []
        var named: [(descriptor: Int32, name: SocketName)] = []
        var bound: [SocketAddress] = []
        for address in wanted {
            if address.isUnix {
                named.append(
                    try SocketName.listen(
                        address.host, backlog: Self.backlog, mode: mode, replaces: replaces))
                bound.append(address)
            } else {
                var listener = try ListeningSocket(on: address, backlog: Self.backlog)
                if let owner { listener.give(to: owner) }
                bound.append(listener.address)
                ports.append(listener.release())
            }
        }
        try self.init(
            owning: ports, named: named, at: bound, name: name,
            connectionsMaximum: connectionsMaximum, service: service)
    }

    /// Takes the names of Unix sockets from a predecessor. Call it when nothing can fail any more
    /// that would leave the predecessor serving.
    package func takeNames() throws(SystemError) {
        for name in names { try name.take() }
    }

    /// A process that fails before it serves, and never calls `stop`, leaves neither its thread nor
    /// anything beside its predecessor's names.
    deinit {
        thread.stop()
        for name in names { name.leave() }
    }

    /// No new connection begins at a port. Call it only before ``leave()``.
    package func refuseNewClients() {
        for port in ports { ListeningSocket.refuseNewClients(port) }
    }

    /// Closes the listeners, so that later connections are a successor's, and answers the requests
    /// that have arrived. The caller must still call `stop`.
    package func leave() { thread.raise() }

    /// Gives up its names, answers the requests that have arrived, ends the thread and waits for
    /// it.
    package func stop() {
        for name in names { name.remove() }
        thread.stop()
    }
}
