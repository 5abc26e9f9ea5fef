import AppSiteAssociation

/// What a `firebase.json` says about where Hosting's files lie.
///
/// Firebase: *Configure Hosting behavior*. `hosting` is an object, or an array of them for several
/// sites; `public` is the folder that is uploaded; `appAssociation` (`AUTO` unless it says `NONE`)
/// makes Hosting invent association files where the folder has none; `ignore` may keep dot folders
/// from being uploaded at all.
struct FirebaseHosting {
    struct Site {
        /// `site` or `target`, if named.
        let name: String?
        /// The folder that is uploaded, relative to `firebase.json`.
        let folder: String
        /// Hosting makes association files of its own for what is not there.
        let inventsFiles: Bool
        /// A pattern of `ignore` that keeps `.well-known` from being uploaded.
        let ignored: String?
    }

    let sites: [Site]

    /// - Throws: ``JSONError``; comments, which Firebase accepts, are such an error too.
    init(reading source: SourceText) throws(JSONError) {
        let hosting = try JSONReader.read(source).root["hosting"]
        let entries = hosting?.array ?? hosting.map { [$0] } ?? []
        sites = entries.compactMap { entry in
            guard let folder = entry["public"]?.string else { return nil }
            let ignores = entry["ignore"]?.array?.compactMap(\.string) ?? []
            return Site(
                name: entry["site"]?.string ?? entry["target"]?.string, folder: folder,
                inventsFiles: entry["appAssociation"]?.string != "NONE",
                ignored: ignores.first { $0 == "**/.*" || $0.hasPrefix(".well-known") })
        }
    }
}
