import AppSiteAssociation

/// As much of JSON Schema (draft 2020-12) as our schema uses; a keyword that it does not know is a
/// problem of its own, so that nothing is passed over.
enum SchemaValidator {
    private static let annotations: Set<String> = ["$schema", "title", "description", "$defs"]

    /// What is wrong with a value, each with its path.
    static func problems(_ value: JSONValue, _ schema: JSONValue) -> [String] {
        check(value, schema, schema, "$")
    }

    private static func check(
        _ value: JSONValue, _ schema: JSONValue, _ root: JSONValue, _ path: String
    ) -> [String] {
        (schema.members ?? []).flatMap { member -> [String] in
            switch member.key {
            case let key where annotations.contains(key): return []
            case "$ref":
                let name = (member.value.string ?? "").split(separator: "/").last.map(String.init)
                guard let target = root["$defs"]?[name ?? ""] else {
                    return ["\(path): no \(member.value.string ?? "")"]
                }
                return check(value, target, root, path)
            case "type":
                let isFit =
                    switch member.value.string {
                    case "object": value.members != nil
                    case "array": value.array != nil
                    case "string": value.string != nil
                    case "boolean": value.bool != nil
                    case "number": number(value) != nil
                    default: false
                    }
                return isFit ? [] : ["\(path): no \(member.value.string ?? "")"]
            case "const": return value.means(member.value) ? [] : ["\(path): another value"]
            case "enum":
                let isOne = member.value.array?.contains { $0.means(value) } ?? false
                return isOne ? [] : ["\(path): none of the values"]
            case "minimum", "maximum":
                guard let number = number(value), let bound = self.number(member.value) else {
                    return []
                }
                let isFit = member.key == "minimum" ? number >= bound : number <= bound
                return isFit ? [] : ["\(path): beyond the \(member.key)"]
            case "items":
                return (value.array ?? []).enumerated().flatMap {
                    check($0.element, member.value, root, "\(path)[\($0.offset)]")
                }
            case "oneOf":
                let fits = member.value.array?.count { check(value, $0, root, path).isEmpty }
                return fits == 1 ? [] : ["\(path): \(fits ?? 0) of oneOf fit"]
            case "required":
                guard value.members != nil else { return [] }
                return (member.value.array ?? []).compactMap(\.string).filter { value[$0] == nil }
                    .map { "\(path): no \($0)" }
            case "properties":
                return (member.value.members ?? []).flatMap { property in
                    value[property.key].map {
                        check($0, property.value, root, "\(path).\(property.key)")
                    } ?? []
                }
            case "additionalProperties":
                let known = Set(schema["properties"]?.members?.map(\.key) ?? [])
                return (value.members ?? []).map(\.key).filter { !known.contains($0) }
                    .map { "\(path): \($0) is not known" }
            default: return ["\(path): the validator does not know \(member.key)"]
            }
        }
    }

    private static func number(_ value: JSONValue) -> Double? {
        if case .number(let text) = value.kind { return Double(text) }
        return nil
    }
}
