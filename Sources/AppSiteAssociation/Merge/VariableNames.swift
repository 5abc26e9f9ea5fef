/// Chooses the names of each fragment's substitution variables in the merged document.
///
/// A name is kept while it has the same meaning for all fragments that use it. It must change if
/// two teams give it different values, or if one team uses a name that it does not define (a
/// built-in one, or one that matches nothing) and another team defines it.
struct VariableNames {
    /// Per fragment: old name → new name.
    private(set) var renames: [[ExactText: String]]
    /// The variables of the merged document.
    private(set) var merged: [OwnedNode.Member] = []
    private(set) var diagnostics: [Diagnostic] = []

    private struct Definition {
        let owner: Int
        let variable: SubstitutionVariable
        let values: Set<ExactText>
    }

    init(_ fragments: [Fragment]) {
        renames = Array(repeating: [:], count: fragments.count)
        var names: [ExactText] = []
        var definitions: [ExactText: [Definition]] = [:]
        for (owner, fragment) in fragments.enumerated() {
            for variable in fragment.file.applinks?.substitutionVariables ?? [] {
                let name = ExactText(variable.name.value)
                if definitions[name] == nil { names.append(name) }
                definitions[name, default: []].append(
                    Definition(
                        owner: owner, variable: variable,
                        values: Set(variable.values.map { ExactText($0.value) })))
            }
        }
        let references = fragments.map { $0.file.applinks?.usedVariables ?? [] }
        var taken = Set(names).union(references.reduce(into: Set()) { $0.formUnion($1) })

        for name in names {
            let definers = definitions[name] ?? []
            var groups: [[Definition]] = []
            for definition in definers {
                if let group = groups.firstIndex(where: { $0[0].values == definition.values }) {
                    groups[group].append(definition)
                } else {
                    groups.append([definition])
                }
            }
            let owners = Set(definers.map(\.owner))
            let leaks = references.indices.contains {
                !owners.contains($0) && references[$0].contains(name)
            }
            for (index, group) in groups.enumerated() {
                var newName = name.text
                if index > 0 || leaks {
                    guard Self.isReferable(name.text) else {
                        conflict(groups[0][0], group[0], fragments)
                        continue
                    }
                    newName = Self.unused("\(name.text)-\(fragments[group[0].owner].team)", taken)
                    taken.insert(ExactText(newName))
                    for definition in group { renames[definition.owner][name] = newName }
                    note(group[0], newName, leaks, fragments)
                }
                let values = group[0].variable.values.map {
                    JSONValue(.string($0.value), range: $0.range)
                }
                merged.append(
                    OwnedNode.Member(
                        key: newName,
                        node: .value(
                            JSONValue(.array(values), range: group[0].variable.range),
                            owner: group.count == 1 ? group[0].owner : nil,
                            source: group[0].owner)))
            }
        }
    }

    /// Whether patterns can refer to the name. Names with one of these characters cannot be used,
    /// and so need no renaming.
    private static func isReferable(_ name: String) -> Bool {
        !name.utf8.contains { "$()".utf8.contains($0) }
    }

    private static func unused(_ wanted: String, _ taken: Set<ExactText>) -> String {
        let names = (1...).lazy.map { $0 == 1 ? wanted : "\(wanted)-\($0)" }
        return names.first { !taken.contains(ExactText($0)) } ?? wanted
    }

    private mutating func conflict(
        _ first: Definition, _ second: Definition, _ fragments: [Fragment]
    ) {
        let other = fragments[first.owner]
        diagnostics.append(
            Diagnostic(
                code: "merge-variable-conflict", severity: .error,
                message:
                    "the variable \"\(second.variable.name.value)\" differs from that in the "
                    + "fragment of "
                    + "team \(other.team), and its name cannot be used in a pattern",
                remedy: "Give it a name without $, ( and ).",
                source: fragments[second.owner].file.source, range: second.variable.range,
                related: [
                    Diagnostic.Related(
                        message: "the definition of team \(other.team)", source: other.file.source,
                        range: first.variable.range)
                ]))
    }

    private mutating func note(
        _ definition: Definition, _ newName: String, _ leaks: Bool, _ fragments: [Fragment]
    ) {
        let fragment = fragments[definition.owner]
        let name = definition.variable.name.value
        diagnostics.append(
            Diagnostic(
                code: "merge-variable-renamed", severity: .note,
                message:
                    "the variable \"\(name)\" is written as \"\(newName)\" in the merged document: "
                    + (leaks
                        ? "another team uses the name without defining it"
                        : "another team gives it other values"),
                source: fragment.file.source, range: definition.variable.range))
    }
}
