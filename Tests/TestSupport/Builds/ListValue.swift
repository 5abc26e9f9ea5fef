import Foundation

/// A value of a property list, written by tests in every form that a build has.
public indirect enum ListValue: Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    case text(String)
    case flag(Bool)
    case number(Int)
    case date(String)
    case list([ListValue])
    case table([(String, ListValue)])

    public init(stringLiteral text: String) { self = .text(text) }
    public init(booleanLiteral flag: Bool) { self = .flag(flag) }
    public init(integerLiteral number: Int) { self = .number(number) }
    public init(arrayLiteral elements: ListValue...) { self = .list(elements) }
    public init(dictionaryLiteral elements: (String, ListValue)...) { self = .table(elements) }

    /// The value of a key; assigning nil removes it.
    public subscript(_ key: String) -> ListValue? {
        get {
            guard case .table(let entries) = self else { return nil }
            return entries.first { $0.0 == key }?.1
        }
        set {
            guard case .table(var entries) = self else { return }
            if let index = entries.firstIndex(where: { $0.0 == key }) {
                entries.remove(at: index)
            }
            if let newValue { entries.append((key, newValue)) }
            self = .table(entries)
        }
    }

    /// As `plutil -convert xml1` writes it, without line breaks.
    public var xml: [UInt8] {
        Array(
            ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">" + element
                + "</plist>\n").utf8)
    }

    private var element: String {
        switch self {
        case .text(let text):
            "<string>\(text.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))</string>"
        case .flag(let flag): flag ? "<true/>" : "<false/>"
        case .number(let number): "<integer>\(number)</integer>"
        case .date(let text): "<date>\(text)</date>"
        case .list(let list): "<array>\(list.map(\.element).joined())</array>"
        case .table(let entries):
            "<dict>\(entries.map { "<key>\($0.0)</key>\($0.1.element)" }.joined())</dict>"
        }
    }

    /// `bplist00`, as Foundation writes it.
    public var binary: [UInt8] {
        get throws {
            [UInt8](
                try PropertyListSerialization.data(
                    fromPropertyList: object, format: .binary, options: 0))
        }
    }

    private var object: Any {
        switch self {
        case .text(let text), .date(let text): text
        case .flag(let flag): flag
        case .number(let number): number
        case .list(let list): list.map(\.object)
        case .table(let entries):
            Dictionary(entries.map { ($0.0, $0.1.object) }) { first, _ in first }
        }
    }

    /// As codesign writes it beside the property list: [APPLICATION 16] of a version and the value.
    public var der: [UInt8] { Self.tagged(0x70, [2, 1, 1] + encoded) }

    private var encoded: [UInt8] {
        switch self {
        case .text(let text), .date(let text): Self.tagged(0x0C, Array(text.utf8))
        case .flag(let flag): [1, 1, flag ? 0xFF : 0]
        case .number(let number): [2, 1, UInt8(truncatingIfNeeded: number)]
        case .list(let list): Self.tagged(0x30, list.flatMap(\.encoded))
        case .table(let entries):
            Self.tagged(
                0xB0,
                entries.sorted { $0.0 < $1.0 }.flatMap { key, value in
                    Self.tagged(0x30, Self.tagged(0x0C, Array(key.utf8)) + value.encoded)
                })
        }
    }

    private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)]
            : count < 0x100
                ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        return [tag] + length + content
    }
}
