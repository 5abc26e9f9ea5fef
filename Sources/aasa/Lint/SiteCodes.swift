import AppSiteAssociation

/// The codes of site folders, `host.json`, property lists, signed files and the linter's
/// configuration.
enum SiteCodes {
    /// Read on first use, from the files of the folder `Catalog`.
    static let table = CodeTable(.siteCatalog)
}
