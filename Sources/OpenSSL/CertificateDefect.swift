/// What Apple's systems refuse in a server's certificate since iOS 13 and macOS 10.15, although its
/// chain holds: that of private authorities as well (support.apple.com/103769). That the host must
/// stand in the subjectAltName is part of the chain's verification.
package enum CertificateDefect: Sendable, Hashable {
    case shortKey(bits: Int, subject: String)
    /// A digest older than SHA-2.
    case oldDigest(String, subject: String)
    case noServerUse
    case longLife(days: Int64)

    private static let oldDigests: Set = ["MD2", "MD4", "MD5", "SHA1"]
    /// 2019-07-01T00:00:00Z: usage and life are demanded of certificates issued since.
    private static let issuedSince: Int64 = 1_561_939_200
    /// Of public authorities Apple accepts 398 days; which authority is one is not looked up.
    static let longestLife: Int64 = 825 * 86_400

    /// The defects of a chain as the server sent it.
    package static func all(of chain: [Certificate]) -> [CertificateDefect] {
        guard let leaf = chain.first else { return [] }
        let summary = leaf.summary
        var defects: [CertificateDefect] = []
        for certificate in [leaf] + issuer(in: chain) {
            guard case .rsa(let bits) = certificate.summary.keyType, bits < 2048 else { continue }
            defects.append(.shortKey(bits: bits, subject: certificate.summary.subject))
        }
        for certificate in [leaf] + issuer(in: chain)
        where !certificate.isSelfSigned || certificate === leaf {
            guard let digest = certificate.signatureDigest, oldDigests.contains(digest) else {
                continue
            }
            defects.append(.oldDigest(digest, subject: certificate.summary.subject))
        }
        guard summary.notBefore >= issuedSince else { return defects }
        if !leaf.listsServerUse { defects.append(.noServerUse) }
        let life = summary.notAfter - summary.notBefore
        if life > longestLife { defects.append(.longLife(days: (life + 86_399) / 86_400)) }
        return defects
    }

    /// The issuer of the leaf. What is sent behind it need not be on the way to a root that devices
    /// have.
    private static func issuer(in chain: [Certificate]) -> [Certificate] {
        chain.dropFirst().prefix(1).filter { chain[0].isIssued(by: $0) }
    }

    package var message: String {
        switch self {
        case .shortKey(let bits, let subject): "\(subject) has an RSA key of \(bits) bits"
        case .oldDigest(let digest, let subject):
            "the signatureAlgorithm of \(subject) is one with \(digest)"
        case .noServerUse: "the certificate has no extendedKeyUsage with serverAuth"
        case .longLife(let days):
            "the certificate is valid for \(days) days (notBefore to notAfter)"
        }
    }
}
