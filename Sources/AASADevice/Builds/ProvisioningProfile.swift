package import AppSiteAssociation
import OpenSSL
import Reactor

/// What Apple's developer site allows an app: `embedded.mobileprovision`, a property list in CMS.
///
/// Its signature has to hold. That Apple made it is not checked: Apple's root is not on this
/// machine.
package struct ProvisioningProfile: Sendable {
    /// For whom builds with the profile are.
    package enum Kind: String, Sendable, CaseIterable {
        /// Debugging on registered devices.
        case development
        /// Registered devices, without debugging.
        case adHoc = "ad-hoc"
        /// All devices of an organization.
        case enterprise
        case appStore = "app-store"
    }

    package let name: String
    package let kind: Kind
    /// Of application identifiers; the team's own, except for old apps.
    package let prefixes: [String]
    package let teams: [String]
    /// Whether the profile is what was signed.
    let isIntact: Bool
    /// `2027-01-31T12:00:00Z`.
    package let expires: String?
    /// What it allows.
    package let entitlements: JSONValue

    /// Nil if the bytes are not a profile.
    init?(_ bytes: [UInt8], name: String) {
        let content = SignedDocument.looksSigned(bytes) ? CMSVerifier.payload(of: bytes) : bytes
        guard let content,
            let root = try? PropertyListReader.read(SourceText(name: name, bytes: content)),
            let allowed = root["Entitlements"], allowed.members != nil
        else { return nil }
        entitlements = allowed
        isIntact = CMSVerifier.holds(bytes) == true
        self.name = root["Name"]?.string ?? "without a name"
        prefixes = root["ApplicationIdentifierPrefix"]?.entries ?? []
        teams = root["TeamIdentifier"]?.entries ?? []
        expires = root["ExpirationDate"]?.string
        // macOS has its own key for debugging.
        let debugging = ["get-task-allow", "com.apple.security.get-task-allow"]
        if debugging.contains(where: { allowed[$0]?.bool == true }) {
            kind = .development
        } else if root["ProvisionsAllDevices"]?.bool == true {
            kind = .enterprise
        } else {
            kind = root["ProvisionedDevices"] == nil ? .appStore : .adHoc
        }
    }

    /// Whether the profile has ended.
    ///
    /// - Parameter now: seconds since 1970.
    func isExpired(at now: Int64) -> Bool {
        // Dates of property lists are in UTC and of fixed width, so that text compares as time.
        expires.map { $0 < DateText.moment(now) } ?? false
    }
}
