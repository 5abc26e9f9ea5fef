package import AppSiteAssociation

/// The texts of findings about builds: the same for every build.
package enum BuildCatalog {
    /// Read on first use.
    package static let table = CodeTable([PackageResources.builds_txt])

    package static func entry(_ code: String) -> CodeEntry? { table[code] }
}
