/// The format of the association file: every key, its type, what it is for, and since when.
///
/// The table is `association` in `formats.json`. The linter, the merge, the schema and the
/// reference page read it. The values of the model (``AssociationFile``) are named after its keys.
public enum AssociationFormat {
    /// For editors: `aasa schema`.
    public static let format = DocumentFormat(named: "association")

    /// The services that Apple documents, in Apple's order.
    public static let services = root.members.filter { $0.standing == .documented }.map(\.key)

    static let root = SchemaObject(
        DocumentFormat.library["association"] ?? [:], named: nil, in: DocumentFormat.definitions)
    static let applinks = object("applinks")
    static let entry = object("entry")
    static let component = object("component")

    private static func object(_ name: String) -> SchemaObject {
        let definitions = DocumentFormat.definitions
        return SchemaObject(definitions[name] ?? [:], named: name, in: definitions)
    }

    /// What an unknown key of an object holds in the place of a known one: an app as the key of an
    /// entry, a pattern as that of a component.
    static func reading(of member: JSONMember, in object: SchemaObject) -> SchemaSlip? {
        switch object.name {
        case "entry", "namedEntry": entryReading(member)
        case "component": componentReading(member)
        default: nil
        }
    }

    private static func entryReading(_ member: JSONMember) -> SchemaSlip? {
        // The type of the value is cheap to look at, and a document may have 400,000 such keys.
        guard member.value.members != nil, AppIdentifier(member.key) != nil else { return nil }
        return SchemaSlip(
            key: "appID",
            remedy: "Write \"appID\": \"\(member.key)\", and beside it what it holds now.")
    }

    private static func componentReading(_ member: JSONMember) -> SchemaSlip? {
        let key = member.key
        // `/ ` is a slip of the key, and so are an invisible character, `／` in full width, and `/*`
        // with a pattern as its value.
        let bare = String(
            String.UnicodeScalarView(
                key.unicodeScalars.filter {
                    !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
                }.map { Unicode.Scalar($0.value &- 0xFEE0).flatMap { $0.isASCII ? $0 : nil } ?? $0 }
            ))
        if bare != key, component[bare] != nil { return SchemaSlip(key: bare) }
        if ["//", "/*"].contains(key), member.value.string?.hasPrefix("/") == true {
            return SchemaSlip(key: "/")
        }
        // `/buy/*` as a key: the pattern is in the place of the key.
        if key.hasPrefix("/"), key.utf8.count > 1 {
            return SchemaSlip(
                key: "/",
                remedy: "Write the pattern as the value of \"/\": { \"/\": \"\(key)\" }.")
        }
        if key.hasPrefix("NOT "), key.utf8.count > 4 {
            return SchemaSlip(
                key: "/",
                remedy: "Write the pattern as the value of \"/\", with \"exclude\": true beside it."
            )
        }
        if key.hasPrefix("*") {
            return SchemaSlip(key: "/", remedy: "Write the pattern as the value of \"/\".")
        }
        return nil
    }
}
