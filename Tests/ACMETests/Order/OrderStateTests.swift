import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import ACME

@Suite struct OrderStateTests {
    private func order(_ kind: CertificateTemplate.Key = .ecdsaP256) -> OrderState {
        OrderState(
            directory: "https://ca.test/directory", names: ["b.test", "a.test"], keyKind: kind,
            begun: 1_800_000_000)
    }

    private func reread(_ order: OrderState) throws -> OrderState {
        let text = JSONWriter.minified(order.json)
        return try OrderState(
            JSONReader.read(SourceText(name: "-", bytes: text)).root, name: "order.json")
    }

    @Test func `A crash loses nothing of an order, its key least of all`() throws {
        let fresh = try reread(order())
        expectEqual(fresh.directory, "https://ca.test/directory")
        expectEqual(fresh.names, ["b.test", "a.test"], "in their order")
        expectEqual(fresh.begun, 1_800_000_000)
        #expect(!fresh.isIntended && fresh.url == nil && fresh.key == nil)
        var late = order(.rsa(bits: 3072))
        late.isIntended = true
        late.url = "https://ca.test/order/1"
        late.key = try PrivateKey.make(.ecdsaP256)
        let back = try reread(late)
        #expect(back.isIntended)
        expectEqual(back.url, late.url)
        expectEqual(back.keyKind, .rsa(bits: 3072))
        expectEqual(back.key?.unencryptedPEM(), late.key?.unencryptedPEM())
    }

    @Test(arguments: ["directory", "names", "keyKind", "begun"])
    func `What is no order is refused, and its file named`(key: String) {
        let members = (order().json.members ?? []).filter { $0.key != key }
        let error = #expect(throws: InvalidResponse.self) {
            try OrderState(.object(members.map { ($0.key, $0.value) }), name: "order.json")
        }
        expectEqual(error?.what, "order.json is not an order")
    }

    @Test func `A key that cannot be read is no order without a key`() {
        let members = (order().json.members ?? []).map {
            ($0.key, $0.key == "key" ? JSONValue.text("-----BEGIN") : $0.value)
        }
        #expect(throws: OpenSSLError.self) { try OrderState(.object(members), name: "-") }
    }

    @Test func `Kinds of keys have names that come back`() {
        for kind in [
            CertificateTemplate.Key.ecdsaP256, .rsa(bits: 2048), .rsa(bits: 3072), .rsa(bits: 4096),
        ] {
            expectEqual(CertificateTemplate.Key(text: kind.text), kind)
            expectEqual(kind.isRSA, (kind != .ecdsaP256))
        }
        for odd in ["", "rsa-1024", "rsa", "ecdsa-p384", "ECDSA-P256"] {
            #expect(CertificateTemplate.Key(text: odd) == nil)
        }
    }
}
