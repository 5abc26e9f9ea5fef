import AppSiteAssociation

/// The answers of `aasa match`, as people and as machines read them.
struct MatchReport {
    struct Answer {
        let url: String
        /// The document that was asked.
        let document: AssociationInput
        let apps: [AppDecision]
        /// What the statements for Android say.
        let android: [AndroidLinks.Decision]
        /// What stands between the URL and the document.
        let obstacle: String?
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
            lines.append(
                "  android    \(decision.package)  \(decision.mayOpen ? "may open" : "no"): "
                    + "\(decision.reason)  (\(Self.place(decision).text))")
        }
        return InertText.joined(lines)
    }

    private func reason(_ rule: RuleReference?, _ document: AssociationInput) -> String {
        guard let rule else { return "" }
        let place = document.place(of: rule.range)
        if rule.rule == .everything {
            return
                "the entry has neither components nor paths: it matches every URL (\(place.text))"
        }
        return "by \(place.excerpt)  (\(place.text))"
    }

    private static func place(_ decision: AndroidLinks.Decision) -> SourcePlace {
        SourcePlace(source: decision.source, range: decision.range)
    }

    private func text(of miss: RuleTrace, _ document: AssociationInput) -> [String] {
        let place = document.place(of: miss.rule.range)
        var lines = ["             nearest: \(place.excerpt)  (\(place.text))"]
        for failure in miss.misses {
            lines.append(
                "             \(failure.part.name): \"\(Self.short(failure.value))\" is "
                    + "not covered by \"\(Self.short(failure.pattern))\"")
            if let hint = failure.hint { lines.append("               " + hint) }
        }
        return lines
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
                let first = answer.priority.map { priority in
                    JSONValue.object([
                        ("app", .text(priority.app)), ("isKnown", .flag(priority.isKnown)),
                        ("reason", .text(priority.reason)),
                    ])
                }
                let android = answer.android.map { json(of: $0) }
                var trace = TraceText(answer.document)
                let traces = zip(answer.traces, answer.apps).map { trace.json($0, of: $1.app) }
                return .object(known: [
                    ("url", .text(answer.url)), ("apps", .list(apps)),
                    ("note", answer.obstacle.map { .text($0) }), ("first", first),
                    ("android", android.isEmpty ? nil : .list(android)),
                    ("traces", answer.traces.isEmpty ? nil : .list(traces)),
                ])
            })
    }

    private func json(of decision: AndroidLinks.Decision) -> JSONValue {
        .object(
            [
                ("package", .text(decision.package)),
                ("decision", .text(decision.mayOpen ? "match" : "none")),
                ("reason", .text(decision.reason)),
            ] + Self.place(decision).members)
    }

    private func json(of decision: AppDecision, _ document: AssociationInput) -> JSONValue {
        let nearest = decision.nearestMiss.map { miss in
            JSONValue.object([
                ("rule", json(of: miss.rule, document)),
                ("failures", .list(miss.misses.map { TraceText.json($0) })),
            ])
        }
        return .object(known: [
            ("app", .text(decision.app)), ("decision", .text(decision.decision.rawValue)),
            ("rule", decision.rule.map { json(of: $0, document) }), ("nearestMiss", nearest),
        ])
    }

    private func json(of rule: RuleReference, _ document: AssociationInput) -> JSONValue {
        let place = document.place(of: rule.range)
        return .object(
            [("path", JSONValue.text(rule.description))] + place.members
                + [("text", JSONValue.text(place.excerpt))])
    }
}
