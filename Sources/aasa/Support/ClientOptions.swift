import AASADevice
import ArgumentParser
import Glibc

/// The options of every command that asks a live host.
struct ClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Connect to ADDR for HOST:PORT, as curl does; repeatable.",
            valueName: "host:port:addr"))
    var resolve: [String] = []

    @Option(
        help: ArgumentHelp(
            "Trust the certificates in this PEM file as well.", valueName: "file"))
    var cacert: String?

    @Option(
        help: ArgumentHelp(
            "Ask this server in place of Apple's CDN: https://host[:port][/base]. Without it, "
                + "hosts named by --resolve get a CDN that is played here, all others Apple's own.",
            valueName: "url"))
    var cdn: String?

    @Option(help: ArgumentHelp("Seconds for one request.", valueName: "seconds"))
    var timeout: Double = 15

    @Option(help: "How to answer: text or json.")
    var format: MatchReport.Format = .text

    func validate() throws {
        for text in resolve where Resolver.Override(parsing: text) == nil {
            throw ValidationError(
                "--resolve wants HOST:PORT:ADDR, such as example.com:443:127.0.0.1, not \"\(text)\""
            )
        }
        if let cdn, CDNRoute(parsing: cdn) == nil {
            throw ValidationError("--cdn wants https://host[:port][/base], not \"\(cdn)\"")
        }
        guard timeout >= 0.1, timeout <= 600 else {
            throw ValidationError("--timeout wants 0.1 to 600 seconds")
        }
    }

    var resolver: Resolver {
        Resolver(overrides: resolve.compactMap { Resolver.Override(parsing: $0) })
    }

    var cdnRoute: CDNRoute? { cdn.flatMap { CDNRoute(parsing: $0) } }

    var limits: ClientRequest.Limits {
        var limits = ClientRequest.Limits()
        limits.total = .milliseconds(Int64(timeout * 1000))
        limits.connect = .milliseconds(Int64(timeout * 1000))
        return limits
    }

    /// A missing file would otherwise come out as a failed request.
    func checkFiles() throws {
        guard let cacert else { return }
        if access(cacert, R_OK) != 0 {
            throw CommandError(String(cString: strerror(errno)), place: cacert)
        }
    }

    /// Seconds since 1970.
    static var now: Int64 { Int64(time(nil)) }
}
