extension CompiledAssociation {
    /// Of an app's rules the one that came closest: the fewest parts failed, then the longest
    /// stretch of the path agreed with the pattern's beginning; the earlier rule wins a tie.
    func nearestMiss(
        _ app: App, _ url: URLParts, _ view: PatternView, _ forms: inout URLForms,
        _ scratch: MatchScratch, _ known: inout [Int: Candidate?]
    ) -> NearestMiss? {
        guard let model else { return nil }
        var best: Candidate?
        for detail in app.details {
            // Apps share entries: each is looked at once.
            let found = known[detail] ?? candidate(of: detail, view, &forms, scratch)
            known[detail] = .some(found)
            if let found, found.isNearer(than: best) { best = found }
        }
        guard let best else { return nil }
        let reference = references[Int(rules[best.rule].reference)]
        guard let detail = model.detail(at: reference.detail) else { return nil }
        let text = forms.text(in: rules[best.rule].form)
        let explainer = MissExplainer(
            text: text, variables: model.substitutionVariables, url: url)
        switch reference.rule {
        case .everything: return nil
        case .path(let index):
            guard let path = detail.paths?[index].value else { return nil }
            let settings = RuleSettings(.empty, detail.defaults, model.defaults)
            return NearestMiss(
                rule: reference,
                failures: explainer.failures(
                    path: PathEntry(path).pattern, query: nil, fragment: nil, settings))
        case .component(let index):
            guard let component = detail.component(at: index) else { return nil }
            let settings = RuleSettings(component, detail.defaults, model.defaults)
            return NearestMiss(
                rule: reference,
                failures: explainer.failures(
                    path: settings.path, query: settings.query, fragment: settings.fragment,
                    settings))
        }
    }

    /// A rule that did not match, and how near it came.
    struct Candidate {
        let rule: Int
        let failures: Int
        let agreement: Int

        func isNearer(than other: Candidate?) -> Bool {
            guard let other else { return true }
            return (failures, -agreement) < (other.failures, -other.agreement)
        }
    }

    private func candidate(
        of detail: Int, _ view: PatternView, _ forms: inout URLForms, _ scratch: MatchScratch
    ) -> Candidate? {
        let matcher = PatternMatcher(code: view, scratch: scratch)
        var best: Candidate?
        // A rule that keeps URLs out is not what the author of the URL missed.
        for number in details[detail].rules where !rules[number].excludes {
            let text = forms.text(in: rules[number].form)
            let failures = failureCount(rules[number], text, matcher)
            let agreement = agreement(rules[number].path, text.path, view)
            // A pattern that begins with a variable has no literal to agree with.
            if failures >= Self.pathFailure, agreement == 0,
                beginsWithLiteral(rules[number].path, view)
            {
                continue
            }
            let candidate = Candidate(rule: number, failures: failures, agreement: agreement)
            if candidate.isNearer(than: best) { best = candidate }
        }
        return best
    }

    /// A path that fails outweighs the rest: a rule for another page is no near miss.
    private static let pathFailure = 1 << 20

    private func failureCount(
        _ rule: CompiledRule, _ text: URLText, _ matcher: PatternMatcher
    ) -> Int {
        var count = Self.pathMatches(rule.path, text.path, matcher) ? 0 : Self.pathFailure
        if rule.extras == 0 { return count }
        let extra = extras[Int(rule.extras) - 1]
        if let query = extra.query, !matcher.matches(query, text.query) { count += 1 }
        if let fragment = extra.fragment, !matcher.matches(fragment, text.fragment) { count += 1 }
        for number in extra.items where !Self.itemMatches(items[number], text, matcher) {
            count += 1
        }
        return count
    }

    private func beginsWithLiteral(_ pattern: CompiledPattern, _ view: PatternView) -> Bool {
        // The front page's pattern is empty: a literal, too.
        pattern.firstOp == pattern.endOp || view.ops[Int(pattern.firstOp)].kind == .literal
    }

    /// How many bytes of the path agree with the pattern's leading literal, case aside.
    private func agreement(
        _ pattern: CompiledPattern, _ path: PathText, _ view: PatternView
    ) -> Int {
        guard pattern.firstOp < pattern.endOp else { return 0 }
        let op = view.ops[Int(pattern.firstOp)]
        guard op.kind == .literal else { return 0 }
        let count = min(Int(op.count), path.core.count)
        var index = 0
        while index < count,
            CaseFolding.folded(view.bytes[Int(op.offset) + index])
                == CaseFolding.folded(path.core.base[index])
        {
            index += 1
        }
        return index
    }
}

/// Says which parts of a URL a rule did not cover, and guesses what was meant.
struct MissExplainer {
    let text: URLText
    let variables: [SubstitutionVariable]
    let url: URLParts

    func failures(
        path: String, query: QueryPattern?, fragment: String?, _ settings: RuleSettings
    ) -> [PartFailure] {
        var failures: [PartFailure] = []
        check(.path, path, "/" + string(text.path.core), settings, &failures)
        switch query {
        case .pattern(let pattern):
            check(.query, pattern, string(text.query), settings, &failures)
        case .items(let members):
            for member in members { check(member, settings, &failures) }
        case .dropped, nil: break
        }
        if let fragment { check(.fragment, fragment, string(text.fragment), settings, &failures) }
        return failures
    }

    private func check(
        _ item: QueryItemPattern, _ settings: RuleSettings, _ failures: inout [PartFailure]
    ) {
        let name = settings.caseSensitive ? item.name.value : item.name.value.lowercased()
        let found = text.items.filter { string($0.name) == name }
        let part = PartFailure.Part.queryItem(item.name.value)
        if found.isEmpty {
            let before = failures.count
            check(part, item.pattern.value, "", settings, &failures)
            if failures.count > before, let last = failures.popLast() {
                failures.append(
                    PartFailure(
                        part: part, pattern: last.pattern, value: "",
                        hint: "the URL has no item \"\(item.name.value)\", which counts as empty"))
            }
        }
        for candidate in found {
            let before = failures.count
            check(part, item.pattern.value, string(candidate.value), settings, &failures)
            if failures.count > before {
                if found.count > 1, let last = failures.popLast() {
                    failures.append(
                        PartFailure(
                            part: part, pattern: last.pattern, value: last.value,
                            hint: "every occurrence of a repeated item has to match"))
                }
                return
            }
        }
    }

    private func check(
        _ part: PartFailure.Part, _ pattern: String, _ value: String, _ settings: RuleSettings,
        _ failures: inout [PartFailure]
    ) {
        let place = part == .path ? Pattern.Place.path : .text
        func compiled(_ caseSensitive: Bool, leavingOut name: String? = nil) -> Pattern {
            let text = name.map { pattern.replacing("$(\($0))", with: "*") } ?? pattern
            return Pattern(
                text, place: place, caseSensitive: caseSensitive, variables: used(in: text))
        }
        let exact = compiled(settings.caseSensitive)
        // The value is already folded where the rule folds.
        if exact.matches(value) { return }
        failures.append(
            PartFailure(
                part: part, pattern: pattern, value: value,
                hint: hint(part, pattern, value, exact, compiled(false))
                    ?? variableHint(pattern, value) { compiled(false, leavingOut: $0) }))
    }

    /// The definitions that a pattern uses: compiling all of them for each miss would cost their
    /// number times that of the misses.
    private func used(in pattern: String) -> [(String, [String])] {
        let names = Set(VariableReference.all(in: Array(pattern.utf8)).map(\.name))
        if names.isEmpty { return [] }
        return variables.filter { names.contains($0.name.value) }.map {
            ($0.name.value, $0.values.map(\.value))
        }
    }

    /// A variable that has no value for what stands in its place.
    private func variableHint(
        _ pattern: String, _ value: String, _ without: (String) -> Pattern
    ) -> String? {
        for reference in VariableReference.all(in: Array(pattern.utf8)) {
            guard without(reference.name).matches(value) else { continue }
            guard let variable = variables.last(where: { $0.name.value == reference.name }) else {
                return "the built-in variable $(\(reference.name)) does not cover what stands in "
                    + "its place"
            }
            let values = variable.values.prefix(5).map { "\"\($0.value)\"" }
            let more = variable.values.count > 5 ? " and \(variable.values.count - 5) more" : ""
            return "the variable $(\(reference.name)) has no value for what stands in its place: "
                + values.joined(separator: ", ") + more
        }
        return nil
    }

    private func hint(
        _ part: PartFailure.Part, _ pattern: String, _ value: String, _ exact: Pattern,
        _ folded: Pattern
    ) -> String? {
        if exact.matchesNothing { return "a variable of the pattern is not defined" }
        if folded.matches(value) {
            return "only the case differs: \"caseSensitive\": false would match"
        }
        if part == .path, pattern.utf8.contains(UInt8(ascii: "#")) {
            return "a path never holds \"#\": the fragment has a pattern of its own, \"#\""
        }
        if pattern.utf8.contains(where: { !URLParts.mayStand($0) }) {
            return "the pattern holds characters that a URL has only percent-encoded: "
                + "\"percentEncoded\": false compares with the decoded URL"
        }
        if part == .path, exact.matches(value + "/x") {
            return "the pattern wants something behind this path"
        }
        return nil
    }

    var pathValue: String { "/" + string(text.path.core) }
    var queryValue: String { string(text.query) }
    var fragmentValue: String { string(text.fragment) }

    /// The first value of a query item; empty when it is missing.
    func value(of item: QueryItemPattern, _ settings: RuleSettings) -> String {
        let name = settings.caseSensitive ? item.name.value : item.name.value.lowercased()
        return text.items.first { string($0.name) == name }.map { string($0.value) } ?? ""
    }

    private func string(_ text: PatternText) -> String {
        String(decoding: UnsafeBufferPointer(start: text.base, count: text.count), as: UTF8.self)
    }
}

extension AppLinks {
    /// The entry at a position of `details` as written; entries are in order.
    func detail(at position: Int) -> AppLinksDetail? {
        details.element(at: position, by: \.index)
    }
}

extension AppLinksDetail {
    /// The rule at a position of `components` as written; rules are in order.
    func component(at position: Int) -> LinkComponent? {
        components?.element(at: position, by: \.index)
    }
}

extension Array {
    /// The element with this number, among elements in the order of their numbers.
    fileprivate func element(at position: Int, by number: (Element) -> Int) -> Element? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if number(self[middle]) < position { low = middle + 1 } else { high = middle }
        }
        return low < count && number(self[low]) == position ? self[low] : nil
    }
}
