package import Reactor

/// Listens at the ports of a server that still loads its site, so that clients wait for it in the
/// kernel's queues, where the workers find them.
///
/// Where nothing listens, the kernel refuses the connection at once, and the association has
/// failed.
package final class PortHold: Sendable {
    /// Between two checks of a port that another aasa is about to close: clients that come in
    /// between are refused. A check takes some 10 µs.
    private static let pause: Duration = .milliseconds(1)

    private let configuration: ServerConfiguration
    private let held = Lock<[SocketAddress: [Int32]]>([:])
    /// Waits for what was not free; nil: there is no thread to be had.
    private let waiting = try? StoppableThreads()

    /// Holds what is free, and the rest as soon as the server that shuts down has closed it. A port
    /// that cannot be held is left to the start, which says why.
    ///
    /// - Parameter sockets: listening sockets that were handed over: their clients wait already.
    package init(_ configuration: ServerConfiguration, _ sockets: [InheritedSocket]) {
        self.configuration = configuration
        let wanted = (try? EndpointSockets.wanted(configuration, sockets)) ?? []
        let taken = wanted.filter { $0.port != 0 && !hold($0) }
        if taken.isEmpty { return }
        try? waiting?.start(name: "aasa-ports") { [self, waiting] in
            var taken = taken
            while !taken.isEmpty, waiting?.isStopping == false {
                waiting?.wait(within: Self.pause)
                taken.removeAll(where: hold)
            }
        }
    }

    private func hold(_ address: SocketAddress) -> Bool {
        guard ListeningSocket.probe(address) == nil else { return false }
        let listeners = (0..<configuration.workers).compactMap { _ in
            try? Server.listener(on: address, configuration.limits)
        }
        if listeners.isEmpty { return false }
        held.withLock { $0[address] = listeners }
        return true
    }

    /// By address: a listening socket for each worker. The caller owns them, and no other address
    /// is held from now on.
    package func take() -> [SocketAddress: [Int32]] {
        waiting?.stop()
        return held.withLock { $0 }
    }
}
