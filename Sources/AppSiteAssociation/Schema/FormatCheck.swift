import Texts

/// A JSON format: what its documents may hold.
///
/// A JSON Schema describes it, in which the member `aasa` has notes for the linter. Those of the
/// library stand in `formats.json`.
///
/// * Of a format: `code` and `owner`.
/// * Of a member: `wrong`, `consequence`, `list` and `standing`. `missing` and `lacks` are the code
///   and the message where it is needed.
/// * Of an object: `name`, `place`, `home`, `noun`, `mayBeNothing`, `synonyms` and `opposites`.
///   `misspelt` and `unknown` are the codes of other keys.
/// * Of a choice: `retired`.
public struct DocumentFormat: Sendable {
    /// The outermost value.
    public let root: SchemaNode
    /// The code of findings for which the table names none.
    let code: String
    /// The codes of findings about another type: of the document, of its elements.
    let wrong: [String]
    /// Who knows its members.
    let owner: String
    /// Where a key belongs, by key.
    fileprivate let homes: [String: String]
    /// The schema with its notes.
    private let described: JSONValue
    /// The objects that references in it name, and others.
    private let definitions: JSONValue

    static let library = Text.formats.json
    static let definitions = library["definitions"] ?? [:]

    /// A format of the library.
    init(named name: String) { self.init(Self.library[name] ?? [:], in: Self.definitions) }

    /// A format that has no schema.
    package init(code: String, _ root: SchemaNode) {
        self.init(root, ["aasa": ["code": .text(code)]], [:])
    }

    /// A format with a file of its own.
    package init(_ schema: JSONValue, in definitions: JSONValue = [:]) {
        self.init(SchemaNode(schema, in: definitions), schema, definitions)
    }

    private init(_ root: SchemaNode, _ schema: JSONValue, _ definitions: JSONValue) {
        let notes = schema["aasa"]
        described = schema
        self.definitions = definitions
        code = notes?["code"]?.string ?? ""
        wrong = notes?["wrong"]?.strings ?? []
        owner = notes?["owner"]?.string ?? "that aasa knows"
        self.root = root
        let places = root.namedObjects.flatMap { object in
            object.members.filter { $0.standing == .documented }
                .compactMap { member in object.home.map { (member.key, [$0]) } }
        }
        homes = Dictionary(places) { $0.contains($1[0]) ? $0 : $0 + $1 }
            .mapValues { $0.joined(separator: ", or ") }
    }

    /// The JSON Schema, for editors: `aasa schema`.
    public var schema: JSONValue {
        var members = described.members ?? []
        let used = root.namedObjects.compactMap { definitions.member($0.name ?? "") }
        if !used.isEmpty {
            members.append(JSONMember(key: "definitions", value: JSONValue(.object(used))))
        }
        return JSONValue(.object(members)).withoutNotes
    }

    /// What differs from the format in a document, in the order of its places.
    public func problems(in document: JSONDocument) -> [Diagnostic] {
        var context = LintContext(source: document.source)
        check(document, &context)
        return context.findings.sorted {
            ($0.range?.lowerBound ?? 0) < ($1.range?.lowerBound ?? 0)
        }
    }

    /// Reports what differs from the format.
    func check(_ document: JSONDocument, _ context: inout LintContext) {
        var check = FormatCheck(format: self, context: context)
        check.check(document.root, at: .document, root, of: nil, wrong[...])
        check.reportMisplaced(in: document.root)
        context = check.context
        for duplicate in document.duplicateKeys { context.report(duplicate) }
    }

    /// Reports what differs from the format in a part of a document of another format.
    func check(_ value: JSONValue, named name: String, _ context: inout LintContext) {
        var check = FormatCheck(format: self, context: context)
        check.check(value, at: .member(name), root, of: nil, [])
        context = check.context
    }

    /// The same without a linter.
    package func problems(
        in value: JSONValue, of source: SourceText, named name: String
    ) -> [Diagnostic] {
        var context = LintContext(source: source)
        check(value, named: name, &context)
        return context.findings
    }
}

/// The one walk over a document that holds it to its format.
private struct FormatCheck {
    let format: DocumentFormat
    var context: LintContext
    /// The known keys that stand in another object than theirs. What that means depends on the rest
    /// of the document.
    var misplaced: [(member: JSONMember, object: SchemaObject, place: String, home: String)] = []
    /// Lists of keys of which an object that needs one has none; each list once.
    var missing: [[String]] = []

    /// Where a value stands.
    enum Place {
        case document
        case member(String)
        indirect case element(of: Place)
        /// A member whose name the author chose, and the place of the name.
        case entry(String, Range<Int>)

        /// The key that leads here.
        var key: String {
            switch self {
            case .document: "the document"
            case .member(let key), .entry(let key, _): key
            case .element(let list): list.key
            }
        }

        /// The value, for messages.
        var name: String {
            switch self {
            case .document: "the document"
            case .member(let key), .entry(let key, _): "\"\(key)\""
            case .element(let list): "an element of \(list.name)"
            }
        }

        /// The object, for messages about what it does not have.
        var subject: String {
            if case .element = self { return "this entry" }
            return key
        }
    }

    /// - Parameters:
    ///   - member: the member of the table that the value belongs to.
    ///   - codes: of values of another type: for this one, for its elements, for theirs.
    mutating func check(
        _ value: JSONValue, at place: Place, _ node: SchemaNode, of member: SchemaMember?,
        _ codes: ArraySlice<String>
    ) {
        switch (node, value.kind) {
        case (.list(let element), .array(let values)):
            let place = Place.element(of: place)
            for value in values {
                check(value, at: place, element, of: member, codes.dropFirst())
            }
        case (.table(let element), .object(let members)):
            for inner in members {
                check(
                    inner.value, at: .entry(inner.key, inner.keyRange), element, of: member,
                    codes.dropFirst())
            }
        case (.object(let object), .object(let members)):
            check(members, of: object, value.range, at: place)
        case (.object(let object), _) where object.mayBeNothing && value.isNothing:
            check([], of: object, value.range, at: place)
        case (.either(let first, let second), _)
        where node.accepts(value) && first.fix(value, in: context.source) == nil:
            check(
                value, at: place, first.accepts(value) ? first : second, of: member, codes)
        default:
            var node = node
            if case .either(let list, _) = node, node.accepts(value) { node = list }
            guard !node.accepts(value) else { return }
            let source = context.source
            let isEncoded = value.string?.first.map { "{[".contains($0) } ?? false
            var found = value.kindName
            if case .choice = node, let word = value.string { found = "\"\(word)\"" }
            let fix = node.fix(value, in: source)
            var remedy = isEncoded ? "Write the JSON itself: this is JSON encoded twice." : nil
            if case .object = node, let edit = fix?.first {
                remedy = "Write \(String(decoding: edit.replacement, as: UTF8.self))."
            }
            context.report(
                codes.first ?? format.code, at: value.range,
                "\(place.name) has to be \(node.typeName); this is \(found)"
                    + (member?.consequence.map { ": \($0)" } ?? ""),
                remedy: remedy, or: "Write \(node.typeName).", fix: fix)
        }
    }

    private mutating func check(
        _ members: [JSONMember], of object: SchemaObject, _ range: Range<Int>, at place: Place
    ) {
        lazy var others = UnknownKeys(members, of: object)
        // A misspelt key is the cause, and is reported already.
        let unmet = object.needs.indices.filter {
            let need = object.needs[$0]
            return need.applies(to: members) && !members.contains { need.keys.contains($0.key) }
                && (members.isEmpty || !others.mean(need.keys))
        }
        for (position, member) in members.enumerated() {
            guard let known = object[member.key] else {
                unknown(member, at: position, others, of: object, place, isForeign: !unmet.isEmpty)
                continue
            }
            if known.standing == .undocumented { report(undocumented: member, object, place) }
            if let list = known.list, member.value.array != nil {
                context.report(
                    list.code, at: member.keyRange,
                    "\(member.key) is an array; the key for a list is \(list.key)",
                    fix: object.renaming(member, to: list.key, among: others.written))
            } else {
                check(
                    member.value, at: .member(member.key), known.node, of: known, known.wrong[...])
            }
        }
        // Of null and [], which devices read as an object without members.
        let isObject = context.source.bytes[range.lowerBound] == UInt8(ascii: "{")
        for need in unmet.lazy.map({ object.needs[$0] }) {
            if !missing.contains(need.keys) { missing.append(need.keys) }
            var range = range
            if case .entry(_, let name) = place { range = name }
            context.report(
                need.code ?? format.code, at: range,
                place.subject + " " + (need.message ?? object.lacks(need)),
                remedy: isObject
                    ? object.wrapper(of: need, in: members).map {
                        "Write what \"\($0)\" holds in its place, without \"\($0)\"."
                    } : "Write an object in its place, with \"\(need.keys[0])\".",
                or: "Add \"\(need.keys[0])\".")
        }
    }

    /// - Parameter isForeign: whether the object has nothing of what it is for, which one finding
    ///   says for all of its members.
    private mutating func unknown(
        _ member: JSONMember, at position: Int, _ others: UnknownKeys, of object: SchemaObject,
        _ place: Place, isForeign: Bool
    ) {
        guard let slip = others[position] else {
            if object.codes == nil, object.isOpen { return }
            if object.codes != nil, let home = format.homes[member.key] {
                misplaced.append((member, object, object.place ?? "in \(place.key)", home))
            } else if !object.isOpen || !isForeign {
                report(undocumented: member, object, place)
            }
            return
        }
        let code = object.codes?.misspelt ?? format.code
        if let remedy = slip.remedy {
            context.report(
                code, at: member.keyRange,
                "\"\(member.key)\" \(object.place ?? "in \(place.key)") is not \(object.noun), "
                    + "and is ignored",
                remedy: remedy)
            return
        }
        // Its reader may refuse the document.
        let effect = object.codes == nil && !object.isOpen ? "not known" : "ignored"
        let meant = slip.key
        context.report(
            code, at: member.keyRange,
            "\"\(member.key)\" is \(effect); \"\(meant)\" was probably meant",
            remedy: others.written.contains(meant)
                ? "\"\(meant)\" is there as well: move what belongs there, and remove this member."
                : "Write \"\(meant)\".",
            fix: object.renaming(member, to: meant, among: others.written))
    }

    /// Reports the misplaced keys: an error where devices miss what they hold, and a line without
    /// effect anywhere else.
    mutating func reportMisplaced(in root: JSONValue) {
        let missing = Set(missing.joined())
        for (member, object, place, home) in misplaced {
            let isService = AssociationFormat.services.contains(member.key)
            let isOfNoEntry =
                missing.contains("details") && AssociationFormat.entry[member.key] != nil
            let isMissed =
                missing.contains(member.key) || isOfNoEntry || isService && root[member.key] == nil
                || member.key == "substitutionVariables" && root["applinks"]?[member.key] == nil
                || object.name == "entry" && member.key == "exclude" && member.value.bool == true
            context.report(
                isMissed && !member.value.isNothing ? "key-misplaced" : "key-without-effect",
                at: member.keyRange,
                "\"\(member.key)\" \(place) is ignored; it belongs \(home)")
        }
    }

    private mutating func report(
        undocumented member: JSONMember, _ object: SchemaObject, _ place: Place
    ) {
        guard let code = object.codes.map(\.unknown) ?? format.code else { return }
        context.report(
            code, at: member.keyRange,
            "\"\(member.key)\" \(object.place ?? "in \(place.key)") is not \(object.noun) "
                + format.owner,
            or: "The members are " + object.members.map(\.key).joined(separator: ", ") + ".")
    }
}

extension JSONValue {
    /// A schema without what it says to the linter.
    fileprivate var withoutNotes: JSONValue {
        switch kind {
        case .object(let members):
            .object(members.filter { $0.key != "aasa" }.map { ($0.key, $0.value.withoutNotes) })
        case .array(let values): .list(values.map(\.withoutNotes))
        case .null, .bool, .number, .string: self
        }
    }
}

extension SchemaNode {
    /// The edit that gives a value the type, if it leaves no choice.
    fileprivate func fix(_ value: JSONValue, in source: SourceText) -> [TextEdit]? {
        switch self {
        case .boolean: return TextEdit.flag(value)
        case .list(.object(let object)):
            let isOne = value.members?.contains { object[$0.key] != nil } ?? false
            return isOne ? TextEdit.bracketed(value.range) : nil
        case .list(.string): return TextEdit.bracketed(text: value, in: source)
        case .object(let object) where object.name == AssociationFormat.component.name:
            return TextEdit.component(of: value, in: source)
        default: return nil
        }
    }
}

extension SchemaObject {
    /// The unknown member that holds what this object needs.
    fileprivate func wrapper(of need: SchemaNeed, in members: [JSONMember]) -> String? {
        members.first { member in
            self[member.key] == nil && need.keys.contains { member.value[$0] != nil }
        }?.key
    }

    /// How messages describe an object without what it needs.
    fileprivate func lacks(_ need: SchemaNeed) -> String {
        let keys = need.keys.filter { self[$0]?.standing != .undocumented }
        return keys.count == 1
            ? "has no \"\(keys[0])\"" : "has none of \(keys.joined(separator: ", "))"
    }

    /// Gives a member the key that was meant; nil where there is one, or where the type of the
    /// value is another mistake.
    fileprivate func renaming(
        _ member: JSONMember, to key: String, among written: Set<String>
    ) -> [TextEdit]? {
        guard let known = self[key], !written.contains(key) else { return nil }
        switch known.node {
        case .list, .object, .table, .anything: break
        case .string, .choice, .boolean, .integer, .either:
            // `details` is a list or a table, and can be put in order afterwards.
            guard known.node.accepts(member.value) else { return nil }
        }
        return [TextEdit(member.keyRange, Array("\"\(key)\"".utf8))]
    }
}
