package import AppSiteAssociation

/// What a phone with a build does: the association of each of its domains, and which URLs open it.
package struct BuildLinks: Sendable {
    /// One associated domain of the build.
    package struct Domain: Sendable {
        package let entry: EntitlementEntry
        /// The name of the bundle that has the entry, and its application identifier.
        package let bundle: String
        package let app: String
        /// What the site itself answers; nil where the phone asks no other server.
        package let site: Verdict?
        /// What the phone makes of it.
        package let verdict: Verdict
        /// Nil if all is well.
        package let code: String?
        package let reason: String?
        /// The document that the phone got.
        let document: AssociationFile?
    }

    /// One URL, for one app of the build.
    package struct Link: Sendable {
        package let url: String
        package let app: String
        /// Nil if the URL opens the app.
        package let code: String?
        package let reason: String?
        package var opens: Bool { code == nil }
    }

    /// Simulates a phone with an app; one transcript for each entry.
    package typealias Install = (_ app: String, _ era: Era, [EntitlementEntry]) -> [Transcript]

    package let era: Era
    package private(set) var domains: [Domain] = []
    package private(set) var links: [Link] = []
    /// Everything above that is not well.
    package private(set) var findings: [Diagnostic] = []

    /// Asks for all domains of a build, then decides about URLs.
    ///
    /// - Parameters:
    ///   - urls: each one is a URL (``URLParts``).
    ///   - callback: where a sign-in session of the app is to return.
    package init(
        of build: AppBuild, era: Era, urls: [String], callback: HTTPSCallback? = nil,
        install: Install
    ) {
        self.era = era
        var transcripts: [Transcript] = []
        for bundle in build.bundles {
            guard let app = bundle.application else { continue }
            domains += Self.ask(bundle, app, era) { app, era, entries in
                let found = install(app, era, entries)
                if app == build.main.application { transcripts += found }
                return found
            }
        }
        // Links open apps and App Clips, never extensions.
        let linked = build.bundles.filter { bundle in
            bundle.kind != .extension && bundle.domains.contains { $0.service == "applinks" }
        }
        for url in urls {
            for bundle in linked.isEmpty ? [build.main] : linked {
                links.append(link(url, of: bundle))
            }
        }
        if domains.isEmpty {
            report("build-no-domains", build, "\(build.main.name) has no associated domains")
        }
        for domain in domains {
            guard let code = domain.code else { continue }
            report(code, build, "\(domain.bundle): \(domain.entry.text): \(domain.reason ?? "")")
        }
        if let obstacle = callback?.obstacle(build.main.domains, transcripts) {
            report("association-callback", build, "\(build.main.name): \(obstacle)")
        }
        for link in links {
            guard let code = link.code else { continue }
            report(code, build, "\(link.url) does not open \(link.app): \(link.reason ?? "")")
        }
    }

    private mutating func report(_ code: String, _ build: AppBuild, _ message: String) {
        findings.append(Diagnostic(code, message, subject: build.name))
    }

    // MARK: Domains

    private static func ask(
        _ bundle: AppBundle, _ app: String, _ era: Era, _ install: Install
    ) -> [Domain] {
        let entries = bundle.domains
        // A build from Xcode asks the site itself, on a phone in developer mode.
        func isDeveloper(_ entry: EntitlementEntry) -> Bool {
            bundle.isForDevelopment && entry.mode == .developer
        }
        let others = entries.filter { !isDeveloper($0) }
        var plain = install(app, era, others)[...]
        var direct = install(app, .developer, entries.filter(isDeveloper))[...]
        let own = others.map { EntitlementEntry(String($0.text.prefix { $0 != "?" })) }
        var sites = era.rules.asksDirectly ? [] : install(app, .managed, own)[...]
        return entries.compactMap { entry in
            let phone = isDeveloper(entry) ? direct.popFirst() : plain.popFirst()
            let site = isDeveloper(entry) ? nil : sites.popFirst()
            return phone.map { domain(entry, bundle, app, phone: $0, site: site) }
        }
    }

    private static func domain(
        _ entry: EntitlementEntry, _ bundle: AppBundle, _ app: String, phone: Transcript,
        site: Transcript?
    ) -> Domain {
        let isSkipped = phone.verdict.name == "skipped"
        let document = phone.document
        let (code, reason) = fault(
            phone.verdict, isSkipped ? nil : site?.verdict, app: app, service: entry.service,
            listed: document ?? site?.document)
        return Domain(
            entry: entry, bundle: bundle.name, app: app, site: isSkipped ? nil : site?.verdict,
            verdict: phone.verdict, code: code, reason: reason, document: document)
    }

    /// The code and the reason of a domain that is not well.
    private static func fault(
        _ verdict: Verdict, _ site: Verdict?, app: String, service: String,
        listed: AssociationFile?
    ) -> (code: String?, reason: String?) {
        let reason = verdict.reason?.description
        switch (verdict, site) {
        case (.skipped, _): return ("association-skipped", reason)
        case (.associated, .associated?), (.associated, nil): return (nil, nil)
        case (.associated, let site?):
            return (
                "association-cdn-ahead",
                "Apple's CDN lists the app, and the site itself does not associate it: "
                    + site.sentence
            )
        case (_, .associated?):
            return (
                "association-cdn-behind",
                "the site is right, and Apple's CDN has another answer: \(reason ?? "")"
            )
        default: break
        }
        if let listed, let near = near(app, service, in: listed) { return near }
        return (verdict.name == "denied" ? "association-denied" : "association-unusable", reason)
    }

    /// Why an app is not in a document that nearly lists it.
    private static func near(
        _ app: String, _ service: String, in file: AssociationFile
    ) -> (code: String, reason: String)? {
        let apps = AnswerEvaluator.apps(of: service, in: file) ?? []
        guard !apps.contains(app) else { return nil }
        let bundle = app.drop { $0 != "." }
        if let twin = apps.first(where: { $0.drop { $0 != "." } == bundle }) {
            return (
                "association-other-prefix", "the document lists \(twin), and the build is \(app)"
            )
        }
        if let twin = apps.first(where: { $0.lowercased() == app.lowercased() }) {
            return ("association-other-case", "the document lists \(twin), and the build is \(app)")
        }
        let services = AnswerEvaluator.services(of: app, in: file)
        guard !services.isEmpty else { return nil }
        return (
            "association-other-service",
            "the document lists the app for \(services.joined(separator: ", ")), not for \(service)"
        )
    }

    // MARK: URLs

    private func link(_ url: String, of bundle: AppBundle) -> Link {
        let app = bundle.application ?? bundle.identifier ?? bundle.name
        let (code, reason) = obstacle(url, app, bundle) ?? (nil, nil)
        return Link(url: url, app: app, code: code, reason: reason)
    }

    /// Why a URL does not open an app; nil if it does.
    private func obstacle(
        _ url: String, _ app: String, _ bundle: AppBundle
    ) -> (code: String?, reason: String?)? {
        guard let parts = URLParts(url), let host = parts.host.flatMap(Punycode.ascii) else {
            return ("link-no-entry", "it names no host")
        }
        if let obstacle = parts.obstacle(to: host) {
            let isWeb = ["https", "http"].contains(parts.scheme)
            return (isWeb ? "link-port" : "link-scheme", obstacle)
        }
        let own = domains.filter { $0.app == app && $0.entry.service == "applinks" }
        let covering = own.filter { $0.entry.covers(host: host) }
        func rank(_ domain: Domain) -> (Int, Int, Int) {
            (
                domain.verdict.name == "skipped" ? 1 : 0, domain.entry.isWildcard ? 1 : 0,
                -domain.entry.domain.utf8.count
            )
        }
        guard let domain = covering.min(by: { rank($0) < rank($1) }) else {
            let twin = own.first {
                $0.entry.domain == host || $0.entry.domain == "www." + host
                    || host.hasSuffix("." + $0.entry.domain)
            }
            return (
                twin == nil ? "link-no-entry" : "link-near-entry",
                "the build has no entry applinks:\(host)"
                    + (twin.map { "; \($0.entry.text) does not cover it" } ?? "")
            )
        }
        guard domain.verdict == .associated, let document = domain.document else {
            return ("link-not-associated", "\(domain.entry.text): \(domain.verdict.sentence)")
        }
        return Self.obstacle(parts, app, in: document)
    }

    private static func obstacle(
        _ url: URLParts, _ app: String, in document: AssociationFile
    ) -> (code: String?, reason: String?)? {
        let association = CompiledAssociation(document)
        let decisions = association.decide(url)
        let own = decisions.first { $0.app == app }
        let rule = own?.rule.map { " (\($0))" } ?? ""
        switch own?.decision {
        case .match?: break
        case .exclude?: return ("link-excluded", "a rule excludes it\(rule)")
        case .some(.none): return ("link-no-rule", "no rule of the app matches it")
        case nil: return ("link-no-rule", "the document has no rules for the app")
        }
        guard let priority = association.priority(among: decisions), priority.app != app,
            LinkCheck.areRivals(priority.app, app)
        else { return nil }
        return ("link-other-app", "\(priority.app) opens it instead: \(priority.reason)")
    }
}

extension Transcript {
    /// The document of the last answer; nil if none could be read.
    fileprivate var document: AssociationFile? {
        asked.last.flatMap { DocumentComparison.document($0.body) }
    }
}
