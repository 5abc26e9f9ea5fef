/// A rule as it acts: all defaults filled in, whatever form it was written in.
struct EffectiveRule {
    /// Equal for rules that decide alike: patterns as written.
    let text: String
    /// The same with every variable replaced by its values, so that a renamed variable is no
    /// change.
    let meaning: String
    let path: String
    let isPath: Bool
    let variables: Set<String>
    let range: Range<Int>

    /// The apps of a document, and the rules of those that share all their entries, once.
    struct Table {
        var apps: [(app: Located<String>, group: Int)] = []
        /// Rules in the order in which they are tried.
        var groups: [[EffectiveRule]] = []
    }

    static func table(_ file: AssociationFile) -> Table {
        guard let links = file.applinks else { return Table() }
        let values = Dictionary(
            links.substitutionVariables.map { ($0.name.value, $0.values.map(\.value).sorted()) },
            uniquingKeysWith: { $1 })
        var apps: [(app: Located<String>, details: [Int])] = []
        var places: [String: Int] = [:]
        for (number, detail) in links.details.enumerated() {
            for app in detail.appIDs {
                guard let place = places[app.value] else {
                    places[app.value] = apps.count
                    apps.append((app, [number]))
                    continue
                }
                if apps[place].details.last != number { apps[place].details.append(number) }
            }
        }
        // Hundreds of builds share their entries: their rules are worked out and compared once.
        let rulesOfEntries = links.details.map { Self.rules(of: $0, links, values) }
        var table = Table()
        var groups: [[Int]: Int] = [:]
        for (app, details) in apps {
            let group = groups[details] ?? table.groups.count
            if group == table.groups.count {
                groups[details] = group
                table.groups.append(details.flatMap { rulesOfEntries[$0] })
            }
            table.apps.append((app, group))
        }
        return table
    }

    private static func rules(
        of detail: AppLinksDetail, _ links: AppLinks, _ values: [String: [String]]
    ) -> [EffectiveRule] {
        if let components = detail.components {
            return components.map { component in
                EffectiveRule(
                    RuleSettings(component, detail.defaults, links.defaults), values,
                    isPath: false, range: component.range)
            }
        }
        if let paths = detail.paths {
            return paths.map { path in
                let entry = PathEntry(path.value)
                let settings = RuleSettings(.empty, detail.defaults, links.defaults)
                return EffectiveRule(
                    path: entry.pattern, query: nil, fragment: nil, excludes: entry.excludes,
                    settings, values, isPath: true, range: path.range)
            }
        }
        // Neither list: every URL counts as a match, which is what `{}` says.
        return [
            EffectiveRule(
                path: "*", query: nil, fragment: nil, excludes: false,
                RuleSettings(.empty, .empty, .empty), values, isPath: false, range: detail.range)
        ]
    }

    private init(
        _ settings: RuleSettings, _ values: [String: [String]], isPath: Bool, range: Range<Int>
    ) {
        self.init(
            path: settings.path, query: settings.query, fragment: settings.fragment,
            excludes: settings.excludes, settings, values, isPath: isPath, range: range)
    }

    private init(
        path: String, query: QueryPattern?, fragment: String?, excludes: Bool,
        _ settings: RuleSettings, _ values: [String: [String]], isPath: Bool, range: Range<Int>
    ) {
        var variables: Set<String> = []
        func json(expanding: Bool) -> String {
            func pattern(_ text: String) -> JSONValue {
                let bytes = Array(text.utf8)
                var output: [UInt8] = []
                var copied = 0
                for reference in VariableReference.all(in: bytes) {
                    variables.insert(reference.name)
                    guard expanding, let values = values[reference.name] else { continue }
                    output += bytes[copied..<reference.range.lowerBound]
                    output += Array("$(\(values.joined(separator: "$|")))".utf8)
                    copied = reference.range.upperBound
                }
                output += bytes[copied...]
                return JSONValue(.string(String(decoding: output, as: UTF8.self)))
            }
            var members: [JSONMember] = []
            func add(_ key: String, _ value: JSONValue) {
                members.append(JSONMember(key: key, value: value))
            }
            if path != "*" { add("/", pattern(path)) }
            switch query {
            case .pattern(let text) where text != "*": add("?", pattern(text))
            case .items(let items) where !items.isEmpty:
                // The order of items has no meaning.
                let sorted = items.sorted { $0.name.value < $1.name.value }
                add(
                    "?",
                    JSONValue(
                        .object(
                            sorted.map {
                                JSONMember(key: $0.name.value, value: pattern($0.pattern.value))
                            })))
            case .pattern, .items, .dropped, nil: break
            }
            if let fragment, fragment != "*" { add("#", pattern(fragment)) }
            if excludes { add("exclude", JSONValue(.bool(true))) }
            if !settings.caseSensitive { add("caseSensitive", JSONValue(.bool(false))) }
            if !settings.percentEncoded { add("percentEncoded", JSONValue(.bool(false))) }
            return String(decoding: JSONWriter.minified(JSONValue(.object(members))), as: UTF8.self)
        }
        text = json(expanding: false)
        meaning = json(expanding: true)
        self.path = path
        self.isPath = isPath
        self.variables = variables
        self.range = range
    }
}
