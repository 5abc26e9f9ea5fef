/// Renames variables in all patterns, leaving the rest unchanged.
struct PatternRewrite {
    let renames: [ExactText: String]

    /// The members of an entry of `details`.
    func detail(_ members: [JSONMember]) -> [JSONMember] {
        guard !renames.isEmpty else { return members }
        return members.map { member in
            switch member.key {
            case "components":
                replacing(member) { component in
                    component.members.map {
                        JSONValue(.object(self.component($0)), range: component.range)
                    } ?? component
                }
            case "defaults":
                member.value.members.map {
                    JSONMember(key: member.key, value: JSONValue(.object(component($0))))
                } ?? member
            case "paths": replacing(member, pattern)
            default: member
            }
        }
    }

    /// The members of a component, or of defaults.
    func component(_ members: [JSONMember]) -> [JSONMember] {
        guard !renames.isEmpty else { return members }
        return members.map { member in
            switch (member.key, member.value.kind) {
            case ("/", _), ("#", _), ("?", .string):
                JSONMember(key: member.key, value: pattern(member.value))
            case ("?", .object(let items)):
                JSONMember(
                    key: member.key,
                    value: JSONValue(
                        .object(items.map { JSONMember(key: $0.key, value: pattern($0.value)) })))
            default: member
            }
        }
    }

    private func replacing(
        _ member: JSONMember, _ transform: (JSONValue) -> JSONValue
    ) -> JSONMember {
        guard let values = member.value.array else { return member }
        return JSONMember(
            key: member.key, keyRange: member.keyRange,
            value: JSONValue(.array(values.map(transform)), range: member.value.range))
    }

    private func pattern(_ value: JSONValue) -> JSONValue {
        guard case .string(let text) = value.kind else { return value }
        return JSONValue(.string(Self.renaming(text, renames)), range: value.range)
    }

    /// `$(old)` becomes `$(new)`.
    static func renaming(_ pattern: String, _ renames: [ExactText: String]) -> String {
        let bytes = Array(pattern.utf8)
        var output: [UInt8] = []
        var copied = 0
        for reference in VariableReference.all(in: bytes) {
            guard let name = renames[reference.name] else { continue }
            output += bytes[copied..<reference.range.lowerBound]
            output += Array("$(\(name))".utf8)
            copied = reference.range.upperBound
        }
        if copied == 0 { return pattern }
        output += bytes[copied...]
        return String(decoding: output, as: UTF8.self)
    }
}

/// A `$(name)` in a pattern. Must agree with `PatternCompiler`: names contain no `$`, `(` or `)`.
struct VariableReference {
    let name: ExactText
    /// From `$` to `)`.
    let range: Range<Int>

    /// The names that a pattern uses, without duplicates, in order.
    static func names(in pattern: String) -> [ExactText] {
        var known: Set<ExactText> = []
        return all(in: Array(pattern.utf8)).map(\.name).filter { known.insert($0).inserted }
    }

    static func all(in bytes: [UInt8]) -> [VariableReference] {
        var references: [VariableReference] = []
        var index = 0
        while index + 1 < bytes.count {
            if bytes[index] == UInt8(ascii: "$"), bytes[index + 1] == UInt8(ascii: "("),
                let end = endOfName(bytes, from: index + 2)
            {
                references.append(
                    VariableReference(
                        name: ExactText(String(decoding: bytes[(index + 2)..<end], as: UTF8.self)),
                        range: index..<end + 1))
                index = end + 1
            } else {
                index += 1
            }
        }
        return references
    }

    /// The closing bracket of a name that starts here; names contain no `$`, `(` or `)`.
    static func endOfName<Bytes: Collection>(_ bytes: Bytes, from start: Int) -> Int?
    where Bytes.Element == UInt8, Bytes.Index == Int {
        var index = start
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: ")"): return index
            case UInt8(ascii: "("), UInt8(ascii: "$"): return nil
            default: index += 1
            }
        }
        return nil
    }
}
