import OpenSSL

/// The last good state of one host or of one certificate folder, as bytes with a checksum:
///
/// ```
/// aasa-state 2 host example.com SHA256\n          version, kind, name, checksum of what follows
/// file/host.json 812\n                            a field: its name and how many bytes follow
/// {"aliases": …}\n
/// ```
///
/// Text with byte counts, so that an operator can read it with `less` and no byte needs escapes.
package struct StateRecord: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case host, certificates
        /// What a predecessor serves (`ServedInventory`); only in a hand-over.
        case inventory
    }

    package struct Field: Sendable, Hashable {
        package let name: String
        package let bytes: [UInt8]
    }

    /// Version of the format. A record with a higher version is left alone.
    package static let version = 2

    /// The largest host that can be served: the siblings in `well-known/`, and as much again for
    /// fragments, the teams' parts, names and counts.
    package static let bytesMaximum =
        2 * SiteLimits.siblingsMaximum * SiteLimits.siblingBytesMaximum

    package let kind: Kind
    package let name: String
    /// Of the format that it was written in.
    package private(set) var version = Self.version
    package private(set) var fields: [Field] = []

    package init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }

    /// - Parameter field: without spaces and line breaks.
    package mutating func add(_ field: String, _ bytes: [UInt8]) {
        fields.append(Field(name: field, bytes: bytes))
    }

    package mutating func add(_ field: String, _ text: String) { add(field, Array(text.utf8)) }

    package subscript(field: String) -> [UInt8]? { fields.first { $0.name == field }?.bytes }

    /// Whether something is lost if this record is. Certificates always are something.
    var hasDocument: Bool {
        kind != .host
            || fields.contains { field in
                ["document", "file/teams/", "file/apple-app-site-association"].contains {
                    field.name.hasPrefix($0)
                }
            }
    }

    package func text(_ field: String) -> String? {
        self[field].map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Bytes

    package func encoded() -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(fields.reduce(0) { $0 + $1.bytes.count + $1.name.utf8.count + 16 })
        for field in fields {
            body += Array("\(field.name) \(field.bytes.count)\n".utf8)
            body += field.bytes
            body.append(Self.newline)
        }
        let checksum = hexadecimal(sha256(body))
        let head =
            "aasa-state \(Self.version) \(kind.rawValue) \(Self.escaped(name)) \(checksum)\n"
        return Array(head.utf8) + body
    }

    /// - Throws: ``StateError`` if the bytes are not such a record, or not a whole one.
    package init(decoding bytes: [UInt8]) throws(StateError) {
        var rest = bytes[...]
        guard let head = Self.line(&rest) else { throw .foreign }
        let words = head.split(separator: " ").map(String.init)
        guard words.first == "aasa-state", words.count >= 2, let version = Int(words[1]) else {
            throw .foreign
        }
        if version > Self.version { throw .newer(version) }
        guard words.count == 5, let kind = Kind(rawValue: words[2]) else { throw .damaged }
        guard hexadecimal(sha256(Array(rest))) == words[4] else { throw .damaged }
        self.init(kind, Self.unescaped(words[3]))
        self.version = version
        while !rest.isEmpty {
            guard let line = Self.line(&rest) else { throw .damaged }
            let parts = line.split(separator: " ")
            guard parts.count == 2, let count = Int(parts[1]), count >= 0, count < rest.count else {
                throw .damaged
            }
            add(String(parts[0]), Array(rest.prefix(count)))
            rest = rest.dropFirst(count + 1)
        }
    }

    /// The name as part of a line and as a file name: letters, digits, dots and dashes as they are,
    /// everything else as `%XX`. A dot at the start is escaped, too, because it would hide the
    /// file.
    package static func escaped(_ name: String) -> String {
        var text = ""
        for (index, byte) in name.utf8.enumerated() {
            let isPlain =
                switch byte {
                case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                case UInt8(ascii: "."): index > 0
                default: false
                }
            if isPlain {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + hexadecimal([byte])
            }
        }
        return text
    }

    package static func unescaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let newline = UInt8(ascii: "\n")

    private static func line(_ rest: inout ArraySlice<UInt8>) -> String? {
        // A head is a host name and a checksum: without a line break that early it is none.
        guard let end = rest.prefix(2048).firstIndex(of: newline) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
    }
}

/// Why a record of the last good state is not used.
package enum StateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Not a record of this program.
    case foreign
    /// Wrong checksum or counts: half-written, or changed by someone.
    case damaged
    /// Written by a later version of this program.
    case newer(Int)
    /// Intact, but its content is no longer valid.
    case unusable(String)

    package var description: String {
        switch self {
        case .foreign: "not a state file of aasa"
        case .damaged: "damaged: its checksum does not fit"
        case .newer(let version):
            "written by a newer aasa (format \(version), this one knows \(StateRecord.version))"
        case .unusable(let why): why
        }
    }
}
