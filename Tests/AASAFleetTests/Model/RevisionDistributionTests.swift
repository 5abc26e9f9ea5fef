import TestSupport
import Testing

@testable import AASAFleet

@Suite struct RevisionDistributionTests {
    private func id(_ number: Int64, _ letter: String = "a") -> RevisionID {
        RevisionID(number: number, hash: String(repeating: letter, count: 64))
    }

    private func record(_ name: String, _ revision: RevisionID?) -> MachineRecord {
        var record = MachineRecord(machine: name, version: "1", channel: "stable")
        record.revision = revision
        return record
    }

    @Test func theSpreadSaysWhoIsBehind() {
        let records =
            (0..<97).map { record("m\($0)", id(41)) } + (0..<3).map { record("n\($0)", id(40)) }
        let spread = RevisionDistribution(target: id(41), records: records)
        expectEqual(spread.text, "97 of 100 serve 41, 3 serve 40")
        #expect(!spread.isUnited())
    }

    @Test func allHaveToServeItAndBeThere() {
        let both = [record("a", id(2)), record("b", id(2))]
        #expect(RevisionDistribution(target: id(2), records: both).isUnited())
        #expect(!RevisionDistribution(target: id(2), records: both).isUnited(expecting: 3))
        #expect(!RevisionDistribution(target: id(2), records: []).isUnited())
        #expect(!RevisionDistribution(target: nil, records: both).isUnited())
        var refusing = both
        refusing[0].refused = .init(revision: id(3), reason: "no")
        #expect(!RevisionDistribution(target: id(2), records: refusing).isUnited())
        // A number that was given twice: the hash tells.
        let twins = RevisionDistribution(target: id(2, "b"), records: both)
        #expect(!twins.isUnited())
    }
}
