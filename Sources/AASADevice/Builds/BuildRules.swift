package import AppSiteAssociation

/// What is wrong in a build: between its signature, its profiles, its source and its parts.
package struct BuildRules {
    private let build: AppBuild
    private let now: Int64
    private var findings: [Diagnostic] = []

    /// - Parameters:
    ///   - source: the `.entitlements` file of the app, if it is known.
    ///   - now: seconds since 1970.
    package static func findings(
        of build: AppBuild, source: EntitlementFile? = nil, now: Int64
    ) -> [Diagnostic] {
        var rules = BuildRules(build: build, now: now)
        for (index, bundle) in build.bundles.enumerated() {
            rules.check(bundle, source: index == 0 ? source ?? bundle.expanded : bundle.expanded)
        }
        return rules.findings
    }

    private init(build: AppBuild, now: Int64) {
        self.build = build
        self.now = now
    }

    private mutating func report(
        _ code: String, _ bundle: AppBundle, _ message: String, severity: Severity? = nil
    ) {
        let entry = BuildCatalog.entry(code)
        findings.append(
            Diagnostic(
                code: code, severity: severity ?? entry?.severity ?? .error,
                message: "\(bundle.name): \(message)", remedy: entry?.remedy, file: build.name))
    }

    private mutating func check(_ bundle: AppBundle, source: EntitlementFile?) {
        // What has no entitlements has no faults in them.
        let isSigned = checkSignature(bundle)
        checkParts(bundle)
        if let source { compare(bundle, with: source) }
        guard isSigned, bundle.entitlements != nil else { return }
        checkIdentity(bundle)
        checkProfile(bundle)
        checkModes(bundle)
        if bundle.kind == .appClip { checkClip(bundle) }
    }

    // MARK: Signature

    private mutating func checkSignature(_ bundle: AppBundle) -> Bool {
        guard let first = bundle.slices.first else {
            report("build-no-executable", bundle, "its executable is not in the build")
            return false
        }
        if bundle.slices.contains(where: \.isSimulator) {
            report("build-simulator", bundle, "it is built for the simulator")
            return false
        }
        if let slice = bundle.slices.first(where: { $0.signature == nil }) {
            report("build-unsigned", bundle, "it has no signature (\(slice.architecture))")
            return false
        }
        guard let signature = first.signature else { return false }
        for slice in bundle.slices.dropFirst() where slice.signature != signature {
            report(
                "build-slices-differ", bundle,
                "\(slice.architecture) is signed otherwise than \(first.architecture)")
        }
        if signature.isAdHoc {
            report("build-ad-hoc", bundle, "it is signed without a certificate")
        }
        if signature.entitlements == nil, signature.encodedEntitlements == nil {
            report("build-no-entitlements", bundle, "its signature has no entitlements")
        }
        let isListBad = signature.entitlements != nil && bundle.listed == nil
        let isDERBad = signature.encodedEntitlements != nil && bundle.encoded == nil
        if isListBad || isDERBad {
            report(
                "build-entitlements-unreadable", bundle,
                "the entitlements in its signature cannot be read "
                    + (isListBad ? "(property list)" : "(DER)"))
        }
        if let listed = bundle.listed, let encoded = bundle.encoded {
            let keys = listed.differences(from: encoded)
            if !keys.isEmpty {
                report(
                    "build-entitlements-differ", bundle,
                    "its property list and its DER form differ in \(Self.some(keys))")
            }
        }
        if signature.entitlements != nil, signature.encodedEntitlements == nil {
            report("build-no-der", bundle, "its entitlements have no DER form")
        }
        return true
    }

    private static func some(_ names: [String]) -> String {
        names.prefix(3).joined(separator: ", ")
            + (names.count > 3 ? " and \(names.count - 3) more" : "")
    }

    // MARK: Identity

    private mutating func checkIdentity(_ bundle: AppBundle) {
        if let identifier = bundle.identifier {
            if let application = bundle.application, !application.hasSuffix("." + identifier) {
                report(
                    "build-identifier-differs", bundle,
                    "Info.plist says \(identifier), the signature \(application)")
            }
            if let signed = bundle.signature?.identifier, signed != identifier {
                report(
                    "build-signature-identifier", bundle,
                    "it is signed as \(signed), and Info.plist says \(identifier)")
            }
        }
        let named = bundle.entitlements?["com.apple.developer.team-identifier"]?.string
        if let named, let team = bundle.signature?.team, named != team {
            report(
                "build-team-differs", bundle,
                "its entitlements name team \(named), its certificate is of \(team)")
        }
    }

    private mutating func checkParts(_ bundle: AppBundle) {
        guard let container = build.container(of: bundle) else { return }
        // A helper of a Mac app may have any identifier.
        if bundle.kind != .app, let own = bundle.identifier, let outer = container.identifier,
            !own.hasPrefix(outer + ".")
        {
            report(
                "build-nested-identifier", bundle,
                "\(own) does not begin with \(outer)., the app that contains it")
        }
        if let own = bundle.signature?.team, let outer = container.signature?.team, own != outer {
            report(
                "build-team-mixed", bundle,
                "it is signed by team \(own), and the app that contains it by \(outer)")
        }
        if let companion = bundle.companion, companion != container.identifier {
            report("build-companion-differs", bundle, "it is the watch app of \(companion)")
        }
    }

    // MARK: Profile

    private mutating func checkProfile(_ bundle: AppBundle) {
        if bundle.hasUnreadableProfile {
            report("profile-unreadable", bundle, "its provisioning profile cannot be read")
        }
        guard let profile = bundle.profile else {
            if !bundle.hasUnreadableProfile, bundle.application != nil {
                report("profile-missing", bundle, "it has no provisioning profile")
            }
            return
        }
        let name = "its profile \"\(profile.name)\""
        if profile.isExpired(at: now), let expires = profile.expires {
            // The App Store signs anew what was accepted in time.
            report(
                "profile-expired", bundle, "\(name) expired on \(expires.prefix(10))",
                severity: profile.kind == .appStore ? .warning : .error)
        }
        if let team = bundle.signature?.team, !profile.teams.isEmpty,
            !profile.teams.contains(team)
        {
            report(
                "profile-other-team", bundle,
                "\(name) is of team \(Self.some(profile.teams)), its certificate of \(team)")
        }
        for key in bundle.entitlements?.keys ?? [] where Self.needsProfile(key) {
            guard let value = bundle.entitlements?[key] else { continue }
            check(key, value, of: bundle, profile, name)
        }
    }

    /// The sandbox of macOS needs no profile.
    private static func needsProfile(_ key: String) -> Bool {
        !key.hasPrefix("com.apple.security.") || key == "com.apple.security.application-groups"
    }

    private mutating func check(
        _ key: String, _ value: PropertyListValue, of bundle: AppBundle,
        _ profile: ProvisioningProfile, _ name: String
    ) {
        let isDomains = key == EntitlementFile.domainsKey
        guard let allowed = profile.entitlements[key] else {
            if value.flag == false || value.elements?.isEmpty == true { return }
            return isDomains
                ? report("profile-domains-missing", bundle, "\(name) allows no associated domains")
                : report("profile-entitlement-missing", bundle, "\(name) does not have \(key)")
        }
        let refused = value.refused(by: allowed)
        guard !refused.isEmpty else { return }
        if isDomains {
            for domain in refused {
                report("profile-domain-not-allowed", bundle, "\(name) does not allow \(domain)")
            }
        } else if EntitlementFile.identifierKeys.contains(key) {
            report(
                "profile-other-app", bundle,
                "\(name) is for \(Self.some(allowed.strings)), not for \(Self.some(refused))")
        } else {
            report(
                "profile-entitlement-value", bundle,
                "\(name) does not allow \(key) with \(Self.some(refused))")
        }
    }

    // MARK: Domains

    private mutating func checkModes(_ bundle: AppBundle) {
        guard !bundle.isForDevelopment || bundle.profile?.kind.isDistribution == true else {
            return
        }
        let domains = bundle.domains
        for entry in domains where entry.mode.contains(.developer) {
            let hasTwin = domains.contains {
                $0.service == entry.service && $0.domain == entry.domain
                    && $0.isWildcard == entry.isWildcard && !$0.mode.contains(.developer)
            }
            report(
                "build-developer-mode", bundle,
                "\(entry.text) is skipped in this build"
                    + (hasTwin ? "; its entry without a mode counts" : ""),
                severity: hasTwin ? .warning : .error)
        }
    }

    private mutating func compare(_ bundle: AppBundle, with source: EntitlementFile) {
        // A variable has its value only in the build.
        let wanted = (source.entries ?? []).map(\.entry.text)
        let signed = bundle.domains.map(\.text)
        if signed.isEmpty, !wanted.isEmpty {
            return report(
                "build-domains-missing", bundle,
                "the source has \(wanted.count == 1 ? "1 domain" : "\(wanted.count) domains"), "
                    + "the signature none")
        }
        for text in wanted where !text.contains("$") && !signed.contains(text) {
            report("build-domain-missing", bundle, "the signature does not have \(text)")
        }
        guard !wanted.contains(where: { $0.contains("$") }) else { return }
        for text in signed where !wanted.contains(text) {
            report("build-domain-extra", bundle, "the source does not have \(text)")
        }
    }

    // MARK: App Clips

    private mutating func checkClip(_ clip: AppBundle) {
        let entitlements = clip.entitlements
        if entitlements?["com.apple.developer.on-demand-install-capable"]?.flag != true {
            report("clip-not-on-demand", clip, "it does not have on-demand-install-capable")
        }
        let parents =
            entitlements?["com.apple.developer.parent-application-identifiers"]?.strings ?? []
        if parents.isEmpty {
            report("clip-parent-missing", clip, "it does not have parent-application-identifiers")
        }
        guard let app = build.container(of: clip), app.entitlements != nil else { return }
        if let parent = app.application, !parents.isEmpty, !parents.contains(parent) {
            report(
                "clip-parent-other", clip,
                "it names \(Self.some(parents)), and the app that contains it is \(parent)")
        }
        let clips =
            app.entitlements?["com.apple.developer.associated-appclip-app-identifiers"]?.strings
        if let own = clip.application, clips?.contains(own) != true {
            report("clip-not-named", clip, "\(app.name) does not name it")
        }
        func domains(_ bundle: AppBundle) -> [String] {
            bundle.domains.filter { $0.service == "appclips" }.map(\.text)
        }
        for text in domains(clip) where !domains(app).contains(text) {
            report("clip-domain-missing", clip, "\(app.name) does not have \(text)")
        }
        for text in domains(app) where !domains(clip).contains(text) {
            report("clip-domain-missing", clip, "\(app.name) has \(text), the App Clip does not")
        }
    }
}
