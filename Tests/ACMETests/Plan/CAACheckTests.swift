import Reactor
import TestSupport
import Testing

@testable import ACME

@Suite struct CAACheckTests {
    @Test func `A look is judged for the authorities that say what they are called`() throws {
        func look(
            _ authorities: [AuthorityCheck], _ answer: Result<[UInt8]?, DNSRecords.Failure>
        ) -> CAACheck {
            CAACheck(
                "shop.test", authorities: authorities, accounts: [:], challenge: .tlsALPN01,
                ask: { _ in answer })
        }
        let other = Result<[UInt8]?, DNSRecords.Failure>.success(
            CAAMessage.make([CAAMessage.caa("issue", "b.test")]))
        let refused = look([try CAAMessage.authority(["ca.test"])], other)
        expectEqual(refused.advice?.message.contains("shop.test"), true)
        expectEqual(refused.advice?.remedy.contains("CAA"), true)
        #expect(
            look(
                [try CAAMessage.authority(["ca.test"]), try CAAMessage.authority(["b.test"])], other
            ).advice == nil)
        let silent = look([try CAAMessage.authority(nil)], other)
        #expect(silent.advice == nil)
        expectEqual(silent.unjudged, ["ca.test"])
        let unseen = look(
            [try CAAMessage.authority(["ca.test"])], .failure(.init(reason: "timed out")))
        expectEqual(unseen.unseen, "timed out")
        #expect(unseen.advice == nil)
    }

    /// One authority that may issue is enough; one that says nothing of itself may be it.
    @Test func `Advice is given where nobody is left`() throws {
        let records = CAAMessage.make([CAAMessage.caa("issue", "third.test")])
        func look(_ identities: [[String]?]) throws -> CAACheck {
            CAACheck(
                "shop.test", authorities: try identities.map { try CAAMessage.authority($0) },
                accounts: [:], challenge: .tlsALPN01, ask: { _ in .success(records) })
        }
        let both = try look([["first.test"], ["second.test"]])
        expectEqual(both.advice?.message.contains("ca.test"), true)
        expectEqual(both.unjudged, [])
        #expect(try look([["first.test"], []]).advice == nil)
        try expectEqual(look([["first.test"], []]).unjudged, ["ca.test"])
        #expect(try look([["first.test"], ["third.test"]]).advice == nil)
        expectEqual(both.records?.domain, "shop.test")
    }

    @Test func `The account of each authority is held against what records bind to`() throws {
        let bound = CAAMessage.make([
            CAAMessage.caa("issue", "ca.test; accounturi=https://ca.test/account/1")
        ])
        for (account, isGood) in [
            ("https://ca.test/account/1", true), ("https://ca.test/a", false),
        ] {
            let look = CAACheck(
                "shop.test", authorities: [try CAAMessage.authority(["ca.test"])],
                accounts: ["https://ca.test/directory": account], challenge: .tlsALPN01,
                ask: { _ in .success(bound) })
            expectEqual((look.advice == nil), isGood)
        }
    }

    @Test func `Records that cannot be read are said, and judged by nobody`() throws {
        let look = CAACheck(
            "shop.test", authorities: [try CAAMessage.authority(["ca.test"])], accounts: [:],
            challenge: .tlsALPN01, ask: { _ in .success([1, 2, 3]) })
        expectEqual(look.unseen?.isEmpty, false)
        #expect(look.records == nil && look.advice == nil && look.unjudged == [])
        let none = CAACheck(
            "shop.test", authorities: [try CAAMessage.authority(["ca.test"])], accounts: [:],
            challenge: .tlsALPN01, ask: { _ in .success(nil) })
        #expect(none.records == nil && none.unseen == nil && none.advice == nil)
    }
}
