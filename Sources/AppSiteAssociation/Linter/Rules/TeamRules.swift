/// Several teams in one document, or in the fragments of one host.
enum TeamRules {
    /// Reports the claims on rules of the context's document.
    static func check(_ claims: HostClaims, _ context: inout LintContext) {
        for claim in claims.list where claim.later.source === context.source {
            let more = claim.rules - 1
            let rules = more == 0 ? "" : " (and \(more) more of its rules)"
            let apps =
                claim.entries == 1
                ? ""
                : ", and \(claim.entries - 1) more \(claim.entries == 2 ? "entry" : "entries"),"
            let taken = "\"\(claim.first.label)\" of \(names(claim.later))\(rules)\(apps)"
            context.report(
                claim.isOwn ? "app-urls-claimed" : "team-urls-claimed",
                at: claim.first.reference.range,
                "\(taken) is already claimed by \"\(claim.by.label)\" of \(names(claim.earlier))",
                places: [
                    Diagnostic.Related(
                        message: "claimed here", source: claim.earlier.source,
                        range: claim.by.reference.range)
                ])
        }
        if claims.isIncomplete, claims.lastSource === context.source {
            context.report(
                "comparison-incomplete", at: nil,
                "aasa compared the URLs of different apps only for "
                    + "\(claims.compared) of \(claims.total) rules")
        }
    }

    private static func names(_ entry: HostClaims.Entry) -> String {
        listed(entry.links.apps.lazy.map(\.value), atMost: 1)
    }
}
