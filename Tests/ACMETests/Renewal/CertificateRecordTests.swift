import AppSiteAssociation
import TestSupport
import Testing

@testable import ACME

@Suite struct CertificateRecordTests {
    private func reread(_ record: CertificateRecord) throws -> CertificateRecord {
        let text = JSONWriter.minified(record.json)
        return try CertificateRecord(
            JSONReader.read(SourceText(name: "-", bytes: text)).root, name: "record.json")
    }

    private func read(_ text: String) throws -> CertificateRecord {
        try CertificateRecord(JSONReader.read(text: text).root, name: "record.json")
    }

    @Test func `A restart knows all that was known`() throws {
        var record = CertificateRecord(id: LineageID(folder: "shop.test", isRSA: true))
        record.failures = 3
        record.directoryFailures = 4
        record.nextTry = 6
        record.lastError = "E"
        record.lastRemedy = "R"
        record.lastErrorAt = 7
        record.needsSetting = true
        record.failingNames = ["a.test": 1, "b.test": 2]
        record.issuer = "https://ca.test/directory"
        record.window = RenewalInfo(start: 8, end: 9, explanation: "why")
        record.windowAskAt = 10
        record.windowOf = "id"
        record.order = OrderState(
            directory: "https://ca.test/directory", names: ["a.test"], keyKind: .ecdsaP256,
            begun: 11)
        let back = try reread(record)
        expectEqual(back.id, record.id)
        #expect(back.failures == 3 && back.directoryFailures == 4)
        #expect(back.nextTry == 6 && back.lastErrorAt == 7 && back.windowAskAt == 10)
        #expect(back.lastError == "E" && back.lastRemedy == "R" && back.needsSetting)
        expectEqual(back.failingNames, record.failingNames)
        #expect(back.issuer == record.issuer && back.windowOf == "id")
        expectEqual(back.window, record.window)
        expectEqual(back.order?.begun, 11)
        // Equal records are equal bytes: nothing is written where nothing changed.
        expectEqual(JSONWriter.minified(back.json), JSONWriter.minified(record.json))
    }

    /// A bad restore or an editor's slip must not end the server, at this start and each next one.
    @Test(arguments: [
        #""failures":9223372036854775807"#, #""failures":-9223372036854775808"#,
        #""directoryFailures":9007199254740991"#,
        #""lastErrorAt":-9223372036854775808"#, #""lastErrorAt":9007199254740991"#,
        #""nextTry":9223372036854775807,"windowAskAt":9223372036854775807"#,
        #""windowAskAt":-9007199254740991,"nextTry":-9007199254740991"#,
        #""failingNames":{"shop.test":9223372036854775807,"b.test":9007199254740991}"#,
        #""window":{"start":-9223372036854775808,"end":9223372036854775807}"#,
        #""window":{"start":-9007199254740991,"end":9007199254740991}"#,
        #""window":{"start":9,"end":8}"#,
    ])
    func `Numbers beyond all sense end nothing`(members: String) throws {
        let record = try read(#"{"folder":"shop.test",\#(members)}"#)
        let driver = try EngineDriver([.init(folder: "shop.test", names: ["shop.test"])])
        driver.engine.remember(records: [record], accounts: [])
        driver.engine.update(wanted: driver.wanted, contents: [:])
        var refuses = true
        driver.authority.validate = { _ in refuses ? ProblemDocument(.dns, "no A record") : nil }
        driver.run(for: 3 * 86_400)
        refuses = false
        driver.run(for: 12 * 86_400)
        expectEqual(driver.installed.count, 1)
        _ = driver.engine.status(now: driver.now)
    }

    @Test func `What is missing is as in a new one`() throws {
        let bare = try read("{\"folder\":\"shop.test\"}")
        let new = CertificateRecord(id: LineageID(folder: "shop.test"))
        expectEqual(JSONWriter.minified(bare.json), JSONWriter.minified(new.json))
        let halfWindow = try read("{\"folder\":\"a\",\"window\":{\"start\":1}}")
        #expect(halfWindow.window == nil)
        // A number of somebody else's making is no reason to count backwards.
        let odd = try read("{\"folder\":\"a\",\"failures\":-3}")
        expectEqual(odd.failures, 0)
    }

    @Test func `What is no record is refused, and its file named`() {
        let error = #expect(throws: InvalidResponse.self) { try read("{\"isRSA\":true}") }
        expectEqual(error?.what.hasPrefix("record.json is not a record"), true)
        #expect(throws: InvalidResponse.self) {
            try read("{\"folder\":\"a\",\"order\":{\"names\":[]}}")
        }
        #expect(throws: Never.self) { try read("{\"folder\":\"a\",\"order\":null}") }
    }

    /// FNV-1a, by its published test vectors: every machine spreads alike, today and next year.
    @Test func `The spread of a certificate never changes`() {
        expectEqual(LineageID(folder: "").spread, 0xcbf2_9ce4_8422_2325)
        expectEqual(LineageID(folder: "a").spread, 0xaf63_dc4c_8601_ec8c)
        expectEqual(LineageID(folder: "foobar").spread, 0x8594_4171_f739_67e8)
        expectEqual(
            LineageID(folder: "a", isRSA: true).spread, LineageID(folder: "a (RSA)").spread)
    }

    @Test func `Certificates have an order and a name`() {
        let ids = [
            LineageID(folder: "b"), LineageID(folder: "a", isRSA: true), LineageID(folder: "a"),
        ]
        expectEqual(ids.sorted().map(\.description), ["a", "a (RSA)", "b"])
        #expect(!(ids[0] < ids[0]))
    }
}
