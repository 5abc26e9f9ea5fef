package import AppSiteAssociation

extension HostSettings {
    /// A field value: visible ASCII, single blanks inside.
    private static let field = SchemaNode.string(pattern: "^[!-~]([ -~]{0,2046}[!-~])?$")

    /// The settings that there are, for the reader and for editors.
    static let members = [
        SchemaMember(
            "$schema", .string(), "Where an editor finds the schema of this file."),
        SchemaMember(
            "aliases", .list(of: .string(pattern: HostName.expression)),
            "Other names that are answered alike."),
        SchemaMember(
            "cacheControl", field,
            "Cache-Control of documents and siblings; default: max-age=3600."),
        SchemaMember(
            "certificate", .string(pattern: HostName.expression),
            "The folder under --certs whose certificate is used; default: the host's name."),
        SchemaMember(
            "changePassword",
            .string(
                pattern: "^(?!.*/\\.well-known/change-password$)"
                    + "(https://[!-~]+|/([!-.0-~][!-~]*)?)$"),
            "Where /.well-known/change-password leads: a URL with https, or a path."),
        SchemaMember("default", .boolean, "Whether the host answers for unknown names."),
        SchemaMember(
            "form", .choice(AssociationForm.allCases.map(\.rawValue)),
            "json (all since iOS 9), signed, or auto (signed for iOS 8 only)."),
        SchemaMember(
            "order", .list(of: .string(), isSet: true),
            "Teams in the order of their priority; the others follow in alphabetical order."),
        SchemaMember(
            "strict", .boolean,
            "Whether errors of the linter keep the document from being published; default: true."),
        SchemaMember(
            "types",
            .table(of: .string(pattern: "^[!-.0-~][ -.0-~]*/[ -~]*[!-~]$")),
            "Media types of siblings, by path below well-known/."),
    ]

    /// The JSON Schema of `host.json`.
    package static var schema: JSONValue {
        SchemaNode.object(members).document(title: "the settings of a host (host.json)")
    }
}
