package import AppSiteAssociation

extension ScenarioVocabulary {
    /// The format of a scenario as JSON Schema, draft 2020-12, for editors and validators.
    package static var schema: JSONValue {
        let steps = verbs.map { verb -> JSONValue in
            var keys = everyStep + verb.keys
            keys.removeAll { $0.name == "do" || $0.name == "expect" }
            return object(
                keys, required: ["do"],
                more: [
                    ("do", .object([("const", .text(verb.name))])),
                    ("expect", .object([("enum", .list(verb.outcomes.map { .text($0) }))])),
                ], title: verb.meaning)
        }
        return .object(
            [
                ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
                ("title", .text("A story for aasa device rehearse")),
            ] + (object(root).members ?? []).map { ($0.key, $0.value) } + [
                (
                    "$defs",
                    .object([
                        ("credential", object(credential)), ("user", object(user)),
                        ("step", .object([("oneOf", .list(steps))])),
                    ])
                )
            ])
    }

    private static func object(
        _ keys: [Key], required: [String] = [], more: [(String, JSONValue)] = [],
        title: String? = nil
    ) -> JSONValue {
        var members: [(String, JSONValue)] = []
        if let title { members.append(("description", .text(title))) }
        let properties = keys.map { key -> (String, JSONValue) in
            let described = [("description", JSONValue.text(key.meaning))]
            return (key.name, .object(Self.type(key.kind) + described))
        }
        members += [
            ("type", .text("object")), ("properties", .object(more + properties)),
            (
                "required",
                .list((required + keys.filter(\.isRequired).map(\.name)).map { .text($0) })
            ),
            ("additionalProperties", .flag(false)),
        ]
        return .object(members)
    }

    private static func type(_ kind: Kind) -> [(String, JSONValue)] {
        func named(_ name: String) -> [(String, JSONValue)] { [("type", .text(name))] }
        func reference(_ name: String) -> [(String, JSONValue)] {
            [("$ref", .text("#/$defs/\(name)"))]
        }
        switch kind {
        case .text: return named("string")
        case .flag: return named("boolean")
        case .number(let range):
            return named("number") + [
                ("minimum", .integer(Int(range.lowerBound))),
                ("maximum", .integer(Int(range.upperBound))),
            ]
        case .oneOf(let words): return [("enum", .list(words.map { .text($0) }))]
        case .list(let kind): return named("array") + [("items", .object(type(kind)))]
        case .credential: return reference("credential")
        case .user: return reference("user")
        case .step: return reference("step")
        case .answer:
            let picks = object(user.filter { $0.name == "picks" }, required: ["picks"])
            return [
                (
                    "oneOf",
                    .list([.object([("enum", .list(answers.map { .text($0) }))]), picks])
                )
            ]
        case .document: return named("object")
        case .anything: return []
        }
    }
}
