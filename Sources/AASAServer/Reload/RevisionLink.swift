import Reactor

/// The folders that a load reads: those of the configuration, or those of the revision that a link
/// leads to at that moment.
///
/// The link is resolved once per load. If it moves while a load reads, the load still sees only one
/// revision, and never a mix of two.
package struct RevisionLink: Sendable, Equatable {
    package let path: String
    /// Whether the revision includes certificates.
    package let hasCertificates: Bool

    package init(path: String, hasCertificates: Bool) {
        self.path = path
        self.hasCertificates = hasCertificates
    }
}

/// The two folders of one load.
package struct LoadedFolders: Sendable, Equatable {
    package let site: String
    package let certificates: String
}

extension LoadedFolders {
    /// The folders as of now.
    package init(_ configuration: ServerConfiguration) {
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
        let folder = Files.resolved(link.path) ?? link.path
        self.init(
            site: folder + "/site",
            certificates: link.hasCertificates ? link.path + "/certs" : certificates)
    }
}
