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
            abstract: "Show what aasa serve --acme would order, and whether it would succeed.",
            discussion: """
                Run it with the options and environment variables of the server, and as its user. It \
                orders nothing. It checks the authority's directory and account, which certificates \
                are due, the addresses of each name, whether each name answers a challenge, CAA \
                records, and clocks. If no server runs yet, it listens itself meanwhile.

                It cannot see DNSSEC, or how your names resolve elsewhere: run it from outside, too.

                Rarely needed options: aasa certs plan --help-hidden
                Exit status: 0 all would succeed, 1 something has to be fixed first.

                  aasa certs plan --site site --certs certs --listen '*:443'
                """)

        @OptionGroup var site: SiteOptions

        @OptionGroup(title: "ACME") var acme: ACMEOptions

        @OptionGroup var place: ResolveOptions

        @Option(
            help: .value(
                "addr:port",
                "Ask the name server at this IPv4 address for CAA records. (default: those of the machine)"
            ))
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
            options.place = site
            options.acme = acme
            let (configuration, plan, _) = try options.configuration(environment: environment)
            guard let plan else { return }
            let log = Logger(label: "aasa") { _ in
                ServerLogHandler(
                    format: configuration.log.format, level: .error, sink: .standardError)
            }
            let endpoint = try Endpoint(checking: configuration, log: log)
            let look = try RenewalPreflight.take(
                endpoint, configuration, plan, resolver: place.resolver,
                hosts: hosts.map { $0.lowercased() }, nameServer: nameServer)
            format.show(InertText.joined(look.lines), look.json)
            if look.hasErrors { throw ExitStatus.findings }
        }
    }
}
