/// Edits a team's part of `assetlinks.json` or `webauthn` as text: unaffected parts stay byte for
/// byte.
public struct SiblingPartEditor: Sendable {
    /// The relation that shares sign-in data with an app.
    public static let sharesLogins = "delegate_permission/common.get_login_creds"

    private let kind: SiblingPart.Kind
    private var editor: JSONTextEditor

    /// Starts to edit a team's part of a sibling document.
    public init(_ kind: SiblingPart.Kind, _ document: JSONDocument) {
        self.kind = kind
        editor = JSONTextEditor(document)
    }

    /// The bytes of the current part.
    public var bytes: [UInt8] { editor.bytes }

    /// An empty part.
    public static func empty(_ kind: SiblingPart.Kind) -> [UInt8] {
        Array((kind == .assetLinks ? "[\n]\n" : "{\n  \"origins\": [\n  ]\n}\n").utf8)
    }

    /// Whether the document has no statements.
    public static func isEmpty(_ document: JSONDocument) -> Bool {
        (document.root.array ?? document.root["origins"]?.array)?.isEmpty ?? false
    }

    private var list: [JSONTextEditor.Step] { kind == .assetLinks ? [] : [.key("origins")] }

    // MARK: Android

    /// Adds a statement for an Android app; fingerprints are added to an existing statement with
    /// the same package and relations.
    ///
    /// - Parameters:
    ///   - package: the app's package name.
    ///   - fingerprints: SHA-256 of the signing certificates, as `AB:CD:…`.
    ///   - relations: the permitted relations, such as
    ///     `delegate_permission/common.handle_all_urls`.
    /// - Throws: ``EditError`` if everything is stated already.
    public mutating func add(
        package: String, fingerprints: [String], relations: [String]
    ) throws(EditError) {
        let fingerprints = fingerprints.map { $0.uppercased() }
        let statements = editor.value(at: [])?.array ?? []
        let known = statements.indices.filter {
            statements[$0]["target"]?["package_name"]?.string == package
                && Set(statements[$0]["relation"]?.strings ?? []) == Set(relations)
        }
        guard let index = known.first else {
            let target: JSONValue = [
                "namespace": "android_app", "package_name": .text(package),
                "sha256_cert_fingerprints": .list(fingerprints.map { .text($0) }),
            ]
            let statement: JSONValue = [
                "relation": .list(relations.map { .text($0) }), "target": target,
            ]
            return try editor.insert([statement], intoArrayAt: [])
        }
        let path: [JSONTextEditor.Step] = [
            .index(index), .key("target"), .key("sha256_cert_fingerprints"),
        ]
        let old = Set((editor.value(at: path)?.array ?? []).compactMap { $0.string?.uppercased() })
        let new = fingerprints.filter { !old.contains($0) }
        guard !new.isEmpty else {
            throw EditError(
                "\(package) is stated already with these fingerprints",
                at: statements[index].range, editor.document)
        }
        try editor.insert(new.map { JSONValue.text($0) }, intoArrayAt: path)
    }

    /// Removes every statement about an Android app.
    /// - Throws: ``EditError`` if there is none.
    public mutating func remove(package: String) throws(EditError) {
        let statements = editor.value(at: [])?.array ?? []
        try remove(
            Set(
                statements.indices.filter {
                    statements[$0]["target"]?["package_name"]?.string == package
                }), "nothing is stated about \(package)")
    }

    // MARK: WebAuthn

    /// Whether a value is this origin, with whatever clients drop or read in lower case.
    private static func lists(_ value: JSONValue, origin: String) -> Bool {
        value.string.map(WebAddress.origin(of:)) == WebAddress.origin(of: origin)
    }

    /// Adds an origin that may use the host's passkeys.
    /// - Throws: ``EditError`` if it is listed already.
    public mutating func add(origin: String) throws(EditError) {
        let known = editor.value(at: list)?.array?.first { Self.lists($0, origin: origin) }
        if let known {
            throw EditError("\(origin) is listed already", at: known.range, editor.document)
        }
        try editor.insert([.text(origin)], intoArrayAt: list)
    }

    /// Removes an origin.
    /// - Throws: ``EditError`` if it is not listed.
    public mutating func remove(origin: String) throws(EditError) {
        let origins = editor.value(at: list)?.array ?? []
        try remove(
            Set(origins.indices.filter { Self.lists(origins[$0], origin: origin) }),
            "\(origin) is not listed")
    }

    private mutating func remove(_ indices: Set<Int>, _ refusal: String) throws(EditError) {
        guard !indices.isEmpty, let parent = editor.value(at: list),
            let edits = JSONTextEditor.removals(of: indices, from: parent)
        else {
            throw EditError(refusal, editor.document)
        }
        try editor.apply(edits)
    }
}
