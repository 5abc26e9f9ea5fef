import AASAClient
import AASADevice
import ArgumentParser
import Reactor

/// The options of every command that asks a live host.
struct ClientOptions: ParsableArguments {
    @OptionGroup var connect: ConnectOptions

    @Option(
        help: .value(
            "url",
            "Ask this server instead of Apple's CDN. For hosts given with --resolve the CDN is simulated."
        ))
    var cdn: String?

    @Option(
        help: .value("seconds", "Time limit for one request."))
    var timeout: Double = 15

    func validate() throws {
        if let cdn, CDNRoute(parsing: cdn) == nil {
            throw ValidationError("--cdn takes https://host[:port][/base], not \"\(cdn)\"")
        }
        guard timeout >= 0.1, timeout <= 600 else {
            throw ValidationError("--timeout takes 0.1 to 600 seconds")
        }
    }

    /// A single address may take all the time to connect.
    var limits: ClientRequest.Limits {
        var limits = ClientRequest.Limits()
        limits.total = .milliseconds(Int64(timeout * 1000))
        limits.connect = .milliseconds(Int64(timeout * 1000))
        return limits
    }

    /// A client of the network with these options.
    func network() throws -> HTTPClient { try HTTPClient(resolver: connect.resolver) }

    /// A phone on this network.
    func phone(_ app: String?, _ era: Era) -> Device.Settings {
        var settings = Device.Settings(
            app: app, era: era,
            signatures: SignedDocument.reader(
                authorityFile: connect.cacert, now: WallClock.seconds))
        settings.resolver = connect.resolver
        settings.cdn = cdn.flatMap { CDNRoute(parsing: $0) }
        settings.authorityFile = connect.cacert
        settings.limits = limits
        return settings
    }
}
