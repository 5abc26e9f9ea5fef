package import AppSiteAssociation
import OpenSSL
import Reactor

/// One app, extension, App Clip or watch app of a build, with its own statements.
package struct AppBundle: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case app
        case appClip = "app-clip"
        case `extension`
        case watchApp = "watch-app"
    }

    /// In the build: `Payload/Shop.app/PlugIns/Widget.appex`.
    package let path: String
    package let kind: Kind
    /// `CFBundleIdentifier`.
    package let identifier: String?
    /// `CFBundleShortVersionString (CFBundleVersion)`.
    package let version: String
    /// The bundle that this one is in, by position in the build.
    package let container: Int?
    /// `WKCompanionAppBundleIdentifier`.
    let companion: String?
    /// Empty if the executable is missing.
    let slices: [MachOFile.Slice]
    /// The entitlements as text, for findings with lines.
    package let source: SourceText?
    /// The property list; nil without one, or if it cannot be read.
    let listed: JSONValue?
    /// The DER form; nil without one, or if it cannot be read.
    let encoded: JSONValue?
    package let profile: ProvisioningProfile?
    let hasUnreadableProfile: Bool
    /// Whether `Info.plist` is the one that was signed, as far as its digest is known.
    let isInfoSigned: Bool

    var signature: CodeSignature? { slices.first?.signature }

    /// The team of the certificate.
    package var team: String? { signature?.team }

    /// What the signature claims. iOS 15 and later read the DER form.
    package var entitlements: JSONValue? { encoded ?? listed }

    /// The last part of the path, for messages.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The application identifier of the signature, or what the profile makes of the bundle's.
    package var application: String? {
        let signed = EntitlementFile.identifierKeys.lazy.compactMap { entitlements?[$0]?.string }
        if let signed = signed.first { return signed }
        guard let prefix = profile?.prefixes.first, let identifier else { return nil }
        return "\(prefix).\(identifier)"
    }

    /// The associated domains of the signature, as written.
    package var domains: [EntitlementEntry] {
        (entitlements?[EntitlementFile.domainsKey]?.entries ?? []).map { EntitlementEntry($0) }
    }

    /// Whether devices treat `?mode=developer` as in a build from Xcode.
    package var isForDevelopment: Bool {
        entitlements?["get-task-allow"]?.bool
            ?? entitlements?["com.apple.security.get-task-allow"]?.bool ?? false
    }

    /// Reads a bundle.
    init(
        _ path: String, in files: BuildFiles, of build: String, container: Int?
    ) throws(Problem) {
        self.path = path
        self.container = container
        let isMac = files.paths.contains(path + "/Contents/Info.plist")
        let base = isMac ? path + "/Contents" : path
        func content(_ name: String) throws(Problem) -> [UInt8]? {
            try files.open("\(base)/\(name)")?.all(maximum: BuildLimits.documentBytesMaximum)
        }
        let bytes = try content("Info.plist") ?? []
        let info = try Self.list(bytes, "\(build): \(base)/Info.plist")
        identifier = info["CFBundleIdentifier"]?.string
        let short = info["CFBundleShortVersionString"]?.string ?? "no version"
        version = info["CFBundleVersion"]?.string.map { "\(short) (\($0))" } ?? short
        companion = info["WKCompanionAppBundleIdentifier"]?.string

        var slices: [MachOFile.Slice] = []
        if let name = info["CFBundleExecutable"]?.string,
            let executable = try files.open("\(base)/\(isMac ? "MacOS/" : "")\(name)")
        {
            slices = try MachOFile(executable).slices
        }
        self.slices = slices
        let digests = slices.compactMap { $0.signature?.infoDigest }
        isInfoSigned = digests.allSatisfy { $0 == sha256(bytes) }
        let signature = slices.first?.signature
        let entitlements = signature?.entitlements.map {
            SourceText(name: "\(build): \(path) (entitlements)", bytes: $0)
        }
        source = entitlements
        listed = entitlements.flatMap { try? PropertyListReader.read($0) }
        encoded = signature?.encodedEntitlements.flatMap { EncodedEntitlements.read($0) }

        let embedded =
            try content(isMac ? "embedded.provisionprofile" : "embedded.mobileprovision")
        profile = embedded.flatMap {
            ProvisioningProfile($0, name: "\(build): \(path) (profile)")
        }
        hasUnreadableProfile = embedded != nil && profile == nil

        let folder = path.split(separator: "/").dropLast().last
        let isClip =
            (listed ?? encoded)?["com.apple.developer.on-demand-install-capable"]?.bool == true
            || folder == "AppClips" || info["NSAppClip"] != nil
        let isWatch = info["WKApplication"] != nil || info["WKWatchKitApp"] != nil
        kind =
            path.hasSuffix(".appex")
            ? .extension : isClip ? .appClip : isWatch || folder == "Watch" ? .watchApp : .app
    }

    private static func list(_ bytes: [UInt8], _ name: String) throws(Problem) -> JSONValue {
        do throws(PropertyListError) {
            return try PropertyListReader.read(SourceText(name: name, bytes: bytes))
        } catch {
            throw Problem(
                place: name, cause: error.diagnostic.message,
                remedy: error.diagnostic.remedy ?? "Export the build again.")
        }
    }
}
