/// The type of a document, which decides on the rules to apply.
public enum LintKind: String, Sendable, CaseIterable {
    /// An `apple-app-site-association` document, complete or a team's part of it.
    case association
    /// An Xcode `.entitlements` property list.
    case entitlements
    /// Android's `assetlinks.json`.
    case assetLinks = "assetlinks.json"
    /// `/.well-known/webauthn` (related origins of passkeys).
    case webAuthn = "webauthn"
    /// `/.well-known/passkey-endpoints`.
    case passkeyEndpoints = "passkey-endpoints"
    /// `/.well-known/security.txt`.
    case securityText = "security.txt"
    /// The target of `/.well-known/change-password`, as text.
    case changePassword = "change-password"
    /// Any other JSON below `/.well-known/`: its syntax is checked.
    case json

    /// The type of the sibling with this path below `/.well-known/`; nil if its format is unknown.
    public init?(siblingName name: String) {
        self.init(rawValue: name)
        if [.association, .entitlements, .json].contains(self) { return nil }
    }

    /// Guesses from a path; the default is association. Other JSON in a folder `well-known` is
    /// ``json``.
    public init(fileName: String) {
        let parts = fileName.split(separator: "/")
        let name = String(parts.last ?? "")
        let folder = parts.dropLast().last ?? ""
        if let sibling = LintKind(siblingName: name) {
            self = sibling
        } else if folder == "well-known" || folder == ".well-known", name.hasSuffix(".json"),
            !name.hasPrefix("apple-app-site-association")
        {
            self = .json
        } else if name == "entitlements"
            || [".entitlements", ".mobileconfig"].contains(where: { name.hasSuffix($0) })
        {
            self = .entitlements
        } else {
            self = .association
        }
    }
}

/// Parameters of a lint run that are not in the document.
public struct LintOptions: Sendable {
    /// Seconds since 1970, UTC; nil disables checks that depend on the date (`security.txt`
    /// expiry).
    public var now: Int?
    /// Size of the signed form in bytes, if it is served signed: Apple's limit applies to it, too.
    public var signedSize: Int?
    /// Codes not to report.
    public var disabled: Set<String>

    /// Creates options; by default all rules are enabled, and dates are not checked.
    public init(
        now: Int? = nil, signedSize: Int? = nil, disabled: Set<String> = []
    ) {
        self.now = now
        self.signedSize = signedSize
        self.disabled = disabled
    }
}

/// The linter's limits.
public enum LintLimits {
    /// The most bytes that a device reads, signed or not: exactly 131,072 still pass (domain.md
    /// 1.5; since iOS 9.3.1).
    public static let documentBytes = AssociationFile.bytesMaximum
    /// The size from which a document is called large: 100 KiB leave room for about one more team.
    public static let largeDocumentBytes = 102_400
    /// Distinct labels (before the public suffix) of related origins that clients must support
    /// (WebAuthn L3, 5.11).
    public static let relatedOriginLabels = 5
    /// Maximum of listed findings per document; a hostile file could cause one per byte. All are
    /// counted, and `findings-omitted` reports how many are not listed.
    public static let findings = 1_000
    /// Maximum of listed findings of one code; see ``findings``.
    public static let findingsOfOneCode = 100
    /// Further places that one finding names.
    static let relatedPlaces = 8
    /// Maximum of steps to compare patterns per document: 1,024 honest rules need below 100,000. An
    /// incomplete comparison is reported (`comparison-incomplete`).
    public static let coverageSteps = 1_200_000
    /// Maximum of variable names to search for a correction.
    static let suggestedNames = 1_000
}
