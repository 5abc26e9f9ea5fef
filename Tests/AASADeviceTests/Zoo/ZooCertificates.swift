import Foundation
import OpenSSL
import TestSupport

/// The certificates of the zoo, made once.
struct ZooCertificates: Sendable {
    static let host = "zoo.example.com"
    static let shared = Result { try ZooCertificates() }

    let folder: TemporaryFolder
    /// The trusted root, for `--cacert`.
    let authorityFile: String
    let good, rsa, expired, notYet, endsSoon, wrongName, selfSigned: CertificatePair
    let untrusted, expiredRSA, leafOnly, fullChain, weak, wrongPurpose: CertificatePair
    let nameless, longLived, useless: CertificatePair
    /// Seconds since 1970.
    let now: Int64

    init() throws {
        now = Int64(Date().timeIntervalSince1970)
        let now = self.now
        let authority = try LocalAuthority.make(now: now)
        folder = try TemporaryFolder()
        authorityFile = folder.path + "/ca.pem"
        try Data(authority.pair.leaf.pem).write(to: URL(fileURLWithPath: authorityFile))

        func plan(_ change: (inout CertificateTemplate) -> Void = { _ in }) -> CertificateTemplate {
            var plan = CertificateTemplate(
                commonName: Self.host, names: [Self.host], notBefore: now - 3600,
                notAfter: now + 90 * 86_400)
            change(&plan)
            return plan
        }
        let root = authority.pair
        good = try plan().make(issuer: root)
        rsa = try plan { $0.key = .rsa(bits: 2048) }.make(issuer: root)
        expired = try plan {
            $0.notBefore = now - 90 * 86_400
            $0.notAfter = now - 86_400
        }.make(issuer: root)
        expiredRSA = try plan {
            $0.key = .rsa(bits: 2048)
            $0.notBefore = now - 90 * 86_400
            $0.notAfter = now - 86_400
        }.make(issuer: root)
        notYet = try plan { $0.notBefore = now + 86_400 }.make(issuer: root)
        endsSoon = try plan {
            $0.notBefore = now - 85 * 86_400
            $0.notAfter = now + 5 * 86_400 + 60
        }.make(issuer: root)
        wrongName = try plan {
            $0.commonName = "other.example.com"
            $0.names = ["other.example.com"]
        }.make(issuer: root)
        selfSigned = try plan().make(issuer: nil)
        let stranger = try LocalAuthority.make(now: now)
        untrusted = try plan().make(issuer: stranger.pair)
        var middle = CertificateTemplate(
            commonName: "Zoo intermediate", notBefore: now - 3600, notAfter: now + 300 * 86_400)
        middle.isAuthority = true
        let intermediate = try middle.make(issuer: root)
        fullChain = try plan { $0.issuerLocation = "http://ca.example.com/i.cer" }
            .make(issuer: intermediate)
        leafOnly = CertificatePair(
            chain: [fullChain.leaf], key: fullChain.key, chainName: "leaf", keyName: "leaf")
        weak = try plan { $0.key = .rsa(bits: 1024) }.make(issuer: root)
        nameless = try plan { $0.names = [] }.make(issuer: root)
        longLived = try plan { $0.notAfter = $0.notBefore + 826 * 86_400 }.make(issuer: root)
        useless = try plan { $0.purpose = nil }.make(issuer: root)
        wrongPurpose = try plan { $0.purpose = "clientAuth" }.make(issuer: root)
    }

    func server(_ pairs: CertificatePair...) -> TLSServerSettings {
        var settings = TLSServerSettings(hosts: [
            TLSHost(names: [Self.host], pairs: pairs, servesIOS8: true)
        ])
        settings.protocols = [.http11]
        return settings
    }
}
