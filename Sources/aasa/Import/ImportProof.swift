import AASAServer
import AppSiteAssociation

/// The proof of an import: the new folder, built as the server builds it, against the document that
/// it is made of.
struct ImportProof {
    /// Why the host cannot be served, and the errors of its siblings.
    let errors: [Diagnostic]
    let differences: [AssociationChange]
    /// How many documents were checked.
    let documents: Int

    /// - Parameters:
    ///   - host: as it will be written.
    ///   - site: the folder that it is to be in.
    init(_ original: AssociationFile, _ host: HostSource, in site: String) {
        let review = host.build()
        errors =
            review.findings.filter { $0.severity == .error }
            + Self.nameConflicts(of: host, in: site)
        documents = review.files.count
        differences = review.document.map { AssociationDiff.diff(original, $0.file) } ?? []
    }

    /// What the site's names become with the host: of its own and of the other hosts'.
    private static func nameConflicts(of host: HostSource, in folder: String) -> [Diagnostic] {
        var site =
            (try? SiteFolder.read(folder)) ?? SiteSource(path: folder, hosts: [], problems: [])
        site.hosts.removeAll { $0.name == host.name }
        let known = Set(site.withoutConflicts().hosts.flatMap(\.problems.names))
        site.hosts.append(host)
        site.hosts.sort { $0.name < $1.name }
        return site.withoutConflicts().hosts.flatMap(\.problems.names).filter {
            !known.contains($0)
        }
    }

    var isGood: Bool { errors.isEmpty && differences.isEmpty }
}
