import AppSiteAssociation

extension CheckCatalog {
    /// Notes of `aasa check --watch` only, as they need an earlier check.
    static let watching: [CodeEntry] = [
        CodeEntry(
            .documentChanged, .warning, "The document changed",
            why:
                "Apple's CDN asks within 24 hours, devices about once a week, or when the app is "
                + "installed or updated. An app that the document no longer lists is lost then.",
            remedy: "If the change was not intended, publish the previous document again."),
        CodeEntry(
            .certificateRenewed, .note, "The host has a new certificate",
            why: "A renewal that was seen from outside has reached the server.", remedy: ""),
    ]
}
