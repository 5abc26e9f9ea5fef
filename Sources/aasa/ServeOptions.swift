import AASAClient
import AASAFleet
import AASAServer
import ArgumentParser
import OpenSSL
import Reactor

/// The options of `aasa serve`, each a flag and an environment variable. All mistakes are reported
/// at once, each with the place it was made in.
struct ServeOptions: ParsableArguments {
    @Option(help: "The site: one folder per host. (AASA_SITE, default: site)")
    var site: [String] = []

    @Option(help: "The certificates: one folder per host. (AASA_CERTS, default: certs)")
    var certs: [String] = []

    @Option(
        help: ArgumentHelp(
            "Where to listen; may be repeated. *:PORT is every address. "
                + "(AASA_LISTEN, separated by commas, default: *:8443)", valueName: "addr:port"))
    var listen: [String] = []

    @Option(
        help: ArgumentHelp(
            "Health, metrics and the status page, for yourself only: a loopback address or "
                + "unix:PATH. (AASA_ADMIN, default: none)", valueName: "addr:port"))
    var admin: String?

    @Flag(
        help: ArgumentHelp(
            "Let --admin be an address that other machines reach: /healthz and /readyz are open "
                + "there, the rest needs --admin-token-file. (AASA_ADMIN_ALLOW_NETWORK=on)"))
    var adminAllowNetwork = false

    @Flag(
        help: ArgumentHelp(
            "Open /metrics of --admin without a token, on an address that only your monitoring "
                + "reaches. (AASA_ADMIN_OPEN_METRICS=on)"))
    var adminOpenMetrics = false

    @Option(
        help: ArgumentHelp(
            "Holds the token that all but /healthz and /readyz of --admin ask for, as "
                + "Authorization: Bearer. (AASA_ADMIN_TOKEN_FILE, default: none)",
            valueName: "file"))
    var adminTokenFile: String?

    @Option(
        parsing: .unconditional,
        help: "Worker threads. (AASA_WORKERS, default: one per processor)")
    var workers: String?

    @Option(
        help: ArgumentHelp(
            "The host that answers for unknown names. (AASA_DEFAULT_HOST, default: the only one)",
            valueName: "host"))
    var defaultHost: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Seconds in which connections are still accepted after SIGTERM, while /readyz fails, so "
                + "that load balancers notice. (AASA_DRAIN, default: 0)",
            valueName: "seconds"))
    var drain: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Strict-Transport-Security max-age; 0 sends none. (AASA_HSTS, default: 63072000)",
            valueName: "seconds"))
    var hsts: String?

    @Option(
        help: ArgumentHelp(
            "TLS session tickets, on or off. (AASA_TICKETS, default: off)", valueName: "on|off"))
    var tickets: String?

    @Flag(
        help: ArgumentHelp(
            "Prefer the key exchange X25519MLKEM768 to X25519 (OpenSSL 3.5 and newer). It costs a "
                + "third more per handshake, and the documents are public. "
                + "(AASA_PREFER_POST_QUANTUM=on)"))
    var preferPostQuantum = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The most open connections. (AASA_MAX_CONNECTIONS, default: by the descriptor limit)",
            valueName: "n"))
    var maxConnections: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Ephemeral key pairs that each worker makes ahead in idle time, at 64 bytes; 0: none. "
                + "(AASA_KEY_RESERVE, default: 16384, and 65536 in all)", valueName: "n"))
    var keyReserve: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Documents answered per second, the rest gets 503: for a machine that serves "
                + "something else as well. (AASA_BUDGET, default: no bound)", valueName: "n"))
    var budget: String?

    @Option(
        help: ArgumentHelp(
            "Watch the folders for changes, on or off. (AASA_WATCH, default: on)",
            valueName: "on|off"))
    var watch: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Seconds between comparisons of the folders. (AASA_POLL, default: 60)",
            valueName: "seconds"))
    var poll: String?

    @Option(
        help: ArgumentHelp(
            "text for people, json for machines. (AASA_LOG_FORMAT, default: text)",
            valueName: "format"))
    var logFormat: String?

    @Option(
        help: ArgumentHelp(
            "debug, info, notice, warning or error. (AASA_LOG_LEVEL, default: info)",
            valueName: "level"))
    var logLevel: String?

    @Option(
        help: ArgumentHelp("The log. (AASA_LOG_FILE, default: stderr)", valueName: "file"))
    var logFile: String?

    @Option(
        help: ArgumentHelp(
            "One line per answer; - is stdout. (AASA_ACCESS_LOG, default: none)",
            valueName: "file"))
    var accessLog: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The most access lines a second; the rest is counted. "
                + "(AASA_ACCESS_LOG_RATE, default: 1000)", valueName: "n"))
    var accessLogRate: String?

    @Option(
        help: ArgumentHelp(
            "phones ask once per connection; pools (a CDN, a proxy, a load test) often. "
                + "(AASA_CLIENTS, default: phones)", valueName: "phones|pools"))
    var clients: String?

    @Option(
        help: ArgumentHelp(
            "Keeps the last good state of every host (documents, siblings, certificates with their "
                + "keys) over restarts. "
                + "(AASA_STATE, default: systemd's StateDirectory=, else none)",
            valueName: "dir"))
    var state: String?

    @Option(
        help: ArgumentHelp(
            "Where aasa reload, upgrade and status find this server. (AASA_RUN, default: "
                + "/run/aasa for root, else $XDG_RUNTIME_DIR/aasa or /tmp/aasa-UID)",
            valueName: "dir"))
    var run: String?

    @Option(
        help: ArgumentHelp(
            "Holds the process id while the server runs. (AASA_PID_FILE, default: none)",
            valueName: "file"))
    var pidFile: String?

    @Option(
        help: ArgumentHelp(
            "Written when the server serves: its addresses, with real ports. "
                + "(AASA_READY_FILE, default: none)", valueName: "file"))
    var readyFile: String?

    @Option(
        help: ArgumentHelp(
            "Become this user after binding and reading keys. (AASA_USER, default: none)",
            valueName: "user[:group]"))
    var user: String?

    @OptionGroup var fronts: ProxyOptions

    @Flag(help: "Check everything, say what would be served, and exit.")
    var check = false

    @OptionGroup(title: "Certificates by themselves") var acme: ACMEOptions
    @OptionGroup(title: "A fleet") var fleet: FleetServeOptions

    /// What lies in the folder of one host, and never beside the folders of hosts.
    private static let filesOfSite = ["host.json", "teams", "apple-app-site-association"]
    private static let filesOfCertificates = ["fullchain.pem", "privkey.pem", "tls.crt", "tls.key"]

    enum Clients: String, CaseIterable { case phones, pools }

    /// The configuration that flags and environment together make.
    ///
    /// - Returns: also what renews its certificates and what makes it a machine of a fleet; nil:
    ///   nothing does.
    func configuration(
        environment: [String: String]
    ) throws -> (
        server: ServerConfiguration, acme: ACMEOptions.Configuration?, fleet: AgentSettings?
    ) {
        var reader = OptionReader(environment: environment)
        let addresses =
            listen.isEmpty
            ? (environment["AASA_LISTEN"] ?? "*:8443").split(separator: ",").map {
                $0.trimmingBlanks
            } : listen
        var listeners: [ListenAddress] = []
        for text in addresses {
            guard let parsed = ListenAddress.parse(text),
                !parsed.contains(where: { if case .unix = $0 { true } else { false } })
            else {
                reader.problem("listen", text, "write ADDR:PORT, such as 0.0.0.0:443 or [::]:443")
                continue
            }
            listeners += parsed
        }
        if listeners.isEmpty, reader.problems.isEmpty {
            reader.problem("listen", "", "write ADDR:PORT, such as 0.0.0.0:443 or [::]:443")
        }
        var configuration = ServerConfiguration(
            siteFolder: reader.folder("site", site, ofOneHost: Self.filesOfSite) ?? "site",
            certificateFolder: reader.folder("certs", certs, ofOneHost: Self.filesOfCertificates)
                ?? "certs", listen: listeners)
        configuration.proxyProtocol = fronts.settings(&reader, listeners)
        configuration.plainListen = fronts.plainListeners(&reader)
        configuration.admin = reader.value(
            "admin", admin, advice: "write ADDR:PORT or unix:PATH"
        ) { text in
            // Of both addresses that `*` means, [::] takes IPv4 as well (EndpointSockets).
            ListenAddress.parse(text)?.last
        }
        configuration.adminTokenFile = reader.text("admin-token-file", adminTokenFile)
        configuration.adminAllowsNetwork =
            reader.flag("admin-allow-network", adminAllowNetwork)
        configuration.adminOpensMetrics = reader.flag("admin-open-metrics", adminOpenMetrics)
        if let admin = configuration.admin, admin.isOnNetwork, !configuration.adminAllowsNetwork {
            reader.problem(
                "admin", "\(admin)",
                "other machines reach this address: choose 127.0.0.1, [::1] or unix:PATH, or say "
                    + "--admin-allow-network")
        }
        configuration.workers =
            reader.number("workers", workers, in: 1...256) ?? ProcessLimits.processorCount
        configuration.defaultHost = reader.text("default-host", defaultHost)?.lowercased()
        if let seconds = reader.number("drain", drain, in: 0...86_400) {
            configuration.drain = .seconds(seconds)
        }
        if let seconds = reader.number("hsts", hsts, in: 0...1_000_000_000) {
            configuration.strictTransportSecuritySeconds = seconds
        }
        if let isOn = reader.toggle("tickets", tickets) { configuration.sessionTickets = isOn }
        configuration.prefersPostQuantum = reader.flag("prefer-post-quantum", preferPostQuantum)
        if configuration.prefersPostQuantum, !TLSLibrary.hasHybridGroup {
            reader.problem(
                "prefer-post-quantum", "on",
                "X25519MLKEM768 requires OpenSSL 3.5 or newer, and this is \(TLSLibrary.version)")
        }
        configuration.connectionsMaximum = reader.number(
            "max-connections", maxConnections, in: 16...10_000_000)
        configuration.keyReservePairs = reader.number(
            "key-reserve", keyReserve, in: 0...1_000_000)
        configuration.answersPerSecondMaximum = reader.number(
            "budget", budget, in: 1...10_000_000)
        if let isOn = reader.toggle("watch", watch) { configuration.watchesFolders = isOn }
        if let seconds = reader.number("poll", poll, in: 1...86_400) {
            configuration.pollInterval = .seconds(seconds)
        }
        configuration.log.format =
            reader.choice("log-format", logFormat, of: LogSettings.Format.self) ?? .text
        configuration.log.level =
            reader.choice("log-level", logLevel, of: LogSettings.Level.self) ?? .info
        configuration.log.file = reader.text("log-file", logFile)
        configuration.log.accessFile = reader.text("access-log", accessLog)
        if let rate = reader.number("access-log-rate", accessLogRate, in: 1...1_000_000) {
            configuration.log.accessLinesPerSecond = rate
        }
        configuration.expectsPooledClients =
            reader.choice("clients", clients, of: Clients.self) == .pools
        // systemd names the folders of StateDirectory= with colons between them.
        configuration.stateFolder =
            reader.text("state", state)
            ?? environment["STATE_DIRECTORY"].flatMap {
                $0.split(separator: ":").first.map(String.init)
            }
        configuration.runFolder =
            reader.text("run", self.run)
            ?? RunFolder.ofServer(environment: environment, user: CurrentProcess.user).path
        configuration.pidFile = reader.text("pid-file", pidFile)
        configuration.readyFile = reader.text("ready-file", readyFile)
        configuration.user = reader.text("user", user)
        var renewals = acme.configuration(&reader)
        if let renewals {
            configuration.challenges = ChallengeTable()
            configuration.challengeListen = renewals.plain
            configuration.redirectsPlain = renewals.redirectsPlain
        }
        var machine = fleet.settings(&reader, environment: environment)
        if renewals != nil, let keyRing = machine?.keyRing {
            // The fleet's certificates are those that its machines order, not the publisher's.
            renewals?.fleetKeys = keyRing
            renewals?.settings.isShared = true
            machine?.keyRing = nil
        }
        if let machine {
            if let site = site.first {
                reader.problem("site", site, "--fleet brings the site: leave one out")
            }
            if let state = configuration.stateFolder {
                let revisionDirectory = FleetFollower.revisionDirectory(
                    machine, state: state, owner: nil)
                configuration.revisionLink = RevisionLink(
                    path: revisionDirectory.currentLink, hasCertificates: machine.keyRing != nil)
            } else {
                reader.problem(
                    "state", "", "--fleet keeps what it serves on disk: name a folder for it")
            }
        }
        for mistake in configuration.filesThatCauseReloads {
            reader.problem(
                mistake.option, mistake.path,
                "each write there would be a change of --\(mistake.folder): name a place outside "
                    + "of that folder")
        }
        reader.warnAboutUnknown()
        if !reader.problems.isEmpty {
            for problem in reader.problems.dropLast() {
                Terminal.note(lines: CommandError(problem).text)
            }
            throw CommandError(
                reader.problems.last ?? "",
                remedy: "aasa serve --help explains every option", status: .usage)
        }
        return (configuration, renewals, machine)
    }
}
