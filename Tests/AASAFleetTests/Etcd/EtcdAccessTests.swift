import AASAClient
import AASAFleet
import TestSupport
import Testing

@Suite struct EtcdAccessTests {
    private func access() throws -> EtcdAccess {
        var access = EtcdAccess(members: [
            try ServerURL(parsing: "https://a:2379"), try ServerURL(parsing: "http://b:1/prefix/"),
        ])
        access.security.authorityFile = "ca.pem"
        return access
    }

    @Test func aRequestGoesToTheMembersURL() throws {
        let access = try access()
        let first = access.request(.range("x"), member: 0, token: "t.1")
        expectEqual(first.url, "https://a:2379/v3/kv/range")
        #expect(first.fields.contains { $0.name == "Authorization" && $0.value == "t.1" })
        #expect(first.security.authorityFile == "ca.pem" && first.security.isTLS)
        // A ring may count on: the members begin again.
        let second = access.request(.range("x"), member: 3, token: nil)
        expectEqual(second.url, "http://b:1/prefix/v3/kv/range")
        #expect(!second.security.isTLS)
        #expect(!second.fields.contains { $0.name == "Authorization" })
    }

    @Test func aRequestIsAPostOfJSONWithBounds() throws {
        var access = try access()
        access.requestTime = .seconds(3)
        let sent = access.request(.range("x"), member: 1, token: nil)
        #expect(sent.method == "POST" && sent.body == EtcdRequest.range("x").body)
        #expect(
            sent.fields.contains { $0.name == "Content-Type" && $0.value == "application/json" })
        expectEqual(sent.limits.total, .seconds(3))
        expectEqual(sent.limits.connect, EtcdAccess.connectTime)
        expectEqual(sent.limits.body, EtcdReplyReader.bytesMaximum)
    }
}
