package import AppSiteAssociation

/// Whether a document is small enough to be served signed to everyone (`"form": "signed"`): the
/// limit of iOS 9.3.1 and later counts JSON, signature and certificates. iOS 8 has no limit, so
/// that `auto`, which serves the signed form to iOS 8 only, needs no check.
package enum SignedSize {
    /// The least that the signed form adds to a document: 450 bytes of a P-256 certificate with one
    /// short name (`aasa certs make`; public ones have twice as many), 70 of its signature, and 130
    /// of names, identifiers and lengths around them.
    static let bytesAddedMinimum = 450 + 70 + 130

    /// A warning if `host.json` sets the form `signed` and not even the smallest signature fits;
    /// nil if one may fit. Only the server knows which one it will be.
    package static func warning(of host: HostSource, _ document: HostDocument?) -> Diagnostic? {
        guard host.settings.form == .signed, let document, document.readySigned == nil,
            document.json.count + bytesAddedMinimum > SiteLimits.documentBytesMaximum
        else { return nil }
        return finding(
            .warning,
            "the document has \(document.json.count) bytes, and at least "
                + "\(bytesAddedMinimum) more when signed: it will not be served",
            file: host.settingsPlace)
    }

    static func finding(_ severity: Severity, _ message: String, file: String) -> Diagnostic {
        Diagnostic(
            code: "site-signed-too-large", severity: severity,
            message: message + "; iOS 9.3.1 and later read at most "
                + "\(SiteLimits.documentBytesMaximum)",
            remedy: "shorten it, set \"form\": \"auto\", or sign with a shorter chain", file: file)
    }
}
