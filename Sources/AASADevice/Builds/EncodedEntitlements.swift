import AppSiteAssociation

/// Entitlements in DER, as the signature has them beside the property list since Xcode 12.5: a
/// dictionary is a set of pairs, tagged `[16]`; earlier tools wrote a SET.
struct EncodedEntitlements {
    private let bytes: [UInt8]
    private var values = 0

    /// Entitlements need 3 levels.
    private static let depthMaximum = 64
    private static let valuesMaximum = 50_000

    /// Nil if the bytes are not entitlements in DER.
    static func read(_ bytes: [UInt8]) -> JSONValue? {
        var reader = EncodedEntitlements(bytes: bytes)
        var whole = bytes.startIndex..<bytes.endIndex
        guard var body = reader.element(&whole), whole.isEmpty else { return nil }
        // [APPLICATION 16] holds a version and the dictionary.
        if body.tag == 0x70 {
            guard let version = reader.element(&body.content), version.tag == 0x02,
                let inner = reader.element(&body.content), body.content.isEmpty
            else { return nil }
            body = inner
        }
        let value = reader.value(body, depth: 1)
        return value?.members == nil ? nil : value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private struct Element {
        let tag: UInt8
        var content: Range<Int>
    }

    /// Takes the next element off a range; nil if none is whole.
    private func element(_ rest: inout Range<Int>) -> Element? {
        guard rest.count >= 2 else { return nil }
        let start = rest.lowerBound
        var at = start + 2
        var length = Int(bytes[start + 1])
        if length >= 0x80 {
            let count = length & 0x7F
            guard (1...4).contains(count), rest.count >= 2 + count else { return nil }
            length = bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
            at += count
        }
        guard length <= rest.upperBound - at else { return nil }
        rest = (at + length)..<rest.upperBound
        return Element(tag: bytes[start], content: at..<at + length)
    }

    private mutating func value(_ element: Element, depth: Int) -> JSONValue? {
        values += 1
        guard depth <= Self.depthMaximum, values <= Self.valuesMaximum else { return nil }
        let content = bytes[element.content]
        switch element.tag {
        case 0x01:
            guard content.count == 1 else { return nil }
            return .flag(content.first != 0)
        case 0x02:
            guard (1...8).contains(content.count) else { return nil }
            let isNegative = (content.first ?? 0) & 0x80 != 0
            let number = content.reduce(isNegative ? Int64(-1) : 0) { $0 << 8 | Int64($1) }
            return .integer(number)
        case 0x04, 0x17, 0x18: return JSONValue(.null)  // data and dates
        case 0x0C: return String(validating: content, as: UTF8.self).map { .text($0) }
        case 0x30:
            var list: [JSONValue] = []
            var rest = element.content
            while !rest.isEmpty {
                guard let next = self.element(&rest), let member = value(next, depth: depth + 1)
                else { return nil }
                list.append(member)
            }
            return .list(list)
        case 0x31, 0xB0: return pairs(element.content, depth).map { .object($0) }
        default: return nil
        }
    }

    private mutating func pairs(_ content: Range<Int>, _ depth: Int) -> [(String, JSONValue)]? {
        var entries: [(String, JSONValue)] = []
        var rest = content
        while !rest.isEmpty {
            guard var pair = element(&rest), pair.tag == 0x30,
                let key = element(&pair.content), key.tag == 0x0C,
                let name = String(validating: bytes[key.content], as: UTF8.self),
                let next = element(&pair.content), pair.content.isEmpty,
                let member = value(next, depth: depth + 1)
            else { return nil }
            entries.append((name, member))
        }
        return entries
    }
}
