/// A TLS version, by its wire number.
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
    /// Offered by clients without newer protocols (`curl --http1.0`); handled as HTTP/1.1.
    case http10 = "http/1.0"
}

/// The names and certificates of one host.
package struct TLSHost: Sendable {
    /// Names in SNI that select this host, in any case; `*.example.com` matches one label.
    package var names: [String]
    /// At most one pair per key type: for instance an ECDSA and an RSA pair.
    package var pairs: [CertificatePair]
    /// Whether the host also offers ECDHE with AES-CBC in TLS 1.2, last in its preference.
    package var servesIOS8: Bool

    package init(names: [String], pairs: [CertificatePair], servesIOS8: Bool = false) {
        self.names = names
        self.pairs = pairs
        self.servesIOS8 = servesIOS8
    }
}

/// The settings of a server. The defaults are Mozilla's "intermediate" (version 6), without
/// tickets.
package struct TLSServerSettings: Sendable {
    package var hosts: [TLSHost]
    /// The host whose certificate is used for a missing or unknown server name.
    package var defaultHost: Int
    /// In the order of our preference. A client that offers none of them is rejected with the alert
    /// `no_application_protocol` (RFC 7301 section 3.2); one without ALPN is accepted.
    package var protocols: [TLSApplicationProtocol] = [.http2, .http11, .http10]
    package var minimumVersion: TLSVersion = .tls12
    package var maximumVersion: TLSVersion = .tls13
    /// Whether X25519MLKEM768 is used whenever the client sent a share for it, and not only if it
    /// sent no other. Requires ``TLSLibrary/hasHybridGroup``.
    package var prefersPostQuantum = false
    /// `nil` for no session tickets, the default. A phone connects once, and a ticket costs a fifth
    /// of the handshake.
    package var tickets: SessionTickets?
    /// The ACME challenges that these listeners answer; `nil` for none.
    package var challenges: ChallengeTable?

    package init(hosts: [TLSHost], defaultHost: Int = 0) {
        self.hosts = hosts
        self.defaultHost = defaultHost
    }
}

/// The settings of a client, including verification of the server.
package struct TLSClientSettings: Sendable {
    package enum Verification: Sendable, Hashable {
        /// The handshake fails if chain, dates or name are invalid.
        case required
        /// The certificate is verified and the result reported in ``TLSSession/verification``; the
        /// handshake continues.
        case reported
        /// No verification: for load tests. ``TLSSession/verification`` reports this.
        case skipped
    }

    /// The source of the trusted roots.
    package enum Trust: Sendable {
        /// The system's store (`/etc/ssl/certs`, or `SSL_CERT_FILE` and `SSL_CERT_DIR`).
        case system
        /// Only the PEM certificates in this file.
        case file(String)
        /// The PEM certificates in this file, and the system's store.
        case systemAndFile(String)
        /// Only these certificates.
        case certificates([Certificate])
        /// None: every chain is untrusted.
        case none
    }

    package var verification: Verification = .required
    package var trust: Trust = .system
    /// Whether the Common Name counts where the certificate has no DNS name among its subject
    /// alternative names, as before iOS 13.
    package var acceptsCommonName = false
    package var offer = TLSOffer()
    /// Offers only `acme-tls/1`, as ACME validators do (RFC 8737 section 3), instead of the
    /// protocols of ``offer``.
    package var actsAsValidator = false
    /// OpenSSL's security level; 2 rejects keys under 112 bits of strength, 0 rejects nothing.
    package var securityLevel: Int32 = 2
    /// The client certificate, if the server requests one; `nil` for none.
    package var certificate: CertificatePair?
    /// Whether sessions keep the data for resumption (``TLSSession/resumption()``).
    package var resumes = false

    package init() {}
}
