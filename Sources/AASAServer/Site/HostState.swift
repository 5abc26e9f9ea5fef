package import AppSiteAssociation
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
    package var siblings: [String: SiblingState] = [:]
    package var served: ServedHost
    /// The last builds: of the document's source on disk, and of its kept one.
    package var builds: [Build] = []

    package var signature: HostSignature? { kept.facts.signature }

    /// Whether there is anything that can be kept.
    package var servesContent: Bool { document != nil || !siblings.isEmpty }

    /// An unchanged source is not built again; its findings are repeated.
    package struct Build: Sendable {
        package let source: DocumentSource
        package let check: DocumentBuilder.Check
        /// Nil: refused; the findings say why.
        package let document: HostDocument?
        package let findings: [Diagnostic]
        /// The signer of a signed file that was rejected. If its dates are the reason, that may
        /// pass: they begin, or a wrong clock is corrected.
        package var refusedSigner: CertificateSummary?
    }

    /// A sibling that is served, and what it was made of.
    package struct SiblingState: Sendable {
        package let source: SourceText
        package let mediaType: String
        package let cacheControl: String
        package let served: ServedSibling
        /// Why no client could use it; nil: one can.
        package let fault: Diagnostic?
    }
}

/// The CMS form of a host's document.
package struct HostSignature: Sendable, Equatable {
    package let der: [UInt8]
    /// The document that was signed.
    package let payload: [UInt8]
    /// Of the certificate pair that signed; empty for a ready-made file.
    package let signer: String
    /// Of the signer's certificate, in seconds since 1970.
    package let notBefore: Int64
    package let notAfter: Int64
}

extension DocumentSource {
    /// Whether building it again would give the same.
    package func isSame(as other: DocumentSource) -> Bool {
        switch (self, other) {
        case (.none, .none): true
        case (.readyMade(let left), .readyMade(let right)): left.isSame(as: right)
        case (.fragments(let left), .fragments(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
        default: false
        }
    }
}

extension SourceText {
    func isSame(as other: SourceText) -> Bool {
        self === other || (name == other.name && bytes == other.bytes)
    }
}
