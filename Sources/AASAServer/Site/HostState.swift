package import AppSiteAssociation
import HTTP
package import OpenSSL

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
    package var loss = Loss()
    /// The `--default-host` that made this the default host, which may have been an alias; nil: it
    /// was not.
    package var defaultName: String?

    /// What was served at the last load and was not on disk. Nobody took it away: when it comes
    /// back it does so in pieces, and what of it is not yet there stays, until an operator orders
    /// a load.
    package struct Loss: Sendable, Equatable {
        /// The folder, with the whole site.
        package var isHost = false
        /// The ready-made file, or all fragments.
        package var isDocument = false
        /// Names below `well-known/`.
        package var siblings: Set<String> = []
    }

    /// Whether there is anything that can be kept.
    package var servesContent: Bool { document != nil || !siblings.isEmpty }

    /// Whether the name made this host the default one, or would.
    package func isDefault(called name: String) -> Bool {
        defaultName == name || settings.aliases.contains { $0.name == name }
    }

    /// The same for a load that an operator has ordered: what is missing is to be missing.
    package var withoutLoss: HostState {
        var state = self
        state.loss = Loss()
        return state
    }

    /// An unchanged source is not built again; its findings are repeated.
    package struct Built: Sendable {
        package let source: DocumentSource
        package let isStrict: Bool
        /// Nil: refused; the findings say why.
        package let document: HostDocument?
        package let findings: [Diagnostic]
        /// The signer of a signed file that was refused. That its dates are why may pass by itself:
        /// they begin, or a wrong clock is set right.
        package var refusedSigner: CertificateSummary?
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
        /// The teams of these parts, as far as they are known.
        package let teams: Set<String>
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
