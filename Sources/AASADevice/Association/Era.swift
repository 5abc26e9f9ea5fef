import AppSiteAssociation

/// The generations of Apple's systems, by how they request a site's association.
package enum Era: String, Sendable, Hashable, CaseIterable {
    /// iOS 8: only the root path, a signature is required, no universal links yet. iOS 9.0 to 9.2
    /// use the same path and accept plain JSON; they are not simulated.
    case ios8
    /// iOS 9.3 to 12: `/.well-known/` first, then the root.
    case ios93 = "ios9.3"
    /// iOS 13: `/.well-known/` only.
    case ios13
    /// iOS 14 and macOS 11 to iOS 18: Apple's CDN.
    case ios14
    /// iOS 26 and macOS 26: a ClientHello with X25519MLKEM768. Their Passwords app also requests
    /// `/.well-known/passkey-endpoints` (WWDC25 session 279), which is not simulated.
    case ios26
    /// `?mode=developer`: directly, with a development build and the device's switch on.
    case developer
    /// `?mode=managed`: directly, on a device under management.
    case managed

    /// Everything that distinguishes the era.
    package var rules: EraRules {
        switch self {
        case .ios8: .ios8
        case .ios93: .ios93
        case .ios13: .ios13
        case .ios14: .ios14
        case .ios26: .ios26
        case .developer: .developer
        case .managed: .managed
        }
    }

    /// The user agent of Apple's CDN crawler.
    package static let crawlerAgent = "AASA-Bot/1.0.0"

    /// The crawler's fields. Its error texts are those of Go's client, which offers gzip by
    /// default: an inference, not an observation.
    package static let crawlerFields = [
        (name: "User-Agent", value: crawlerAgent), (name: "Accept-Encoding", value: "gzip"),
    ]
}

/// Where a document is requested.
package enum AssociationPath: Sendable, Hashable {
    case wellKnown
    case root
    /// Apple's CDN, with the host in the path.
    case cdn

    package static let wellKnownTarget = "/.well-known/apple-app-site-association"
    package static let rootTarget = "/apple-app-site-association"

    /// Path and query of the request for a host (and port, if the entitlement has one).
    package func target(host: String, port: Int?) -> String {
        switch self {
        case .wellKnown: Self.wellKnownTarget
        case .root: Self.rootTarget
        case .cdn: "/a/v1/" + host + (port.map { ":\($0)" } ?? "")
        }
    }
}
