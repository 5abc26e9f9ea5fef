import AASAClient
import AppSiteAssociation
import TestSupport
import Testing

@testable import AASADevice

/// A site and Apple's copy of it: the answers to every request of a phone.
struct AnsweringSite: Sendable {
    var site: [String: String]
    /// By host; what is missing is as the site says.
    var cdn: [String: String] = [:]
    var status: [String: Int] = [:]
    var cdnStatus: [String: Int] = [:]

    func ask(_ request: ClientRequest) -> ClientExchange {
        let prefix = "/a/v1/"
        let isCDN = request.target.hasPrefix(prefix)
        let host = isCDN ? String(request.target.dropFirst(prefix.count)) : request.host
        let body = (isCDN ? cdn[host] : nil) ?? site[host]
        let code = (isCDN ? cdnStatus[host] : nil) ?? status[host] ?? (body == nil ? 404 : 200)
        return SuiteOfBuilds.answer(code, body ?? "")
    }

    /// What a phone on this network does with a build.
    func links(
        _ made: MadeBuild, _ urls: [String] = [], era: Era = .ios14, callback: String? = nil
    ) throws -> BuildLinks {
        let callback = callback.flatMap { HTTPSCallback($0) }
        return BuildLinks(of: try made.read(), era: era, urls: urls, callback: callback) {
            app, era, entries in
            var device = Device(
                SuiteOfBuilds.settings(app, era),
                chance: { 0 }, ask: { ask($0) })
            return device.install(entries)
        }
    }
}

enum SuiteOfBuilds: DeviceSuite {
    static func listing(
        _ app: String = MadeBuild.app, rules: String = #"{"/": "/buy/*"}"#, first: String = ""
    ) -> String {
        #"{"applinks": {"details": ["# + first
            + #"{"appIDs": ["\#(app)"], "components": [\#(rules)]}]}}"#
    }

    static let good = AnsweringSite(site: ["example.com": listing()])
}

/// Something planted between build, site and CDN, and the one finding that it has to give.
struct PlantedLink: Sendable, CustomTestStringConvertible {
    let codes: [String]
    let testDescription: String
    var network = SuiteOfBuilds.good
    var build = MadeBuild.shop()
    var urls: [String] = []
    var callback: String?

    init(
        _ codes: String..., what: String, _ change: (inout PlantedLink) -> Void = { _ in }
    ) {
        self.codes = codes
        testDescription = "\(codes.joined(separator: ", ")): \(what)"
        change(&self)
    }
}

@Suite struct BuildLinksTests {
    private static func site(_ document: String) -> AnsweringSite {
        AnsweringSite(site: ["example.com": document])
    }

    static let planted: [PlantedLink] = [
        .init("build-no-domains", what: "no entry") { $0.build = .shop([]) },
        .init("association-skipped", what: "an entry with a path") {
            $0.build = .shop(["applinks:example.com/buy"])
        },
        .init("association-skipped", what: "developer mode in the App Store") {
            $0.build = .shop(["applinks:example.com", "applinks:example.com?mode=developer"])
        },
        .init("association-cdn-ahead", what: "the site dropped the app") {
            $0.network = site("{}")
            $0.network.cdn["example.com"] = SuiteOfBuilds.listing()
        },
        .init("association-cdn-behind", what: "an old copy") {
            $0.network.cdn["example.com"] = SuiteOfBuilds.listing("9JA89QQLNQ.com.example.old")
        },
        .init("association-cdn-behind", what: "a firewall before the CDN") {
            $0.network.cdnStatus["example.com"] = 404
        },
        .init("association-denied", what: "a document without the app") {
            $0.network = site(SuiteOfBuilds.listing("9JA89QQLNQ.com.example.news"))
        },
        .init("association-denied", what: "a document without the service") {
            $0.network = site(#"{"webcredentials": {"apps": []}}"#)
        },
        .init("association-unusable", what: "no document") { $0.network.site = [:] },
        .init("association-unusable", what: "an overloaded site") {
            $0.network.status["example.com"] = 503
        },
        .init("association-denied", what: "a page") { $0.network = site("<html>") },
        .init("association-other-prefix", what: "the team in place of the prefix") {
            $0.network = site(SuiteOfBuilds.listing("ABCDE12345.com.example.shop"))
        },
        .init("association-other-case", what: "capitals") {
            $0.network = site(SuiteOfBuilds.listing("9JA89QQLNQ.com.example.Shop"))
        },
        .init("association-other-service", what: "web credentials for links") {
            $0.network = site(
                #"{"applinks": {"details": []}, "webcredentials": {"apps": ["\#(MadeBuild.app)"]}}"#
            )
        },
        .init("link-no-entry", what: "another host") { $0.urls = ["https://example.org/buy/1"] },
        .init("link-near-entry", what: "www") { $0.urls = ["https://www.example.com/buy/1"] },
        .init("link-near-entry", what: "the apex of a wildcard") {
            $0.build = .shop(["applinks:*.example.com"])
            $0.urls = ["https://www.example.com/buy/1", "https://example.com/buy/1"]
        },
        .init("association-unusable", "link-not-associated", what: "no document") {
            $0.network.site = [:]
            $0.urls = ["https://example.com/buy/1"]
        },
        .init("link-excluded", what: "an earlier rule") {
            $0.network = site(
                SuiteOfBuilds.listing(rules: #"{"/": "/buy/1", "exclude": true}, {"/": "*"}"#))
            $0.urls = ["https://example.com/buy/1", "https://example.com/buy/2"]
        },
        .init("link-no-rule", what: "another path") { $0.urls = ["https://example.com/help"] },
        .init("link-other-app", what: "a catch-all of another team before it") {
            let other = "ABCDE12345.com.example.news"
            let entry = #"{"appIDs": ["\#(other)"], "components": [{"/": "*"}]}, "#
            $0.network = site(SuiteOfBuilds.listing(first: entry))
            $0.urls = ["https://example.com/buy/1"]
        },
        .init("association-callback", what: "no web credentials") {
            $0.callback = "https://example.com/signed-in"
        },
        .init("association-cdn-ahead", what: "the site is overloaded") {
            $0.network.cdn["example.com"] = SuiteOfBuilds.listing()
            $0.network.status["example.com"] = 503
            $0.network.cdnStatus["example.com"] = 200
        },
        .init("link-port", what: "a port") { $0.urls = ["https://example.com:8443/buy/1"] },
        .init("link-scheme", what: "a scheme of the app's own") {
            $0.urls = ["shop://example.com/buy/1"]
        },
    ]

    @Test("finds what was planted, and nothing else", arguments: planted)
    func finds(planted: PlantedLink) throws {
        let links = try planted.network.links(
            planted.build, planted.urls, callback: planted.callback)
        expectEqual(links.findings.map(\.code), planted.codes, "\(links.findings)")
    }

    @Test func everyCodeIsPlanted() {
        let rules =
            BuildRulesTests.signatures + BuildRulesTests.identities + BuildRulesTests.profiles
            + BuildRulesTests.places
        let codes = Set(rules.map(\.code)).union(Self.planted.flatMap(\.codes))
        let builds = CheckCatalog.table.families.first { $0.name == "builds" }
        expectEqual(codes, Set(builds?.entries.map(\.code) ?? []))
        #expect(rules.count + Self.planted.count >= 70)
    }

    private static let family = AnsweringSite(site: [
        "example.com": """
        {"applinks": {"details": [{"appIDs": ["\(MadeBuild.app)"],
           "components": [{"/": "/buy/*"}]}]},
         "appclips": {"apps": ["\(MadeBuild.app).Clip", "\(MadeBuild.app)"]},
         "webcredentials": {"apps": ["\(MadeBuild.app)"]}}
        """
    ])

    @Test("finds nothing where build, site and CDN agree")
    func isQuiet() throws {
        let builds: [MadeBuild] = [
            .shop(), .shop(kind: "development"), .shop(kind: "ad-hoc"), .shop(kind: "enterprise"),
            .family(), .family("development"),
            .shop(["applinks:example.com", "webcredentials:example.com"]),
            .shop(["applinks:Example.com"]), .shop(["applinks:*.example.com"]),
            .shop(["applinks:example.com?mode=developer"], kind: "development"),
        ]
        for build in builds {
            let isWildcard = try build.read().main.domains.first?.isWildcard == true
            let host = isWildcard ? "www.example.com" : "example.com"
            let links = try Self.family.links(build, ["https://\(host)/buy/1"])
            #expect(links.findings.isEmpty, "\(links.findings)")
            expectEqual(links.links.map(\.opens), [true])
            #expect(!links.domains.isEmpty)
        }
        let signsIn = try Self.family.links(
            .shop(["webcredentials:example.com"]), callback: "https://example.com/signed-in")
        #expect(signsIn.findings.isEmpty, "\(signsIn.findings)")
    }

    @Test("a host beyond ASCII is compared in its DNS form")
    func international() throws {
        let host = "xn--bcher-kva.example"
        let network = AnsweringSite(site: [host: SuiteOfBuilds.listing()])
        let links = try network.links(.shop(["applinks:\(host)"]), ["https://Bücher.example/buy/1"])
        #expect(links.findings.isEmpty, "\(links.findings)")
    }

    @Test("asks the site itself where the phone does")
    func routes() throws {
        let plain = try SuiteOfBuilds.good.links(.shop(), era: .ios13)
        #expect(plain.domains.map(\.site) == [nil] && plain.findings.isEmpty)
        let current = try SuiteOfBuilds.good.links(.shop())
        expectEqual(current.domains.map(\.site), [.associated])
        // Developer mode of a build from Xcode: Apple's copy does not count.
        var network = SuiteOfBuilds.good
        network.cdn["example.com"] = "{}"
        let developer = try network.links(
            .shop(["applinks:example.com?mode=developer"], kind: "development"))
        #expect(developer.findings.isEmpty && developer.domains.map(\.verdict) == [.associated])
    }
}
