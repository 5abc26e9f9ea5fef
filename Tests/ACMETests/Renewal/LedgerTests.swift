import AppSiteAssociation
import OpenSSL
import Testing

@testable import ACME

@Suite struct LedgerTests {
    private let limits = RateLimits(
        orders: .init(count: 3, seconds: 100),
        certificatesPerDomain: .init(count: 2, seconds: 1000),
        duplicates: .init(count: 1, seconds: 1000),
        failedValidations: .init(count: 2, seconds: 60))

    private func ledger(_ moments: [Int64], _ kind: Ledger.Kind = .order) -> Ledger {
        var ledger = Ledger()
        for moment in moments { ledger.add(kind, now: moment, limits) }
        return ledger
    }

    /// At the very second in which the oldest no longer counts, one more is allowed.
    @Test func `A limit is full, and opens when its oldest goes`() {
        let full = ledger([0, 10, 20])
        #expect(full.left(.order, now: 20, limits) == 0)
        #expect(full.allowed(.order, now: 20, limits) == 100)
        #expect(full.left(.order, now: 99, limits) == 0)
        #expect(full.allowed(.order, now: 99, limits) == 100)
        #expect(full.left(.order, now: 100, limits) == 1)
        #expect(full.allowed(.order, now: 100, limits) == 100)
        #expect(full.left(.order, now: 121, limits) == 3)
        let open = ledger([0, 10])
        #expect(open.left(.order, now: 20, limits) == 1)
        #expect(open.allowed(.order, now: 20, limits) == 20)
    }

    /// One beyond the limit: the newest count, as many as the limit has.
    @Test func `More than the limit say no more than the limit does`() {
        let over = ledger([0, 10, 20, 30, 40])
        #expect(over.left(.order, now: 40, limits) == 0)
        #expect(over.allowed(.order, now: 40, limits) == 120)
        guard case .array(let kept) = over.json["order"]?[""]?.kind else {
            Issue.record("\(over.json)")
            return
        }
        #expect(kept.compactMap(\.integer) == [20, 30, 40])
    }

    @Test func `A clock that was set back forgets nothing and waits no longer than once`() {
        let ahead = ledger([1000, 1010, 1020])
        #expect(ahead.left(.order, now: 50, limits) == 0)
        #expect(ahead.allowed(.order, now: 50, limits) == 150)
        var counted = ahead
        // Written down as now, they go with time.
        counted.add(.failedValidation, "a.test", now: 50, limits)
        #expect(counted.left(.order, now: 150, limits) == 3)
        #expect(counted.left(.order, now: 149, limits) == 0)
    }

    @Test func `Kinds and names are counted apart`() {
        var ledger = Ledger()
        ledger.add(.failedValidation, "a.test", now: 0, limits)
        ledger.add(.failedValidation, "a.test", now: 0, limits)
        #expect(ledger.left(.failedValidation, "a.test", now: 0, limits) == 0)
        #expect(ledger.left(.failedValidation, "b.test", now: 0, limits) == 2)
        #expect(ledger.left(.order, now: 0, limits) == 3)
        #expect(ledger.left(.certificate, "a.test", now: 0, limits) == 2)
    }

    /// The latest moment of all that an order touches.
    @Test func `An order waits for the last of its limits`() {
        func allowed(_ names: [String], isFree: Bool = false, _ ledger: Ledger) -> Int64 {
            ledger.allowed(names: names, isFree: isFree, now: 50, limits)
        }
        var validations = Ledger()
        for _ in 0..<2 { validations.add(.failedValidation, "b.test", now: 10, limits) }
        #expect(allowed(["a.test", "b.test"], validations) == 70)
        #expect(allowed(["a.test", "b.test"], isFree: true, validations) == 70)
        #expect(allowed(["a.test"], validations) == 50)
        #expect(allowed(["a.test"], ledger([0, 1, 2])) == 100)
        var certificates = Ledger()
        certificates.addCertificate(names: ["a.shop.test", "b.shop.test"], now: 20, limits)
        // Once for the domain, once for the set of names, in any order.
        #expect(certificates.left(.certificate, "shop.test", now: 50, limits) == 1)
        #expect(allowed(["c.shop.test"], certificates) == 50)
        #expect(allowed(["b.shop.test", "a.shop.test"], certificates) == 1020)
        #expect(allowed(["b.shop.test", "a.shop.test"], isFree: true, certificates) == 50)
        certificates.addCertificate(names: ["c.shop.test"], now: 30, limits)
        #expect(allowed(["d.shop.test"], certificates) == 1020)
        #expect(allowed(["d.shop.test"], isFree: true, certificates) == 50)
    }

    @Test func `A set of names counts by its hash, also where the names were written`() throws {
        let hash = hexadecimal(sha256(Array("a.test,b.test".utf8)))
        let former = Ledger(
            try JSONReader.read(
                text: "{\"duplicate\":{\"\(hash)\":[30],\"a.test,b.test\":[20]}}"
            ).root)
        #expect(
            former.allowed(names: ["b.test", "a.test"], isFree: false, now: 50, limits) == 1020)
        #expect(former.json["duplicate"]?.members?.map(\.key) == [hash])
        var now = Ledger()
        now.addCertificate(names: ["b.test", "a.test"], now: 20, limits)
        #expect(now.json["duplicate"]?.members?.map(\.key) == [hash])
    }

    @Test func `However many names were asked for, the newest count and the file is read`() throws {
        let old = (0..<12_000).map { "\"n\($0).test\":[\($0 / 100)]" }.joined(separator: ",")
        var ledger = Ledger(
            try JSONReader.read(
                text: "{\"certificate\":{\(old)},\"duplicate\":{\(old)}}"
            ).root)
        ledger.addCertificate(names: ["n12000.test"], now: 130, limits)
        #expect(JSONWriter.minified(ledger.json).count < 2 * Ledger.kindBytesMaximum)
        func allowed(_ name: String) -> Int64 {
            ledger.allowed(names: [name], isFree: false, now: 130, limits)
        }
        #expect(allowed("n12000.test") == 1130)
        #expect(allowed("n11999.test") == 1119)
        #expect(allowed("n0.test") == 130, "forgotten")
    }

    @Test func `It comes back from its file, and what cannot be read is left out`() throws {
        var ledger = ledger([0, 10])
        ledger.addCertificate(names: ["a.test", "b.test"], now: 20, limits)
        ledger.add(.failedValidation, "a.test", now: 30, limits)
        let text = JSONWriter.minified(ledger.json)
        let back = Ledger(try JSONReader.read(SourceText(name: "-", bytes: text)).root)
        #expect(JSONWriter.minified(back.json) == text)
        #expect(back.left(.order, now: 30, limits) == 1)
        let odd = Ledger(
            try JSONReader.read(
                text: "{\"order\":{\"\":[1,\"x\",2.5,2]},\"duplicate\":7,\"other\":{\"a\":[1]}}"
            ).root)
        #expect(odd.left(.order, now: 3, limits) == 1)
        #expect(odd.left(.duplicate, now: 3, limits) == 1)
    }
}
