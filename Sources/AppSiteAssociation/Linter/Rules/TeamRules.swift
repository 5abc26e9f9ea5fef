/// Several teams in one document, or in the fragments of one host.
enum TeamRules {
    static let rules = [claimedBefore, ownClaim]

    static let claimedBefore = LintRule(
        "team-urls-claimed", .warning, "another team's app already takes these URLs",
        why:
            "Where several installed apps claim a URL, the order of details decides. An entry of "
            + "another "
            + "team in front takes every URL of this rule, so on a device with both apps this "
            + "one never "
            + "gets them.",
        fix: "agree on who opens them: make one rule narrower, or change the order", .documented,
        "Apple, applinks.Details (order is priority)",
        bad: LintExample(
            """
            { "applinks": { "details": [
              { "appIDs": ["9JA89QQLNQ.com.example.shop"], "components": [{ "/": "*" }] },
              { "appIDs": ["D3KQX62K1A.com.example.news"], "components": [{ "/": "/news/*" }] }
            ] } }

            """),
        good: LintExample(
            """
            { "applinks": { "details": [
              { "appIDs": ["D3KQX62K1A.com.example.news"], "components": [{ "/": "/news/*" }] },
              { "appIDs": ["9JA89QQLNQ.com.example.shop"], "components": [{ "/": "*" }] }
            ] } }

            """))
    static let ownClaim = LintRule(
        "app-urls-claimed", .note, "another app of the team already takes these URLs",
        why:
            "Two apps of one team that are not builds of one another claim the same URLs. On a "
            + "device with both, the order of details decides, and the later one never gets them.",
        fix: "make one rule narrower, or put the narrower entry in front", .documented,
        "Apple, applinks.Details (order is priority)",
        bad: LintExample(
            """
            { "applinks": { "details": [
              { "appIDs": ["9JA89QQLNQ.com.example.shop"], "components": [{ "/": "/a/*" }] },
              { "appIDs": ["9JA89QQLNQ.com.example.news"], "components": [{ "/": "/a/news" }] }
            ] } }

            """),
        good: LintExample(
            """
            { "applinks": { "details": [
              { "appIDs": ["9JA89QQLNQ.com.example.shop"], "components": [{ "/": "/a/*" }] },
              { "appIDs": ["9JA89QQLNQ.com.example.shop.beta"], "components": [{ "/": "/a/*" }] }
            ] } }

            """))

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
                claim.isOwn ? ownClaim : claimedBefore, at: claim.first.reference.range,
                "\(taken) is taken by \"\(claim.by.label)\" of \(names(claim.earlier))",
                places: [
                    Diagnostic.Related(
                        message: "claimed here", source: claim.earlier.source,
                        range: claim.by.reference.range)
                ])
        }
        if claims.isIncomplete, claims.lastSource === context.source {
            context.report(
                LimitRules.incomplete, at: nil,
                "whether apps of several entries claim the same URLs was looked at for "
                    + "\(claims.compared) of \(claims.total) rules")
        }
    }

    private static func names(_ entry: HostClaims.Entry) -> String {
        let apps = entry.links.apps
        guard let first = apps.first?.value else { return "no app" }
        return apps.count == 1 ? first : "\(first) and \(apps.count - 1) more"
    }
}
