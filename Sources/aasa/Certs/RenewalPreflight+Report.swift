import ACME
import AppSiteAssociation
import OpenSSL

// What was seen, for people and for machines.

extension RenewalPreflight {
    var lines: [String] {
        authorities.flatMap(Self.lines)
            + status.entries.flatMap(Self.lines) + names.flatMap(Self.lines)
            + records.flatMap(Self.lines)
            + storeProblems.map { "error: \($0)" }
            + (unproven.map { ["note: aasa cannot see who answers: \($0)"] } ?? [])
    }

    private static func lines(_ failure: FailureAdvice) -> [String] {
        ["  error: \(failure.message)", "    \(failure.remedy)"]
    }

    private static func lines(_ authority: AuthorityCheck) -> [String] {
        var lines = ["authority \(authority.url)"]
        if authority.directory != nil {
            let account =
                switch authority.account {
                case .none: "no account yet: the first order makes it"
                case .valid: "the account is known there"
                case .refused: "the account is not accepted"
                }
            lines.append("  \(account)")
            let profiles = authority.directory?.profiles ?? []
            if !profiles.isEmpty { lines.append("  profiles \(profiles.joined(separator: ", "))") }
        }
        if let fault = authority.clockFault { lines.append("  error: \(fault)") }
        return lines + (authority.failure.map(Self.lines) ?? [])
    }

    private static func lines(_ entry: RenewalStatus.Entry) -> [String] {
        var lines = ["certificate \(entry.folder) (\(entry.key))"]
        lines.append("  names \(entry.names.joined(separator: ", "))")
        var state = "  \(entry.state): \(entry.note)"
        if let end = entry.notAfter { state += "; expires \(DateText.moment(end))" }
        if let next = entry.next { state += "; \(DateText.moment(next))" }
        lines.append(state)
        if let error = entry.lastError {
            lines.append("  last error (tries: \(entry.tries)): \(error)")
        }
        return lines
    }

    private static func lines(_ reach: NameReachability) -> [String] {
        let looks = reach.looks.map { look in
            let words =
                switch look.outcome {
                case .ours: "answers our challenge"
                case .answered(let what): "a server answers: \(what)"
                case .failed(let problem): "\(problem.detail)"
                }
            return "  \(reach.challenge.rawValue) \(look.address): \(words)"
        }
        return ["name \(reach.name)"] + looks + reach.advice.flatMap(Self.lines)
    }

    private static func lines(_ look: CAACheck) -> [String] {
        if let unseen = look.unseen {
            return ["note: the CAA records of \(look.name) were not seen: \(unseen)"]
        }
        guard let records = look.records else { return [] }
        let values = records.properties.map { "\($0.tag) \"\($0.value)\"" }
        return ["CAA of \(look.name), at \(records.domain): \(values.joined(separator: ", "))"]
            + (look.advice.map(Self.lines) ?? [])
            + look.unjudged.map { "  note: \($0) does not state its CAA domains" }
    }

    var json: JSONValue {
        .object([
            ("ok", .flag(!hasErrors)),
            ("authorities", .list(authorities.map(Self.json))),
            ("certificates", .list(status.entries.map(\.json))),
            ("names", .list(names.map(Self.json))),
            ("caa", .list(records.map(Self.json))),
            ("problems", .list(storeProblems.map { .text($0) })),
            ("unproven", .text(unproven)),
        ])
    }

    private static func json(_ failure: FailureAdvice) -> JSONValue {
        .object([("message", .text(failure.message)), ("remedy", .text(failure.remedy))])
    }

    private static func json(_ authority: AuthorityCheck) -> JSONValue {
        let profiles = authority.directory?.profiles ?? []
        return .object([
            ("directory", .text(authority.url)),
            ("reachable", .flag(authority.directory != nil)),
            ("account", .text(authority.account.rawValue)),
            ("profiles", .list(profiles.map { .text($0) })),
            ("clock", .text(authority.clockFault)),
            ("errors", .list((authority.failure.map { [json($0)] }) ?? [])),
        ])
    }

    private static func json(_ look: CAACheck) -> JSONValue {
        let properties = (look.records?.properties ?? []).map {
            JSONValue.object([("tag", .text($0.tag)), ("value", .text($0.value))])
        }
        return .object([
            ("name", .text(look.name)), ("domain", .text(look.records?.domain)),
            ("properties", .list(properties)), ("unseen", .text(look.unseen)),
            ("errors", .list(look.advice.map { [json($0)] } ?? [])),
        ])
    }

    private static func json(_ reach: NameReachability) -> JSONValue {
        let looks = reach.looks.map { look in
            let (outcome, detail): (String, String?) =
                switch look.outcome {
                case .ours: ("ours", nil)
                case .answered(let what): ("answered", what)
                case .failed(let problem): ("failed", problem.detail)
                }
            return JSONValue.object([
                ("challenge", .text(reach.challenge.rawValue)), ("address", .text(look.address)),
                ("outcome", .text(outcome)), ("detail", .text(detail)),
            ])
        }
        return .object([
            ("name", .text(reach.name)), ("proven", .flag(reach.isProven)),
            ("looks", .list(looks)), ("errors", .list(reach.advice.map(json))),
        ])
    }
}
