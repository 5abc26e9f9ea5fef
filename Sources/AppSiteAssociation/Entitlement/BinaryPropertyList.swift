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
    private let referenceSize: Int
    private let offsetSize: Int
    private let objectCount: Int
    private let table: Int
    private var values = 0
    private var textBytes = 0

    /// Parses a complete property list.
    ///
    /// - Throws: ``PropertyListError`` with the first error.
    static func read(_ source: SourceText) throws(PropertyListError) -> JSONValue {
        var reader = try BinaryPropertyListReader(source)
        return try reader.value(try reader.topObject(), depth: 1)
    }

    private init(_ source: SourceText) throws(PropertyListError) {
        self.source = source
        bytes = source.bytes
        let trailer = bytes.count - Self.trailerCount
        guard trailer >= 8 else { throw Self.damaged(source, 0, "it is cut short") }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = Self.number(bytes, at: trailer + 8, size: 8),
            let table = Self.number(bytes, at: trailer + 24, size: 8),
            count > 0, table >= 8, table <= trailer, count <= (trailer - table) / offsetSize
        else { throw Self.damaged(source, trailer, "its last 32 bytes do not fit the file") }
        objectCount = count
        self.table = table
    }

    private func topObject() throws(PropertyListError) -> Int {
        let place = bytes.count - Self.trailerCount + 16
        guard let top = Self.number(bytes, at: place, size: 8) else {
            throw Self.damaged(source, place, "it does not name its first object")
        }
        return top
    }

    private static func damaged(
        _ source: SourceText, _ offset: Int, _ reason: String
    ) -> PropertyListError {
        let start = min(max(0, offset), max(0, source.bytes.count - 1))
        return PropertyListError(
            diagnostic: Diagnostic(
                code: "plist-binary", severity: .error,
                message: "the binary property list is damaged at byte \(start): \(reason)",
                remedy: "Copy or build the file again; plutil -lint FILE (macOS) checks it.",
                source: source, range: start..<min(start + 1, source.bytes.count)))
    }

    /// A big-endian number; nil outside the file, or where it is too large to be a position.
    private static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> Int? {
        guard offset >= 0, size >= 1, size <= 16, offset <= bytes.count - size else { return nil }
        var value: UInt64 = 0
        for byte in bytes[offset..<offset + size] {
            guard value >> 55 == 0 else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return Int(value)
    }

    private mutating func value(
        _ object: Int, depth: Int
    ) throws(PropertyListError) -> JSONValue {
        values += 1
        guard object >= 0, object < objectCount,
            let offset = Self.number(bytes, at: table + object * offsetSize, size: offsetSize),
            offset >= 8, offset < table
        else { throw Self.damaged(source, table, "there is no object \(object)") }
        guard depth <= PropertyListReader.depthMaximum else {
            throw Self.damaged(source, offset, "its objects are nested too deeply")
        }
        guard values <= Self.valuesMaximum else {
            throw Self.damaged(source, offset, "it has more than \(Self.valuesMaximum) values")
        }
        let kind = bytes[offset] >> 4
        let low = Int(bytes[offset] & 0xF)
        switch kind {
        case 0x0 where low == 8 || low == 9: return made(.bool(low == 9), offset, 1)
        case 0x0: return made(.null, offset, 1)
        case 0x1 where low <= 4, 0x2, 0x3: return try scalar(kind, offset, size: 1 << (low & 7))
        case 0x4, 0x5, 0x6, 0x8, 0xA, 0xB, 0xC, 0xD: break
        default: throw Self.damaged(source, offset, "a value of no known type")
        }
        if kind == 0x8 { return try scalar(kind, offset, size: low + 1) }
        let (start, count) = try length(offset, low)
        let width =
            kind == 0x6 ? 2 : kind < 0x8 ? 1 : kind == 0xD ? 2 * referenceSize : referenceSize
        guard count <= (table - start) / width else {
            throw Self.damaged(source, offset, "a value is longer than the file")
        }
        let end = start + count * width
        switch kind {
        case 0x4: return made(.null, offset, end - offset)
        case 0x5, 0x6:
            textBytes += end - start
            guard textBytes <= Self.textMaximum else {
                throw Self.damaged(source, offset, "its strings are too long")
            }
            let text =
                kind == 0x5
                ? String(validating: bytes[start..<end], as: UTF8.self)
                : String(
                    validating: (0..<count).map {
                        UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1])
                    }, as: UTF16.self)
            guard let text, !CombiningMarks.exceedRow(text) else {
                throw Self.damaged(source, offset, "a string is invalid")
            }
            return made(.string(text), offset, end - offset)
        case 0xD:
            return try dictionary(offset, start, count, depth)
        default:
            var list: [JSONValue] = []
            for index in 0..<count {
                list.append(try member(start + index * referenceSize, depth))
            }
            return made(.array(list), offset, end - offset)
        }
    }

    private func made(_ kind: JSONValue.Kind, _ offset: Int, _ count: Int) -> JSONValue {
        JSONValue(kind, range: offset..<offset + count)
    }

    private mutating func member(
        _ place: Int, _ depth: Int
    ) throws(PropertyListError) -> JSONValue {
        guard let object = Self.number(bytes, at: place, size: referenceSize) else {
            throw Self.damaged(source, place, "a member is invalid")
        }
        return try value(object, depth: depth + 1)
    }

    private mutating func dictionary(
        _ offset: Int, _ start: Int, _ count: Int, _ depth: Int
    ) throws(PropertyListError) -> JSONValue {
        var entries: [JSONMember] = []
        for index in 0..<count {
            let key = try member(start + index * referenceSize, depth)
            guard case .string(let name) = key.kind else {
                throw Self.damaged(source, key.range.lowerBound, "a key is not text")
            }
            let value = try member(start + (count + index) * referenceSize, depth)
            entries.append(JSONMember(key: name, keyRange: key.range, value: value))
        }
        return made(.object(entries), offset, start + 2 * count * referenceSize - offset)
    }

    /// The length of a value and where its content begins: fifteen stands for an integer that
    /// follows.
    private func length(
        _ offset: Int, _ low: Int
    ) throws(PropertyListError) -> (start: Int, count: Int) {
        guard low == 0xF else { return (offset + 1, low) }
        guard offset + 1 < table, bytes[offset + 1] >> 4 == 1, bytes[offset + 1] & 0xF <= 3,
            let count = Self.number(bytes, at: offset + 2, size: 1 << Int(bytes[offset + 1] & 0xF)),
            offset + 2 + 1 << Int(bytes[offset + 1] & 0xF) <= table
        else { throw Self.damaged(source, offset, "a length is invalid") }
        return (offset + 2 + 1 << Int(bytes[offset + 1] & 0xF), count)
    }

    /// An integer; of a real, a date or a UID, which entitlements do not have, nothing.
    private func scalar(
        _ kind: UInt8, _ offset: Int, size: Int
    ) throws(PropertyListError) -> JSONValue {
        guard size <= table - offset - 1 else {
            throw Self.damaged(source, offset, "a value is longer than the file")
        }
        if kind != 0x1 { return made(.null, offset, 1 + size) }
        // Eight and sixteen bytes are signed; the upper eight of sixteen only hold the sign.
        let value = bytes[offset + 1..<offset + 1 + size].suffix(8).reduce(UInt64(0)) {
            $0 << 8 | UInt64($1)
        }
        let text = size < 8 ? "\(value)" : "\(Int64(bitPattern: value))"
        return made(.number(text), offset, 1 + size)
    }
}
