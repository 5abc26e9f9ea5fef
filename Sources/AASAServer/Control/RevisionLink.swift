import Reactor

/// Where a load reads: the folders of the configuration, or those of the revision that a link leads
/// to at that moment.
///
/// The link is followed once per load. It may be moved while a load reads: that load still sees one
/// revision alone, never the first half of one and the second half of the other.
package struct RevisionLink: Sendable, Equatable {
    package let path: String
    /// Whether certificates come with the revision.
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

    package init(site: String, certificates: String) {
        self.site = site
        self.certificates = certificates
    }

    /// As they are now.
    package init(_ configuration: ServerConfiguration) {
        guard let link = configuration.revisionLink else {
            self.init(
                site: configuration.siteFolder, certificates: configuration.certificateFolder)
            return
        }
        // Certificates are known by their place, so theirs goes through the link: what is kept when
        // a file is gone, and the state of an earlier process, belong to it. Of a pair that a swap
        // cuts in two nothing is taken, as key and certificate do not match; the order that follows
        // the swap reads both.
        // A link that leads nowhere is named in the message of who cannot read it.
        let folder = Files.resolved(link.path) ?? link.path
        self.init(
            site: folder + "/site",
            certificates: link.hasCertificates
                ? link.path + "/certs" : configuration.certificateFolder
        )
    }
}
