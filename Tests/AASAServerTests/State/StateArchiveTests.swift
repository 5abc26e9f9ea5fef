import Testing

@testable import AASAServer

@Suite struct StateArchiveTests {
    @Test func aDamagedRecordCostsItselfAlone() {
        var first = StateRecord(.host, "a.example")
        first.add("document.json", "{}")
        let second = StateRecord(.certificates, "b.example")
        let bytes = StateArchive.encode([first, second])
        #expect(StateArchive.decode(bytes).records == [first, second])
        var damaged = bytes
        damaged[(bytes.firstIndex(of: UInt8(ascii: "{")) ?? 0) + 1] ^= 1
        let (records, problems) = StateArchive.decode(damaged)
        #expect(records == [second])
        #expect(problems.count == 1)
    }

    @Test func aCutArchiveGivesWhatIsWhole() {
        let records = ["a.example", "b.example"].map { StateRecord(.host, $0) }
        let bytes = StateArchive.encode(records)
        for count in 1..<bytes.count {
            let found = StateArchive.decode(Array(bytes[..<count]))
            #expect(found.records.count < 2)
            #expect(found.records.allSatisfy(records.contains))
        }
        #expect(StateArchive.decode([]).records.isEmpty)
        #expect(!StateArchive.decode(Array("999999999999999999999\n".utf8)).problems.isEmpty)
        #expect(!StateArchive.decode(Array("-5\nxxxxx".utf8)).problems.isEmpty)
    }
}
