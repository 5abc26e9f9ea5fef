package import Reactor

extension Endpoint {
    /// Listens while `body` runs, as `serve` would, on a port that no server uses yet. So the state
    /// before a first start can be checked from outside. There is no admin listener, no privileges
    /// are dropped, and no state is kept.
    ///
    /// - Throws: if the port is taken, or this user may not bind it.
    package func listening<Result>(_ body: () -> Result) throws(Problem) -> Result {
        var configuration = configuration
        configuration.admin = nil
        let sockets = try EndpointSockets(configuration, [])
        var limits = ServerLimits.standard
        limits.connectionsMaximum = Self.lookingConnectionsMaximum
        let log = log
        let server = try EndpointSockets.explaining("--listen") { () throws(SystemError) in
            try Server(
                addresses: sockets.addresses, workers: configuration.workers, limits: limits,
                publisher: publisher, report: { log.error("\($0)") })
        }
        let plainServer = try startChallenges()
        defer { plainServer?.stop() }
        try server.start()
        defer {
            server.drain(within: .zero)
            server.join()
        }
        return body()
    }

    /// For our own checks, one at a time, and for other clients that happen to connect.
    private static let lookingConnectionsMaximum = 64
}
