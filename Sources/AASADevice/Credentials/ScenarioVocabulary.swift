import AppSiteAssociation
import Texts

/// The vocabulary of a scenario: keys, steps and outcomes. It is the text that `--words` prints, so
/// that the reader and its manual agree.
package enum ScenarioVocabulary {
    /// One kind of step.
    package struct Verb: Sendable {
        package let name: String
        /// Optional ones stand in brackets.
        fileprivate(set) var keys: [String] = []
        /// The allowed values of `expect`.
        package fileprivate(set) var outcomes: [String] = []
    }

    /// The complete vocabulary, for `--words`: the keys of a scenario, of a credential and of a
    /// user, then the steps.
    package static let help = String(Text.scenarioWords.string.dropLast())

    /// The lines of each part.
    private static let parts = help.split(separator: "\n\n").map {
        $0.split(separator: "\n").dropFirst()
    }

    package static let verbs = parts[3].reduce(into: [Verb]()) { verbs, line in
        let words = line.split { $0 == " " || $0 == "," }.map(String.init)
        switch words[0] {
        case "keys:": verbs[verbs.count - 1].keys = Array(words.dropFirst())
        case "expect:": verbs[verbs.count - 1].outcomes = Array(words.dropFirst())
        default: verbs.append(Verb(name: words[0]))
        }
    }

    private static let credential = object(1)

    /// The user's action at a prompt.
    private static let answer = SchemaNode.either(
        .choice(["allows", "declines"]), .object([member("picks")], needs: [["picks"]]))

    /// An object with the keys of a part.
    private static func object(_ part: Int, and others: [SchemaMember] = []) -> SchemaNode {
        let keys = parts[part].map { line in
            (name: String(line.dropFirst(2).prefix { $0 != " " }), line: line)
        }
        return .object(
            others + keys.map { member($0.name) },
            needs: keys.filter { $0.line.hasSuffix("(needed)") }.map { [$0.name] })
    }

    /// A key has the same type wherever it stands.
    private static func member(_ key: String) -> SchemaMember {
        let node: SchemaNode =
            switch key {
            case "domains": .list(of: .string())
            case "era": .choice(Era.allCases.map(\.rawValue))
            case "accounts", "safari", "keychain": .list(of: credential)
            case "steps": .list(of: .anything)
            case "allows", "declines": .boolean
            case "answers": .list(of: answer)
            case "types": credential
            case "status", "minutes", "hours", "days": .integer
            case "document": .table(of: .anything)
            case "comment": .anything
            default: .string()
            }
        return SchemaMember(key, node, "")
    }

    /// A scenario, except what depends on the kind of a step.
    static let format = DocumentFormat(
        code: "scenario", object(0, and: [member("$schema"), member("comment")]))

    /// A step of a kind.
    static func format(of verb: Verb) -> DocumentFormat {
        let common = [
            SchemaMember("do", .choice([verb.name]), ""), SchemaMember("user", object(2), ""),
            SchemaMember("expect", .choice(verb.outcomes), ""), member("comment"),
        ]
        let keys = verb.keys.map { $0.filter { !"[]".contains($0) } }
        return DocumentFormat(
            code: "scenario",
            .object(
                common + keys.map(member),
                needs: verb.keys.filter { !$0.hasPrefix("[") }.map { [$0] }))
    }

    static func verb(_ name: String?) -> Verb? { verbs.first { $0.name == name } }
}
