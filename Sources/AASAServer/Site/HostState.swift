import AppSiteAssociation
import HTTP
package import OpenSSL

/// What the reloader remembers of a host from one load to the next: the last good bytes, and what
/// was made of them.
package struct HostState: Sendable {
    package var kept = KeptHost()
    /// The settings in force.
    package var settings = HostSettings()
    /// The document that is served.
    package var document: HostDocument?
    package var siblings: [String: SiblingSource] = [:]
    package var served: ServedHost
    /// The signer of a signed file on disk that was rejected. If its dates are the reason, that may
    /// pass: they begin, or a wrong clock is corrected.
    package var refusedSigner: CertificateSummary?

    package var signature: HostSignature? { kept.facts.signature }

    /// Whether there is anything that can be kept.
    package var servesContent: Bool { document != nil || !siblings.isEmpty }
}
