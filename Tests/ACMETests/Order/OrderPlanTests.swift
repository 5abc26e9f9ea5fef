import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import ACME

@Suite struct OrderPlanTests {
    private let answer = ChallengeAnswer(
        kind: .http01, name: "shop.test", token: "t", keyAuthorization: "t.thumb")

    @Test func `An answer comes back from its file as it was`() throws {
        for kind in ChallengeKind.allCases {
            let one = ChallengeAnswer(
                kind: kind, name: "shop.test", token: "t", keyAuthorization: "t.thumb")
            let text = JSONWriter.minified(one.json)
            let json = try JSONReader.read(SourceText(name: "-", bytes: text)).root
            expectEqual(ChallengeAnswer(json), one)
        }
    }

    @Test(arguments: ["kind", "name", "token", "keyAuthorization"])
    func `One that lacks something is none`(key: String) {
        let members = (answer.json.members ?? []).filter { $0.key != key }
        #expect(ChallengeAnswer(.object(members.map { ($0.key, $0.value) })) == nil)
        let odd = (answer.json.members ?? []).map { ($0.key, $0.key == key ? .text("") : $0.value) }
        expectEqual((ChallengeAnswer(.object(odd)) == nil), (key == "kind"))
    }

    /// RFC 8737 section 3.
    @Test func `The certificate of TLS-ALPN-01 holds the hash of the key authorization`() {
        expectEqual(answer.digest, sha256(Array("t.thumb".utf8)))
        expectEqual(answer.digest.count, 32)
    }

    @Test func `A chain is its certificates, leaf first, and no key`() throws {
        let authority = try LocalAuthority.make(now: 1_800_000_000)
        let pair = try authority.issue(names: ["a.test"], key: .ecdsaP256, now: 1_800_000_000)
        let pem = IssuedCertificate(pair: pair).chainPEM
        try expectEqual(Certificate.load(pem: pem, name: "-").map(\.der), pair.chain.map(\.der))
        #expect(!String(decoding: pem, as: UTF8.self).contains("PRIVATE"))
    }

    /// One attempt ends by itself, however an authority answers: within the limits there is room
    /// for all that a good order takes.
    @Test func `The limits of an attempt fit together`() {
        expectEqual(OrderLimits.requests(names: 1), 52)
        expectEqual(OrderLimits.requests(names: 100) - OrderLimits.requests(names: 99), 12)
        expectEqual(OrderLimits.pollDelays, OrderLimits.pollDelays.sorted())
        expectEqual(OrderLimits.retryDelays, OrderLimits.retryDelays.sorted())
        #expect((OrderLimits.pollDelays.last ?? 0) <= OrderLimits.pollDelayMaximum)
        #expect(OrderLimits.pollDelayMaximum < OrderLimits.validationSeconds)
        // Pebble refuses a twentieth of all nonces and sleeps up to 15 seconds.
        #expect(OrderLimits.badNoncesMaximum >= 6)
        #expect(OrderLimits.validationSeconds > 15)
        #expect(OrderLimits.issuanceSeconds > 15)
    }
}
