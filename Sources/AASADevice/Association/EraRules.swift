package import AppSiteAssociation
package import OpenSSL

/// What distinguishes an era. Each is the one before it with some changes.
package struct EraRules: Sendable {
    /// For people.
    package private(set) var title: String
    /// The requested paths, in order.
    package private(set) var paths: [AssociationPath]
    /// The user agent of the requester (observed; iOS 8 from openradar 19215256).
    package private(set) var userAgent: String
    /// The ClientHello (`hellos.txt`).
    package private(set) var offer: TLSOffer
    /// The device's Accept-Encoding; nil: none is sent. iOS 11 and later also offer Brotli, which
    /// is not simulated: a server that supports it supports gzip, too.
    package private(set) var acceptEncoding: String?
    /// The most bytes of a document, signed or not, that the device reads, after decoding; nil: no
    /// limit.
    package private(set) var bytesMaximum: Int?
    /// Whether only a document in the signed form is read, with signatures of its time.
    package private(set) var requiresSignature: Bool
    /// Whether a Common Name is enough in the certificate of a server or a signer (*Shared Web
    /// Credentials*).
    package private(set) var acceptsCommonName: Bool
    /// Whether App Transport Security requires TLS 1.2 or newer.
    package private(set) var requiresTLS12: Bool
    /// Whether the later rule of ``AssociationStateMachine`` says when the device asks again.
    package private(set) var randomisesRetries: Bool
    /// Services that the systems do not know, and why.
    package private(set) var unknownServices: [String: String]
    /// The `?mode=` that the device honours, empty for a device in use; nil before iOS 14, which
    /// added modes.
    package private(set) var mode: EntitlementEntry.Mode?
    /// Simulated behaviour that is neither documented nor observed, in one sentence each.
    /// Everything else is from Apple's documentation or was observed by several people.
    package private(set) var unknowns: [String]

    /// Whether its later systems return from sign-in sessions at an https address (iOS 17.4).
    package var hasHTTPSCallbacks: Bool { mode != nil }

    /// Whether the device asks the host itself.
    package var asksDirectly: Bool { paths != [.cdn] }

    /// Whether the device refuses what ``CertificateDefect`` lists, as systems that ignore the
    /// Common Name do. Behind Apple's CDN a device does not see the host's certificate.
    package var refusesDefects: Bool { asksDirectly && !acceptsCommonName }

    /// Whether a refusal by status is retried after some hours. Observed for direct requests of
    /// later systems: site approval "unspecified", retried after three to four hours.
    package var retriesRefusals: Bool { asksDirectly && mode != nil }

    private func with(_ change: (inout EraRules) -> Void) -> EraRules {
        var rules = self
        change(&rules)
        return rules
    }

    static let ios8 = EraRules(
        title: "iOS 8", paths: [.root],
        userAgent: "swcd (unknown version) CFNetwork/711.1.16 Darwin/14.0.0",
        offer: TLSOffer(system: "iOS 8"),
        acceptEncoding: nil, bytesMaximum: nil, requiresSignature: true, acceptsCommonName: true,
        requiresTLS12: false, randomisesRetries: false,
        unknownServices: [
            "applinks": "universal links exist since iOS 9",
            "appclips": "App Clips exist since iOS 14",
        ], mode: nil,
        unknowns: [
            "whether iOS 8 offers gzip here: this run does not", updateRefusal,
        ])

    static let ios93 = ios8.with {
        $0.title = "iOS 9.3 to 12"
        $0.paths = [.wellKnown, .root]
        $0.userAgent = "swcd (unknown version) CFNetwork/758.3.15 Darwin/15.4.0"
        $0.offer = TLSOffer(system: "iOS 9")
        $0.acceptEncoding = "gzip, deflate"
        // Since iOS 9.3.1.
        $0.bytesMaximum = AssociationFile.bytesMaximum
        $0.requiresSignature = false
        $0.requiresTLS12 = true
        $0.unknownServices["applinks"] = nil
        $0.unknowns = [updateRefusal]
    }

    static let ios13 = ios93.with {
        $0.title = "iOS 13"
        $0.paths = [.wellKnown]
        $0.userAgent = "com.apple.swcd (unknown version) CFNetwork/1121.2.2 Darwin/19.3.0"
        $0.offer = TLSOffer(system: "iOS 13")
        $0.acceptsCommonName = false
        $0.randomisesRetries = true
        $0.unknowns = [
            laterRetries, "only one report says that it requests no other path than /.well-known/",
        ]
    }

    static let ios14 = ios13.with {
        $0.title = "iOS 14 to 18"
        $0.paths = [.cdn]
        $0.userAgent = "com.apple.swcd (unknown version) CFNetwork/1494.0.7 Darwin/23.4.0"
        $0.offer = TLSOffer(system: "iOS 17")
        $0.unknownServices = [:]
        $0.mode = []
        $0.unknowns = [
            laterRetries,
            "whether Apple's CDN falls back to the root path (reports disagree): the simulated "
                + "CDN does not",
            "whether Apple's CDN refuses the certificates that devices refuse for digest, usage "
                + "or life: the simulated CDN does not",
        ]
    }

    static let ios26 = ios14.with {
        $0.title = "iOS 26 and later"
        $0.offer = TLSOffer(system: "iOS 26")
    }

    static let developer = ios14.with {
        $0.title = "developer mode"
        $0.mode = .developer
        $0.paths = [.wellKnown]
        $0.unknowns = [
            laterRetries, "only one report says that it repeats the request after a refusal",
        ]
    }

    static let managed = developer.with {
        $0.title = "managed mode"
        $0.mode = .managed
    }

    private static let laterRetries =
        "that it asks again after 3 to 4 hours, and looks again after about 5 days, was read "
        + "from the system by third parties"
    private static let updateRefusal =
        "whether a refusal at an update ends an association: this run assumes that it does"
}
