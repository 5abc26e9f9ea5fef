import AASAClient
import AASADevice
import AppSiteAssociation
import ArgumentParser
import Reactor

/// `aasa check`: a live host, looked at as every asker does.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a live host as devices and Apple's crawler see it.",
        discussion: """
            Requests both paths as Apple's crawler and as devices, over every address, TLS and HTTP \
            version, compares Apple's copy, and simulates a device of each era. With --watch it \
            keeps checking and prints only changes (deploy/guides/monitoring.md).

            Exit status: 0 good, 1 findings at or above --fail-on, 3 this machine has no route to \
            the host. It is never 0 if current devices (iOS 14 and later) do not associate the app.

              aasa check example.com --app D3KQX62K1A.com.example.app --siblings
              aasa check example.com --resolve example.com:443:127.0.0.1 --cacert ca.pem
              aasa check --watch 300 --hosts-file hosts.txt --admin 127.0.0.1:9444
            """)

    @Argument(help: .value("host", "Hosts, with a port if it is not 443."))
    var hosts: [String] = []

    @Option(help: .value("id", "An app that the document must list."))
    var app: String?

    @Flag(inversion: .prefixedNo, help: "Whether to compare with the copy on Apple's CDN.")
    var cdnCopy = true

    @Flag(help: "Also check siblings such as assetlinks.json.")
    var siblings = false

    @Option(
        help: .value("severity", "The lowest severity that fails the check."))
    var failOn: Severity = .error

    @Flag(help: "Show notes too; in JSON, every request.")
    var verbose = false

    @Option(help: .value("code", "Explain a code and exit; \"all\" lists every code."))
    var explain: String?

    @Option(
        help: .value("n", "Hosts to check at once. (default: 8; 32 with --watch)"))
    var parallel: Int?

    @Option(help: "Output format.") var format: OutputFormat = .text

    @OptionGroup(title: "Connection") var client: ClientOptions

    @OptionGroup(title: "Watching") var watching: WatchOptions

    func validate() throws {
        if let app { try AppCommand.validate(app: app) }
        if explain == nil, hosts.isEmpty, watching.hostsFile == nil {
            throw ValidationError("name at least one host")
        }
        for host in hosts {
            guard let target = CheckTarget(host) else {
                throw ValidationError("\"\(host)\" is not a host name")
            }
            if target.hasPath {
                throw ValidationError(
                    "\"\(host)\" has a path, and a host is checked at fixed ones: write \(target.name)"
                )
            }
        }
        guard (1...64).contains(parallel ?? 8) else {
            throw ValidationError("--parallel takes a number from 1 to 64")
        }
    }

    func run() throws {
        if let explain {
            return explain == "all" ? CodeCatalog.list() : try CodeCatalog.explain(explain)
        }
        try client.connect.checkFiles()
        var seen: Set<String> = []
        let targets = (hosts + (try watching.namesFromFile())).compactMap { CheckTarget($0) }
            .filter { seen.insert($0.name).inserted }
        if targets.isEmpty {
            throw CommandError(
                "it contains no host", place: watching.hostsFile,
                remedy: "write one host a line", status: .usage)
        }
        if let seconds = watching.watch { return try watch(targets, every: seconds) }
        let reports = try checkAll(targets)
        let requests = reports.flatMap { $0.evidence.probes.map(\.exchange.request) }
        client.connect.place.noteUnused(
            targets.map { ($0.host, $0.port) } + requests.map { ($0.host, $0.port) })
        format.show(
            reports.map { $0.text(verbose: verbose) }.joined(separator: "\n\n"),
            .list(reports.map { $0.json(exchanges: verbose) }))
        let failing = reports.filter { $0.fails(at: failOn) }
        if failing.contains(where: { !$0.evidence.hasNoRoute }) { throw ExitStatus.findings }
        if !failing.isEmpty { throw ExitStatus.couldNotRun }
    }

    /// Requests at once, to all hosts together: their clients hold some megabytes each.
    private static let requestsMaximum = 32

    func settings(_ count: Int) -> CheckSettings {
        var settings = CheckSettings(now: WallClock.seconds)
        let hostsAtOnce = max(1, min(parallel ?? 8, count))
        settings.probesAtOnce = max(
            1, min(settings.probesAtOnce, Self.requestsMaximum / hostsAtOnce))
        settings.phone = client.phone(app, .ios14)
        settings.skipsCDN = !cdnCopy
        settings.siblings = siblings
        return settings
    }

    /// Some threads take one host after the other; reports come out in the order of the hosts.
    private func checkAll(_ targets: [CheckTarget]) throws -> [CheckReport] {
        let settings = self.settings(targets.count)
        let network = try client.network()
        return ParallelMap.run(targets.count, threads: parallel ?? 8, name: "check") { index in
            let target = targets[index]
            return target.report(settings, network) { Terminal.note("\(target.name): \($0)") }
        }
    }
}

/// A host as people write it: a name, `name:port`, `[IPv6]:port`, or a URL of which only these are
/// used.
struct CheckTarget {
    let host: String
    let port: UInt16
    /// Whether something follows the host that is not asked for.
    let hasPath: Bool

    var name: String { ClientRequest(host: host, port: port, target: "/").authority }

    /// Checks the host.
    func report(
        _ settings: CheckSettings, _ client: HTTPClient, progress: @escaping (String) -> Void
    ) -> CheckReport {
        var prober = HostProber(
            host: host, port: port, settings: settings, client: client, progress: progress)
        return CheckReport(prober.run(), settings)
    }

    init?(_ text: String) {
        var rest = Substring(text)
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        let path = rest.drop { $0 != "/" && $0 != "?" && $0 != "#" }
        rest = rest.prefix(rest.count - path.count)
        let known = ["", "/", AssociationPath.wellKnownTarget, AssociationPath.rootTarget]
        hasPath = !known.contains(String(path))
        guard let parts = try? ServerURL.parts(ofAuthority: rest) else { return nil }
        rest = parts.host
        while rest.hasSuffix(".") { rest = rest.dropLast() }
        guard let name = Punycode.ascii(rest.lowercased()), !name.isEmpty,
            name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "*") })
        else { return nil }
        host = name
        port = parts.port ?? 443
    }
}
