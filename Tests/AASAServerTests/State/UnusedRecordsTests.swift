import Testing

@testable import AASAServer

@Suite struct UnusedRecordsTests {
    private func certificates(_ keys: String..., text: String = "old") -> StateRecord {
        var record = StateRecord(.certificates, "a.example")
        for key in keys {
            var pair = StateRecord(.certificates, "a.example")
            pair.add("key.name", key)
            pair.add("key", text)
            record.add(pair: pair)
        }
        return record
    }

    private var host: StateRecord { StateRecord(.host, "a.example") }

    private func unused(_ records: StateRecord...) -> UnusedRecords {
        var unused = UnusedRecords()
        for record in records { unused.add(record) }
        return unused
    }

    @Test func aKeyStaysUntilAnotherIsInItsPlace() {
        let old = certificates("privkey.pem", "privkey-rsa.pem")
        var unused = unused(old)
        // Nothing is served with it, however often: not even the files are there.
        for _ in 1...2 { #expect(unused.joined(to: [host]) == [host, old]) }
        // One pair is, and the other is kept beside it.
        var both = certificates("privkey-rsa.pem", text: "new")
        both.add(pair: certificates("privkey.pem").pairs[0])
        #expect(unused.joined(to: [certificates("privkey-rsa.pem", text: "new")]) == [both])
        // What was replaced does not come back.
        #expect(unused.joined(to: []) == [certificates("privkey.pem")])
        let new = certificates("privkey.pem", text: "new")
        #expect(unused.joined(to: [new]) == [new])
        #expect(unused.joined(to: []).isEmpty)
    }

    @Test func aPairWithoutANameIsKept() {
        var nameless = StateRecord(.certificates, "a.example")
        nameless.add("0.key", "old")
        var unused = unused(nameless)
        let served = certificates("privkey.pem")
        #expect(unused.joined(to: [served]).first?.pairs.last?.text("key") == "old")
    }
}
