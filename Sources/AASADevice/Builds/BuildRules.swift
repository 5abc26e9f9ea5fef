package import AppSiteAssociation

/// What is wrong in a build: between its signature, its profiles, its source and its parts.
///
/// One value checks one bundle; the texts of its codes are in ``CheckCatalog``.
package struct BuildRules {
    private let build: String
    private let bundle: AppBundle
    /// The bundle that holds it.
    private let container: AppBundle?
    private let source: EntitlementFile?
    /// Seconds since 1970.
    private let now: Int64
    private var findings: [Diagnostic] = []

    /// - Parameters:
    ///   - source: the `.entitlements` file of the app, if it is known.
    ///   - now: seconds since 1970.
    package static func findings(
        of build: AppBuild, source: EntitlementFile? = nil, now: Int64
    ) -> [Diagnostic] {
        build.bundles.enumerated().flatMap { index, bundle in
            var rules = BuildRules(
                build: build.name, bundle: bundle, container: build.container(of: bundle),
                source: index == 0 ? source : nil, now: now)
            rules.check()
            return rules.findings
        }
    }

    private mutating func check() {
        checkExecutable()
        let isSigned = findings.isEmpty
        if isSigned, let signature = bundle.signature { check(signature) }
        checkParts()
        // What has no entitlements has no faults in them.
        guard isSigned, let entitlements = bundle.entitlements else { return }
        checkIdentity(entitlements)
        if let profile = bundle.profile { check(entitlements, allowedBy: profile) }
        checkModes()
        if bundle.kind == .appClip { checkClip(entitlements) }
    }

    /// - Parameters:
    ///   - text: what is wrong in this bundle.
    ///   - isHarmless: less than the severity of the code.
    private mutating func report(_ code: String, _ text: String, isHarmless: Bool = false) {
        findings.append(
            Diagnostic(
                code, "\(bundle.name): \(text)", subject: build,
                severity: isHarmless ? .warning : nil))
    }

    /// Reports a code whose title says what is wrong, for a name at most.
    private mutating func report(_ code: String, of name: String? = nil) {
        let title = CheckCatalog.entry(code)?.title ?? code
        report(code, name.map { "\(title) (\($0))" } ?? title)
    }

    /// Reports the first architecture for which something is wrong.
    private mutating func report(_ code: String, where isWrong: (MachOFile.Slice) -> Bool) {
        if let slice = bundle.slices.first(where: isWrong) { report(code, of: slice.architecture) }
    }

    /// Reports a name that has to be another one, if both are known.
    private mutating func report(_ code: String, _ found: String?, insteadOf wanted: String?) {
        guard let found, let wanted, found != wanted else { return }
        report(code, of: "\(found) instead of \(wanted)")
    }

    // MARK: The executable and its signature

    /// If one of these is wrong, nothing else is known.
    private mutating func checkExecutable() {
        if bundle.slices.isEmpty { report("build-no-executable") }
        report("build-simulator") { $0.isSimulator }
        if findings.isEmpty { report("build-unsigned") { $0.signature == nil } }
    }

    private mutating func check(_ signature: CodeSignature) {
        report("build-slices-differ") { $0.signature != signature }
        if signature.isAdHoc { report("build-ad-hoc") }
        report("build-signature-broken") { $0.signature?.isSealed == false }
        report("build-entitlements-changed") { $0.signature?.hasOtherEntitlements == true }
        if !bundle.isInfoSigned { report("build-info-changed") }
        let hasList = signature.entitlements != nil
        let hasDER = signature.encodedEntitlements != nil
        if !hasList, !hasDER { report("build-no-entitlements") }
        if hasList && bundle.listed == nil || hasDER && bundle.encoded == nil {
            report("build-entitlements-unreadable")
        }
        if let list = bundle.listed, let encoded = bundle.encoded {
            let keys = list.differences(from: encoded)
            if !keys.isEmpty {
                report(
                    "build-entitlements-differ",
                    "its property list and its DER form differ in \(listed(keys, atMost: 3))")
            }
        }
        if hasList, !hasDER { report("build-no-der") }
    }

    // MARK: The bundle beside the one that holds it and its source

    private mutating func checkParts() {
        // A helper of a Mac app may have any identifier.
        if bundle.kind != .app, let own = bundle.identifier, let outer = container?.identifier,
            !own.hasPrefix(outer + ".")
        {
            report("build-nested-identifier", "\(own) does not begin with the app's \(outer).")
        }
        report("build-team-mixed", bundle.team, insteadOf: container?.team)
        report("build-companion-differs", bundle.companion, insteadOf: container?.identifier)
        guard let source else { return }
        let wanted = (source.entries ?? []).map(\.entry.text)
        let signed = bundle.domains.map(\.text)
        if signed.isEmpty, !wanted.isEmpty {
            let count = counted(wanted.count, "domain")
            report("build-domains-missing", "the source has \(count), the signature none")
        }
        // A variable has its value only in the build.
        for domain in wanted where !signed.isEmpty && !domain.contains("$") {
            if !signed.contains(domain) {
                report("build-domain-missing", "the signature does not have \(domain)")
            }
        }
        if wanted.contains(where: { $0.contains("$") }) { return }
        for domain in signed where !wanted.contains(domain) {
            report("build-domain-extra", "the source does not have \(domain)")
        }
    }

    // MARK: What the signature claims

    private mutating func checkIdentity(_ entitlements: JSONValue) {
        let (identifier, signed) = (bundle.identifier, bundle.signature?.identifier)
        if let identifier, let app = bundle.application, !app.hasSuffix("." + identifier) {
            report("build-identifier-differs", of: "\(identifier), \(app)")
        }
        report("build-signature-identifier", signed, insteadOf: identifier)
        let named = entitlements["com.apple.developer.team-identifier"]?.string
        report("build-team-differs", named, insteadOf: bundle.team)
        if bundle.hasUnreadableProfile {
            report("profile-unreadable")
        } else if bundle.profile == nil, bundle.application != nil {
            report("profile-missing")
        }
    }

    private mutating func check(_ entitlements: JSONValue, allowedBy profile: ProvisioningProfile) {
        let name = "its profile \"\(profile.name)\""
        if !profile.isIntact { report("profile-changed", "the signature of \(name) is invalid") }
        if profile.isExpired(at: now), let expires = profile.expires {
            // The App Store signs anew what was accepted in time.
            report(
                "profile-expired", "\(name) expired on \(expires.prefix(10))",
                isHarmless: profile.kind == .appStore)
        }
        if let team = bundle.team, !profile.teams.isEmpty, !profile.teams.contains(team) {
            let teams = listed(profile.teams, atMost: 3)
            report("profile-other-team", "\(name) names team \(teams), its certificate \(team)")
        }
        for member in entitlements.members ?? [] {
            let (key, value) = (member.key, member.value)
            // The sandbox of macOS needs no profile.
            if key.hasPrefix("com.apple.security."),
                key != "com.apple.security.application-groups"
            {
                continue
            }
            let isDomains = key == EntitlementFile.domainsKey
            let allowed = profile.entitlements[key]
            // What is off or empty needs no permission.
            let refused = value.refused(by: allowed ?? .flag(false))
            if refused.isEmpty { continue }
            let own = listed(refused, atMost: 3)
            if allowed == nil, isDomains {
                report("profile-domains-missing", "\(name) allows no associated domains")
            } else if allowed == nil {
                report("profile-entitlement-missing", "\(name) does not have \(key)")
            } else if isDomains {
                for domain in refused {
                    report("profile-domain-not-allowed", "\(name) does not allow \(domain)")
                }
            } else if EntitlementFile.identifierKeys.contains(key) {
                let wanted = listed(allowed?.entries ?? [], atMost: 3)
                report("profile-other-app", "\(name) is for \(wanted), not for \(own)")
            } else {
                report("profile-entitlement-value", "\(name) does not allow \(key) with \(own)")
            }
        }
    }

    private mutating func checkModes() {
        let domains = bundle.domains
        for entry in domains where entry.problems.contains(.buildVariable) {
            report("build-domain-variable", of: entry.text)
        }
        if bundle.isForDevelopment, bundle.profile?.kind ?? .development == .development { return }
        for entry in domains where entry.mode.contains(.developer) {
            let hasTwin = domains.contains {
                $0.service == entry.service && $0.domain == entry.domain
                    && $0.isWildcard == entry.isWildcard && !$0.mode.contains(.developer)
            }
            report(
                "build-developer-mode",
                "\(entry.text) is skipped in this build"
                    + (hasTwin ? "; its entry without a mode counts" : ""), isHarmless: hasTwin)
        }
    }

    private mutating func checkClip(_ entitlements: JSONValue) {
        if entitlements["com.apple.developer.on-demand-install-capable"]?.bool != true {
            report("clip-not-on-demand")
        }
        let parentsKey = "com.apple.developer.parent-application-identifiers"
        let parents = entitlements[parentsKey]?.entries ?? []
        if parents.isEmpty { report("clip-parent-missing") }
        guard let app = container, let claims = app.entitlements else { return }
        if !parents.isEmpty, let parent = app.application, !parents.contains(parent) {
            report(
                "clip-parent-other",
                "it names \(listed(parents, atMost: 3)), the app that contains it is \(parent)")
        }
        let clips = claims["com.apple.developer.associated-appclip-app-identifiers"]?.entries
        if let own = bundle.application, clips?.contains(own) != true {
            report("clip-not-named", "\(app.name) does not name it")
        }
        func domains(_ bundle: AppBundle) -> [String] {
            bundle.domains.filter { $0.service == "appclips" }.map(\.text)
        }
        let (own, outer) = (domains(bundle), domains(app))
        for domain in own where !outer.contains(domain) {
            report("clip-domain-missing", "\(app.name) does not have \(domain)")
        }
        for domain in outer where !own.contains(domain) {
            report("clip-domain-missing", "\(app.name) has \(domain); the App Clip does not")
        }
    }
}
