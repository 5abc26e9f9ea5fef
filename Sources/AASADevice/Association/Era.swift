/// The ways in which Apple's devices have asked for a site's association.
package enum Era: String, Sendable, Hashable, CaseIterable {
    /// iOS 8 to 9.2: the root path only; iOS 8 demands a signature.
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

    /// What the asker calls itself (observed; iOS 8 from openradar 19215256).
    package var userAgent: String {
        switch self {
        case .ios8: "swcd (unknown version) CFNetwork/711.1.16 Darwin/14.0.0"
        case .ios93: "swcd (unknown version) CFNetwork/758.3.15 Darwin/15.4.0"
        case .ios13: "com.apple.swcd (unknown version) CFNetwork/1121.2.2 Darwin/19.3.0"
        case .ios14, .developer, .managed:
            "com.apple.swcd (unknown version) CFNetwork/1494.0.7 Darwin/23.4.0"
        }
    }

    /// Apple's CDN's crawler.
    package static let crawlerAgent = "AASA-Bot/1.0.0"

    /// The paths that are asked, in order.
    package var paths: [AssociationPath] {
        switch self {
        case .ios8: [.root]
        case .ios93: [.wellKnown, .root]
        case .ios13, .developer, .managed: [.wellKnown]
        case .ios14: [.cdn]
        }
    }
}

/// Where a document is asked for.
package enum AssociationPath: Sendable, Hashable {
    case wellKnown
    case root
    /// Apple's CDN, with the host in the path.
    case cdn

    package static let wellKnownTarget = "/.well-known/apple-app-site-association"
    package static let rootTarget = "/apple-app-site-association"

    /// Path and query of the request for a host (and port, when the entitlement names one).
    package func target(host: String, port: Int?) -> String {
        switch self {
        case .wellKnown: Self.wellKnownTarget
        case .root: Self.rootTarget
        case .cdn: "/a/v1/" + host + (port.map { ":\($0)" } ?? "")
        }
    }
}
