import AppSiteAssociation

/// The answers of `aasa match`, as people and as machines read them.
struct MatchReport {
    struct Answer {
        let url: String
        /// The document that was asked.
        let document: MatchDocument
        let apps: [AppDecision]
        /// What the statements for Android say.
        let android: [AndroidLinks.Decision]
        /// What stands between the URL and the document.
        let obstacle: LinkObstacle?
        /// Which of several apps gets the URL.
        let priority: LinkPriority?
        /// The rules that were tried, app by app and entry by entry; empty unless asked for.
        let traces: [[EntryTrace]]
    }

    /// The app asked for, when it was only one.
    let app: String?
    let answers: [Answer]

    /// Whether every URL opens at least one app.
    var allOpen: Bool {
        answers.allSatisfy { $0.apps.contains { $0.decision == .match } }
    }

    // MARK: - For people

    var text: String {
        answers.map { text(of: $0) }.joined(separator: "\n\n")
    }

    private func text(of answer: Answer) -> String {
        let document = answer.document
        let source = document.file.source
        var lines = [answer.url]
        if let obstacle = answer.obstacle { lines.append("  note       \(obstacle)") }
        if answer.apps.isEmpty, answer.android.isEmpty || app == nil {
            lines.append(
                app.map { "  no answer  \($0) is not in the applinks of \(source.name)" }
                    ?? "  no answer  \(source.name) names no app in applinks")
        }
        let width = answer.apps.map(\.app.count).max() ?? 0
        var trace = TraceText(document)
        for (number, decision) in answer.apps.enumerated() {
            let name = decision.app.padded(to: width + 2)
            switch decision.decision {
            case .match: lines.append("  opens      \(name)\(reason(decision.rule, document))")
            case .exclude: lines.append("  excluded   \(name)\(reason(decision.rule, document))")
            case .none:
                lines.append("  no match   " + decision.app)
                if let miss = decision.nearestMiss, answer.traces.isEmpty {
                    lines += text(of: miss, document)
                }
            }
            if answer.traces.indices.contains(number) {
                lines += trace.lines(answer.traces[number], of: decision.app)
            }
        }
        if let priority = answer.priority { lines.append("  first      \(priority)") }
        for decision in answer.android {
            let source = decision.source.text
            let place = "\(source.name):\(source.position(at: decision.range.lowerBound))"
            lines.append(
                "  android    \(decision.package)  \(decision.mayOpen ? "may open" : "no"): "
                    + "\(decision.reason)  (\(place))")
        }
        return InertText.joined(lines)
    }

    private func reason(_ rule: RuleReference?, _ document: MatchDocument) -> String {
        guard let rule else { return "" }
        let (source, range) = document.place(rule.range)
        let place = "\(source.name):\(source.position(at: range.lowerBound))"
        if rule.rule == .everything {
            return "the entry has neither components nor paths: it matches every URL (\(place))"
        }
        return "by \(Self.excerpt(range, source))  (\(place))"
    }

    private func text(of miss: RuleTrace, _ document: MatchDocument) -> [String] {
        let (source, range) = document.place(miss.rule.range)
        let place = source.position(at: range.lowerBound)
        var lines = [
            "             nearest: \(Self.excerpt(range, source))  (\(source.name):\(place))"
        ]
        for failure in miss.misses {
            lines.append(
                "             \(failure.part.name): \"\(Self.short(failure.value))\" is "
                    + "not covered by \"\(Self.short(failure.pattern))\"")
            if let hint = failure.hint { lines.append("               " + hint) }
        }
        return lines
    }

    /// The rule as written, on one line and not too long.
    static func excerpt(_ range: Range<Int>, _ source: SourceText) -> String {
        // Two thousand apps may share one rule of 60 KB.
        let head = range.lowerBound..<min(range.upperBound, range.lowerBound + 1000)
        let words = source.text(in: head).split(whereSeparator: \.isWhitespace)
        let line = words.joined(separator: " ")
        return line.count <= 90 && head == range ? line : line.prefix(87) + "..."
    }

    /// A pattern or a part of a URL, which many answers may repeat.
    static func short(_ text: String) -> String {
        text.utf8.count <= 1000 ? text : String(text.unicodeScalars.prefix(997)) + "..."
    }

    // MARK: - For machines

    /// `[{"url": …, "apps": [{"app": …, "decision": …, "rule": …}]}]`
    var json: JSONValue {
        .list(
            answers.map { answer in
                var apps = answer.apps.map { json(of: $0, answer.document) }
                if apps.isEmpty, let app {
                    apps = [.object([("app", .text(app)), ("decision", .text("none"))])]
                }
                var members: [(String, JSONValue)] = [
                    ("url", .text(answer.url)), ("apps", .list(apps)),
                ]
                if let obstacle = answer.obstacle {
                    members.append(("note", .text(obstacle.description)))
                }
                if let priority = answer.priority {
                    let first = JSONValue.object([
                        ("app", .text(priority.app)), ("isKnown", .flag(priority.isKnown)),
                        ("reason", .text(priority.reason)),
                    ])
                    members.append(("first", first))
                }
                if !answer.android.isEmpty {
                    members.append(("android", .list(answer.android.map { json(of: $0) })))
                }
                if !answer.traces.isEmpty {
                    var trace = TraceText(answer.document)
                    let traces = zip(answer.traces, answer.apps).map {
                        trace.json($0, of: $1.app)
                    }
                    members.append(("traces", .list(traces)))
                }
                return .object(members)
            })
    }

    private func json(of decision: AndroidLinks.Decision) -> JSONValue {
        let source = decision.source.text
        let position = source.position(at: decision.range.lowerBound)
        return .object([
            ("package", .text(decision.package)),
            ("decision", .text(decision.mayOpen ? "match" : "none")),
            ("reason", .text(decision.reason)), ("file", .text(source.name)),
            ("line", .integer(position.line)), ("column", .integer(position.column)),
        ])
    }

    private func json(of decision: AppDecision, _ document: MatchDocument) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("app", .text(decision.app)), ("decision", .text(decision.decision.rawValue)),
        ]
        if let rule = decision.rule { members.append(("rule", json(of: rule, document))) }
        if let miss = decision.nearestMiss {
            let nearest = JSONValue.object([
                ("rule", json(of: miss.rule, document)),
                ("failures", .list(miss.misses.map { json(of: $0) })),
            ])
            members.append(("nearestMiss", nearest))
        }
        return .object(members)
    }

    private func json(of rule: RuleReference, _ document: MatchDocument) -> JSONValue {
        let (source, range) = document.place(rule.range)
        let position = source.position(at: range.lowerBound)
        return .object([
            ("path", .text(rule.description)), ("file", .text(source.name)),
            ("line", .integer(position.line)), ("column", .integer(position.column)),
            ("text", .text(Self.excerpt(range, source))),
        ])
    }

    private func json(of failure: RuleTrace.Part) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("part", .text(failure.part.name)), ("pattern", .text(Self.short(failure.pattern))),
            ("value", .text(Self.short(failure.value))),
        ]
        if let hint = failure.hint { members.append(("hint", .text(hint))) }
        return .object(members)
    }
}
