package import AppSiteAssociation

/// Whether a document is small enough to be signed: the limit counts JSON, signature and
/// certificates.
package enum SignedSize {
    /// The least that the signed form adds to a document: 450 bytes of a P-256 certificate with one
    /// short name (`aasa certs make`; public ones have twice as many), 70 of its signature, and 130
    /// of names, identifiers and lengths around them.
    static let bytesAddedMinimum = 450 + 70 + 130

    /// The document was signed, and is too large so.
    static func finding(bytes: Int, signed: Int, host: String) -> Diagnostic {
        finding(.error, "the document has \(bytes) bytes and \(signed) signed", file: host)
    }

    /// A warning, where `host.json` asks for a signature and not even the smallest one fits; nil:
    /// it may fit. Only the server knows which one it will be.
    package static func warning(
        of host: HostSource, _ document: @autoclosure () -> HostDocument?
    ) -> Diagnostic? {
        guard host.settings.form.needsSignature, let document = document(),
            document.readySigned == nil,
            document.json.count + bytesAddedMinimum > SiteLimits.documentBytesMaximum
        else { return nil }
        return finding(
            .warning,
            "the document has \(document.json.count) bytes, and at least \(bytesAddedMinimum) more when signed: "
                + (host.settings.form == .auto
                    ? "iOS 8 will be answered 503" : "it will not be served"),
            file: host.settingsPlace)
    }

    private static func finding(
        _ severity: Severity, _ message: String, file: String
    ) -> Diagnostic {
        Diagnostic(
            code: "site-signed-too-large", severity: severity,
            message: message + "; Apple reads at most \(SiteLimits.documentBytesMaximum)",
            remedy: "shorten it, set \"form\": \"json\", or sign with a shorter chain", file: file)
    }
}
