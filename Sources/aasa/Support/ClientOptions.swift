import AASAClient
import AASADevice
import ArgumentParser
import Reactor

/// The options of every command that asks a live host.
struct ClientOptions: ParsableArguments {
    @OptionGroup var connect: ConnectOptions

    @Option(
        help: ArgumentHelp(
            "Ask this server in place of Apple's CDN: https://host[:port][/base]. Without it, "
                + "hosts named by --resolve get a CDN that is played here, all others Apple's own.",
            valueName: "url"))
    var cdn: String?

    @Option(
        help: ArgumentHelp(
            "Seconds for one request. Several addresses of a host that are tried one after another "
                + "share them, with at most 5 to connect to each.", valueName: "seconds"))
    var timeout: Double = 15

    @Option(help: "How to answer: text or json.")
    var format: MatchReport.Format = .text

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
