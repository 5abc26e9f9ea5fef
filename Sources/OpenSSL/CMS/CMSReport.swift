/// What was found about a signed association file: one verdict per question, and what is wrong
/// with its remedy.
package struct CMSReport: Sendable {
    /// The questions, each answered by itself.
    package enum Check: String, Sendable, Hashable, CaseIterable {
        /// CMS SignedData with the document inside and one signer.
        case structure
        /// DER: definite, minimal lengths; nothing wrapped around it.
        case encoding
        case trailingBytes = "trailing-bytes"
        case signature
        case chain
        case hostName = "host-name"
        case dates
        /// What the document in it looks like; whether it is JSON is for the caller to say.
        case payload
        /// The document against 131,072 bytes.
        case payloadSize = "payload-size"
        /// The whole file against 131,072 bytes.
        case fileSize = "file-size"
    }

    package enum Verdict: Sendable, Hashable {
        case good
        /// Good, with something to mend.
        case doubtful
        case bad
        /// Could not be told, or was not asked.
        case unknown(String)
    }

    package struct Finding: Sendable, Hashable {
        package let code: CMSFindingCode
        package let check: Check
        package let isError: Bool
        package let message: String
        package let remedy: String
    }

    /// What Apple's clients read at most, of the document and of the signed file ("The file must
    /// not exceed 128 KB").
    package static let greatest = 131_072

    /// Bytes of the file.
    package var fileSize = 0
    /// The document, where it could be taken out, whatever else is wrong.
    package var payload: [UInt8]?
    /// The certificate that signed, and those above it that the file holds.
    package var signer: CertificateSummary?
    package var included: [CertificateSummary] = []
    /// "SHA-256 with RSA-2048", where known.
    package var algorithm: String?
    package private(set) var findings: [Finding] = []
    private var answered: [Check: Verdict] = [:]

    init() {}

    /// The answer to a question.
    package func verdict(_ check: Check) -> Verdict {
        let own = findings.filter { $0.check == check }
        if own.contains(where: \.isError) { return .bad }
        if !own.isEmpty { return .doubtful }
        return answered[check] ?? .unknown("not reached")
    }

    /// Whether nothing is wrong that a client would mind.
    package var isGood: Bool {
        !findings.contains(where: \.isError) && answered[.signature] == .good
    }

    mutating func answer(_ check: Check, _ verdict: Verdict) { answered[check] = verdict }

    mutating func find(
        _ code: CMSFindingCode, _ check: Check, error: Bool = true, _ message: String,
        remedy: String
    ) {
        findings.append(
            Finding(code: code, check: check, isError: error, message: message, remedy: remedy))
    }
}

/// The usual mistakes.
package enum CMSFindingCode: String, Sendable, Hashable, CaseIterable {
    // How the file came to be.
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
    case weakKey = "weak-key"
    // The certificate.
    case missingIntermediate = "missing-intermediate"
    case untrusted
    case selfSigned = "self-signed"
    case wrongPurpose = "wrong-purpose"
    case badChain = "bad-chain"
    case wrongHost = "wrong-host"
    case expired
    case notYetValid = "not-yet-valid"
    case endsSoon = "ends-soon"
}
