import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct BinaryPropertyListTests {
    private static var object: [String: Any] {
        [
            "text": "shop", "wide": "Größe 🛒", "yes": true, "no": false, "one": 1, "minus": -5,
            "large": 5_000_000_000, "real": 1.5, "date": Date(timeIntervalSince1970: 0),
            "data": Data([1, 2, 3]), "list": ["a", "b", ["c"]], "empty": [String](),
            "inner": ["deep": ["deeper": true]],
            "long": String(repeating: "long ", count: 1000),
            "many": (0..<300).map { "entry \($0)" },
        ]
    }

    private static func binary(_ object: Any) throws -> [UInt8] {
        [UInt8](
            try PropertyListSerialization.data(
                fromPropertyList: object, format: .binary, options: 0))
    }

    private static func read(_ bytes: [UInt8]) throws -> JSONValue {
        try PropertyListReader.read(SourceText(name: "Info.plist", bytes: bytes))
    }

    @Test("means the same as the XML form")
    func same() throws {
        let value = try Self.read(try Self.binary(Self.object))
        let xml = try PropertyListSerialization.data(
            fromPropertyList: Self.object, format: .xml, options: 0)
        let text = try Self.read([UInt8](xml))
        for key in Self.object.keys where key != "date" {
            #expect(try #require(value[key]).means(try #require(text[key])), "\(key)")
        }
        #expect(value["wide"]?.string == "Größe 🛒" && value["yes"]?.bool == true)
        expectEqual(value["many"]?.array?.count, 300)
        expectEqual(value["long"]?.string?.count, 5000)
        expectEqual(value["minus"]?.means(JSONValue(.number("-5"))), true)
    }

    @Test("an entitlements file may be binary")
    func entitlements() throws {
        let bytes = try Self.binary([EntitlementFile.domainsKey: ["applinks:example.com"]])
        let file = try EntitlementFile(reading: SourceText(name: "a.entitlements", bytes: bytes))
        expectEqual(file.entries?.map(\.entry.text), ["applinks:example.com"])
    }

    @Test("every prefix and every changed byte ends in an error or a result")
    func damage() throws {
        let bytes = try Self.binary(
            ["text": "shop", "list": ["a", 1, true], "inner": ["wide": "ß"], "d": Data([1])])
        for count in 0..<bytes.count {
            #expect(throws: PropertyListError.self) { try Self.read(Array(bytes[..<count])) }
        }
        for index in 8..<bytes.count {
            for change: UInt8 in [0x01, 0x0F, 0x10, 0x80, 0xFF] {
                var bytes = bytes
                bytes[index] ^= change
                _ = try? Self.read(bytes)
            }
        }
    }

    /// A file of arrays that each name the next one twice: 2^30 values in 200 bytes.
    @Test("objects that are shared, in circles or without end cost no time")
    func shared() throws {
        func file(_ objects: [[UInt8]]) -> [UInt8] {
            var bytes = Array("bplist00".utf8)
            var offsets: [UInt8] = []
            for object in objects {
                offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
                bytes += object
            }
            let table = bytes.count
            func number(_ value: Int) -> [UInt8] {
                [UInt8](repeating: 0, count: 6) + [UInt8(value >> 8), UInt8(value & 0xFF)]
            }
            return bytes + offsets + [0, 0, 0, 0, 0, 0, 2, 1] + number(objects.count) + number(0)
                + number(table)
        }
        var doubling: [[UInt8]] = (0..<30).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] }
        doubling.append([0x09])
        for objects in [doubling, [[0xA1, 0]], [[0xA1, 5]], [[0xD1, 0, 0]]] {
            let error = #expect(throws: PropertyListError.self) { try Self.read(file(objects)) }
            expectEqual(error?.diagnostic.code, "plist-binary")
        }
        // 60 arrays that each name a string of 60,000 bytes fifteen times.
        let text = [0x5F, 0x11, 0xEA, 0x60] + [UInt8](repeating: 0x41, count: 60_000)
        let arrays = (0..<14).map { [0xAE, UInt8($0 + 1)] + [UInt8](repeating: 15, count: 13) }
        #expect(throws: PropertyListError.self) {
            try Self.read(file(arrays + [[0xA0]] + [text]))
        }
    }
}
