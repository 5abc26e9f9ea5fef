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
        guard let whole = reader.elements(bytes.indices), whole.count == 1 else { return nil }
        var body = whole[0]
        // [APPLICATION 16] holds a version and the dictionary.
        if body.tag == 0x70 {
            guard let parts = reader.elements(body.content), parts.count == 2, parts[0].tag == 0x02
            else { return nil }
            body = parts[1]
        }
        let value = reader.value(body, depth: 1)
        return value?.members == nil ? nil : value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private typealias Element = (tag: UInt8, content: Range<Int>)

    /// The elements that a range consists of; nil unless all are whole.
    private func elements(_ range: Range<Int>) -> [Element]? {
        var found: [Element] = []
        var at = range.lowerBound
        while at < range.upperBound {
            guard range.upperBound - at >= 2 else { return nil }
            let tag = bytes[at]
            var length = Int(bytes[at + 1])
            at += 2
            if length >= 0x80 {
                let count = length & 0x7F
                guard (1...4).contains(count), range.upperBound - at >= count else { return nil }
                length = bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
                at += count
            }
            guard length <= range.upperBound - at else { return nil }
            found.append((tag, at..<at + length))
            at += length
        }
        return found
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
            guard let parts = elements(element.content) else { return nil }
            var list: [JSONValue] = []
            for part in parts {
                guard let member = value(part, depth: depth + 1) else { return nil }
                list.append(member)
            }
            return .list(list)
        case 0x31, 0xB0:
            guard let pairs = elements(element.content) else { return nil }
            var entries: [(String, JSONValue)] = []
            for pair in pairs {
                guard pair.tag == 0x30, let parts = elements(pair.content), parts.count == 2,
                    parts[0].tag == 0x0C,
                    let name = String(validating: bytes[parts[0].content], as: UTF8.self),
                    let member = value(parts[1], depth: depth + 1)
                else { return nil }
                entries.append((name, member))
            }
            return .object(entries)
        default: return nil
        }
    }
}
