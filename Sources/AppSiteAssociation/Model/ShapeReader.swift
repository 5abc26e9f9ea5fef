/// The structural errors of an association file. The raw value is the code of the diagnostic.
public enum ShapeRule: String, Sendable, Hashable, CaseIterable {
    case appIDNotString = "app-id-not-string"
    case appIDsMissing = "app-ids-missing"
    case appIDsNotArray = "app-ids-not-array"
    case appNotString = "app-not-string"
    case appsMissing = "apps-missing"
    case appsNotArray = "apps-not-array"
    case commentNotString = "comment-not-string"
    case componentNotObject = "component-not-object"
    case componentsNotArray = "components-not-array"
    case defaultsNotObject = "defaults-not-object"
    case detailNotObject = "detail-not-object"
    case detailsMissing = "details-missing"
    case detailsWrongType = "details-wrong-type"
    case duplicateKey = "duplicate-key"
    case flagNotBoolean = "flag-not-boolean"
    case pathNotString = "path-not-string"
    case pathsNotArray = "paths-not-array"
    case patternNotString = "pattern-not-string"
    case queryValueNotString = "query-value-not-string"
    case queryWrongType = "query-wrong-type"
    case rootNotObject = "root-not-object"
    case serviceNotObject = "service-not-object"
    case variableNotArray = "variable-not-array"
    case variableValueNotString = "variable-value-not-string"
    case variablesNotObject = "variables-not-object"

    /// Nearly all are errors: the system silently skips such a member, which is never intended. A
    /// service for no app does nothing, which harms no device.
    public var severity: Severity {
        switch self {
        case .appsMissing, .commentNotString, .detailsMissing: .warning
        case .appIDNotString, .appIDsMissing, .appIDsNotArray, .appNotString,
            .appsNotArray, .componentNotObject, .componentsNotArray, .defaultsNotObject,
            .detailNotObject, .detailsWrongType, .duplicateKey, .flagNotBoolean, .pathNotString,
            .pathsNotArray, .patternNotString, .queryValueNotString, .queryWrongType,
            .rootNotObject, .serviceNotObject, .variableNotArray, .variableValueNotString,
            .variablesNotObject:
            .error
        }
    }
}

/// Extracts values of the expected types from JSON and records others as problems.
struct ShapeReader {
    /// Maximum of listed problems of one rule: a hostile file may have one per byte, and after
    /// fixing a hundred a user checks again.
    static let problemsOfOneRule = 100

    private let source: SourceText
    private var problems: [Diagnostic] = []
    private var counts: [ShapeRule: Int] = [:]

    init(source: SourceText) {
        self.source = source
    }

    func sortedProblems() -> [Diagnostic] {
        problems.sorted { ($0.range?.lowerBound ?? 0) < ($1.range?.lowerBound ?? 0) }
    }

    /// How many problems of a rule were counted but not listed.
    var omitted: [ShapeRule: Int] {
        counts.reduce(into: [:]) { omitted, item in
            let more = item.value - Self.problemsOfOneRule
            if more > 0 { omitted[item.key] = more }
        }
    }

    mutating func report(
        _ rule: ShapeRule, _ range: Range<Int>, _ message: @autoclosure () -> String,
        _ remedy: String, fix: @autoclosure () -> [TextEdit]? = nil,
        related: @autoclosure () -> [Diagnostic.Related] = []
    ) {
        counts[rule, default: 0] += 1
        guard counts[rule, default: 0] <= Self.problemsOfOneRule else { return }
        problems.append(
            Diagnostic(
                code: rule.rawValue, severity: rule.severity, message: message(), remedy: remedy,
                fix: fix(), source: source, range: range, related: related()))
    }

    mutating func duplicate(_ duplicate: JSONDuplicateKey) {
        let source = source
        report(
            .duplicateKey, duplicate.second,
            "the key \"\(duplicate.key)\" stands twice in one object; readers keep one of them, "
                + "and not all "
                + "the same",
            "keep one, or merge their values",
            related: [
                Diagnostic.Related(message: "first here", source: source, range: duplicate.first)
            ])
    }

    mutating func object(
        _ value: JSONValue, _ rule: ShapeRule, _ what: String
    ) -> [JSONMember]? {
        if case .object(let members) = value.kind { return members }
        report(
            rule, value.range, "\(what) has to be an object; this is \(value.kindName)",
            "write { … }")
        return nil
    }

    mutating func array(_ member: JSONMember, _ rule: ShapeRule) -> [JSONValue]? {
        if case .array(let values) = member.value.kind { return values }
        let source = source
        report(
            rule, member.value.range,
            "\"\(member.key)\" has to be an array; this is \(member.value.kindName)", "write [ … ]",
            fix: TextEdit.bracketed(
                member.value, holdsRules: rule == .componentsNotArray, in: source))
        return nil
    }

    mutating func string(_ member: JSONMember, _ rule: ShapeRule) -> Located<String>? {
        if case .string(let string) = member.value.kind {
            return Located(string, range: member.value.range)
        }
        report(
            rule, member.value.range,
            "\"\(member.key)\" has to be a string; this is \(member.value.kindName)",
            "write it in double quotes")
        return nil
    }

    mutating func flag(_ member: JSONMember) -> Located<Bool>? {
        if case .bool(let bool) = member.value.kind {
            return Located(bool, range: member.value.range)
        }
        report(
            .flagNotBoolean, member.value.range,
            "\"\(member.key)\" has to be true or false; this is \(member.value.kindName)",
            "write true or false without quotes", fix: TextEdit.flag(member.value))
        return nil
    }

    /// The strings of an array; other elements are reported and skipped.
    mutating func strings(
        _ member: JSONMember, _ rule: ShapeRule, _ elementRule: ShapeRule
    ) -> [Located<String>]? {
        guard let values = array(member, rule) else { return nil }
        var strings: [Located<String>] = []
        strings.reserveCapacity(values.count)
        for value in values {
            if case .string(let string) = value.kind {
                strings.append(Located(string, range: value.range))
            } else {
                report(
                    elementRule, value.range,
                    "an element of \"\(member.key)\" is \(value.kindName); only strings count",
                    "write it as a string in double quotes, or remove it")
            }
        }
        return strings
    }

    mutating func apps(_ member: JSONMember, in service: String) -> [Located<String>] {
        strings(member, .appsNotArray, .appNotString) ?? []
    }
}
