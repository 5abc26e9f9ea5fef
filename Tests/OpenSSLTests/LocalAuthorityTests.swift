import TestSupport
import Testing

@testable import OpenSSL

@Suite struct LocalAuthorityTests {
    private let now: Int64 = 1_800_000_000
    private let authority: LocalAuthority

    init() throws { authority = try LocalAuthority.make(now: now) }

    @Test func `The root is an authority that began an hour ago and lasts ten years`() {
        let root = authority.pair.leaf
        #expect(root.isAuthority && root.isSelfSigned)
        expectEqual(authority.pair.chain.count, 1)
        expectEqual(root.summary.subject, "CN=aasa local CA 2027-01-15")
        expectEqual(root.summary.notBefore, now - 3600)
        expectEqual(root.summary.notAfter, now + 3650 * 86_400)
    }

    @Test func `A leaf is what devices take of a host`() throws {
        let pair = try authority.issue(
            names: ["a.test", "*.a.test"], key: .ecdsaP256, now: now + 7200)
        #expect(pair.leaf.isIssued(by: authority.pair.leaf))
        #expect(pair.leaf.isForServers && !pair.leaf.isAuthority)
        expectEqual(pair.leaf.summary.names, ["a.test", "*.a.test"])
        expectEqual(pair.leaf.summary.subject, "CN=a.test")
        expectEqual(pair.leaf.summary.notBefore, now + 3600)
        expectEqual(pair.leaf.summary.notAfter, now + 7200 + 90 * 86_400)
        #expect(pair.problems(for: ["a.test", "b.a.test"], at: now + 7200).isEmpty)
    }

    @Test func `The kind of its key and its life are chosen`() throws {
        let pair = try authority.issue(
            names: ["a.test"], key: .rsa(bits: 2048), now: now, life: 60)
        expectEqual(pair.leaf.summary.keyType, .rsa(bits: 2048))
        expectEqual(pair.leaf.summary.notAfter, now + 60)
    }

    /// Clients refuse what outlives its issuer or began before it.
    @Test func `A leaf lives within the life of its root`() throws {
        let end = authority.pair.leaf.summary.notAfter
        let late = try authority.issue(names: ["a.test"], key: .ecdsaP256, now: end - 60)
        expectEqual(late.leaf.summary.notAfter, end)
        let early = try authority.issue(names: ["a.test"], key: .ecdsaP256, now: now - 60)
        expectEqual(early.leaf.summary.notBefore, authority.pair.leaf.summary.notBefore)
    }

    @Test func `A name that is none gets no certificate`() {
        #expect(throws: OpenSSLError.self) {
            try authority.issue(names: ["a.test,DNS:b.test"], key: .ecdsaP256, now: now)
        }
    }
}
