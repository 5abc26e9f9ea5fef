import TestSupport
import Testing

@testable import OpenSSL

@Suite struct CertificateTemplateTests {
    private func plan(_ change: (inout CertificateTemplate) -> Void = { _ in })
        -> CertificateTemplate
    {
        var plan = CertificateTemplate(
            commonName: "a.test", names: ["a.test"], notBefore: 1000, notAfter: 2_000_000)
        change(&plan)
        return plan
    }

    @Test func `It says what was planned`() throws {
        let pair = try plan { $0.names = ["a.test", "*.a.test", "192.0.2.1", "::1"] }
            .make(issuer: nil)
        let summary = pair.leaf.summary
        #expect(summary.subject == "CN=a.test" && summary.issuer == "CN=a.test")
        expectEqual(summary.names, ["a.test", "*.a.test", "192.0.2.1", "0:0:0:0:0:0:0:1"])
        #expect(summary.notBefore == 1000 && summary.notAfter == 2_000_000)
        expectEqual(summary.keyType, .ecdsa(curve: "prime256v1"))
        #expect(pair.leaf.isSelfSigned && !pair.leaf.isAuthority && pair.leaf.isForServers)
        #expect(!pair.leaf.namesIssuerLocation && !pair.leaf.requiresStapling)
        #expect(pair.leaf.acmeIdentifier == nil)
        #expect(pair.key.matches(pair.leaf))
    }

    @Test func `What is asked for is in it`() throws {
        let authority = try plan { $0.isAuthority = true }.make(issuer: nil).leaf
        #expect(authority.isAuthority)
        let client = try plan { $0.purpose = "clientAuth" }.make(issuer: nil).leaf
        #expect(!client.isForServers)
        #expect(try plan { $0.purpose = nil }.make(issuer: nil).leaf.isForServers)
        let located = try plan { $0.issuerLocation = "http://ca.test/ca.der" }.make(issuer: nil)
        #expect(located.leaf.namesIssuerLocation)
        #expect(try plan { $0.names = [] }.make(issuer: nil).leaf.summary.names.isEmpty)
    }

    @Test func `It is signed by its issuer, whose root is not in the chain`() throws {
        let root = TestCertificates.authority.pair
        let middle = TestCertificates.intermediate
        let leaf = try plan().make(issuer: middle)
        expectEqual(leaf.chain.map(\.der), [leaf.leaf.der, middle.leaf.der])
        #expect(leaf.leaf.isIssued(by: middle.leaf) && !leaf.leaf.isIssued(by: root.leaf))
        #expect(leaf.leaf.summary.issuer == "CN=test intermediate" && !leaf.leaf.isSelfSigned)
        try expectEqual(plan().make(issuer: root).chain.count, 1)
    }

    @Test func `A key that is there is certified`() throws {
        let key = TestCertificates.rsa.key
        let pair = try plan().make(issuer: TestCertificates.intermediate, for: key)
        #expect(pair.key === key && key.matches(pair.leaf))
        expectEqual(pair.leaf.summary.keyType, .rsa(bits: 2048))
    }

    /// RFC 5280 section 4.1.2.2: positive, unique, at most 20 bytes.
    @Test func `Serial numbers are long, positive and different`() throws {
        let key = TestCertificates.ecdsa.key
        let serials = try (0..<20).map { _ in try plan().make(issuer: nil, for: key).leaf }
            .map(\.serialBytes)
        expectEqual(Set(serials).count, 20)
        #expect(serials.allSatisfy { $0.count == 16 && $0[0] & 0xC0 == 0x40 })
    }

    /// X.520; the names have their own extension.
    @Test func `A name that is too long for the subject is cut there alone`() throws {
        let name = String(repeating: "a", count: 63) + ".bb.test"
        let leaf = try plan {
            $0.commonName = name
            $0.names = [name]
        }.make(issuer: nil).leaf
        expectEqual(leaf.summary.subject, "CN=" + name.prefix(64))
        expectEqual(leaf.summary.names, [name])
    }

    @Test(arguments: [
        "a,DNS:evil.example", "a\nb", "", "a b", "a=b", "*.*.example", "é.example", "*.", "a*",
        "a_b", "a/b", "a@b",
    ])
    func `Names with more in them than a name are not put into certificates`(name: String) {
        #expect(!CertificateTemplate.isName(name))
        #expect(throws: OpenSSLError.self) {
            try plan { $0.names = ["good.test", name] }.make(issuer: nil)
        }
    }

    @Test func `Names have a length`() {
        #expect(CertificateTemplate.isName(String(repeating: "a", count: 253)))
        #expect(!CertificateTemplate.isName(String(repeating: "a", count: 254)))
        #expect(CertificateTemplate.isName("*." + String(repeating: "a", count: 253)))
        for name in ["a", "A-9.z", "*.a.test", "2001:db8::1", "192.0.2.1"] {
            #expect(CertificateTemplate.isName(name), "\(name)")
        }
    }

    @Test(arguments: [0, 31, 33]) func `The digest of a challenge has 32 bytes`(count: Int) {
        #expect(throws: OpenSSLError.self) {
            try plan { $0.acmeIdentifier = Array(repeating: 1, count: count) }.make(issuer: nil)
        }
    }
}
