package import AppSiteAssociation

/// The https address at which a sign-in session (`ASWebAuthenticationSession`, iOS 17.4) returns to
/// the app: only where the app's `webcredentials` for its host are associated.
package struct HTTPSCallback {
    private let url: String
    private let host: String

    /// Nil if the text is not an https URL with a host.
    package init?(_ text: String) {
        guard let parts = URLParts(text), parts.scheme == "https", let host = parts.host else {
            return nil
        }
        url = text
        self.host = host
    }

    /// Why the session would not return; nil if it would.
    package func obstacle(_ entries: [EntitlementEntry], _ transcripts: [Transcript]) -> String? {
        let covering = entries.filter { $0.covers(host: host) }
        let texts = Set(covering.filter { $0.service == "webcredentials" }.map(\.text))
        guard !texts.isEmpty else {
            let others = Set(covering.map(\.service)).sorted().joined(separator: ", ")
            return
                "HTTPS callbacks need the service webcredentials for \(host); the entitlement names "
                + (others.isEmpty ? "that host for no service" : "it for \(others) only")
        }
        let verdicts = transcripts.filter {
            texts.contains($0.entry) && $0.era.rules.hasHTTPSCallbacks
        }
        if verdicts.isEmpty { return "iOS 17.4 is needed: simulate a later era" }
        return verdicts.first { $0.verdict != .associated }.map {
            "webcredentials for \(host) is not associated (\($0.era.rules.title)): \($0.verdict.sentence)"
        }
    }

    /// The answer in words.
    package func sentence(_ obstacle: String?) -> String {
        "callback \(url): "
            + (obstacle.map { "does not return to the app: \($0)" } ?? "returns to the app")
    }

    /// The answer for programs.
    package func json(_ obstacle: String?) -> JSONValue {
        .object([
            ("httpsCallback", .text(url)), ("works", .flag(obstacle == nil)),
            ("reason", .text(obstacle)),
        ])
    }
}
