import AppSiteAssociation

/// The last step of an import: the new folder, built as the server builds it, against the document
/// that it was made of.
struct ImportProof {
    /// Why the host, or one of its siblings, would not be served.
    let errors: [Diagnostic]
    let differences: [AssociationChange]

    init(_ original: AssociationFile, folder: String) throws {
        let host = try HostInput.require(folder)
        let review = host.build()
        errors = review.refusals
        differences = review.document.map { AssociationDiff.diff(original, $0.file) } ?? []
    }

    var isGood: Bool { errors.isEmpty && differences.isEmpty }
}
