import TestSupport
import Testing

@testable import ACME

@Suite struct RenewalSettingsTests {
    private let id = LineageID(folder: "shop.test")
    private let facts = CertificateFacts(
        notBefore: 0, notAfter: 90 * 86_400, names: ["shop.test", "*.shop.test"], identifier: "id")

    private func standing(
        _ content: FolderContent, names: [String] = ["shop.test"], now: Int64 = 0,
        isRSA: Bool = false, _ change: (inout CertificateRecord) -> Void = { _ in }
    ) -> LineageStatus {
        let id = LineageID(folder: "shop.test", isRSA: isRSA)
        var record = CertificateRecord(id: id)
        change(&record)
        return LineageDecision.standing(
            of: id, names: names, content: content, record: record, now: now)
    }

    private var ours: FolderContent { .ours(ecdsa: facts, rsa: nil) }

    /// Public authorities put at most 100 names into a certificate.
    @Test func `More names than fit get further certificates`() {
        let names = (0..<250).map { "h\($0).test" }
        let all = WantedCertificate.covering(names, folder: "shop.test", taken: ["h120.test"])
        expectEqual(all.map(\.folder), ["shop.test", "h100.test", "h201.test"])
        expectEqual(all.map(\.names.count), [100, 100, 49])
        expectEqual(Set(all.flatMap(\.names)), Set(names).subtracting(["h120.test"]))
        let whole = WantedCertificate.covering(Array(names.prefix(100)), folder: "shop.test")
        expectEqual(whole.map(\.names.count), [100])
        expectEqual(WantedCertificate.covering([], folder: "a").map(\.folder), ["a"])
    }

    @Test func `What is not ours is left alone, and what is not there is ordered`() {
        expectEqual(standing(.foreign("certbot")), .foreign("certbot"))
        let none = LineageStatus.due("there is none yet")
        expectEqual(standing(.empty), none)
        expectEqual(standing(.ours(ecdsa: nil, rsa: facts)), none)
        expectEqual(standing(ours, isRSA: true), none)
        let rsa = standing(.ours(ecdsa: nil, rsa: facts), isRSA: true)
        guard case .good = rsa else {
            Issue.record("\(rsa)")
            return
        }
    }

    @Test func `A name that is missing is ordered at once`() {
        expectEqual(
            standing(ours, names: ["shop.test", "b.test", "c.test"]),
            .due("it does not cover b.test"))
        guard case .good = standing(ours, names: ["shop.test", "www.shop.test"]) else {
            Issue.record("a wildcard covers")
            return
        }
    }

    /// To the second, by the certificate's own time.
    @Test func `It is good until its renewal is due`() {
        let time = RenewalSchedule.ownTime(facts, spread: id.spread)
        expectEqual(standing(ours, now: time - 1), .good(renewal: time))
        expectEqual(standing(ours, now: time), .due("its renewal is due"))
    }

    @Test func `A window of this certificate decides, and one of another does not`() {
        func windowed(_ of: String?, now: Int64) -> LineageStatus {
            standing(ours, now: now) {
                $0.window = RenewalInfo(start: 1000, end: 1001)
                $0.windowOf = of
            }
        }
        let own = RenewalSchedule.ownTime(facts, spread: id.spread)
        expectEqual(windowed("id", now: 999), .good(renewal: 1000))
        expectEqual(windowed("id", now: 1000), .due("the authority asks for it"))
        expectEqual(windowed("id", now: own), .due("its renewal is due"))
        expectEqual(windowed("other", now: 1000), .good(renewal: own))
        expectEqual(windowed("other", now: own), .due("its renewal is due"))
    }

    @Test(
        arguments: [
            (["a.test"], "a.test", true), (["a.test"], "b.a.test", false),
            (["*.a.test"], "b.a.test", true),
            (["*.a.test"], "a.test", false), (["*.a.test"], "c.b.a.test", false),
            (["*.test"], "test", false),
            ([], "a.test", false), (["b.test", "a.test"], "a.test", true), (["*"], "test", false),
        ] as [([String], String, Bool)])
    func `Names cover exactly, or one label`(names: [String], name: String, isCovered: Bool) {
        expectEqual(LineageDecision.covers(names, name), isCovered)
    }

    private func joined(
        _ names: [String], now: Int64 = 0, _ change: (inout CertificateRecord) -> Void = { _ in }
    ) -> Set<String> {
        let facts = CertificateFacts(
            notBefore: 0, notAfter: 90 * 86_400, names: ["shop.test", "old.test"],
            identifier: "id")
        var record = CertificateRecord(id: id)
        change(&record)
        return Set(LineageDecision.joined(names, with: facts, record: record, now: now))
    }

    @Test func `A name that is missing is ordered with the names of the other machines`() {
        let own: Set = ["shop.test", "new.test"]
        let all = own.union(["old.test"])
        let time = RenewalSchedule.ownTime(facts, spread: id.spread)
        expectEqual(joined(["shop.test", "new.test"], now: time - 1), all)
        expectEqual(joined(["shop.test", "new.test"], now: time), own)
        expectEqual(joined(["shop.test"]), ["shop.test"], "nothing is missing")
        let many = (0..<99).map { "h\($0).test" }
        expectEqual(joined(many).count, 99, "more than a certificate can have")
        expectEqual(joined(Array(many.dropLast())).count, 100)
    }

    @Test func `After a failure the own names are ordered, unless the order is under way`() {
        let own: Set = ["shop.test", "new.test"]
        func afterFailure(_ url: String?, names: [String]) -> Set<String> {
            joined(["shop.test", "new.test"]) {
                $0.failures = 1
                var order = OrderState(
                    directory: "https://ca.test/directory", names: names, keyKind: .ecdsaP256,
                    begun: 0)
                order.url = url
                $0.order = order
            }
        }
        let all = ["shop.test", "new.test", "old.test"]
        expectEqual(afterFailure(nil, names: all), own)
        expectEqual(afterFailure("https://ca.test/order/1", names: ["shop.test", "new.test"]), own)
        expectEqual(afterFailure("https://ca.test/order/1", names: all), Set(all))
    }

    @Test func `Nothing is agreed to or left out without a word`() {
        let settings = RenewalSettings(authorities: [.init(directory: "https://ca.test/directory")])
        #expect(!settings.agreesToTerms && !settings.leavesFailingNamesOut && !settings.isShared)
        #expect(settings.keys == [.ecdsaP256] && settings.challenge == .tlsALPN01)
        #expect(settings.contact.isEmpty && settings.profile == nil)
    }
}
