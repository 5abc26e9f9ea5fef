import Reactor

/// The two folders that a load reads: those of the configuration, or those of the revision that a
/// link leads to at that moment.
///
/// The link is resolved once per load. If it moves while a load reads, the load still sees only one
/// revision, and never a mix of two.
struct LoadedFolders: Sendable, Equatable {
    let site: String
    let certificates: String
}

extension LoadedFolders {
    /// The folders as of now.
    init(_ configuration: ServerConfiguration) {
        // Kept certificates are known by their path below this one: `certs/` is `certs`.
        let certificates = CertificateFolder(path: configuration.certificateFolder).path
        guard let link = configuration.revisionLink else {
            self.init(site: configuration.siteFolder, certificates: certificates)
            return
        }
        // Certificates are identified by their path, so their path goes through the link and stays
        // the same: kept certificates and the state of an earlier process refer to it. If the link
        // moves between the two files of a pair, key and certificate do not match, and the pair is
        // not used; the reload after the move reads both. If the link leads nowhere, its own path
        // is used, so that the error message names it.
        self.init(
            site: (Files.resolved(link) ?? link) + "/site",
            certificates: configuration.revisionHasCertificates ? link + "/certs" : certificates)
    }
}
