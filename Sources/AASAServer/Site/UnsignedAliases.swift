import AppSiteAssociation

/// The aliases of a host that its signature does not cover. They are answered without it, as a host
/// that cannot be signed is: a signature for another name is a final no to a device, a 503 is not.
enum UnsignedAliases {
    /// What the operator reads; nil if there are no such aliases.
    ///
    /// - Parameter isReadyMade: another tool signed the document.
    static func finding(
        _ aliases: [String], of host: String, form: AssociationForm, isReadyMade: Bool
    ) -> Diagnostic? {
        if aliases.isEmpty { return nil }
        let answer =
            switch form {
            case .json: "there, aasa serves the document unsigned"
            case .signed: "there, aasa answers 503"
            case .auto: "there, aasa serves the document as JSON, and iOS 8 gets 503"
            }
        return Diagnostic(
            code: isReadyMade ? "cms-wrong-host" : "site-cannot-sign",
            severity: !isReadyMade || form == .signed ? .error : .warning,
            message: "the certificate that signs the document of \(host) does not cover "
                + (aliases.count == 1 ? "the alias " : "the aliases ")
                + listed(aliases) + ": " + answer,
            remedy: (isReadyMade ? "sign it with" : "get")
                + " one certificate for all names of the host, or give the alias its own host folder",
            file: host)
    }
}
