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

    /// Services that tell an association document from other JSON.
    public static let associationServices = [
        "applinks", "webcredentials", "appclips", "activitycontinuation",
    ]

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

    /// Makes options; without any, nothing is left out and time is not judged.
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
    /// Findings of one document that are listed, and of one code among them; a hostile file could
    /// make one per byte. All are counted, and `findings-omitted` says how many are not listed.
    public static let findings = 1_000
    /// How many findings of one code are listed; see ``findings``.
    public static let findingsOfOneCode = 100
    /// The same where every finding that can be mended is wanted. A hostile document of 4 MB has a
    /// million; they are mended a hundred thousand at a time.
    static let findingsToMend = 100_000
    /// Further places that one finding names.
    static let relatedPlaces = 8
    /// Steps of comparing patterns per document: 1,024 honest rules need below 100,000, and
    /// these take about 8 ms. What is left uncompared is said (`comparison-incomplete`).
    public static let coverageSteps = 600_000
    /// Rules of one document that are compared with each other, and the bytes of their patterns.
    /// A document that devices read holds at most 131,072 / 9 rules; a larger one is refused by
    /// them whole, whatever its rules say.
    static let comparedRules = 16_384
    static let comparedBytes = 262_144
    /// Names of variables among which a misspelt one is looked for.
    static let suggestedNames = 1_000
}
