/// A version of TLS, by its number on the wire.
package struct TLSVersion: RawRepresentable, Sendable, Hashable, Comparable,
    CustomStringConvertible
{
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let tls10 = TLSVersion(rawValue: 0x0301)
    package static let tls11 = TLSVersion(rawValue: 0x0302)
    package static let tls12 = TLSVersion(rawValue: 0x0303)
    package static let tls13 = TLSVersion(rawValue: 0x0304)

    package static func < (a: TLSVersion, b: TLSVersion) -> Bool { a.rawValue < b.rawValue }

    package var description: String {
        switch self {
        case .tls10: "TLSv1.0"
        case .tls11: "TLSv1.1"
        case .tls12: "TLSv1.2"
        case .tls13: "TLSv1.3"
        default: "TLS 0x" + String(rawValue, radix: 16)
        }
    }
}

/// An application protocol of ALPN (RFC 7301).
package enum TLSApplicationProtocol: String, Sendable, Hashable, CaseIterable {
    case http2 = "h2"
    case http11 = "http/1.1"
    /// What a client that speaks nothing newer names (`curl --http1.0`); spoken as HTTP/1.1 is.
    case http10 = "http/1.0"
}

/// The names and certificates of one host.
package struct TLSHost: Sendable {
    /// Names in SNI that select this host, lower or upper case; `*.example.com` matches one label.
    package var names: [String]
    /// At most one pair per key type: an ECDSA and an RSA pair may stand side by side.
    package var pairs: [CertificatePair]

    package init(names: [String], pairs: [CertificatePair]) {
        self.names = names
        self.pairs = pairs
    }
}

/// What a server offers. The defaults are Mozilla's "intermediate" (version 6), without tickets.
package struct TLSServerSettings: Sendable {
    package var hosts: [TLSHost]
    /// The host whose certificate answers a missing or unknown server name.
    package var defaultHost: Int
    /// In the order of our preference. A client that offers none of them is refused with the
    /// alert `no_application_protocol` (RFC 7301 section 3.2); one without ALPN is not.
    package var protocols: [TLSApplicationProtocol] = [.http2, .http11, .http10]
    package var minimumVersion: TLSVersion = .tls12
    package var maximumVersion: TLSVersion = .tls13
    /// `nil`: no session tickets, the default. A phone asks once, and a ticket costs a fifth of
    /// the handshake.
    package var tickets: SessionTickets?
    /// The challenges of a certificate authority that these listeners answer; `nil`: none ever.
    package var challenges: ChallengeTable?

    package init(hosts: [TLSHost], defaultHost: Int = 0) {
        self.hosts = hosts
        self.defaultHost = defaultHost
    }
}

/// What a client asks for and how it judges the server.
package struct TLSClientSettings: Sendable {
    package enum Verification: Sendable, Hashable {
        /// The handshake fails when chain, dates or name are not right.
        case required
        /// The certificate is checked and the verdict reported in ``TLSSession/verification``;
        /// the handshake goes on.
        case reported
        /// Nothing is checked: for load tests. ``TLSSession/verification`` says so.
        case skipped
    }

    /// Where the trusted roots come from.
    package enum Trust: Sendable {
        /// The machine's store (`/etc/ssl/certs`, or `SSL_CERT_FILE` and `SSL_CERT_DIR`).
        case system
        /// The PEM certificates in this file only.
        case file(String)
        /// The PEM certificates in this file, beside the machine's store.
        case systemAndFile(String)
        /// These certificates only.
        case certificates([Certificate])
        /// None: every chain is untrusted.
        case none
    }

    package var verification: Verification = .required
    package var trust: Trust = .system
    package var protocols: [TLSApplicationProtocol] = [.http2, .http11]
    /// Offers `acme-tls/1` alone, as the validators of certificate authorities do (RFC 8737 section
    /// 3), and none of `protocols`.
    package var playsValidator = false
    package var minimumVersion: TLSVersion = .tls12
    package var maximumVersion: TLSVersion = .tls13
    /// OpenSSL cipher list for TLS 1.2 and older, `nil` for the library's.
    package var cipherList: String?
    /// OpenSSL cipher suites for TLS 1.3, `nil` for the library's.
    package var cipherSuites: String?
    /// Signature algorithms as OpenSSL names them; `nil` for the library's.
    /// ``onlyRSA`` and ``onlyECDSA`` ask for one kind of certificate.
    package var signatureAlgorithms: String?
    /// Groups, such as `X25519:P-256`; `nil` for the library's.
    package var groups: String?
    /// OpenSSL's security level; 2 refuses keys under 112 bits of strength, 0 nothing.
    package var securityLevel: Int32 = 2
    /// What the client shows when the server asks for a certificate; `nil`: none.
    package var certificate: CertificatePair?
    /// Whether sessions keep what resumption needs (``TLSSession/resumption()``).
    package var resumes = false
    /// Whether a chain that was verified once for a name is taken as good when it comes again, byte
    /// for byte: for load tests. The server's signature is checked in every handshake.
    package var remembersChains = false

    package init() {}

    package static let onlyRSA =
        "rsa_pss_rsae_sha256:rsa_pss_rsae_sha384:rsa_pss_rsae_sha512"
        + ":rsa_pkcs1_sha256:rsa_pkcs1_sha384:rsa_pkcs1_sha512"
    package static let onlyECDSA = "ecdsa_secp256r1_sha256:ecdsa_secp384r1_sha384"
}
