import AppSiteAssociation
import TestSupport
import Testing

@testable import AASADevice

/// A build with one thing planted in it, and the one finding that it has to give.
struct PlantedBuild: Sendable, CustomTestStringConvertible {
    let code: String
    let testDescription: String
    let build: MadeBuild
    var source: ListValue?

    init(
        _ code: String, _ what: String, _ build: MadeBuild = .shop(), source: ListValue? = nil,
        _ change: (inout MadeBundle) -> Void = { _ in }
    ) {
        self.code = code
        testDescription = "\(code): \(what)"
        var build = build
        change(&build.bundles[0])
        self.build = build
        self.source = source
    }

    /// In a part of an app.
    init(
        _ code: String, _ what: String, part: Int, _ change: (inout MadeBundle) -> Void
    ) {
        self.code = code
        testDescription = "\(code): \(what)"
        var build = MadeBuild.family()
        change(&build.bundles[part])
        self.build = build
    }
}

@Suite struct BuildRulesTests {
    private static func source(_ domains: [String]) -> ListValue {
        [MadeBuild.domainsKey: .list(domains.map { .text($0) })]
    }

    private static let domains = MadeBuild.domainsKey
    private static let team = "com.apple.developer.team-identifier"
    private static let parents = "com.apple.developer.parent-application-identifiers"
    private static let clips = "com.apple.developer.associated-appclip-app-identifiers"
    private static let onDemand = "com.apple.developer.on-demand-install-capable"

    static let signatures: [PlantedBuild] = [
        .init("build-no-executable", "missing file") { $0.hasExecutable = false },
        .init("build-no-executable", "no key") { $0.info["CFBundleExecutable"] = nil },
        .init("build-simulator", "platform 7") { $0.executable.isSimulator = true },
        .init("build-unsigned", "no command") { $0.executable.isSigned = false },
        .init("build-ad-hoc", "flag") { $0.executable.isAdHoc = true },
        .init("build-signature-broken", "a code directory of another build") {
            $0.executable.isResealed = true
        },
        .init("build-signature-broken", "a widget's", part: 2) {
            $0.executable.isResealed = true
        },
        .init("build-entitlements-changed", "a domain more than was signed") {
            var other = $0.entitlements
            other?[domains] = nil
            $0.executable.signedList = other?.xml
        },
        .init("build-info-changed", "a version that was raised later") {
            $0.executable.info = $0.info.xml + [0x20]
        },
        .init("build-no-entitlements", "no blob") {
            $0.entitlements = nil
            $0.hasDER = false
        },
        .init("build-entitlements-unreadable", "property list") {
            $0.executable.list = Array("<plist><dict>".utf8)
        },
        .init("build-entitlements-unreadable", "DER") { $0.der = [0x70, 3, 2, 1] },
        .init("build-entitlements-differ", "another domain in DER") {
            var other = $0.entitlements
            other?[domains] = ["applinks:example.org"]
            $0.der = other?.der
        },
        .init("build-entitlements-differ", "no domains in DER") {
            var other = $0.entitlements
            other?[domains] = nil
            $0.der = other?.der
        },
        .init("build-no-der", "property list only") { $0.hasDER = false },
        .init("build-slices-differ", "the second architecture is older") {
            $0.executable.form = .fat
            var other = $0.entitlements
            other?[domains] = nil
            $0.executable.otherList = other?.xml
        },
    ]

    static let identities: [PlantedBuild] = [
        .init("build-identifier-differs", "Info.plist of a staging app") {
            $0.info["CFBundleIdentifier"] = "com.example.shop.staging"
            $0.executable.identifier = "com.example.shop.staging"
        },
        .init("build-signature-identifier", "another identifier in the code directory") {
            $0.executable.identifier = "com.example.old"
        },
        .init("build-team-differs", "an old team in the entitlements") {
            $0.sign(team, "ABCDE12345")
            $0.allow(team, "ABCDE12345")
        },
        .init("build-team-mixed", "a widget of another team", part: 2) {
            $0 = MadeBundle($0.path, "com.example.shop.Widget", team: "ABCDE12345")
        },
        .init("build-nested-identifier", "a widget of another name", part: 2) {
            $0 = MadeBundle($0.path, "com.example.widget")
        },
        .init("build-companion-differs", "a watch app of another app", part: 3) {
            $0.info["WKCompanionAppBundleIdentifier"] = "com.example.old"
        },
        .init("build-no-entitlements", "an App Clip without entitlements", part: 1) {
            $0.entitlements = nil
            $0.hasDER = false
        },
        .init("build-unsigned", "an unsigned widget", part: 2) { $0.executable.isSigned = false },
    ]

    /// A profile that was signed under another name.
    private static func changed(_ profile: ListValue?) -> [UInt8]? {
        guard let profile, var bytes = try? MadeBuild.sign(profile.xml),
            let place = bytes.indices.first(where: {
                bytes[$0...].starts(with: Array("<key>Name".utf8))
            })
        else { return nil }
        // Behind "<key>Name</key><string>".
        bytes[place + 23] ^= 1
        return bytes
    }

    static let profiles: [PlantedBuild] = [
        .init("profile-missing", "no file") { $0.profile = nil },
        .init("profile-unreadable", "no CMS") { $0.profileBytes = [0x30, 0x82, 1, 2] },
        .init("profile-unreadable", "an empty file") { $0.profileBytes = [] },
        .init("profile-changed", "an edited name") {
            $0.profileBytes = changed($0.profile)
        },
        .init("profile-expired", "ad hoc", .shop(kind: "ad-hoc")) {
            $0.profile?["ExpirationDate"] = .date("2020-01-31T12:00:00Z")
        },
        .init("profile-expired", "App Store") {
            $0.profile?["ExpirationDate"] = .date("2020-01-31T12:00:00Z")
        },
        .init("profile-other-app", "of another app") {
            $0.allow("application-identifier", "9JA89QQLNQ.com.example.news")
        },
        .init("profile-other-app", "a wildcard beside it") {
            $0.allow("application-identifier", "9JA89QQLNQ.com.example.shops.*")
        },
        .init("profile-other-team", "of another team") {
            $0.profile?["TeamIdentifier"] = ["ABCDE12345"]
        },
        .init("profile-domains-missing", "made before the capability") { $0.allow(domains, nil) },
        .init("profile-domain-not-allowed", "a list without the domain") {
            $0.allow(domains, ["applinks:example.org"])
        },
        .init("profile-domain-not-allowed", "a wildcard that is too narrow") {
            $0.allow(domains, "webcredentials:*")
        },
        .init("profile-entitlement-missing", "push") { $0.sign("aps-environment", "production") },
        .init("profile-entitlement-value", "debugging in a build for the App Store") {
            $0.sign("get-task-allow", true)
        },
        .init("profile-entitlement-value", "push for development") {
            $0.sign("aps-environment", "production")
            $0.allow("aps-environment", "development")
        },
        .init("profile-entitlement-value", "a keychain group of another team") {
            $0.sign("keychain-access-groups", ["ABCDE12345.shared"])
        },
        .init("profile-domains-missing", "an App Clip's", part: 1) { $0.allow(domains, nil) },
    ]

    static let places: [PlantedBuild] = [
        .init("build-domain-variable", "not defined", .shop(["applinks:$(HOST)"])),
        .init("build-domain-variable", "without brackets", .shop(["applinks:$HOST"])),
        .init(
            "build-developer-mode", "alone",
            .shop(["applinks:example.org", "applinks:example.com?mode=developer"])),
        .init(
            "build-developer-mode", "beside its twin",
            .shop(["applinks:example.com", "applinks:example.com?mode=developer"])),
        .init(
            "build-developer-mode", "for a company",
            .shop(["applinks:example.com?mode=developer"], kind: "enterprise")),
        .init(
            "build-developer-mode", "for registered devices",
            .shop(["webcredentials:example.com?mode=developer+managed"], kind: "ad-hoc")),
        .init(
            "build-domains-missing", "a re-signed build", .shop([]),
            source: source(["applinks:example.com"])),
        .init(
            "build-domains-missing", "variables count as domains", .shop([]),
            source: source(["applinks:$(HOST)"])),
        .init(
            "build-domain-missing", "one of two",
            source: source(["applinks:example.com", "webcredentials:example.com"])),
        .init(
            "build-domain-extra", "one more than the source",
            .shop(["applinks:example.com", "applinks:staging.example.com"]),
            source: source(["applinks:example.com"])),
        .init("clip-parent-missing", "no entitlement", part: 1) { $0.sign(parents, nil) },
        .init("clip-parent-other", "of an old app", part: 1) {
            $0.sign(parents, ["9JA89QQLNQ.com.example.old"])
            $0.allow(parents, ["9JA89QQLNQ.com.example.old"])
        },
        .init("clip-not-named", "the app does not name it", part: 0) { $0.sign(clips, nil) },
        .init("clip-not-named", "the app names another", part: 0) {
            $0.sign(clips, ["9JA89QQLNQ.com.example.shop.Old"])
            $0.allow(clips, ["9JA89QQLNQ.com.example.shop.Old"])
        },
        .init("clip-not-on-demand", "an app in its place", part: 1) { $0.sign(onDemand, nil) },
        .init("clip-domain-missing", "only the App Clip has it", part: 0) {
            $0.sign(domains, ["applinks:example.com"])
        },
        .init("clip-domain-missing", "only the app has it", part: 1) { $0.sign(domains, []) },
    ]

    @Test(
        "finds what was planted, and nothing else",
        arguments: signatures + identities + profiles + places)
    func finds(planted: PlantedBuild) throws {
        let codes = try planted.build.codes(source: planted.source)
        expectEqual(codes, [planted.code])
    }

    static let matching: [PlantedBuild] = [
        .init("", "App Store"), .init("", "debugging", .shop(kind: "development")),
        .init("", "registered devices", .shop(kind: "ad-hoc")),
        .init("", "a company", .shop(kind: "enterprise")), .init("", "all parts", .family()),
        .init("", "all parts while debugging", .family("development")),
        .init("", "no domains", .shop([])),
        .init(
            "", "developer mode while debugging",
            .shop(["applinks:example.com?mode=developer"], kind: "development")),
        .init("", "two architectures") { $0.executable.form = .fat },
        .init("", "32 bits, and a profile for all apps of the team") {
            $0.executable.form = .little32
            $0.allow("application-identifier", "9JA89QQLNQ.*")
        },
        .init("", "a profile that lists the domain") {
            $0.allow(domains, ["applinks:example.com", "applinks:example.org"])
        },
        .init(
            "", "the same source", .shop(["applinks:example.com"]),
            source: source(["applinks:example.com"])),
        .init(
            "", "a source with variables", .shop(["applinks:example.com"]),
            source: source(["applinks:$(HOST)"])),
        .init("", "a Mac app in the sandbox") {
            $0.isMac = true
            $0.sign("com.apple.security.app-sandbox", true)
        },
        .init("", "an old app with a prefix of its own") {
            $0.sign("application-identifier", "ABCDE12345.com.example.shop")
            $0.allow("application-identifier", "ABCDE12345.com.example.shop")
        },
    ]

    @Test("finds nothing in builds that are right", arguments: matching)
    func isQuiet(planted: PlantedBuild) throws {
        try expectEqual(planted.build.codes(source: planted.source), [])
    }

    @Test("a helper of a Mac app has any identifier")
    func helpers() throws {
        let helper = MadeBundle("Shop.app/Contents/Library/LoginItems/Help.app", "com.example.help")
        var made = MadeBuild([MadeBundle("Shop.app", "com.example.shop"), helper])
        made.bundles[0].isMac = true
        made.bundles[1].isMac = true
        try expectEqual(made.codes(), [])
    }

    @Test("says what is wrong where, and how to fix it")
    func texts() throws {
        var made = MadeBuild.shop()
        made.bundles[0].profile?["ExpirationDate"] = .date("2020-01-31T12:00:00Z")
        let finding = try #require(
            BuildRules.findings(of: try made.read(), now: 1_790_000_000).first)
        #expect(finding.severity == .warning && finding.file == "App.ipa")
        expectEqual(
            finding.message,
            "Shop.app: its profile \"app-store of com.example.shop\" expired on 2020-01-31")
        expectEqual(finding.remedy?.contains("Renew the profile"), true)
    }
}
