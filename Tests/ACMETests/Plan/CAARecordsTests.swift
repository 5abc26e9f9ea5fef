// Covers: DNSRecords.swift

import Reactor
import TestSupport
import Testing

@testable import ACME

@Suite struct CAARecordsTests {
    private struct Unanswered: Error {}

    private func refusal(
        _ properties: [CAARecords.Property], challenge: ChallengeKind = .tlsALPN01,
        account: String? = nil
    ) -> String? {
        CAARecords(domain: "shop.test", properties: properties).refusal(
            identities: ["ca.test", "other.ca.test"], challenge: challenge, account: account)
    }

    private func issue(_ value: String) -> CAARecords.Property { .init(tag: "ISSUE", value: value) }

    @Test func `A message is read: CAA records beside others, in any case`() throws {
        let found = try CAARecords.read(
            CAAMessage.make([
                (5, [1, 2, 3]), CAAMessage.caa("Issue", "ca.test"),
                CAAMessage.caa("iodef", "mailto:a@b", flags: 128),
            ])
        )
        expectEqual(
            found,
            [
                .init(tag: "issue", value: "ca.test"),
                .init(isCritical: true, tag: "iodef", value: "mailto:a@b"),
            ])
    }

    @Test func `Every cut of a message is refused or shorter, none is trusted`() throws {
        let whole = CAAMessage.make([
            CAAMessage.caa("issue", "ca.test"), CAAMessage.caa("issue", "b.test"),
        ])
        for length in 0..<whole.count {
            #expect(throws: InvalidResponse.self) { try CAARecords.read(Array(whole[..<length])) }
        }
        // A tag that is longer than its record.
        #expect(throws: InvalidResponse.self) {
            try CAARecords.read(CAAMessage.make([(257, [0, 9, 1])]))
        }
    }

    @Test func `The closest parent with records speaks, and no other`() throws {
        var asked: [String] = []
        func find(_ known: [String: [UInt8]]) throws -> CAARecords? {
            asked = []
            return try CAARecords.find("a.b.shop.test") { domain -> Result<[UInt8]?, Unanswered> in
                asked.append(domain)
                return .success(known[domain])
            }
        }
        let parent = CAAMessage.make([CAAMessage.caa("issue", "ca.test")])
        // An alias's answer without records of the type is none.
        let found = try find(["shop.test": parent, "b.shop.test": CAAMessage.make([(5, [0])])])
        expectEqual(found?.domain, "shop.test")
        expectEqual(asked, ["a.b.shop.test", "b.shop.test", "shop.test"])
        #expect(try find([:]) == nil)
        expectEqual(asked.last, "test")
    }

    @Test func `An authority may issue where it is named, or nobody is`() {
        #expect(refusal([]) == nil)
        #expect(refusal([.init(tag: "iodef", value: "mailto:a@b")]) == nil)
        #expect(refusal([.init(tag: "issuewild", value: ";")]) == nil, "not for a plain name")
        #expect(refusal([issue("ca.test")]) == nil)
        #expect(refusal([issue("nobody.test"), issue(" CA.test ; x=y")]) == nil)
        expectEqual(refusal([issue("nobody.test")])?.contains("allows nobody.test, not"), true)
        expectEqual(refusal([issue(";")])?.contains("no authority"), true)
        #expect(refusal([issue("")]) != nil)
        let unknown = CAARecords.Property(isCritical: true, tag: "future", value: "x")
        expectEqual(refusal([issue("ca.test"), unknown])?.contains("future"), true)
        #expect(refusal([issue("ca.test"), .init(tag: "future", value: "x")]) == nil)
    }

    @Test func `Parameters bind to an account and to a kind of challenge (RFC 8657)`() {
        let bound = [issue("ca.test; accounturi=https://ca.test/account/1")]
        #expect(refusal(bound, account: "https://ca.test/account/1") == nil)
        expectEqual(
            refusal(bound, account: "https://ca.test/account/2")?.contains("allows only"), true)
        #expect(refusal(bound) != nil)
        let http = [issue("ca.test;validationmethods=dns-01,http-01")]
        expectEqual(refusal(http)?.contains("this server answers tls-alpn-01"), true)
        #expect(refusal(http, challenge: .http01) == nil)
    }

    @Test func `A name server that is not there says so, and an IPv6 one is refused`() throws {
        let closed = DNSRecords.answer(
            "shop.test", type: CAARecords.recordType, server: .v4(0x7F00_0001, port: 1))
        #expect(throws: DNSRecords.Failure.self) { try closed.get() }
        let other = DNSRecords.answer(
            "shop.test", type: CAARecords.recordType, server: SocketAddress(parsing: "[::1]:53"))
        #expect(throws: DNSRecords.Failure.self) { try other.get() }
    }
}
