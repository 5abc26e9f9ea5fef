import AASAServer
import AppSiteAssociation
import ArgumentParser
import OpenSSL
import Reactor

struct CertsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certs",
        abstract: "Make certificates for trials, list those in use, and plan orders.",
        discussion: """
            The layout is certbot's: certs/HOST/fullchain.pem and privkey.pem. A second pair of the other \
            key type is fullchain-rsa.pem with privkey-rsa.pem, or a pair in HOST/rsa. aasa also reads the \
            layouts of Kubernetes, Caddy, acme.sh, lego, mkcert and HAProxy (deploy/CERTIFICATES.md).

            A host without a valid certificate of its own is served with any other that covers it.
            """,
        subcommands: [Make.self, List.self, Plan.self])

    struct FolderOption: ParsableArguments {
        @Option(help: "The folder with one folder per host. Environment: AASA_CERTS.")
        var certs: String?

        var folder: CertificateFolder {
            let variable = CurrentProcess.variable("AASA_CERTS")
            return CertificateFolder(path: certs ?? variable ?? "certs")
        }
    }
}

extension CertsCommand {
    struct Make: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make",
            abstract: "Make a local authority, and an ECDSA and an RSA certificate per host.",
            discussion: """
                aasa keeps good certificates, renews those in the last third of their life, and never changes \
                those of another authority. Only the owner of a key can read it. If root runs the command, that \
                is --user, or else the owner of the folder. In a folder of root:aasa, the group can read it too. \
                Devices trust these certificates once local-ca/ca.pem is installed on them; never use them for \
                the public.

                  aasa certs make --certs certs example.com
                  curl --cacert certs/local-ca/ca.pem --resolve example.com:8443:127.0.0.1 …
                """)

        @OptionGroup var option: FolderOption

        @Option(
            help: .value(
                "user[:group]",
                "The keys' owner: the user that the server runs as. Only root can name another."))
        var user: String?

        @Argument(
            help: "Host names. HOST=ALIAS,ALIAS adds the aliases to the certificates of HOST.")
        var hosts: [String]

        func run() throws {
            var order: [String] = []
            var aliases: [String: [String]] = [:]
            for argument in hosts {
                let parts = argument.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let host = String(parts[0])
                if host.isEmpty {
                    throw CommandError(
                        "a host name is missing in \"\(argument)\"",
                        remedy: "write HOST, or HOST=ALIAS,ALIAS", status: .usage)
                }
                do {
                    try LocalAuthorityFolder.check(host)
                } catch {
                    throw CommandError(error, status: .usage)
                }
                order.append(host)
                if parts.count > 1 {
                    aliases[host, default: []] += parts[1].split(separator: ",").map(String.init)
                }
            }
            let owner = try owner()
            do {
                let steps = try LocalAuthorityFolder(folder: option.folder, owner: owner).make(
                    hosts: order, names: aliases, now: WallClock.seconds)
                for step in steps {
                    Terminal.print(
                        lines: "\(step.action.rawValue)\t\(step.file)\t\(step.note)")
                }
            } catch let error as FileError {
                throw CommandError("\(error)", remedy: Self.remedy(for: error))
            }
        }

        private static func remedy(for error: FileError) -> String {
            if error.isOfWriting { return error.remedyForWriting(or: "name another folder") }
            if error.isDenied { return error.remedyForReading }
            return "put it back, or remove the other file of the pair: both are made anew"
        }

        private func owner() throws -> Files.Owner? {
            guard let user else { return nil }
            do throws(Problem) {
                let owner = try Privileges.named(user)
                if CurrentProcess.user != 0, owner.user != CurrentProcess.user {
                    throw Problem(
                        place: "--user", cause: "only root can make keys for \(user)",
                        remedy: "run it as root, or as \(user)")
                }
                return owner
            } catch {
                throw CommandError(error, status: .usage)
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List each host's certificates, their expiry and their problems.",
            discussion: """
                A folder need not have the name of a host (certbot's example.com-0001, lego's _.example.com): \
                aasa uses its certificate for every host that the certificate covers.

                Exit status: 0 good; 1 no certificate, or one that is unusable or that clients refuse.
                """)

        @OptionGroup var option: FolderOption
        @Option(help: "Output format.") var format: OutputFormat = .text

        func run() throws {
            let folder = option.folder
            let hosts: [String]
            do {
                hosts = try folder.hosts()
            } catch {
                throw CommandError(
                    "\(error)", remedy: "name the folder with --certs, or run `aasa certs make`")
            }
            let now = WallClock.seconds
            let trial = CertificateChecker()
            let listings = hosts.map {
                CertificateListing(host: $0, folder.load($0), trial, now: now)
            }
            format.show(
                InertText.joined(listings.flatMap(\.lines)), .list(listings.map(\.json)))
            if listings.isEmpty {
                throw CommandError(
                    "no certificate in it", place: folder.path,
                    remedy:
                        "name the folder with one folder per host (certbot's is /etc/letsencrypt/live), or run `aasa certs make`",
                    status: .findings)
            }
            if listings.contains(where: \.isBad) { throw ExitStatus.findings }
        }
    }
}

/// One host's certificates for `aasa certs list`.
struct CertificateListing {
    let host: String
    let pairs: [(pair: CertificatePair, problems: [CertificateProblem])]
    let failures: [String]
    let now: Int64

    /// - Parameter trial: says of a pair whether a server would take it.
    init(
        host: String, _ found: CertificateFolder.Found, _ trial: CertificateChecker, now: Int64
    ) {
        self.host = host
        self.now = now
        failures =
            found.failures
            + found.pairs.compactMap { pair in
                trial.refusal(of: pair).map { refusal in
                    "aasa serve refuses it: \(refusal.cause)"
                        + (refusal.remedy.map { ": \($0)" } ?? "")
                }
            }
        pairs = found.pairs.map { pair in
            (pair, pair.problems(for: Self.isHost(host, of: pair) ? [host] : [], at: now))
        }
    }

    /// Whether a folder is named after the host that its pair is for. Others serve whatever hosts
    /// they cover: a name without a dot, `_.example.com` (lego's wildcards), `example.com-0001`
    /// (certbot's second certificate of the same name).
    private static func isHost(_ folder: String, of pair: CertificatePair) -> Bool {
        if HostName.problem(of: folder) != nil || !folder.contains(".") { return false }
        guard let hyphen = folder.lastIndex(of: "-") else { return true }
        let number = folder[folder.index(after: hyphen)...]
        let isSecond = number.count == 4 && number.allSatisfy(\.isWholeNumber)
        return !isSecond || !pair.leaf.covers(String(folder[..<hyphen]))
    }

    var isBad: Bool {
        !failures.isEmpty || pairs.contains { $0.problems.contains { $0.severity == .error } }
    }

    var lines: [String] {
        var lines = [host]
        for (pair, problems) in pairs {
            let leaf = pair.leaf.summary
            let days = (leaf.notAfter - now) / 86_400
            lines.append("  \(pair.chainName)")
            lines.append("    \(leaf.keyType), issued by \(leaf.issuer)")
            lines.append("    names \(leaf.names.joined(separator: ", "))")
            let distance = leaf.notAfter > now ? "in \(days) days" : "\(-days) days ago"
            lines.append("    valid until \(DateText.moment(leaf.notAfter)) (\(distance))")
            lines.append("    sha256 \(leaf.fingerprint)")
            for problem in problems {
                lines.append("    \(problem.severity.rawValue): \(problem)")
            }
        }
        for failure in failures { lines.append("  error: \(failure)") }
        return lines
    }

    var json: JSONValue {
        .object([
            ("host", .text(host)),
            ("certificates", .list(pairs.map(CertificateListing.json))),
            ("failures", .list(failures.map({ .text($0) }))),
        ])
    }

    private static func json(
        _ pair: CertificatePair, _ problems: [CertificateProblem]
    ) -> JSONValue {
        let found = problems.map { problem in
            JSONValue.object([
                ("code", .text(problem.kind.rawValue)),
                ("severity", .text(problem.severity.rawValue)),
                ("message", .text(problem.message)),
                ("remedy", .text(problem.remedy)),
            ])
        }
        return .object(
            [("file", JSONValue.text(pair.chainName))] + pair.leaf.summary.members
                + [("problems", JSONValue.list(found))])
    }
}

extension CertificateSummary {
    /// What machines read about a certificate.
    var members: [(String, JSONValue)] {
        [
            ("subject", .text(subject)), ("issuer", .text(issuer)),
            ("names", .list(names.map { .text($0) })), ("key", .text(keyType.description)),
            ("notBefore", .text(DateText.moment(notBefore))),
            ("notAfter", .text(DateText.moment(notAfter))), ("sha256", .text(fingerprint)),
        ]
    }
}
