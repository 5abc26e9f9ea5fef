import OpenSSL
import TestSupport
import Testing

@Suite struct CertificateDefectTests {
    private static let host = "example.com"
    private static let now: Int64 = 1_800_000_000
    private static let day: Int64 = 86_400
    /// 2019-07-01T00:00:00Z.
    private static let since: Int64 = 1_561_939_200

    private static func leaf(
        _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> Certificate {
        var plan = CertificateTemplate(
            commonName: host, names: [host], notBefore: now - 60 * day, notAfter: now + 30 * day)
        change(&plan)
        return try plan.make(issuer: nil).leaf
    }

    @Test func `A certificate as public authorities issue it has none`() throws {
        let leaf = try Self.leaf()
        expectEqual(CertificateDefect.all(of: [leaf]), [])
        expectEqual(CertificateDefect.all(of: []), [])
    }

    @Test func `What aasa issues itself has none`() throws {
        let authority = try LocalAuthority.make(now: Self.now)
        for key in [CertificateTemplate.Key.ecdsaP256, .rsa(bits: 2048)] {
            let pair = try authority.issue(names: [Self.host], key: key, now: Self.now)
            expectEqual(CertificateDefect.all(of: pair.chain), [])
            expectEqual(CertificateDefect.all(of: pair.chain + [authority.pair.leaf]), [])
        }
    }

    @Test(arguments: [(1024, true), (2048, false)])
    func `An RSA key has 2048 bits or more`(bits: Int, isShort: Bool) throws {
        let leaf = try Self.leaf { $0.key = .rsa(bits: bits) }
        let expected: [CertificateDefect] =
            isShort ? [.shortKey(bits: bits, subject: "CN=\(Self.host)")] : []
        expectEqual(CertificateDefect.all(of: [leaf]), expected)
    }

    /// Apple's page names both (support.apple.com/103769); a root that is sent is the issuer, too.
    @Test(arguments: [(1024, true), (2048, false)])
    func `The issuer has a key of 2048 bits or more`(bits: Int, isShort: Bool) throws {
        var plan = CertificateTemplate(
            commonName: "middle", notBefore: Self.now - Self.day, notAfter: Self.now + Self.day)
        plan.isAuthority = true
        plan.key = .rsa(bits: bits)
        let issuer = try plan.make(issuer: nil)
        var leaf = CertificateTemplate(
            commonName: Self.host, names: [Self.host], notBefore: Self.now - Self.day,
            notAfter: Self.now + Self.day)
        leaf.purpose = "serverAuth"
        let chain = [try leaf.make(issuer: issuer).leaf, issuer.leaf]
        let expected: [CertificateDefect] =
            isShort ? [.shortKey(bits: bits, subject: "CN=middle")] : []
        expectEqual(CertificateDefect.all(of: chain), expected)
        // Not on the way from this leaf to a root.
        expectEqual(CertificateDefect.all(of: [try Self.leaf(), issuer.leaf]), [])
    }

    @Test(arguments: [(0, false), (1, true)])
    func `It lives for 825 days or fewer`(seconds: Int64, isLong: Bool) throws {
        let leaf = try Self.leaf { $0.notAfter = $0.notBefore + 825 * Self.day + seconds }
        let expected: [CertificateDefect] = isLong ? [.longLife(days: 826)] : []
        expectEqual(CertificateDefect.all(of: [leaf]), expected)
    }

    /// What names uses must name this one; OpenSSL refuses the others itself.
    static let purposes: [(String?, Bool)] = [
        (nil, false), ("anyExtendedKeyUsage", false), ("clientAuth,serverAuth", true),
    ]

    @Test(arguments: purposes)
    func `It names its use`(purpose: String?, isGood: Bool) throws {
        let leaf = try Self.leaf { $0.purpose = purpose }
        let expected: [CertificateDefect] = isGood ? [] : [.noServerUse]
        expectEqual(CertificateDefect.all(of: [leaf]), expected)
    }

    @Test func `Older certificates may live for longer and name no use`() throws {
        func defects(_ notBefore: Int64) throws -> [CertificateDefect] {
            let leaf = try Self.leaf {
                $0.notBefore = notBefore
                $0.notAfter = notBefore + 3650 * Self.day
                $0.purpose = nil
            }
            return CertificateDefect.all(of: [leaf])
        }
        try expectEqual(defects(Self.since - 1), [])
        try expectEqual(defects(Self.since), [.noServerUse, .longLife(days: 3650)])
    }

    @Test func `The leaf and its intermediate are signed with SHA-2`() throws {
        let whole = try Certificate.load(pem: Array(Self.oldIntermediate.utf8), name: "chain")
        let old = try Certificate.load(pem: Array(Self.oldLeaf.utf8), name: "leaf")
        expectEqual(
            CertificateDefect.all(of: old), [.oldDigest("SHA1", subject: "CN=example.com")])
        expectEqual(CertificateDefect.all(of: whole), [.oldDigest("SHA1", subject: "CN=middle")])
        // Not on the way from this leaf to a root.
        let stranger = try Self.leaf()
        expectEqual(CertificateDefect.all(of: [stranger, whole[1]]), [])
    }

    /// Of a leaf with SHA-256 and its issuer with SHA-1; made with `openssl x509 -req -sha1`.
    private static let oldIntermediate = """
        -----BEGIN CERTIFICATE-----
        MIIBhjCCASugAwIBAgIBAzAKBggqhkjOPQQDAjARMQ8wDQYDVQQDDAZtaWRkbGUw
        HhcNMjYxMTI1MTg0MzA3WhcNMjkwMjAyMTg0MzA3WjAWMRQwEgYDVQQDDAtleGFt
        cGxlLmNvbTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMkXdTy33H5KCc8aSu24
        xqcMlM3EVMjkui0ebe7EHvnhUtekvePgVNSOeJKnODbxsMbKU+CXN8Pze882OMPZ
        66OjbzBtMBYGA1UdEQQPMA2CC2V4YW1wbGUuY29tMBMGA1UdJQQMMAoGCCsGAQUF
        BwMBMB0GA1UdDgQWBBSSxq6e3ycx+7hVDwYmKty3D/5gETAfBgNVHSMEGDAWgBRK
        GUXwsk8c3JZ45lewLKaUQxkUZDAKBggqhkjOPQQDAgNJADBGAiEA5AbuNgQDOl9H
        ye0z/ph8+u/CtteQNzvX58CWSV90ATECIQDlLmBYeeNiMsGfyZ4aANy+E0suEbuz
        1zOtE8vfT59BEQ==
        -----END CERTIFICATE-----
        -----BEGIN CERTIFICATE-----
        MIIBXTCCAQSgAwIBAgIBAjAJBgcqhkjOPQQBMAwxCjAIBgNVBAMMAXIwHhcNMjYx
        MTI1MTg0MzA3WhcNMjkwMjEyMTg0MzA3WjARMQ8wDQYDVQQDDAZtaWRkbGUwWTAT
        BgcqhkjOPQIBBggqhkjOPQMBBwNCAAQFtRSKkHISy1gZUwg64bMToZy++hpdrwBA
        6jduP8OHbuF6J+YOIiKE9xdqphJ5QJWjL4ZqudfWuQqm8v0vJiCho1MwUTAPBgNV
        HRMBAf8EBTADAQH/MB0GA1UdDgQWBBRKGUXwsk8c3JZ45lewLKaUQxkUZDAfBgNV
        HSMEGDAWgBRdIcYVjuk0opgqMbOBCqkTgrvA7jAJBgcqhkjOPQQBA0gAMEUCIHWB
        qRdZ8acqBgB8O2cI6Voptld+fheO/lHi3Smo1FcOAiEAvIhrFkaF4bYa6tT08VOj
        b/+y21RCKD1DtQymfPzznv4=
        -----END CERTIFICATE-----
        """

    private static let oldLeaf = """
        -----BEGIN CERTIFICATE-----
        MIIBfjCCASWgAwIBAgIBBDAJBgcqhkjOPQQBMAwxCjAIBgNVBAMMAXIwHhcNMjYx
        MTI1MTg0MzA3WhcNMjkwMjAyMTg0MzA3WjAWMRQwEgYDVQQDDAtleGFtcGxlLmNv
        bTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMkXdTy33H5KCc8aSu24xqcMlM3E
        VMjkui0ebe7EHvnhUtekvePgVNSOeJKnODbxsMbKU+CXN8Pze882OMPZ66OjbzBt
        MBYGA1UdEQQPMA2CC2V4YW1wbGUuY29tMBMGA1UdJQQMMAoGCCsGAQUFBwMBMB0G
        A1UdDgQWBBSSxq6e3ycx+7hVDwYmKty3D/5gETAfBgNVHSMEGDAWgBRdIcYVjuk0
        opgqMbOBCqkTgrvA7jAJBgcqhkjOPQQBA0gAMEUCIQDjhafKOYEk9ogxb07aEuVu
        PzL19h4fIeUS2wvwO6dMqgIgUcfjA87FQXuzm8jXAA7US49jGWylNiIIly9KL3Jm
        1Xw=
        -----END CERTIFICATE-----
        """
}
