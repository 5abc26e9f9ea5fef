// Covers: CAALook.swift

import Reactor
import Testing

@testable import ACME

@Suite struct CAARecordsTests {
    private struct Unanswered: Error {}

    /// A message as a name server sends it: the question, then the records, whose names point to
    /// it.
    private func message(_ records: [(type: UInt16, data: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = [0, 7, 0x81, 0x80, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
        bytes += [4] + Array("shop".utf8) + [4] + Array("test".utf8) + [0, 1, 1, 0, 1]
        for record in records {
            bytes += [0xC0, 12, UInt8(record.type >> 8), UInt8(record.type & 0xFF), 0, 1]
            bytes += [0, 0, 0, 60, 0, UInt8(record.data.count)] + record.data
        }
        return bytes
    }

    private func caa(_ tag: String, _ value: String, flags: UInt8 = 0) -> (UInt16, [UInt8]) {
        (257, [flags, UInt8(tag.utf8.count)] + Array(tag.utf8) + Array(value.utf8))
    }

    private func refusal(
        _ properties: [CAARecords.Property], kinds: [ChallengeKind] = [.tlsALPN01],
        account: String? = nil
    ) -> String? {
        CAARecords(domain: "shop.test", properties: properties).refusal(
            identities: ["ca.test", "other.ca.test"], kinds: kinds, account: account)
    }

    private func issue(_ value: String) -> CAARecords.Property { .init(tag: "ISSUE", value: value) }

    @Test func `A message is read: CAA records beside others, in any case`() throws {
        let found = try CAARecords.read(
            message([
                (5, [1, 2, 3]), caa("Issue", "ca.test"), caa("iodef", "mailto:a@b", flags: 128),
            ])
        )
        #expect(
            found == [
                .init(tag: "issue", value: "ca.test"),
                .init(isCritical: true, tag: "iodef", value: "mailto:a@b"),
            ])
    }

    @Test func `Every cut of a message is refused or shorter, none is trusted`() throws {
        let whole = message([caa("issue", "ca.test"), caa("issue", "b.test")])
        for length in 0..<whole.count {
            #expect(throws: MalformedAnswer.self) { try CAARecords.read(Array(whole[..<length])) }
        }
        // A tag that is longer than its record.
        #expect(throws: MalformedAnswer.self) { try CAARecords.read(message([(257, [0, 9, 1])])) }
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
        let parent = message([caa("issue", "ca.test")])
        // An alias's answer without records of the type is none.
        let found = try find(["shop.test": parent, "b.shop.test": message([(5, [0])])])
        #expect(found?.domain == "shop.test")
        #expect(asked == ["a.b.shop.test", "b.shop.test", "shop.test"])
        #expect(try find([:]) == nil)
        #expect(asked.last == "test")
    }

    @Test func `An authority may issue where it is named, or nobody is`() {
        #expect(refusal([]) == nil)
        #expect(refusal([.init(tag: "iodef", value: "mailto:a@b")]) == nil)
        #expect(refusal([.init(tag: "issuewild", value: ";")]) == nil, "not for a plain name")
        #expect(refusal([issue("ca.test")]) == nil)
        #expect(refusal([issue("nobody.test"), issue(" CA.test ; x=y")]) == nil)
        #expect(refusal([issue("nobody.test")])?.contains("allows nobody.test and not") == true)
        #expect(refusal([issue(";")])?.contains("no authority") == true)
        #expect(refusal([issue("")]) != nil)
        let unknown = CAARecords.Property(isCritical: true, tag: "future", value: "x")
        #expect(refusal([issue("ca.test"), unknown])?.contains("future") == true)
        #expect(refusal([issue("ca.test"), .init(tag: "future", value: "x")]) == nil)
    }

    @Test func `Parameters bind to an account and to kinds of challenges (RFC 8657)`() {
        let bound = [issue("ca.test; accounturi=https://ca.test/account/1")]
        #expect(refusal(bound, account: "https://ca.test/account/1") == nil)
        #expect(refusal(bound, account: "https://ca.test/account/2")?.contains("alone") == true)
        #expect(refusal(bound) != nil)
        let http = [issue("ca.test;validationmethods=dns-01,http-01")]
        #expect(refusal(http)?.contains("tls-alpn-01 is answered here") == true)
        #expect(refusal(http, kinds: [.tlsALPN01, .http01]) == nil)
    }

    @Test func `A look is judged for the authorities that say what they are called`() throws {
        func authority(_ identities: [String]?) throws -> AuthorityLook {
            let names = identities.map { $0.map { "\"\($0)\"" }.joined(separator: ",") } ?? ""
            let text = #"""
                {"newNonce":"https://ca.test/n","newAccount":"https://ca.test/a",
                "newOrder":"https://ca.test/o","meta":{"caaIdentities":[\#(names)]}}
                """#
            var look = AuthorityLook(url: "https://ca.test/directory")
            look.directory = try Directory(
                ServerAnswer(status: 200, body: Array(text.utf8)).json("the directory"),
                url: look.url)
            return look
        }
        func look(
            _ authorities: [AuthorityLook], _ answer: Result<[UInt8]?, DNSRecords.Failure>
        ) -> CAALook {
            CAALook(
                "shop.test", authorities: authorities, accounts: [:], kinds: [.tlsALPN01],
                ask: { _ in answer })
        }
        let other = Result<[UInt8]?, DNSRecords.Failure>.success(message([caa("issue", "b.test")]))
        let refused = look([try authority(["ca.test"])], other)
        #expect(refused.advice?.message.contains("shop.test") == true)
        #expect(refused.advice?.remedy.contains("CAA") == true)
        #expect(look([try authority(["ca.test"]), try authority(["b.test"])], other).advice == nil)
        let silent = look([try authority(nil)], other)
        #expect(silent.advice == nil)
        #expect(silent.unjudged == ["ca.test"])
        let unseen = look([try authority(["ca.test"])], .failure(.init(reason: "timed out")))
        #expect(unseen.unseen == "timed out")
        #expect(unseen.advice == nil)
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
