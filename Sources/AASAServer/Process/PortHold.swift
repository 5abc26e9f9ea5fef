package import Reactor

/// Holds the ports of a server that still loads its site, so that clients wait for it.
///
/// The kernel drops each SYN there, and the client sends it again after 1, 3 and 7 seconds
/// (RFC 6298, sections 2.1 and 5.5). Where nothing listens, the kernel refuses the connection at
/// once, and the association has failed.
package final class PortHold: Sendable {
    /// Between two checks of a port that another aasa is about to close: clients that come in
    /// between are refused. A check takes some 10 µs.
    private static let pause: Duration = .milliseconds(1)

    private struct Held {
        var addresses: [SocketAddress] = []
        var descriptors: [Int32] = []
        /// Waits for what was not free.
        var thread: WorkerThread?
        var isOver = false
    }

    private let held = Lock(Held())

    /// Holds what is free, and the rest as soon as the server that shuts down has closed it. A port
    /// that cannot be held is left to the start, which says why.
    ///
    /// - Parameter sockets: listening sockets that were handed over: their clients wait already.
    package init(_ configuration: ServerConfiguration, _ sockets: [InheritedSocket]) {
        let wanted = (try? EndpointSockets.wanted(configuration, sockets)) ?? []
        let taken = wanted.filter { $0.port != 0 && !hold($0) }
        if taken.isEmpty { return }
        let waiting = try? WorkerThread(name: "aasa-ports") { [self] in
            var taken = taken
            while !taken.isEmpty, !held.withLock({ $0.isOver }) {
                _ = Waiting.wait([], until: .now() + Self.pause)
                taken.removeAll(where: hold)
            }
        }
        held.withLock { $0.thread = waiting }
    }

    private func hold(_ address: SocketAddress) -> Bool {
        guard ListeningSocket.probe(address) == nil,
            var socket = try? ListeningSocket(on: address, backlog: 1, dropsClients: true)
        else { return false }
        let descriptor = socket.release()
        held.withLock {
            $0.addresses.append(address)
            $0.descriptors.append(descriptor)
        }
        return true
    }

    /// The addresses that are held; no others are from now on.
    package func settle() -> [SocketAddress] {
        let thread = held.withLock { held in
            held.isOver = true
            return held.thread
        }
        thread?.join()
        return held.withLock { $0.addresses }
    }

    /// Lets clients connect to the listeners that share the ports by now.
    package func release() {
        _ = settle()
        let descriptors = held.withLock { held in
            defer { held.descriptors = [] }
            return held.descriptors
        }
        for descriptor in descriptors { FileDescriptor.close(descriptor) }
    }
}
