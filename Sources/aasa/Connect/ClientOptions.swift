import AASAClient
import AASADevice
import ArgumentParser
import Reactor

/// The options of every command that asks a live host.
struct ClientOptions: ParsableArguments {
    @OptionGroup var connect: ConnectOptions

    @Option(
        help: ArgumentHelp(
            "Ask this server instead of Apple's CDN. For hosts given with --resolve the CDN is "
                + "simulated.", valueName: "url"))
    var cdn: String?

    @Option(
        help: ArgumentHelp(
            "Time limit for one request.",
            valueName: "seconds"))
    var timeout: Double = 15

    func validate() throws {
        if let cdn, CDNRoute(parsing: cdn) == nil {
            throw ValidationError("--cdn wants https://host[:port][/base], not \"\(cdn)\"")
        }
        guard timeout >= 0.1, timeout <= 600 else {
            throw ValidationError("--timeout wants 0.1 to 600 seconds")
        }
    }

    var cdnRoute: CDNRoute? { cdn.flatMap { CDNRoute(parsing: $0) } }

    /// A single address may take all the time to connect.
    var limits: ClientRequest.Limits {
        var limits = ClientRequest.Limits()
        limits.total = .milliseconds(Int64(timeout * 1000))
        limits.connect = .milliseconds(Int64(timeout * 1000))
        return limits
    }

    /// Seconds since 1970.
    static var now: Int64 { WallClock.seconds }
}
