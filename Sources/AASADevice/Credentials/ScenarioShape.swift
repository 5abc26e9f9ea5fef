import AppSiteAssociation

/// Checks a scenario against the vocabulary: an unknown word is an error, because a misspelt key
/// would change the scenario.
enum ScenarioShape {
    private typealias Vocabulary = ScenarioVocabulary

    static func check(_ root: JSONValue) throws(ScenarioError) {
        try check(root, has: Vocabulary.root, "a scenario")
    }

    private static func check(
        _ value: JSONValue, has keys: [Vocabulary.Key], _ name: String
    ) throws(ScenarioError) {
        guard let members = value.members else {
            throw ScenarioError("\(name) is an object, not \(value.kindName)", value.range)
        }
        var seen: Set<String> = []
        for member in members {
            guard seen.insert(member.key).inserted else {
                throw ScenarioError("\"\(member.key)\" is written twice", member.keyRange)
            }
            guard let key = keys.first(where: { $0.name == member.key }) else {
                throw ScenarioError(
                    "\(name) has no \"\(member.key)\"; its keys are "
                        + keys.map(\.name).joined(separator: ", "), member.keyRange)
            }
            try check(member.value, is: key.kind, "\"\(key.name)\"")
        }
        for key in keys where key.isRequired && !seen.contains(key.name) {
            throw ScenarioError("\(name) needs \"\(key.name)\": \(key.meaning)", value.range)
        }
    }

    private static func check(
        _ value: JSONValue, is kind: Vocabulary.Kind, _ name: String
    ) throws(ScenarioError) {
        func fail(_ wanted: String) -> ScenarioError {
            ScenarioError("\(name) needs \(wanted), not \(value.kindName)", value.range)
        }
        switch kind {
        case .text: if value.string == nil { throw fail("a text") }
        case .flag: if value.bool == nil { throw fail("true or false") }
        case .number(let range):
            guard case .number(let text) = value.kind, let number = Double(text),
                range.contains(number)
            else {
                throw fail("a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
            }
        case .oneOf(let words):
            guard let word = value.string, words.contains(word) else {
                throw ScenarioError(
                    "\(name) is one of \(words.joined(separator: ", "))", value.range)
            }
        case .list(let kind):
            guard let values = value.array else { throw fail("a list") }
            for value in values { try check(value, is: kind, "an entry of \(name)") }
        case .credential: try check(value, has: Vocabulary.credential, name)
        case .user: try check(value, has: Vocabulary.user, name)
        case .answer:
            if let word = value.string {
                if Vocabulary.answers.contains(word) { return }
                throw ScenarioError(
                    "\(name) is \"allows\", \"declines\" or {\"picks\": …}", value.range)
            }
            try check(value, has: Vocabulary.user.filter { $0.name == "picks" }, name)
        case .document: if value.members == nil { throw fail("an object") }
        case .step: try checkStep(value)
        case .anything: break
        }
    }

    private static func checkStep(_ value: JSONValue) throws(ScenarioError) {
        guard let verb = Vocabulary.verb(value["do"]?.string) else {
            throw ScenarioError(
                "\"do\" is \(value["do"]?.string.map { "\"\($0)\"" } ?? "missing"); it is one of "
                    + Vocabulary.verbs.map(\.name).joined(separator: ", "),
                value["do"]?.range ?? value.range)
        }
        try check(value, has: Vocabulary.everyStep + verb.keys, "the step \(verb.name)")
        if let expected = value["expect"], !verb.outcomes.contains(expected.string ?? "") {
            throw ScenarioError(
                "\(verb.name) never ends so; \"expect\" is one of "
                    + verb.outcomes.joined(separator: ", "), expected.range)
        }
    }
}
