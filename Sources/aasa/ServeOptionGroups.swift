import ArgumentParser

/// What is served, and where: the options of every command that loads a site like the server.
struct SiteOptions: ParsableArguments {
    @Option(help: .value("dir", "The site: one folder per host. (default: site)"))
    var site: [String] = []

    @Option(help: .value("dir", "The certificates: one folder per host. (default: certs)"))
    var certs: [String] = []

    @Option(
        help: .value(
            "addr:port", "Where to listen, *:PORT for every address; repeatable. (default: *:8443)")
    )
    var listen: [String] = []
}

/// The options of `aasa serve` about its status page and metrics.
struct StatusOptions: ParsableArguments {
    @Option(
        help: .value(
            "addr:port",
            "Health, metrics and the status page, on a loopback address or unix:PATH."))
    var admin: String?

    @Flag(
        help: .rare(
            nil,
            "Allow --admin on an address that other machines reach. /healthz and /readyz are open "
                + "there; the rest requires --admin-token-file."))
    var adminAllowNetwork = false

    @Flag(help: .rare(nil, "Open /metrics without a token."))
    var adminOpenMetrics = false

    @Option(
        help: .rare("file", "The token that all but /healthz and /readyz require (Bearer)."))
    var adminTokenFile: String?
}

/// The options of `aasa serve` about its logs.
struct LogOptions: ParsableArguments {
    @Option(help: .rare("format", "text for people, json for tools. (default: text)"))
    var logFormat: String?

    @Option(help: .rare("level", "debug, info, notice, warning or error. (default: info)"))
    var logLevel: String?

    @Option(help: .rare("file", "Where the log goes. (default: standard error)"))
    var logFile: String?

    @Option(help: .rare("file", "Log one line per answer; - is standard output."))
    var accessLog: String?

    @Option(
        help: .rare(
            "n", "Maximum access lines per second; aasa counts the rest. (default: 1000)"))
    var accessLogRate: String?
}

/// The options of `aasa serve` about load.
struct LoadOptions: ParsableArguments {
    @Option(
        help: .rare("n", "Worker threads. (default: one per processor)"))
    var workers: String?

    @Option(
        help: .rare("n", "Maximum open connections. (default: by the descriptor limit)"))
    var maxConnections: String?

    @Option(
        help: .rare(
            "n",
            "Ephemeral key pairs that each worker makes in idle time, 64 bytes each; 0 makes none. "
                + "(default: 16384, at most 65536 in all)"))
    var keyReserve: String?

    @Option(
        help: .rare(
            "n",
            "Documents per second; further requests get 503. For a machine that also serves "
                + "something else. (default: no limit)"))
    var budget: String?

    @Option(
        help: .rare(
            "phones|pools",
            "Limits per connection: for phones, or for pools (a CDN, proxy, load test). "
                + "(default: phones)"))
    var clients: String?
}

/// The options of `aasa serve` about its process.
struct ProcessOptions: ParsableArguments {
    @Option(
        help: .value(
            "seconds",
            "After SIGTERM, keep accepting connections for this long while /readyz fails. (default: 0)"
        ))
    var drain: String?

    @Option(
        help: .value(
            "dir", "Keep the last good version of every host here, across restarts."))
    var state: String?

    @Option(
        help: .rare(
            "dir",
            "Where aasa reload, upgrade and status find this server. (default: /run/aasa for root, "
                + "else $XDG_RUNTIME_DIR/aasa or /tmp/aasa-UID)"))
    var run: String?

    @Option(help: .rare("file", "Holds the process ID while the server runs."))
    var pidFile: String?

    @Option(
        help: .rare("file", "Written when the server is ready: its addresses and ports."))
    var readyFile: String?

    @Option(
        help: .value("user[:group]", "Switch to this user after binding ports and reading keys."))
    var user: String?
}
