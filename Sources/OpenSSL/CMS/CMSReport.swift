/// The findings about a signed association file: one verdict per check, and each defect with its
/// remedy.
package struct CMSReport: Sendable {
    /// The checks, independent of each other.
    package enum Check: String, Sendable, Hashable, CaseIterable {
        /// CMS SignedData with the document inside and one signer.
        case structure
        /// DER: definite, minimal lengths; no wrapping format.
        case encoding
        case trailingBytes = "trailing-bytes"
        case signature
        case chain
        case hostName = "host-name"
        case dates
        /// The form of the document; the caller checks whether it is JSON.
        case payload
        /// The size of the document against 131,072 bytes.
        case payloadSize = "payload-size"
        /// The size of the whole file against 131,072 bytes.
        case fileSize = "file-size"
    }

    package enum Verdict: Sendable, Hashable {
        case good
        /// Passed, with a warning.
        case doubtful
        case bad
        /// Not checked, or not possible to tell.
        case unknown(String)
    }

    package struct Finding: Sendable, Hashable {
        package let code: CMSFindingCode
        package let check: Check
        package let message: String
        package let remedy: String

        package var isError: Bool { code.isError }
    }

    /// The most that Apple's clients read, of the document and of the signed file ("The file must
    /// not exceed 128 KB").
    package static let greatest = 131_072

    /// Bytes of the file.
    package var fileSize = 0
    /// The document, if it could be extracted, whatever else is wrong.
    package var payload: [UInt8]?
    /// The signer's certificate, and the issuers above it in the file.
    package var signer: CertificateSummary?
    package var included: [CertificateSummary] = []
    /// "SHA-256 with RSA-2048", if known.
    package var algorithm: String?
    package private(set) var findings: [Finding] = []
    private var answered: [Check: Verdict] = [:]

    init() {}

    /// The verdict of a check.
    package func verdict(_ check: Check) -> Verdict {
        let own = findings.filter { $0.check == check }
        if own.contains(where: \.isError) { return .bad }
        if !own.isEmpty { return .doubtful }
        return answered[check] ?? .unknown("not reached")
    }

    /// Whether no client would reject the file, but for the times that warnings name.
    package var isGood: Bool { !findings.contains(where: \.isError) && isSignatureGood }

    /// Whether the signature holds, whatever else is wrong.
    package var isSignatureGood: Bool { answered[.signature] == .good }

    mutating func answer(_ check: Check, _ verdict: Verdict) { answered[check] = verdict }

    mutating func find(
        _ code: CMSFindingCode, _ check: Check, _ message: String, remedy: String
    ) {
        findings.append(Finding(code: code, check: check, message: message, remedy: remedy))
    }
}

/// The common mistakes.
package enum CMSFindingCode: String, Sendable, Hashable, CaseIterable {
    // The file format.
    case empty, pem, smime, base64, transcoded, compressed
    case notSigned = "not-signed"
    case notCMS = "not-cms"
    case truncated
    case damaged
    case wrongType = "wrong-type"
    case wrongContentType = "wrong-content-type"
    case detached
    case noSigner = "no-signer"
    case severalSigners = "several-signers"
    case berStream = "ber-stream"
    case notDER = "not-der"
    case trailingBytes = "trailing-bytes"
    // The document.
    case textHeader = "text-header"
    case lineEnds = "crlf"
    case emptyPayload = "empty-payload"
    case byteOrderMark = "byte-order-mark"
    case payloadTooLarge = "payload-too-large"
    case fileTooLarge = "file-too-large"
    // The signature.
    case signerMissing = "signer-missing"
    case wrongKey = "wrong-key"
    case contentChanged = "content-changed"
    case lineEndsChanged = "line-ends-changed"
    case badSignature = "bad-signature"
    case signedAttributes = "signed-attributes"
    case weakDigest = "weak-digest"
    case brokenDigest = "broken-digest"
    /// iOS 8 does not know it.
    case newAlgorithm = "new-algorithm"
    case weakKey = "weak-key"
    // The certificate.
    case missingIntermediate = "missing-intermediate"
    case untrusted
    case selfSigned = "self-signed"
    case wrongPurpose = "wrong-purpose"
    case badChain = "bad-chain"
    case wrongHost = "wrong-host"
    /// The host is in the Common Name only.
    case commonName = "common-name"
    case expired
    case notYetValid = "not-yet-valid"
    case endsSoon = "ends-soon"

    /// Whether systems are known to reject the file; `newAlgorithm` and `commonName` matter to
    /// some of them only.
    package var isError: Bool { !Self.warnings.contains(self) }

    private static let warnings: Set<CMSFindingCode> = [
        .wrongContentType, .severalSigners, .berStream, .notDER, .trailingBytes, .lineEnds,
        .byteOrderMark, .signedAttributes, .weakDigest, .newAlgorithm, .commonName, .endsSoon,
    ]
}
