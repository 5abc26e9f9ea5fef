package import OpenSSL
package import Reactor

/// All options of `aasa serve`. A plain value: made once by the command from flags and environment,
/// checked by `ServeOptions`, given to `Server` and to the reloader, never changed.
package struct ServerConfiguration: Sendable {
    /// One folder per host, see `SiteFolder`.
    package var siteFolder: String
    /// One folder per host with `fullchain.pem` and `privkey.pem`.
    package var certificateFolder: String
    /// A link to the folder of a revision, which holds `site/` in place of `siteFolder`: `aasa
    /// serve --fleet`. Nil: there is no fleet.
    package var revisionLink: String?
    /// Whether the revisions hold `certs/`, too, in place of `certificateFolder`.
    package var revisionHasCertificates = false
    /// At least one. Port 0 lets the kernel choose; the port chosen is printed and written to
    /// `readyFile`.
    package var listen: [SocketAddress]
    /// Which listeners expect headers of the PROXY protocol, and from which addresses; nil: none.
    package var proxyProtocol: ProxyProtocolSettings?
    /// The admin listener (health, metrics, status page); nil: none.
    package var admin: SocketAddress?
    /// Whether `admin` may be an address that other machines reach.
    package var adminAllowsNetwork = false
    /// Whether the metrics of `admin` need no token.
    package var adminOpensMetrics = false
    /// The file with the bearer token that protects the admin listener (`AdminTokenFile`).
    package var adminTokenFile: String?
    /// Event loops, each on its own thread; at least 1.
    package var workers = 1
    /// The host that answers for unknown `Host` fields and server names. With one host, it is that
    /// host. With several and no default, an unknown host gets 404, and 503 on the two association
    /// paths.
    package var defaultHost: String?

    /// How long connections are still accepted after SIGTERM, while `/readyz` fails
    /// (``TerminationStateMachine``).
    package var drain: Duration = .zero
    /// `max-age` of `Strict-Transport-Security` in seconds; 0 sends none.
    package var strictTransportSecuritySeconds = 63_072_000
    /// Issue one TLS session ticket per handshake (keys of this process, rotated). Off by
    /// default: a device connects only once, so its ticket costs a message and is never used.
    package var sessionTickets = false
    /// Whether clients that offer X25519MLKEM768 get it although they offer X25519 as well.
    package var prefersPostQuantum = false
    /// Whether few connections bring many requests: a CDN, a reverse proxy or a load test in front.
    /// The standard limits assume phones, which ask once or twice per connection.
    package var expectsPooledClients = false
    /// Documents answered per second over all workers; further requests get 503; nil: no bound. For
    /// a machine that serves something else as well.
    package var answersPerSecondMaximum: Int?
    /// The most connections open at once over all workers; nil: by the descriptor limit.
    package var connectionsMaximum: Int?
    /// Ephemeral key pairs that each worker makes ahead in idle time; 0: none; nil: by
    /// `ServerLimits.keyReservePairs`.
    package var keyReservePairs: Int?
    /// Ask the kernel to report changes of site and certificate folders (inotify). Polling stays
    /// on.
    package var watchesFolders = true
    /// How often the folders are compared with what was loaded, with or without inotify: network
    /// file systems do not report changes. Also the period of the certificate and signature timer.
    package var pollInterval: Duration = .seconds(60)

    package var log = LogSettings()
    /// Where the last good state of every host and certificate is kept after the process ends; nil:
    /// only a successor by `aasa upgrade` gets the state.
    package var stateFolder: String?
    /// The folder of the control socket, by which `aasa reload`, `upgrade` and `status` find the
    /// server; nil: there is no control socket.
    package var runFolder: String?
    /// Holds the process id while the server runs, and is locked for that time.
    package var pidFile: String?
    /// Written (temporary file, then rename) when the server accepts connections: one `listen
    /// ADDR:PORT` or `admin ADDR:PORT` line per listener with the port actually bound.
    package var readyFile: String?
    /// The server changes to this user after binding and reading keys: `USER` or `USER:GROUP`.
    package var user: String?

    /// The challenges of a certificate authority, which the listeners answer; nil: another program
    /// renews the certificates. If set, a host without a certificate waits for one.
    package var challenges: ChallengeTable?

    /// Where the site is served without TLS, to a TLS terminator on this machine: loopback
    /// addresses and Unix sockets; empty: nowhere.
    package var plainListen: [SocketAddress] = []
    /// Listeners without TLS that answer challenges (HTTP-01) and nothing else; empty: none.
    package var challengeListen: [SocketAddress] = []
    /// Whether the listener for challenges redirects all but the two association paths to HTTPS.
    package var redirectsPlain = false

    /// The limits that every worker starts from; only the experiments change them.
    package var limits = ServerLimits.standard

    package init(siteFolder: String, certificateFolder: String, listen: [SocketAddress]) {
        self.siteFolder = siteFolder
        self.certificateFolder = certificateFolder
        self.listen = listen
    }
}

extension SocketAddress {
    /// Reads where to listen: `ADDR:PORT`, `[ADDR]:PORT` or `unix:PATH`. `*:PORT` and `:PORT` mean
    /// every IPv4 and every IPv6 address, hence two results. Nil for any other text.
    package static func listening(_ text: String) -> [SocketAddress]? {
        let colon = text.lastIndex(of: ":") ?? text.endIndex
        let hosts =
            switch text[..<colon] {
            case "", "*": ["0.0.0.0", "[::]"]
            case "localhost": ["127.0.0.1"]
            case let host: [String(host)]
            }
        let addresses = hosts.compactMap { SocketAddress(parsing: $0 + text[colon...]) }
        return addresses.count == hosts.count ? addresses : nil
    }
}

/// What is logged, how and where to.
package struct LogSettings: Sendable, Equatable {
    package enum Format: String, Sendable, CaseIterable { case text, json }
    package enum Level: String, Sendable, CaseIterable { case debug, info, notice, warning, error }

    package var format: Format = .text
    package var level: Level = .info
    /// The event log; nil: stderr.
    package var file: String?
    /// The access log, `-` for stdout; nil: none is written (the counters remain).
    package var accessFile: String?
    /// The most access lines a second over all workers; further lines are counted, and the log
    /// tells the count.
    package var accessLinesPerSecond: Int = 1000
}

extension ServerConfiguration {
    /// All addresses that this server binds, by the option that names them.
    var listeners: [(option: String, listen: [SocketAddress])] {
        [
            ("--listen", listen), ("--admin", admin.map { [$0] } ?? []),
            ("--listen-plain", plainListen), ("--acme-http", challengeListen),
        ]
    }

    /// What this server writes into the folders that it reads, again and again: each write would be
    /// a change there, and so a reload, which writes again.
    package var filesThatCauseReloads: [(option: String, path: String, folder: String)] {
        var folders: [(option: String, path: String)] = []
        if revisionLink == nil { folders.append(("site", siteFolder)) }
        if !revisionHasCertificates { folders.append(("certs", certificateFolder)) }
        let written = [
            ("state", stateFolder), ("log-file", log.file), ("access-log", log.accessFile),
        ]
        return written.compactMap { option, path in
            // `-` is stdout.
            guard let path, path != "-",
                let folder = folders.first(where: { Files.leads(path, into: $0.path) })
            else { return nil }
            return (option, path, folder.option)
        }
    }
}

/// A listening socket that this process received instead of opening it: from systemd (`LISTEN_FDS`)
/// or from the process that it replaces.
package struct InheritedSocket: Sendable, Hashable {
    package let descriptor: Int32
    /// `FileDescriptorName=` of the socket unit, or the address it is bound to.
    package let name: String
    /// An aasa bound it, so only this process and its predecessor, which ends, have it.
    package var isOwn = false
}
