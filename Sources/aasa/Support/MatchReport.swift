import AppSiteAssociation
import ArgumentParser

/// The answers of `aasa match`, as people and as machines read them.
struct MatchReport {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    struct Answer {
        let url: String
        /// The document that was asked.
        let source: SourceText
        let apps: [AppDecision]
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
        let source = answer.source
        var lines = [answer.url]
        if answer.apps.isEmpty {
            lines.append(
                app.map { "  no answer  \($0) is not in the applinks of \(source.name)" }
                    ?? "  no answer  \(source.name) names no app in applinks")
        }
        let width = answer.apps.map(\.app.count).max() ?? 0
        for decision in answer.apps {
            let name = decision.app.padded(to: width)
            switch decision.decision {
            case .match: lines.append("  opens      \(name)  \(reason(decision.rule, source))")
            case .exclude: lines.append("  excluded   \(name)  \(reason(decision.rule, source))")
            case .none:
                lines.append("  no match   " + decision.app)
                if let miss = decision.nearestMiss { lines += text(of: miss, source) }
            }
        }
        return lines.joined(separator: "\n")
    }

    private func reason(_ rule: RuleReference?, _ source: SourceText) -> String {
        guard let rule else { return "" }
        let place = "\(source.name):\(source.position(at: rule.range.lowerBound))"
        if rule.rule == .everything {
            return "the entry has neither components nor paths, and then takes every URL (\(place))"
        }
        return "by \(excerpt(rule.range, source))  (\(place), \(rule))"
    }

    private func text(of miss: NearestMiss, _ source: SourceText) -> [String] {
        let place = source.position(at: miss.rule.range.lowerBound)
        var lines = [
            "             nearest: \(excerpt(miss.rule.range, source))  "
                + "(\(source.name):\(place), \(miss.rule))"
        ]
        for failure in miss.failures {
            lines.append(
                "             \(failure.part.name): \"\(failure.value)\" is not covered by "
                    + "\"\(failure.pattern)\"")
            if let hint = failure.hint { lines.append("               " + hint) }
        }
        return lines
    }

    /// The rule as written, on one line and not too long.
    private func excerpt(_ range: Range<Int>, _ source: SourceText) -> String {
        let words = source.text(in: range).split(whereSeparator: \.isWhitespace)
        let line = words.joined(separator: " ")
        return line.count <= 90 ? line : line.prefix(87) + "..."
    }

    // MARK: - For machines

    /// `[{"url": …, "apps": [{"app": …, "decision": …, "rule": …}]}]`
    var json: [UInt8] {
        let value = JSONValue.list(
            answers.map { answer in
                var apps = answer.apps.map { json(of: $0, answer.source) }
                if apps.isEmpty, let app {
                    apps = [.object([("app", .text(app)), ("decision", .text("none"))])]
                }
                return .object([("url", .text(answer.url)), ("apps", .list(apps))])
            })
        return JSONWriter.indented(value)
    }

    private func json(of decision: AppDecision, _ source: SourceText) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("app", .text(decision.app)), ("decision", .text(decision.decision.rawValue)),
        ]
        if let rule = decision.rule { members.append(("rule", json(of: rule, source))) }
        if let miss = decision.nearestMiss {
            members.append(
                (
                    "nearestMiss",
                    .object([
                        ("rule", json(of: miss.rule, source)),
                        ("failures", .list(miss.failures.map { json(of: $0) })),
                    ])
                ))
        }
        return .object(members)
    }

    private func json(of rule: RuleReference, _ source: SourceText) -> JSONValue {
        let position = source.position(at: rule.range.lowerBound)
        return .object([
            ("path", .text(rule.description)), ("file", .text(source.name)),
            ("line", .integer(position.line)), ("column", .integer(position.column)),
            ("text", .text(excerpt(rule.range, source))),
        ])
    }

    private func json(of failure: PartFailure) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("part", .text(failure.part.name)), ("pattern", .text(failure.pattern)),
            ("value", .text(failure.value)),
        ]
        if let hint = failure.hint { members.append(("hint", .text(hint))) }
        return .object(members)
    }
}

extension PartFailure.Part {
    fileprivate var name: String {
        switch self {
        case .path: "path"
        case .query: "query"
        case .queryItem(let name): "query item \(name)"
        case .fragment: "fragment"
        }
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
