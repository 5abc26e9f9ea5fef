import AASAClient
import AASADevice
import AppSiteAssociation

/// Stories of the four workflows, against a network of made-up statuses.
protocol RehearsalSuite {}

extension RehearsalSuite {
    static var app: String { "D3KQX62K1A.com.example.app" }

    /// Plays a story against answers with these statuses, the last one for ever.
    static func play(
        _ story: String, statuses: [Int] = [200]
    ) throws -> (lines: [String], isGood: Bool) {
        let document = try JSONReader.read(SourceText(name: "story", text: story))
        let scenario = try Scenario(document)
        var left = statuses
        var settings = Device.Settings(
            app: scenario.app, era: scenario.era,
            signatures: { _, _, _ in SignedDocument(payload: [], problem: "not signed") })
        settings.cdn = .played
        let domains = AssociatedDomains(
            scenario.entries, settings, chance: { 0 },
            ask: { request in
                var exchange = ClientExchange(request: request)
                let status = left.count > 1 ? left.removeFirst() : left[0]
                exchange.head = ResponseHead(
                    lines: ["HTTP/1.1 \(status)"], status: status, reason: "", fields: [])
                exchange.body = Array("{\"webcredentials\":{\"apps\":[\"\(app)\"]}}".utf8)
                return exchange
            })
        var rehearsal = Rehearsal(
            scenario, domains: domains, makePassword: { "abc-def-ghi-jkm" })
        rehearsal.run()
        return (rehearsal.lines, rehearsal.isGood)
    }

    static func story(_ rest: String, era: String = "ios13") -> String {
        """
        {"app": "\(app)", "domains": ["webcredentials:example.com"], "era": "\(era)",
         "accounts": [{"account": "ada", "password": "lovelace"}], \(rest)}
        """
    }

    /// Plays steps of an app with these entries, each with the outcome that is expected.
    static func holds(
        _ steps: String, era: String = "ios13", domains: String = "webcredentials:example.com",
        safari: String = "example.com", statuses: [Int] = [200]
    ) throws -> Bool {
        try play(
            """
            {"app": "\(app)", "domains": [\(domains.split(separator: " ").map { "\"\($0)\"" }
                .joined(separator: ", "))], "era": "\(era)",
             "accounts": [{"site": "\(safari)", "account": "ada", "password": "lovelace"}],
             "safari": [{"site": "\(safari)", "account": "ada", "password": "lovelace"}],
             "steps": [\(steps)]}
            """, statuses: statuses
        ).isGood
    }
}
