package import AppSiteAssociation
import OpenSSL

func dayText(_ seconds: Int64) -> String { DateText.day(seconds) }

/// The persistent state: one file per host.
extension HostWatch {
    /// The version of the format; others are not read.
    private static let version = 1

    package var json: JSONValue {
        .object([
            ("aasaWatch", .integer(Self.version)), ("host", .text(host)),
            ("lastLook", lastLook.map { .integer(Int($0)) } ?? JSONValue(.null)),
            ("certificateEnds", certificateEnds.map { .integer(Int($0)) } ?? JSONValue(.null)),
            ("document", Self.json(document)), ("candidate", Self.json(candidate)),
            ("candidateLooks", .integer(candidateLooks)), ("lastSeen", Self.json(lastSeen)),
            ("switches", .list(switches.map { .integer(Int($0)) })),
            (
                "lostApps",
                .object(lostApps.sorted { $0.key < $1.key }.map { ($0, .integer(Int($1))) })
            ),
            ("problems", .object(problems.sorted { $0.key < $1.key }.map { ($0, $1.json) })),
        ])
    }

    /// - Returns: nil if it is not the state of this host in this format: the watcher then starts
    ///   without a state, and reports this.
    package init?(host: String, json: JSONValue) {
        guard json["aasaWatch"]?.integer == Int64(Self.version), json["host"]?.string == host,
            let stored = json["problems"]?.members
        else { return nil }
        self.init(host: host)
        lastLook = json["lastLook"]?.integer
        certificateEnds = json["certificateEnds"]?.integer
        document = Self.document(json["document"])
        candidate = Self.document(json["candidate"])
        candidateLooks = Int(json["candidateLooks"]?.integer ?? 0)
        lastSeen = Self.document(json["lastSeen"])
        switches = json["switches"]?.array?.compactMap(\.integer) ?? []
        for member in json["lostApps"]?.members ?? [] {
            lostApps[member.key] = member.value.integer
        }
        for member in stored {
            guard let problem = ProblemWatch(json: member.value) else { return nil }
            problems[member.key] = problem
        }
    }

    private static func json(_ document: WatchedDocument?) -> JSONValue {
        guard let document else { return JSONValue(.null) }
        return .object([
            ("digest", .text(document.digest)), ("apps", .list(document.apps.map { .text($0) })),
        ])
    }

    private static func document(_ json: JSONValue?) -> WatchedDocument? {
        guard let json, let digest = json["digest"]?.string else { return nil }
        return WatchedDocument(
            digest: digest, apps: json["apps"]?.array?.compactMap(\.string) ?? [])
    }
}

extension ProblemWatch {
    package var json: JSONValue {
        .object([
            ("phase", .text(phase.rawValue)), ("since", .integer(Int(since))),
            ("looks", .integer(looks)), ("present", .flag(isPresent)),
            ("turned", .integer(Int(turnedAt))), ("level", .integer(level)),
            ("beginnings", .list(beginnings.map { .integer(Int($0)) })),
            ("code", .text(problem.code)), ("severity", .text(problem.severity.rawValue)),
            ("message", .text(problem.message)), ("remedy", .text(problem.remedy)),
            ("detail", .text(problem.detail)), ("seenLevel", .integer(problem.level)),
            ("mark", .text(problem.mark)),
        ])
    }

    init?(json: JSONValue) {
        guard let phase = json["phase"]?.string.flatMap({ Phase(rawValue: $0) }),
            let severity = json["severity"]?.string.flatMap({ Severity(rawValue: $0) }),
            let code = json["code"]?.string, let message = json["message"]?.string,
            let since = json["since"]?.integer, let turned = json["turned"]?.integer
        else { return nil }
        var problem = WatchProblem(
            code: code, severity: severity, message: message,
            remedy: json["remedy"]?.string ?? "")
        problem.detail = json["detail"]?.string ?? ""
        problem.level = Int(json["seenLevel"]?.integer ?? 0)
        problem.mark = json["mark"]?.string ?? ""
        self.init(problem, now: since)
        self.phase = phase
        turnedAt = turned
        looks = Int(json["looks"]?.integer ?? 0)
        isPresent = json["present"]?.bool ?? false
        level = Int(json["level"]?.integer ?? 0)
        beginnings = json["beginnings"]?.array?.compactMap(\.integer) ?? []
    }
}

extension JSONValue {
    /// The value as an integer; nil for anything else.
    var integer: Int64? {
        if case .number(let text) = kind { return Int64(text) }
        return nil
    }
}
