import TestSupport
import Testing

@testable import HTTP

@Suite struct StreamTableTests {
    @Test func `Slots that are free are used again before there are more`() {
        var table = StreamTable()
        expectEqual((0..<3).map { _ in table.insert(isHead: false) }, [0, 1, 2])
        table.remove(0)
        table.remove(2)
        expectEqual(Set([table.insert(isHead: false), table.insert(isHead: false)]), [0, 2])
        expectEqual(table.insert(isHead: false), 3)
    }

    /// Connections of a day would else keep the memory of their busiest moment's length each.
    @Test func `One after the other is one slot`() {
        var table = StreamTable()
        for _ in 0..<1000 { table.remove(table.insert(isHead: false)) }
        expectEqual(table.insert(isHead: false), 0)
    }

    @Test func `A slot that is used again knows nothing of its last stream`() {
        var table = StreamTable()
        let slot = table.insert(isHead: true)
        #expect(table[slot].isHead)
        table[slot].response = ServerHarness.small
        table[slot].body = ServerHarness.small.body.bytes
        table[slot].offset = 7
        table[slot].isWhole = true
        table.remove(slot)
        #expect(table[slot].response == nil, "it is not kept alive")
        expectEqual(table.insert(isHead: false), slot)
        #expect(table[slot].response == nil && table[slot].body.isEmpty)
        #expect(table[slot].offset == 0 && !table[slot].isWhole && !table[slot].isHead)
    }

    @Test func `What is put into a slot stays in it`() {
        var table = StreamTable()
        let slots = (0..<3).map { _ in table.insert(isHead: false) }
        for slot in slots { table[slot].offset = 10 * slot }
        table.remove(slots[1])
        #expect(table[slots[0]].offset == 0 && table[slots[2]].offset == 20)
    }
}
