import AASAClient
import AASADevice
import AASAServer
import ArgumentParser
import Reactor

/// The options of `aasa check --watch`.
struct WatchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Look at the hosts for ever, each of them every so many seconds; changes of state "
                + "alone go to stdout, one line of JSON each.", valueName: "seconds"))
    var watch: Int?

    @Option(
        help: ArgumentHelp(
            "Hosts from a file as well, one a line; # begins a comment.", valueName: "file"))
    var hostsFile: String?

    @Option(
        help: ArgumentHelp(
            "With --watch: keep what is known in this folder, so that nothing is told twice after "
                + "a restart.", valueName: "dir"))
    var state: String?

    @Option(
        help: ArgumentHelp(
            "With --watch: the site's folder, which says what is published; a host that answers "
                + "another document is told.", valueName: "dir"))
    var site: String?

    @Option(
        help: ArgumentHelp(
            "With --watch: POST each change to this URL, again until it is taken. Such URLs are "
                + "secrets: the variable AASA_WEBHOOK keeps it out of the list of processes.",
            valueName: "url"))
    var webhook: String?

    @Option(
        help: ArgumentHelp(
            "The body of --webhook: slack, pagerduty, or a file with {{host}}, {{message}} and "
                + "their like inside JSON strings. (default: the change as on stdout)",
            valueName: "slack|pagerduty|file"))
    var webhookTemplate: String?

    @Option(
        help: ArgumentHelp(
            "With --watch: status page, /status.json, /metrics, /healthz and /readyz: a loopback "
                + "address or unix:PATH; another one needs --admin-token-file.",
            valueName: "addr:port"))
    var admin: String?

    @Option(
        help: ArgumentHelp(
            "Holds the token that all but /healthz and /readyz of --admin ask for.",
            valueName: "file"))
    var adminTokenFile: String?

    /// More is a mistake for seconds.
    static let seconds = 1...86_400
    /// More often would be an attack on a host of somebody else; those named by `--resolve` are the
    /// operator's own.
    static let secondsMinimum = 10
    /// A template is a page, not a document.
    static let templateBytesMaximum = 65_536
    /// 10,000 hosts with names of 100 characters.
    static let hostsFileBytesMaximum = 1 << 20
    static let hostsMaximum = 10_000

    func validate() throws {
        if let watch, !Self.seconds.contains(watch) {
            throw ValidationError("--watch wants 1 to 86400 seconds")
        }
        if watch == nil {
            let given = [
                ("--state", state), ("--site", site), ("--webhook", webhook), ("--admin", admin),
            ].first { $0.1 != nil }
            if let given { throw ValidationError("\(given.0) needs --watch SECONDS") }
        }
        if webhookTemplate != nil, receiverText == nil {
            throw ValidationError("--webhook-template needs --webhook URL")
        }
        if watch != nil, receiverText != nil, receiver == nil {
            let name = webhook == nil ? "AASA_WEBHOOK" : "--webhook"
            // Nothing of it is repeated: its path is the secret.
            throw ValidationError("\(name) wants https://host/path, without blanks")
        }
        if let admin, SocketAddress(parsing: admin) == nil {
            throw ValidationError("--admin wants ADDR:PORT or unix:PATH, not \"\(admin)\"")
        }
    }

    /// The names in `--hosts-file`.
    func namesFromFile() throws -> [String] {
        guard let hostsFile else { return [] }
        let bytes: [UInt8]
        do {
            bytes = try Files.readInput(
                hostsFile == "-" ? nil : hostsFile, limit: Self.hostsFileBytesMaximum)
        } catch {
            throw CommandError(
                error.description, remedy: "name a file with one host a line", status: .couldNotRun)
        }
        var names: [String] = []
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (number, line) in lines.enumerated() {
            let name = line.prefix { $0 != "#" }.filter { $0 != " " && $0 != "\t" }
            if name.isEmpty { continue }
            guard CheckTarget(name) != nil else {
                throw CommandError(
                    "\"\(name)\" is no host name", place: "\(hostsFile):\(number + 1)",
                    remedy: "one host a line, with a port if it is not 443", status: .usage)
            }
            names.append(name)
        }
        guard names.count <= Self.hostsMaximum else {
            throw CommandError(
                "\(names.count) hosts are more than \(Self.hostsMaximum)", place: hostsFile,
                remedy: "share them out among several watchers", status: .usage)
        }
        return names
    }

    private var receiverText: String? {
        (webhook ?? CurrentProcess.variable("AASA_WEBHOOK"))?.trimmingWhiteSpace
    }

    /// Who gets the changes; nil as well for a URL that the client would refuse.
    var receiver: ServerURL? {
        guard let receiverText, let url = try? ServerURL(parsing: receiverText),
            (try? ClientRequest(url).check()) != nil
        else { return nil }
        return url
    }

    func template() throws -> WebhookTemplate {
        let environment: (String) -> String? = { CurrentProcess.variable($0) }
        let text: String
        var takesNotes = true
        switch webhookTemplate {
        case nil: return .plain
        case "slack"?: text = WebhookTemplate.slack
        case "pagerduty"?:
            text = WebhookTemplate.pagerDuty
            takesNotes = false
        case let file?:
            do {
                text = String(
                    decoding: try Files.read(file, limit: Self.templateBytesMaximum), as: UTF8.self)
            } catch {
                throw CommandError(
                    error.description, remedy: "write slack, pagerduty, or the name of a file",
                    status: .couldNotRun)
            }
        }
        do throws(WebhookTemplate.Problem) {
            return try WebhookTemplate(text, takesNotes: takesNotes, environment: environment)
        } catch {
            throw CommandError(error.description, place: webhookTemplate, status: .usage)
        }
    }
}
