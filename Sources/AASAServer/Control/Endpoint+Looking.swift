package import Reactor

extension Endpoint {
    /// Listens for as long as `body` runs, as `serve` would and where nobody does yet: what stands
    /// before a first start can be looked at from outside. No admin listener, no privileges
    /// dropped, nothing kept.
    ///
    /// - Throws: where the port is taken, or this user may not take it.
    package func listening<Result>(
        plain: PlainChallenges, _ body: () -> Result
    ) throws(Problem) -> Result {
        var configuration = configuration
        configuration.admin = nil
        let sockets = try EndpointSockets(configuration, [])
        var limits = ServerLimits.standard
        limits.connectionsMaximum = Self.lookingConnectionsMaximum
        let log = log
        let server: Server
        do throws(SystemError) {
            server = try Server(
                addresses: sockets.addresses, workers: configuration.workers, limits: limits,
                publisher: publisher, report: { log.error("\($0)") })
        } catch {
            throw sockets.failure(error)
        }
        let plainServer = try startChallenges(plain)
        defer { plainServer?.stop() }
        do throws(ServerError) {
            try server.start()
        } catch {
            throw Problem(
                place: "start", cause: error.description, remedy: Problem.limitsOfTheMachine)
        }
        defer {
            server.drain(within: .zero)
            server.join()
        }
        return body()
    }

    /// Our own looks, one at a time, and whoever else comes by.
    private static let lookingConnectionsMaximum = 64
}
