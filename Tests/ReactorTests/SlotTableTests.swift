import TestSupport
import Testing

@testable import Reactor

@Suite struct SlotTableTests {
    private final class Tenant {
        let token: SlotToken
        init(_ token: SlotToken) { self.token = token }
    }

    private func insert(_ table: inout SlotTable<Tenant>) throws -> Tenant {
        let tenant = table.insert(Tenant.init)
        return try #require(tenant)
    }

    @Test func aStaleTokenNamesNobody() throws {
        var table = SlotTable<Tenant>(capacityMaximum: 4)
        let first = try insert(&table)
        #expect(table[first.token] === first)
        let removed = table.remove(first.token)
        #expect(removed === first)
        let second = try insert(&table)
        expectEqual(second.token.index, first.token.index)
        #expect(table[first.token] == nil)
        let nobody = table.remove(first.token)
        #expect(nobody == nil)
        #expect(table[second.token] === second)
        expectEqual(table.count, 1)
    }

    @Test func isBounded() throws {
        var table = SlotTable<Tenant>(capacityMaximum: 3)
        var tenants: [Tenant] = []
        for _ in 0..<3 { tenants.append(try insert(&table)) }
        #expect(table.isFull)
        let surplus = table.insert(Tenant.init)
        #expect(surplus == nil)
        table.remove(tenants[1].token)
        #expect(!table.isFull)
        let reused = try insert(&table)
        expectEqual(reused.token.index, 1)
        expectEqual(table.extent, 3)
    }

    @Test func tokensAreNeverSmallNumbers() throws {
        var table = SlotTable<Tenant>(capacityMaximum: 1)
        for _ in 0..<10 {
            let tenant = try insert(&table)
            #expect(tenant.token.isSlot && tenant.token.rawValue > UInt64(UInt32.max))
            table.remove(tenant.token)
        }
        #expect(!SlotToken(rawValue: 7).isSlot)
        #expect(table[SlotToken(rawValue: 0)] == nil)
        #expect(table[index: 5] == nil)
    }
}
