import AASAClient
import AASAServer
import ACME
import AppSiteAssociation
import ArgumentParser
import Logging
import OpenSSL
import Reactor

extension CertsCommand {
    struct Plan: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "plan",
            abstract: "What aasa serve --acme would order, and whether it would get it.",
            discussion: """
                Give it the options and environment variables of the server. It orders nothing. It asks each authority for its \
                directory and for the account, if there is one; says which certificates are \
                good, due or left alone and why; and looks at each name as an authority's \
                validator does: its addresses, and whether each answers a challenge on port 443 \
                (TLS-ALPN-01), with --acme-http also on port 80. It reads the CAA records as \
                your name servers have them, and compares clocks. DNSSEC is not judged, nor what \
                the world sees that your name servers do not.

                Where nobody listens yet, it listens itself while it looks. Where the server runs, \
                it is asked to answer through the folder --certs, so ask as its user. Your own \
                network may reach what the world does not: look from outside as well.

                  aasa certs plan --site site --certs certs --listen '*:443'

                Exit status: 0 all would go well, 1 something is to be mended first.
                """)

        @Option(help: "The site: one folder per host. (AASA_SITE, default: site)")
        var site: String?

        @Option(help: "The certificates: one folder per host. (AASA_CERTS, default: certs)")
        var certs: String?

        @Option(
            help: ArgumentHelp(
                "Where the server listens; repeatable. (AASA_LISTEN, default: *:8443)",
                valueName: "addr:port"))
        var listen: [String] = []

        @OptionGroup(title: "ACME") var acme: ACMEOptions

        @OptionGroup var place: ResolveOptions

        @Option(
            help: ArgumentHelp(
                "Ask the name server at this IPv4 address for CAA records. (default: those of "
                    + "the machine)", valueName: "addr:port"))
        var dnsServer: String?

        @Option(help: "Output format.") var format: OutputFormat = .text

        @Argument(help: "Only the certificates of these hosts.")
        var hosts: [String] = []

        func validate() throws {
            if let dnsServer, nameServer.map({ $0.isIPv6 || $0.isUnix }) ?? true {
                throw ValidationError(
                    "--dns-server requires an IPv4 address, for example 192.0.2.1 or 192.0.2.1:53, not "
                        + "\"\(dnsServer)\"")
            }
        }

        private var nameServer: SocketAddress? {
            dnsServer.flatMap { SocketAddress(parsing: $0) ?? SocketAddress(parsing: "\($0):53") }
        }

        func run() throws {
            var environment = CurrentProcess.environment
            environment["AASA_ACME"] = "on"
            // What else a server may be told has no influence here.
            var options = try ServeOptions.parse([])
            options.site = site.map { [$0] } ?? []
            options.certs = certs.map { [$0] } ?? []
            options.listen = listen
            options.acme = acme
            let (configuration, plan, _) = try options.configuration(environment: environment)
            guard let plan else { return }
            let log = Logger(label: "aasa") { _ in
                ServerLogHandler(
                    format: configuration.log.format, level: .error, sink: .standardError)
            }
            let endpoint = try Endpoint(
                configuration: configuration, handed: [], memory: .none, log: log)
            let look = try RenewalPreflight.take(
                endpoint, configuration, plan, resolver: place.resolver,
                hosts: hosts.map { $0.lowercased() }, nameServer: nameServer)
            switch format {
            case .text: for line in look.lines { Terminal.print(line) }
            case .json: Terminal.write(JSONWriter.indented(look.json))
            }
            if look.hasErrors { throw ExitStatus.findings }
        }
    }
}
