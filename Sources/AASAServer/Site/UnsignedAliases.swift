package import AppSiteAssociation

/// The aliases of a host that its signature does not cover. They are answered without it, as a host
/// that cannot be signed is: a signature for another name is a final no to a device, a 503 is not.
package struct UnsignedAliases {
    let host: String
    let aliases: [String]
    let form: AssociationForm
    /// Another tool signed the document.
    let isReadyMade: Bool

    /// What the operator reads; nil if there are no such aliases.
    package var finding: Diagnostic? {
        if aliases.isEmpty { return nil }
        let isSevere = !isReadyMade || form == .signed
        return Diagnostic(
            code: isReadyMade ? "cms-wrong-host" : "site-cannot-sign",
            severity: isSevere ? .error : .warning,
            message: "the certificate that signs the document of \(host) does not cover \(names): "
                + answer,
            remedy: (isReadyMade ? "sign it with" : "get")
                + " one certificate for all names of the host, or give the alias its own host folder",
            file: host)
    }

    private var names: String {
        let shown = aliases.prefix(Self.namesShown).joined(separator: ", ")
        let more = aliases.count - Self.namesShown
        return (aliases.count == 1 ? "the alias " : "the aliases ") + shown
            + (more > 0 ? " and \(more) more" : "")
    }

    private var answer: String {
        switch form {
        case .json: "there, aasa serves the document unsigned"
        case .signed: "there, aasa answers 503"
        case .auto: "there, aasa serves the document as JSON, and iOS 8 gets 503"
        }
    }

    /// A host may have a thousand, and the message is one line.
    private static let namesShown = 5
}
