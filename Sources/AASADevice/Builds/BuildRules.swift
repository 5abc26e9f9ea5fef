package import AppSiteAssociation
import OpenSSL

/// What is wrong in a build: between its signature, its profiles, its source and its parts.
package enum BuildRules {
    /// - Parameters:
    ///   - source: the `.entitlements` file of the app, if it is known.
    ///   - now: seconds since 1970.
    package static func findings(
        of build: AppBuild, source: EntitlementFile? = nil, now: Int64
    ) -> [Diagnostic] {
        build.bundles.enumerated().flatMap { index, bundle in
            let subject = BuildSubject(
                bundle: bundle, container: build.container(of: bundle),
                source: index == 0 ? source ?? bundle.expanded : bundle.expanded, now: now)
            let executable = findings(BuildRule.executable, subject, build)
            let isSigned = executable.isEmpty
            // What has no entitlements has no faults in them.
            return executable
                + (isSigned ? findings(BuildRule.signature, subject, build) : [])
                + findings(BuildRule.parts, subject, build)
                + (isSigned && bundle.entitlements != nil
                    ? findings(BuildRule.claims, subject, build) : [])
        }
    }

    private static func findings(
        _ rules: [BuildRule], _ subject: BuildSubject, _ build: AppBuild
    ) -> [Diagnostic] {
        rules.flatMap { rule in
            rule.faults(subject).map {
                Diagnostic(
                    rule.code, "\(subject.bundle.name): \($0.text)", subject: build.name,
                    severity: $0.isHarmless ? .warning : nil)
            }
        }
    }
}

/// A bundle, and what its rules compare it with.
struct BuildSubject {
    let bundle: AppBundle
    /// The bundle that holds it.
    let container: AppBundle?
    let source: EntitlementFile?
    let now: Int64

    var signature: CodeSignature? { bundle.signature }
    var isClip: Bool { bundle.kind == .appClip }

    /// An entitlement of the signature.
    subscript(_ key: String) -> JSONValue? { bundle.entitlements?[key] }

    /// The profile, for messages.
    var profileName: String { "its profile \"\(bundle.profile?.name ?? "")\"" }

    /// What the profile does not allow, by code.
    var refused: [(code: String, texts: [String])] {
        (bundle.entitlements?.members ?? []).map(\.key).compactMap { key in
            // The sandbox of macOS needs no profile.
            let needsProfile =
                !key.hasPrefix("com.apple.security.")
                || key == "com.apple.security.application-groups"
            guard needsProfile, let profile = bundle.profile, let value = self[key]
            else { return nil }
            let isDomains = key == EntitlementFile.domainsKey
            guard let allowed = profile.entitlements[key] else {
                if value.bool == false || value.array?.isEmpty == true { return nil }
                return isDomains
                    ? ("profile-domains-missing", ["\(profileName) allows no associated domains"])
                    : ("profile-entitlement-missing", ["\(profileName) does not have \(key)"])
            }
            let values = value.refused(by: allowed)
            let some = BuildRule.some
            if values.isEmpty { return nil }
            if isDomains {
                return (
                    "profile-domain-not-allowed",
                    values.map { "\(profileName) does not allow \($0)" }
                )
            }
            return EntitlementFile.identifierKeys.contains(key)
                ? (
                    "profile-other-app",
                    ["\(profileName) is for \(some(allowed.strings)), not for \(some(values))"]
                )
                : (
                    "profile-entitlement-value",
                    ["\(profileName) does not allow \(key) with \(some(values))"]
                )
        }
    }

    /// The domains of the source, as written.
    var wanted: [String] { (source?.entries ?? []).map(\.entry.text) }
    var signed: [String] { bundle.domains.map(\.text) }
}

/// One thing that may be wrong; its texts are in ``CheckCatalog``.
struct BuildRule: Sendable {
    /// What is wrong, in words.
    struct Fault: ExpressibleByStringInterpolation {
        let text: String
        /// Less than the severity of the rule.
        var isHarmless = false

        init(stringLiteral text: String) { self.text = text }
        init(_ text: String, isHarmless: Bool = false) {
            self.text = text
            self.isHarmless = isHarmless
        }
    }

    let code: String
    let faults: @Sendable (BuildSubject) -> [Fault]

    static func some(_ names: [String]) -> String { listed(names, atMost: 3) }
}

extension BuildRule {
    /// A rule with one fault at most.
    private init(_ code: String, _ fault: @escaping @Sendable (BuildSubject) -> Fault?) {
        self.init(code: code) { subject in fault(subject).map { [$0] } ?? [] }
    }

    // MARK: The executable: if one of these is broken, nothing else is known

    static let executable = [
        BuildRule("build-no-executable") {
            $0.bundle.slices.isEmpty ? "its executable is not in the build" : nil
        },
        BuildRule("build-simulator") {
            $0.bundle.slices.contains(where: \.isSimulator) ? "it is built for the simulator" : nil
        },
        BuildRule("build-unsigned") {
            guard !$0.bundle.slices.contains(where: \.isSimulator) else { return nil }
            return $0.bundle.slices.first { $0.signature == nil }.map {
                "it has no signature (\($0.architecture))"
            }
        },
    ]

    // MARK: The signature

    static let signature = [
        BuildRule("build-slices-differ") { subject in
            let first = subject.bundle.slices[0].architecture
            return subject.bundle.slices.first { $0.signature != subject.signature }.map {
                "\($0.architecture) is not signed like \(first)"
            }
        },
        BuildRule("build-ad-hoc") {
            $0.signature?.isAdHoc == true ? "it is signed without a certificate" : nil
        },
        BuildRule("build-signature-broken") {
            $0.bundle.slices.first { $0.signature?.isSealed == false }.map {
                "its signature is invalid (\($0.architecture))"
            }
        },
        BuildRule("build-entitlements-changed") {
            $0.bundle.slices.first { $0.signature?.hasOtherEntitlements == true }.map {
                "its entitlements are not those that were signed (\($0.architecture))"
            }
        },
        BuildRule("build-info-changed") {
            $0.bundle.isInfoSigned ? nil : "its Info.plist is not the one that was signed"
        },
        BuildRule("build-no-entitlements") {
            $0.signature?.entitlements == nil && $0.signature?.encodedEntitlements == nil
                ? "its signature has no entitlements" : nil
        },
        BuildRule("build-entitlements-unreadable") {
            let isListBad = $0.signature?.entitlements != nil && $0.bundle.listed == nil
            let isDERBad = $0.signature?.encodedEntitlements != nil && $0.bundle.encoded == nil
            guard isListBad || isDERBad else { return nil }
            let form = isListBad ? "property list" : "DER"
            return "the entitlements in its signature cannot be read (\(form))"
        },
        BuildRule("build-entitlements-differ") {
            guard let listed = $0.bundle.listed, let encoded = $0.bundle.encoded else { return nil }
            let keys = listed.differences(from: encoded)
            return keys.isEmpty
                ? nil : "its property list and its DER form differ in \(some(keys))"
        },
        BuildRule("build-no-der") {
            $0.signature?.entitlements != nil && $0.signature?.encodedEntitlements == nil
                ? "its entitlements have no DER form" : nil
        },
    ]

    // MARK: The bundle beside the one that holds it and its source

    static let parts = [
        BuildRule("build-nested-identifier") {
            // A helper of a Mac app may have any identifier.
            guard $0.bundle.kind != .app, let own = $0.bundle.identifier,
                let outer = $0.container?.identifier, !own.hasPrefix(outer + ".")
            else { return nil }
            return "\(own) does not begin with the app's \(outer)."
        },
        BuildRule("build-team-mixed") {
            guard let own = $0.bundle.team, let outer = $0.container?.team, own != outer
            else { return nil }
            return "it is signed by team \(own), the app that contains it by \(outer)"
        },
        BuildRule("build-companion-differs") {
            guard let container = $0.container, let companion = $0.bundle.companion,
                companion != container.identifier
            else { return nil }
            return "it is the watch app of \(companion)"
        },
        BuildRule("build-domains-missing") {
            let count = $0.wanted.count
            guard $0.signed.isEmpty, count > 0 else { return nil }
            return "the source has \(counted(count, "domain")), the signature none"
        },
        BuildRule(code: "build-domain-missing") { subject in
            // A variable has its value only in the build.
            subject.signed.isEmpty
                ? []
                : subject.wanted.filter { !$0.contains("$") && !subject.signed.contains($0) }
                    .map { "the signature does not have \($0)" }
        },
        BuildRule(code: "build-domain-extra") { subject in
            subject.source == nil || subject.wanted.contains { $0.contains("$") }
                ? []
                : subject.signed.filter { !subject.wanted.contains($0) }
                    .map { "the source does not have \($0)" }
        },
    ]

    // MARK: What the signature claims

    static let claims: [BuildRule] = identity + permissions + modes + clips

    private static let identity = [
        BuildRule("build-identifier-differs") {
            guard let identifier = $0.bundle.identifier, let app = $0.bundle.application,
                !app.hasSuffix("." + identifier)
            else { return nil }
            return "Info.plist says \(identifier), the signature \(app)"
        },
        BuildRule("build-signature-identifier") {
            guard let identifier = $0.bundle.identifier, let signed = $0.signature?.identifier,
                signed != identifier
            else { return nil }
            return "it is signed as \(signed), and Info.plist says \(identifier)"
        },
        BuildRule("build-team-differs") {
            let named = $0["com.apple.developer.team-identifier"]?.string
            guard let named, let team = $0.bundle.team, named != team else { return nil }
            return "its entitlements name team \(named), its certificate names \(team)"
        },
        BuildRule("profile-unreadable") {
            $0.bundle.hasUnreadableProfile ? "its provisioning profile cannot be read" : nil
        },
        BuildRule("profile-missing") {
            $0.bundle.profile == nil && !$0.bundle.hasUnreadableProfile
                && $0.bundle.application != nil ? "it has no provisioning profile" : nil
        },
        BuildRule("profile-changed") {
            $0.bundle.profile?.isIntact == false
                ? "the signature of \($0.profileName) is invalid" : nil
        },
        BuildRule("profile-expired") {
            guard let profile = $0.bundle.profile, profile.isExpired(at: $0.now),
                let expires = profile.expires
            else { return nil }
            // The App Store signs anew what was accepted in time.
            return Fault(
                "\($0.profileName) expired on \(expires.prefix(10))",
                isHarmless: profile.kind == .appStore)
        },
        BuildRule("profile-other-team") {
            guard let team = $0.bundle.team, let teams = $0.bundle.profile?.teams, !teams.isEmpty,
                !teams.contains(team)
            else { return nil }
            return "\($0.profileName) names team \(some(teams)), its certificate \(team)"
        },
    ]

    private static let permissions = [
        "profile-domains-missing", "profile-entitlement-missing", "profile-domain-not-allowed",
        "profile-other-app", "profile-entitlement-value",
    ].map { code in
        BuildRule(code: code) { subject in
            subject.refused.filter { $0.code == code }.flatMap(\.texts).map { Fault($0) }
        }
    }

    private static let modes = [
        BuildRule(code: "build-domain-variable") { subject in
            subject.bundle.domains.filter { $0.problems.contains(.buildVariable) }.map {
                "\($0.text) holds a variable of Xcode, which no device replaces"
            }
        },
        BuildRule(code: "build-developer-mode") { subject in
            let bundle = subject.bundle
            if bundle.isForDevelopment, bundle.profile?.kind ?? .development == .development {
                return []
            }
            return bundle.domains.filter { $0.mode.contains(.developer) }.map { entry in
                let hasTwin = bundle.domains.contains {
                    $0.service == entry.service && $0.domain == entry.domain
                        && $0.isWildcard == entry.isWildcard && !$0.mode.contains(.developer)
                }
                return Fault(
                    "\(entry.text) is skipped in this build"
                        + (hasTwin ? "; its entry without a mode counts" : ""), isHarmless: hasTwin)
            }
        },
    ]

    // MARK: App Clips

    private static let parentsKey = "com.apple.developer.parent-application-identifiers"
    private static let clipsKey = "com.apple.developer.associated-appclip-app-identifiers"

    private static let clips = [
        BuildRule("clip-not-on-demand") {
            $0.isClip && $0["com.apple.developer.on-demand-install-capable"]?.bool != true
                ? "it does not have on-demand-install-capable" : nil
        },
        BuildRule("clip-parent-missing") {
            $0.isClip && ($0[parentsKey]?.strings ?? []).isEmpty
                ? "it does not have parent-application-identifiers" : nil
        },
        BuildRule("clip-parent-other") {
            guard $0.isClip, let parents = $0[parentsKey]?.strings, !parents.isEmpty,
                let app = $0.container, app.entitlements != nil, let parent = app.application,
                !parents.contains(parent)
            else { return nil }
            return "it names \(some(parents)), the app that contains it is \(parent)"
        },
        BuildRule("clip-not-named") {
            guard $0.isClip, let app = $0.container, let entitlements = app.entitlements,
                let own = $0.bundle.application,
                entitlements[clipsKey]?.strings.contains(own) != true
            else { return nil }
            return "\(app.name) does not name it"
        },
        BuildRule(code: "clip-domain-missing") { subject in
            guard subject.isClip, let app = subject.container, app.entitlements != nil
            else { return [] }
            func domains(_ bundle: AppBundle) -> [String] {
                bundle.domains.filter { $0.service == "appclips" }.map(\.text)
            }
            let (own, outer) = (domains(subject.bundle), domains(app))
            return own.filter { !outer.contains($0) }.map { "\(app.name) does not have \($0)" }
                + outer.filter { !own.contains($0) }
                .map { "\(app.name) has \($0); the App Clip does not" }
        },
    ]
}
