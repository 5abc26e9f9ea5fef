/// Parser for binary property lists (`bplist00`), the form of an `Info.plist` in a build.
///
/// A table of offsets at the end says where each object begins, and arrays and dictionaries name
/// their members by number. So objects may be shared, and a file of 1 KB could name 2^100 values:
/// their number is limited as well as their depth.
struct BinaryPropertyListReader {
    /// An Info.plist has some hundred values, the profile of a large team some thousand.
    private static let valuesMaximum = 50_000
    /// A string may be named by all those values: 4 times the bytes of the largest file that is
    /// read.
    private static let textMaximum = 4 * PropertyListReader.bytesMaximum
    /// The end of the file: 6 unused bytes, two sizes, three numbers of 8 bytes.
    private static let trailerCount = 32

    private let source: SourceText
    private let bytes: [UInt8]
    private var referenceSize = 1
    private var offsetSize = 1
    private var objectCount = 0
    /// Where the objects end.
    private var table: Int
    private var values = 0
    private var textBytes = 0

    /// Parses a complete property list.
    ///
    /// - Throws: ``PropertyListError`` with the first error.
    static func read(_ source: SourceText) throws(PropertyListError) -> JSONValue {
        var reader = BinaryPropertyListReader(source)
        return try reader.document()
    }

    private init(_ source: SourceText) {
        self.source = source
        bytes = source.bytes
        table = bytes.count
    }

    private mutating func document() throws(PropertyListError) -> JSONValue {
        let trailer = bytes.count - Self.trailerCount
        guard trailer >= 8 else { throw damaged(0) }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        objectCount = try number(at: trailer + 8, size: 8)
        let top = try number(at: trailer + 16, size: 8)
        table = try number(at: trailer + 24, size: 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), table >= 8,
            table <= trailer, objectCount <= (trailer - table) / offsetSize
        else { throw damaged(trailer) }
        return try value(top, depth: 1)
    }

    private func damaged(_ offset: Int) -> PropertyListError {
        let start = min(max(0, offset), max(0, bytes.count - 1))
        return PropertyListError("plist-binary", in: source, at: start..<start + 1, "\(start)")
    }

    /// A big-endian number that can be a position.
    private func number(at offset: Int, size: Int) throws(PropertyListError) -> Int {
        guard offset >= 0, offset <= bytes.count - size else { throw damaged(offset) }
        var value: UInt64 = 0
        for byte in bytes[offset..<offset + size] {
            guard value >> 55 == 0 else { throw damaged(offset) }
            value = value << 8 | UInt64(byte)
        }
        return Int(value)
    }

    private mutating func value(
        _ object: Int, depth: Int
    ) throws(PropertyListError) -> JSONValue {
        guard object < objectCount else { throw damaged(table) }
        let offset = try number(at: table + object * offsetSize, size: offsetSize)
        values += 1
        guard offset >= 8, offset < table, depth <= PropertyListReader.depthMaximum,
            values <= Self.valuesMaximum
        else { throw damaged(offset) }
        let type = bytes[offset] >> 4
        let low = Int(bytes[offset] & 0xF)
        let (start, count) = try extent(type, low, offset)
        // The width of what is counted.
        let width =
            switch type {
            case 0x6: 2
            case 0xA, 0xB, 0xC: referenceSize
            case 0xD: 2 * referenceSize
            default: 1
            }
        guard start <= table, count <= (table - start) / width else { throw damaged(offset) }
        let end = start + count * width
        let kind: JSONValue.Kind
        switch type {
        case 0x0: kind = low == 8 || low == 9 ? .bool(low == 9) : .null
        case 0x1 where low <= 4: kind = .number(Self.integer(bytes[start..<end]))
        // Reals, dates, data and UIDs, which entitlements do not have.
        case 0x2, 0x3, 0x4, 0x8: kind = .null
        case 0x5, 0x6: kind = .string(try text(offset, bytes[start..<end], isWide: type == 0x6))
        case 0xA, 0xB, 0xC:
            var list: [JSONValue] = []
            for index in 0..<count { list.append(try member(start, index, depth)) }
            kind = .array(list)
        case 0xD:
            var entries: [JSONMember] = []
            for index in 0..<count {
                let key = try member(start, index, depth)
                guard let name = key.string else { throw damaged(key.range.lowerBound) }
                let value = try member(start, count + index, depth)
                entries.append(JSONMember(key: name, keyRange: key.range, value: value))
            }
            kind = .object(entries)
        default: throw damaged(offset)
        }
        return JSONValue(kind, range: offset..<end)
    }

    /// Where the content of a value begins, and its count of bytes, characters or members.
    private func extent(
        _ type: UInt8, _ low: Int, _ offset: Int
    ) throws(PropertyListError) -> (start: Int, count: Int) {
        switch type {
        case 0x0: return (offset + 1, 0)
        case 0x1, 0x2, 0x3: return (offset + 1, 1 << (low & 7))
        case 0x8: return (offset + 1, low + 1)
        default: break
        }
        guard low == 0xF else { return (offset + 1, low) }
        // Fifteen stands for an integer that follows.
        guard offset + 1 < table, (0x10...0x13).contains(bytes[offset + 1]) else {
            throw damaged(offset)
        }
        let size = 1 << Int(bytes[offset + 1] & 0xF)
        return (offset + 2 + size, try number(at: offset + 2, size: size))
    }

    /// A member of an array, or a key or value of a dictionary.
    private mutating func member(
        _ start: Int, _ index: Int, _ depth: Int
    ) throws(PropertyListError) -> JSONValue {
        let object = try number(at: start + index * referenceSize, size: referenceSize)
        return try value(object, depth: depth + 1)
    }

    private mutating func text(
        _ offset: Int, _ content: ArraySlice<UInt8>, isWide: Bool
    ) throws(PropertyListError) -> String {
        textBytes += content.count
        let wide = stride(from: content.startIndex, to: content.endIndex, by: 2)
        let text =
            isWide
            ? String(
                validating: wide.map { UInt16(content[$0]) << 8 | UInt16(content[$0 + 1]) },
                as: UTF16.self)
            : String(validating: content, as: UTF8.self)
        guard textBytes <= Self.textMaximum, let text, !CombiningMarks.exceedRow(text) else {
            throw damaged(offset)
        }
        return text
    }

    /// Eight and sixteen bytes are signed; the upper eight of sixteen only hold the sign.
    private static func integer(_ content: ArraySlice<UInt8>) -> String {
        let value = content.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return content.count < 8 ? "\(value)" : "\(Int64(bitPattern: value))"
    }
}
