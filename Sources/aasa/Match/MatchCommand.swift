import AASAClient
import AASADevice
import AppSiteAssociation
import ArgumentParser

/// `aasa match`: which apps a URL opens, and the rule that decided.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        _superCommandName: "aasa",
        abstract: "Show which apps a URL opens, and the rule that decides.",
        discussion: """
            Decides as Apple's system does: the first rule that matches decides, in the order of entries \
            and rules. If several apps match, the first in the document gets the URL. Android's apps come \
            from assetlinks.json and do not change the exit status.

            Exit status: 0 every URL opens an app (--expect: every test passes), 1 otherwise.

              aasa match site/example.com https://example.com/buy/42 --explain
              aasa match apple-app-site-association /buy/42 --app com.example.app
              aasa match site/example.com --expect site/example.com/links.csv
            """)

    @Argument(
        help: .value("path", "A file, a host's folder, a site, a URL, or - for standard input."))
    var path: String

    @Argument(
        help: .value("url", "URLs, or paths that begin with a slash."))
    var urls: [String] = []

    @Option(
        help: .value("id", "Only this app: PREFIX.BUNDLE-ID or a bundle identifier."))
    var app: String?

    @Option(
        help: .value("file", "Run the link tests of this file (URL,APP or JSON)."))
    var expect: String?

    @Flag(help: "Show every rule that was tried, part by part.")
    var explain = false

    @Option(help: "Output format.") var format: OutputFormat = .text

    @OptionGroup(title: "Connection") var client: ClientOptions

    func validate() throws {
        if urls.isEmpty == (expect == nil) {
            throw ValidationError("give either URLs or --expect FILE")
        }
        for url in urls where URLParts(url) == nil {
            throw ValidationError(
                "\"\(url)\" is no URL: write https://example.com/path, or a path such as /buy/42")
        }
    }

    func run() throws {
        try client.connect.checkFiles()
        if let expect { return try run(expectations: expect) }
        // A whole site has a document per host; the others are read once for all URLs.
        var documents: [String: (AssociationInput, CompiledAssociation)] = [:]
        var answers: [MatchReport.Answer] = []
        for url in urls {
            let parts = URLParts(url)
            let key = path == "-" || path.hasPrefix("https://") ? "" : parts?.host ?? ""
            let known =
                try documents[key]
                ?? {
                    let document = try AssociationInput.load(path, for: parts, client: client)
                    return (document, CompiledAssociation(document.file))
                }()
            documents[key] = known
            answers.append(answer(url, parts, known.0, known.1))
        }
        let report = MatchReport(app: app, answers: answers)
        format.show(report.text, report.json)
        if !report.allOpen { throw ExitStatus.findings }
    }

    private func answer(
        _ url: String, _ parts: URLParts?, _ document: AssociationInput,
        _ association: CompiledAssociation
    ) -> MatchReport.Answer {
        // An alias is served the same document.
        let names = document.names
        let host = names.first { parts?.obstacle(to: $0) == nil } ?? names.first
        var decisions = association.decide(url: url, domain: host, explain: true) ?? []
        if let app {
            decisions.removeAll { $0.app != app && !$0.app.hasSuffix("." + app) }
            if decisions.isEmpty,
                let near = AppIdentifier.nearMiss(of: app, among: association.apps)
            {
                Terminal.note("\(app) is not in the document: \(near)")
            }
        }
        let traces =
            explain
            ? parts.map { association.traces($0, apps: decisions.map(\.app), domain: host) } ?? []
            : []
        var android =
            parts.map { AndroidLinks.decide($0, in: document.statements, domain: host) } ?? []
        if let app { android.removeAll { $0.package != app } }
        return MatchReport.Answer(
            url: url, document: document, apps: decisions, android: android,
            obstacle: parts?.obstacle(to: host),
            priority: association.priority(among: decisions), traces: traces)
    }

    private func run(expectations file: String) throws {
        let source = try InputFile.source(file)
        let document = try AssociationInput.load(path, for: nil, client: client)
        let (outcomes, problems) = LinkTests.run(source, LinkCheck(document))
        FindingNotes.print(problems, documents: 1)
        let report = LinkReport(outcomes: outcomes, document: document)
        format.show(report.text, report.json)
        if report.failed > 0 || !problems.isEmpty { throw ExitStatus.findings }
    }
}

extension AssociationInput {
    /// - Parameters:
    ///   - path: a file, a host's folder, a whole site, a URL, or `-`.
    ///   - url: what is asked: its host chooses the folder of a whole site.
    static func load(
        _ path: String, for url: URLParts?, client: ClientOptions
    ) throws -> AssociationInput {
        if path.hasPrefix("https://") { return try fetch(path, client) }
        guard let folder = HostInput(path) else {
            return try read(InputFile.source(path), moreBy: "aasa lint \(path)")
        }
        if folder.isHost { return try AssociationInput(folder.source) }
        let hosts = folder.hosts
        // A path alone is one of the only host.
        if let host = url?.host ?? (hosts.count == 1 ? hosts[0] : nil) {
            // Else an alias of another host's folder.
            let owner = ([host] + hosts).lazy.compactMap { HostInput(folder.path + "/" + $0) }
                .first { $0.name == host || LinkTests.names(of: $0.source).contains(host) }
            if let owner { return try AssociationInput(owner.source) }
            throw CommandError(
                "the site has no host \(host)", place: folder.path,
                remedy: "its hosts are " + hosts.prefix(8).joined(separator: ", "),
                status: .findings)
        }
        guard let first = hosts.first else { return try AssociationInput(folder.source) }
        throw CommandError(
            "this is a site of \(hosts.count) hosts"
                + (url == nil ? "" : ", and a path names none of them"),
            place: folder.path,
            remedy: (url == nil ? "" : "write the whole URL, or ")
                + "name the host's folder: \(folder.path)/\(first)",
            status: .usage)
    }

    /// Fetches as Apple's crawler does. It reports redirects and does not follow them.
    private static func fetch(_ url: String, _ client: ClientOptions) throws -> AssociationInput {
        guard let target = CheckTarget(url), let parts = URLParts(url) else {
            throw CommandError("this is no URL", place: url, status: .usage)
        }
        let rest = url.dropFirst("https://".count)
        let path = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
        var request = ClientRequest(
            host: target.host, port: target.port,
            target: path == "/" ? AssociationPath.wellKnownTarget : path)
        request.fields = [("User-Agent", Era.crawlerAgent)]
        request.limits = client.limits
        request.security.authorityFile = client.connect.cacert
        let exchange = try client.network().fetch(request)
        if let tls = exchange.tls, !tls.verification.isGood {
            throw CommandError(
                tls.verification.text, place: request.url, remedy: tls.verification.remedy)
        }
        var problem = exchange.failure.map(\.description)
        if case .failed(_, let failure) = exchange.coding { problem = failure.description }
        if problem == nil, exchange.status != 200 { problem = exchange.summary }
        if let problem {
            throw CommandError(
                "no document: \(problem)", place: request.url,
                remedy: "aasa check \(target.name) says what is wrong")
        }
        if exchange.body.count > AssociationFile.bytesMaximum {
            Terminal.note(
                "note: \(request.url) has \(exchange.body.count) bytes; devices since iOS 9.3 "
                    + "refuse more than \(AssociationFile.bytesMaximum)")
        }
        let source = SourceText(name: request.url, bytes: exchange.body)
        return try read(
            source, names: parts.host.map { [$0] } ?? [], moreBy: "aasa check \(target.name)")
    }
}
