package import AppSiteAssociation
import HTTP

/// What the reloader remembers of a host from one build to the next: the last good state of each
/// part, and the inputs it was made from.
package struct HostState: Sendable {
    /// The settings in force (the last good ones).
    package var settings = HostSettings()
    /// The `host.json` they came from; nil: there was none.
    package var settingsSource: SourceText?
    /// The document that is served.
    package var document: HostDocument?
    /// The last build of the document's source, served or not; nil: it could not be read.
    package var built: Built?
    package var signature: HostSignature?
    package var siblings: [String: SiblingState] = [:]
    package var served: ServedHost

    /// An unchanged source is not built again; its findings are repeated.
    package struct Built: Sendable {
        package let source: DocumentSource
        package let isStrict: Bool
        /// Nil: refused; the findings say why.
        package let document: HostDocument?
        package let findings: [Diagnostic]
    }

    package struct SiblingState: Sendable {
        package let source: SourceText
        package let mediaType: String
        package let cacheControl: String
        package let served: ServedSibling
        /// Findings that do not prevent serving it.
        package let findings: [Diagnostic]
        /// Whether it was merged from the teams' parts, and so needs no file of its own.
        package let isMerged: Bool
    }
}

/// The CMS form of a host's document.
package struct HostSignature: Sendable {
    package let der: [UInt8]
    /// The document that was signed.
    package let payload: [UInt8]
    /// Of the certificate pair that signed; empty for a ready-made file.
    package let signer: String
    /// Of the signer's certificate, in seconds since 1970.
    package let notBefore: Int64
    package let notAfter: Int64

    package func life(at now: Int64) -> CertificateLife {
        CertificateLife(notBefore: notBefore, notAfter: notAfter, now: now)
    }
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
