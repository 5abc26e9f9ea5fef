import AppSiteAssociation
package import OpenSSL

/// The generations of Apple's systems, by how they request a site's association.
package enum Era: String, Sendable, Hashable, CaseIterable {
    /// iOS 8: only the root path, a signature is required, no universal links yet. iOS 9.0 to 9.2
    /// use the same path and accept plain JSON; they are not simulated.
    case ios8
    /// iOS 9.3 to 12: `/.well-known/` first, then the root.
    case ios93 = "ios9.3"
    /// iOS 13: `/.well-known/` only.
    case ios13
    /// iOS 14 and macOS 11, and everything since: Apple's CDN.
    case ios14
    /// `?mode=developer`: directly, with a development build and the device's switch on.
    case developer
    /// `?mode=managed`: directly, on a device under management.
    case managed

    /// For people.
    package var title: String {
        switch self {
        case .ios8: "iOS 8"
        case .ios93: "iOS 9.3 to 12"
        case .ios13: "iOS 13"
        case .ios14: "iOS 14 and later"
        case .developer: "developer mode"
        case .managed: "managed mode"
        }
    }

    /// Whether the device asks the host itself.
    package var asksDirectly: Bool { self != .ios14 }

    /// The user agent of the requester (observed; iOS 8 from openradar 19215256).
    package var userAgent: String {
        switch self {
        case .ios8: "swcd (unknown version) CFNetwork/711.1.16 Darwin/14.0.0"
        case .ios93: "swcd (unknown version) CFNetwork/758.3.15 Darwin/15.4.0"
        case .ios13: "com.apple.swcd (unknown version) CFNetwork/1121.2.2 Darwin/19.3.0"
        case .ios14, .developer, .managed:
            "com.apple.swcd (unknown version) CFNetwork/1494.0.7 Darwin/23.4.0"
        }
    }

    /// TLS 1.3 is enabled by default since iOS 12.2. The era that ends there is simulated without
    /// it, as for most of its time.
    package var newestTLS: TLSVersion {
        switch self {
        case .ios8, .ios93: .tls12
        case .ios13, .ios14, .developer, .managed: .tls13
        }
    }

    /// The device's Accept-Encoding; nil: none is sent. iOS 11 and later also offer Brotli, which
    /// is not simulated: a server that supports it supports gzip, too.
    package var acceptEncoding: String? {
        switch self {
        case .ios8: nil
        case .ios93, .ios13, .ios14, .developer, .managed: "gzip, deflate"
        }
    }

    /// The most bytes of a document that the device reads, after decoding; nil: no limit. The limit
    /// came with iOS 9.3.1.
    package var bytesMaximum: Int? {
        switch self {
        case .ios8: nil
        case .ios93, .ios13, .ios14, .developer, .managed: AssociationFile.bytesMaximum
        }
    }

    /// Simulated behaviour that is neither documented nor observed, in one sentence each.
    /// Everything else is from Apple's documentation or was observed by several people.
    package var unknowns: [String] {
        let retries =
            "that it asks again after 3 to 4 hours, and looks again after about 5 days, was read "
            + "from the system by third parties"
        return switch self {
        case .ios8:
            [
                "whether iOS 8 offers gzip for this file is not known; played without",
                "whether a refusal at an update ends an association is not known; played so",
            ]
        case .ios93:
            ["whether a refusal at an update ends an association is not known; played so"]
        case .ios13: [retries, "that it asks /.well-known/ alone was seen by one person"]
        case .ios14:
            [
                retries,
                "whether Apple's CDN falls back to the root path is not known (reports disagree); "
                    + "where the CDN is played, it does not",
                "whether Apple's CDN refuses the certificates that devices refuse for digest, usage "
                    + "or life is not known; where the CDN is played, it does not",
            ]
        case .developer, .managed:
            [retries, "that a refusal is asked again was seen by one person"]
        }
    }

    /// The user agent of Apple's CDN crawler.
    package static let crawlerAgent = "AASA-Bot/1.0.0"

    /// The crawler's fields. Its error texts are those of Go's client, which offers gzip by
    /// default: an inference, not an observation.
    package static let crawlerFields = [
        (name: "User-Agent", value: crawlerAgent), (name: "Accept-Encoding", value: "gzip"),
    ]

    /// The requested paths, in order.
    package var paths: [AssociationPath] {
        switch self {
        case .ios8: [.root]
        case .ios93: [.wellKnown, .root]
        case .ios13, .developer, .managed: [.wellKnown]
        case .ios14: [.cdn]
        }
    }
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
