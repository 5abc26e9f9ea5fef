/// What a document is, and so which rules look at it.
public enum LintKind: String, Sendable, CaseIterable {
    /// An `apple-app-site-association` document, whole or a team's part of it.
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
    /// The address that `/.well-known/change-password` leads to, as text.
    case changePassword = "change-password"

    /// Guesses from a file name (its last path component); association unless the name says
    /// otherwise.
    public init(fileName: String) {
        let name = String(fileName.split(separator: "/").last ?? "")
        if let sibling = LintKind(rawValue: name), sibling != .association {
            self = sibling
        } else if name.hasSuffix(".entitlements") {
            self = .entitlements
        } else {
            self = .association
        }
    }
}

/// Circumstances of a lint run that are not in the document.
public struct LintOptions: Sendable {
    /// Seconds since 1970, UTC; nil leaves out what depends on the date (`security.txt` expiry).
    public var now: Int?
    /// Size of the signed form in bytes, if it is served signed: Apple's limit counts it too.
    public var signedSize: Int?
    /// Codes that are not to be reported.
    public var disabled: Set<String>

    public init(
        now: Int? = nil, signedSize: Int? = nil, disabled: Set<String> = []
    ) {
        self.now = now
        self.signedSize = signedSize
        self.disabled = disabled
    }
}

/// The limits the linter measures against.
public enum LintLimits {
    /// Bytes, signed or not, that a device reads: 131,072 exactly still pass (domain.md 1.5; since
    /// iOS 9.3.1).
    public static let documentBytes = 131_072
    /// From here on a document is called large: 100 KiB leave room for about one more team.
    public static let largeDocumentBytes = 102_400
    /// Distinct names (before the public suffix) of related origins that clients must read
    /// (WebAuthn L3, 5.11).
    public static let relatedOriginLabels = 5
    /// Findings of one document that are reported; a hostile file could make one per byte.
    public static let findings = 1_000
    /// Steps of comparing patterns per document: 1,024 honest rules need below one million, and
    /// five million take about 50 ms.
    public static let coverageSteps = 5_000_000
}
