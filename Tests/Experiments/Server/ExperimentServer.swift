import AASAServer
import Logging
import Reactor

/// The server of the experiments: `aasa serve` with other limits than users can set.
///
/// ```
/// experiment-server LIMITS --site DIR --certs DIR --listen ADDR:PORT [--admin ADDR:PORT] …
/// ```
///
/// LIMITS as in ``LimitSettings``; the options are those of `aasa serve` that the scripts of
/// `Tests/Experiments` use, by the same names.
struct ExperimentServer {
    private var configuration: ServerConfiguration

    init(_ arguments: [String]) throws(Problem) {
        var options: [String: String] = [:]
        for index in stride(from: 1, to: arguments.count - 1, by: 2) {
            options[arguments[index]] = arguments[index + 1]
        }
        guard let limits = arguments.first, arguments.count % 2 == 1,
            let site = options.removeValue(forKey: "--site"),
            let certificates = options.removeValue(forKey: "--certs"),
            let listen = SocketAddress.listening(options.removeValue(forKey: "--listen") ?? "")
        else {
            throw Problem(
                place: "usage", cause: "experiment-server LIMITS --site --certs --listen …",
                remedy: "Tests/Experiments/lab.py shows a whole one")
        }
        configuration = ServerConfiguration(
            siteFolder: site, certificateFolder: certificates, listen: listen)
        configuration.admin = options.removeValue(forKey: "--admin").flatMap {
            SocketAddress.listening($0)?.last
        }
        configuration.defaultHost = options.removeValue(forKey: "--default-host")
        configuration.readyFile = options.removeValue(forKey: "--ready-file")
        configuration.workers = Int(options.removeValue(forKey: "--workers") ?? "1") ?? 1
        configuration.sessionTickets = options.removeValue(forKey: "--tickets") == "on"
        guard options.isEmpty else {
            throw Problem(
                place: options.keys.sorted().joined(separator: " "), cause: "not known here",
                remedy: "see Tests/Experiments/Server/ExperimentServer.swift")
        }
        try LimitSettings.apply(limits, to: &configuration.limits)
    }

    func serve() throws(Problem) {
        let log = Logger(label: "experiment") { _ in
            ServerLogHandler(format: .text, level: .info, sink: .standardError)
        }
        let signals: Signals
        do {
            signals = try ControlSignals.block()
        } catch {
            throw Problem(
                place: "signals", cause: error.description, remedy: Problem.limitsOfTheMachine)
        }
        let environment = CurrentProcess.environment
        let endpoint = try Endpoint(configuration: configuration, handed: [], log: log)
        let ready = configuration.readyFile
        let context = EndpointContext(
            notifier: ServiceNotifier(environment: environment, process: CurrentProcess.id),
            board: StatusBoard(version: "experiment"), arguments: CurrentProcess.arguments,
            environment: environment)
        try endpoint.run(signals: signals, context) { listeners, _, admin in
            var lines = listeners.map { "listen \($0)\n" }
            if let admin { lines.append("admin \(admin)\n") }
            if let ready {
                try? Files.replace(ready, with: Array(lines.joined().utf8), mode: 0o644)
            }
        }
    }
}
