package import AppSiteAssociation
import Texts

extension HostSettings {
    /// The settings that there are, for the reader and for editors.
    package static let format = DocumentFormat(Text.hostSchema.json)
}
