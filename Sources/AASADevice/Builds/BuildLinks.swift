package import AppSiteAssociation

/// What a phone with a build does: the association of each of its domains, and which URLs open it.
package struct BuildLinks: Sendable {
    /// Why a domain or a URL is not well.
    package struct Fault: Sendable {
        package let code: String
        package let reason: String

        fileprivate init(_ code: String, _ reason: String) {
            self.code = code
            self.reason = reason
        }
    }

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
        package let fault: Fault?
        /// The document that the phone got.
        let document: AssociationFile?
    }

    /// One URL, for one app of the build.
    package struct Link: Sendable {
        package let url: String
        package let app: String
        /// Nil if the URL opens the app.
        package let fault: Fault?
        package var opens: Bool { fault == nil }
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
                let app = bundle.application ?? bundle.identifier ?? bundle.name
                links.append(Link(url: url, app: app, fault: obstacle(url, app)))
            }
        }
        func report(_ subject: String, _ fault: Fault) {
            let message = "\(subject): \(fault.reason)"
            findings.append(Diagnostic(fault.code, message, subject: build.name))
        }
        if domains.isEmpty {
            report(build.main.name, Fault("build-no-domains", "it has no associated domains"))
        }
        for domain in domains {
            if let fault = domain.fault { report("\(domain.bundle): \(domain.entry.text)", fault) }
        }
        if let obstacle = callback?.obstacle(build.main.domains, transcripts) {
            report(build.main.name, Fault("association-callback", obstacle))
        }
        for link in links {
            if let fault = link.fault { report("\(link.url) does not open \(link.app)", fault) }
        }
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
            let site = isDeveloper(entry) ? nil : sites.popFirst()
            guard let phone = isDeveloper(entry) ? direct.popFirst() : plain.popFirst() else {
                return nil
            }
            let answer = phone.verdict.name == "skipped" ? nil : site?.verdict
            let listed = phone.document ?? site?.document
            return Domain(
                entry: entry, bundle: bundle.name, app: app, site: answer, verdict: phone.verdict,
                fault: fault(phone.verdict, answer, app: app, service: entry.service, listed),
                document: phone.document)
        }
    }

    private static func fault(
        _ verdict: Verdict, _ site: Verdict?, app: String, service: String,
        _ listed: AssociationFile?
    ) -> Fault? {
        let reason = verdict.reason?.description ?? ""
        switch (verdict, site) {
        case (.skipped, _): return Fault("association-skipped", reason)
        case (.associated, .associated?), (.associated, nil): return nil
        case (.associated, let site?):
            return Fault(
                "association-cdn-ahead",
                "Apple's CDN lists the app, and the site itself does not associate it: "
                    + site.sentence)
        case (_, .associated?):
            return Fault(
                "association-cdn-behind",
                "the site is right, and Apple's CDN has another answer: \(reason)")
        default: break
        }
        if let listed, let near = near(app, service, in: listed) { return near }
        let isDenied = verdict.name == "denied"
        return Fault(isDenied ? "association-denied" : "association-unusable", reason)
    }

    /// Why an app is not in a document that nearly lists it.
    private static func near(
        _ app: String, _ service: String, in file: AssociationFile
    ) -> Fault? {
        let apps = AnswerEvaluator.apps(of: service, in: file) ?? []
        guard !apps.contains(app) else { return nil }
        let bundle = app.drop { $0 != "." }
        if let twin = apps.first(where: { $0.drop { $0 != "." } == bundle }) {
            return Fault(
                "association-other-prefix", "the document lists \(twin), and the build is \(app)")
        }
        if let twin = apps.first(where: { $0.lowercased() == app.lowercased() }) {
            return Fault(
                "association-other-case", "the document lists \(twin), and the build is \(app)")
        }
        let services = AnswerEvaluator.services(of: app, in: file).joined(separator: ", ")
        return services.isEmpty
            ? nil
            : Fault(
                "association-other-service",
                "the document lists the app for \(services), not for \(service)")
    }

    // MARK: URLs

    /// Why a URL does not open an app; nil if it does.
    private func obstacle(_ url: String, _ app: String) -> Fault? {
        guard let parts = URLParts(url), let host = parts.host.flatMap(Punycode.ascii) else {
            return Fault("link-no-entry", "it names no host")
        }
        if let obstacle = parts.obstacle(to: host) {
            let isWeb = ["https", "http"].contains(parts.scheme)
            return Fault(isWeb ? "link-port" : "link-scheme", obstacle)
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
            return Fault(
                twin == nil ? "link-no-entry" : "link-near-entry",
                "the build has no entry applinks:\(host)"
                    + (twin.map { "; \($0.entry.text) does not cover it" } ?? ""))
        }
        guard domain.verdict == .associated, let document = domain.document else {
            return Fault("link-not-associated", "\(domain.entry.text): \(domain.verdict.sentence)")
        }
        let association = CompiledAssociation(document)
        let decisions = association.decide(parts)
        let decision = decisions.first { $0.app == app }
        switch decision?.decision {
        case .match?: break
        case .exclude?:
            let rule = decision?.rule.map { " (\($0))" } ?? ""
            return Fault("link-excluded", "a rule excludes it\(rule)")
        case .some(.none): return Fault("link-no-rule", "no rule of the app matches it")
        case nil: return Fault("link-no-rule", "the document has no rules for the app")
        }
        guard let priority = association.priority(among: decisions), priority.app != app,
            LinkCheck.areRivals(priority.app, app)
        else { return nil }
        return Fault("link-other-app", "\(priority.app) opens it instead: \(priority.reason)")
    }
}

extension Transcript {
    /// The document of the last answer; nil if none could be read.
    fileprivate var document: AssociationFile? {
        asked.last.flatMap { DocumentComparison.document($0.body) }
    }
}
