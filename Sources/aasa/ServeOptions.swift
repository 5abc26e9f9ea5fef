import AASAClient
import AASAFleet
import AASAServer
import ArgumentParser
import OpenSSL
import Reactor

/// The options of `aasa serve`, each a flag and an environment variable. All mistakes are reported
/// at once, each with the place it was made in.
struct ServeOptions: ParsableArguments {
    @OptionGroup var place: SiteOptions

    @Option(
        help: .value("host", "The host that answers for unknown names. (default: the only one)"))
    var defaultHost: String?

    @Flag(help: "Check everything, show what would be served, and exit.")
    var check = false

    @Option(
        help: .rare(
            "seconds",
            "max-age of Strict-Transport-Security; 0 sends no such header. (default: 63072000)"))
    var hsts: String?

    @Option(help: .rare("on|off", "TLS session tickets. (default: off)"))
    var tickets: String?

    @Flag(
        help: .rare(
            nil,
            "Prefer X25519MLKEM768 to X25519 (OpenSSL 3.5 or newer). It costs 40 % more per "
                + "handshake, and the documents are public."))
    var preferPostQuantum = false

    @Option(help: .rare("on|off", "Watch the folders for changes. (default: on)"))
    var watch: String?

    @Option(
        help: .rare("seconds", "How often to compare folders with what is served. (default: 60)"))
    var poll: String?

    @OptionGroup(title: "Status page and metrics") var status: StatusOptions
    @OptionGroup(title: "Process") var process: ProcessOptions
    @OptionGroup(title: "Load") var load: LoadOptions
    @OptionGroup(title: "Logs") var log: LogOptions
    @OptionGroup(title: "Proxies") var fronts: ProxyOptions
    @OptionGroup(title: "Automatic certificates (ACME)") var acme: ACMEOptions
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
        let named = reader.list("listen", place.listen)
        let addresses = named.isEmpty ? ["*:8443"] : named
        let advice = "write ADDR:PORT, such as 0.0.0.0:443 or [::]:443"
        let listeners = reader.addresses("listen", addresses, advice: advice) {
            $0.contains(where: \.isUnix) ? advice : nil
        }
        var configuration = ServerConfiguration(
            siteFolder: reader.folder("site", place.site, ofOneHost: Self.filesOfSite) ?? "site",
            certificateFolder: reader.folder(
                "certs", place.certs, ofOneHost: Self.filesOfCertificates) ?? "certs",
            listen: listeners)
        configuration.proxyProtocol = fronts.settings(&reader, listeners)
        configuration.plainListen = fronts.plainListeners(&reader)
        configuration.admin = reader.value(
            "admin", status.admin, advice: "write ADDR:PORT or unix:PATH (at most 107 bytes)"
        ) { text in
            // Of both addresses that `*` means, [::] takes IPv4 as well (EndpointSockets).
            SocketAddress.listening(text)?.last
        }
        configuration.adminTokenFile = reader.text("admin-token-file", status.adminTokenFile)
        configuration.adminAllowsNetwork =
            reader.flag("admin-allow-network", status.adminAllowNetwork)
        configuration.adminOpensMetrics = reader.flag("admin-open-metrics", status.adminOpenMetrics)
        if let admin = configuration.admin, !admin.isLoopback, !configuration.adminAllowsNetwork {
            reader.problem(
                "admin", "\(admin)",
                "other machines reach this address: choose 127.0.0.1, [::1] or unix:PATH, or say "
                    + "--admin-allow-network")
        }
        configuration.workers =
            reader.number("workers", load.workers, in: 1...256) ?? ProcessLimits.processorCount
        configuration.defaultHost = reader.text("default-host", defaultHost)?.lowercased()
        if let seconds = reader.number("drain", process.drain, in: 0...86_400) {
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
            "max-connections", load.maxConnections, in: 16...10_000_000)
        configuration.keyReservePairs = reader.number(
            "key-reserve", load.keyReserve, in: 0...1_000_000)
        configuration.answersPerSecondMaximum = reader.number(
            "budget", load.budget, in: 1...10_000_000)
        if let isOn = reader.toggle("watch", watch) { configuration.watchesFolders = isOn }
        if let seconds = reader.number("poll", poll, in: 1...86_400) {
            configuration.pollInterval = .seconds(seconds)
        }
        configuration.log.format =
            reader.choice("log-format", log.logFormat, of: LogSettings.Format.self) ?? .text
        configuration.log.level =
            reader.choice("log-level", log.logLevel, of: LogSettings.Level.self) ?? .info
        configuration.log.file = reader.text("log-file", log.logFile)
        configuration.log.accessFile = reader.text("access-log", log.accessLog)
        if let rate = reader.number("access-log-rate", log.accessLogRate, in: 1...1_000_000) {
            configuration.log.accessLinesPerSecond = rate
        }
        configuration.expectsPooledClients =
            reader.choice("clients", load.clients, of: Clients.self) == .pools
        // systemd names the folders of StateDirectory= with colons between them.
        configuration.stateFolder =
            reader.text("state", process.state)
            ?? environment["STATE_DIRECTORY"].flatMap {
                $0.split(separator: ":").first.map(String.init)
            }
        configuration.runFolder =
            reader.text("run", process.run)
            ?? RunFolder.ofServer(environment: environment, user: CurrentProcess.user).path
        configuration.pidFile = reader.text("pid-file", process.pidFile)
        configuration.readyFile = reader.text("ready-file", process.readyFile)
        configuration.user = reader.text("user", process.user)
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
            if let site = place.site.first {
                reader.problem("site", site, "--fleet provides the site: remove one")
            }
            if let state = configuration.stateFolder {
                let revisionDirectory = FleetFollower.revisionDirectory(
                    machine, state: state, owner: nil)
                configuration.revisionLink = revisionDirectory.currentLink
                configuration.revisionHasCertificates = machine.keyRing != nil
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
            throw reader.failure(remedy: "aasa serve --help-hidden explains every option")
        }
        return (configuration, renewals, machine)
    }
}
