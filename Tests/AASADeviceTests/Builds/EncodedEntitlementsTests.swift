import AppSiteAssociation
import TestSupport
import Testing

@testable import AASADevice

@Suite struct EncodedEntitlementsTests {
    private static let value: ListValue = [
        "application-identifier": "9JA89QQLNQ.com.example.shop", "get-task-allow": false,
        "number": 7, "none": [],
        "com.apple.developer.associated-domains": ["applinks:example.com", "webcredentials:é.com"],
        "nested": ["inner": true],
        "long": .text(String(repeating: "long ", count: 100)),
    ]

    @Test("means the same as the property list beside it")
    func same() throws {
        let der = try #require(EncodedEntitlements.read(Self.value.der))
        let list = try PropertyListReader.read(SourceText(name: "list", bytes: Self.value.xml))
        expectEqual(list.differences(from: der), [])
        var changed = Self.value
        changed["number"] = 8
        let other = try #require(EncodedEntitlements.read(changed.der))
        expectEqual(list.differences(from: other), ["number"])
    }

    @Test("reads the bare SET of earlier tools")
    func sets() {
        let pair: [UInt8] = [0x30, 6, 0x0C, 1, 0x61, 1, 1, 0xFF]
        let value = EncodedEntitlements.read([0x31, 8] + pair)
        expectEqual(value?["a"]?.bool, true)
    }

    @Test("what is not whole is nothing")
    func damage() {
        let bytes = Self.value.der
        for count in 0..<bytes.count {
            #expect(EncodedEntitlements.read(Array(bytes[..<count])) == nil)
        }
        #expect(EncodedEntitlements.read(bytes + [0]) == nil)
        for index in bytes.indices {
            for change: UInt8 in [0x01, 0x80, 0xFF] {
                var bytes = bytes
                bytes[index] ^= change
                _ = EncodedEntitlements.read(bytes)
            }
        }
        // Nested 60,000 times.
        var deep: [UInt8] = []
        for _ in 0..<60_000 {
            let count = deep.count
            deep = [0x30, 0x83] + [16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + deep
            if deep.count > 2_000 { break }
        }
        #expect(EncodedEntitlements.read(deep) == nil)
    }
}
