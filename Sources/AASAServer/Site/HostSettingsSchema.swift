package import AppSiteAssociation

extension HostSettings {
    /// A field value: visible ASCII, single blanks inside.
    private static let field = SchemaNode.string(pattern: "^[!-~]([ -~]{0,2046}[!-~])?$")

    /// The settings that there are, for the reader and for editors.
    package static let format = DocumentFormat(
        "the settings of a host (host.json)", code: "host-unknown-key", .object(members))

    private static let members = [
        member(
            "$schema", .string(), "Where an editor finds the schema of this file."),
        member(
            "aliases", .list(of: .string(pattern: HostName.expression)),
            "Other names that get the same answers."),
        member(
            "cacheControl", field,
            "Cache-Control of documents and siblings; default: max-age=3600."),
        member(
            "certificate", .string(pattern: HostName.expression),
            "The folder under --certs whose certificate is used; default: the host's name."),
        member(
            "changePassword",
            .string(
                pattern: "^(?!.*/\\.well-known/change-password$)"
                    + "(https://[!-~]+|/([!-.0-~][!-~]*)?)$"),
            "Where /.well-known/change-password leads: a URL with https, or a path."),
        member("default", .boolean, "Whether the host answers for unknown names."),
        member(
            "form", wrong: "host-bad-form", .choice(AssociationForm.allCases.map(\.rawValue)),
            "json (for iOS 9 and later), signed, or auto (signed for iOS 8 only)."),
        member(
            "order", .list(of: .string(), isSet: true),
            "Teams in the order of their priority; the others follow in alphabetical order."),
        member(
            "strict", .boolean,
            "Whether errors of the linter keep the document from being published; default: true."),
        member(
            "types",
            .table(of: .string(pattern: "^[!-.0-~][ -.0-~]*/[ -~]*[!-~]$")),
            "Media types of siblings, by path below well-known/."),
    ]

    /// - Parameter wrong: the code of a value, or an element, of another type.
    private static func member(
        _ key: String, wrong: String = "host-wrong-type", _ node: SchemaNode, _ text: String
    ) -> SchemaMember {
        SchemaMember(key, node, text, wrong: [wrong, wrong])
    }
}
