import Texts

/// Why a property list could not be parsed.
public struct PropertyListError: Error, Sendable, Hashable {
    /// The place and the reason, with the source line.
    public let diagnostic: Diagnostic

    private static let faults = Text.propertyListFaults.json

    /// - Parameters:
    ///   - fault: its name in `property-list-faults.json`, which is the code, and the case if the
    ///     code has several.
    ///   - subject: what takes the place of `{}` in the texts.
    init(_ fault: String, in source: SourceText, at range: Range<Int>, _ subject: String = "") {
        let texts = Self.faults[fault]
        diagnostic = Diagnostic(
            code: String(fault.prefix { $0 != " " }), severity: .error,
            message: texts?["message"]?.string?.replacing("{}", with: subject) ?? subject,
            remedy: texts?["fix"]?.string?.replacing("{}", with: subject), source: source,
            range: range.clamped(to: 0..<source.bytes.count))
    }
}

/// Strict parser for property lists: the binary form, and the subset of XML that Xcode writes.
///
/// The result is a value of JSON: an integer is a number, a date in XML its text, and what
/// entitlements do not have (data, reals, dates in the binary form) is null. A range is from `<` of
/// the start tag to `>` of the end tag; in the binary form, the object's bytes.
///
/// No own document type definition, no entities but the five of XML and character references, no
/// processing instructions after the first line: nothing that could expand or fetch.
public enum PropertyListReader {
    /// Entitlements have some kilobytes; 1 MiB is enough for a provisioning profile.
    public static let bytesMaximum = 1 << 20
    /// Entitlements need 3 levels; each costs a stack frame.
    public static let depthMaximum = 64

    /// Parses a complete property list.
    ///
    /// - Throws: ``PropertyListError`` with the first error.
    public static func read(_ source: SourceText) throws(PropertyListError) -> JSONValue {
        if let wrongFile = wrongFile(source) { throw wrongFile }
        if source.bytes.starts(with: "bplist".utf8) {
            return try BinaryPropertyListReader.read(source)
        }
        var scanner = PropertyListScanner(source)
        return try scanner.document()
    }

    private static func wrongFile(_ source: SourceText) -> PropertyListError? {
        let bytes = source.bytes
        func refuse(_ fault: String, _ subject: String = "") -> PropertyListError {
            PropertyListError(fault, in: source, at: 0..<6, subject)
        }
        if bytes.count > bytesMaximum {
            let sizes = "\(bytes.count) bytes, and aasa reads at most \(bytesMaximum)"
            return refuse("plist-too-large", sizes)
        }
        if let encoding = source.wideEncoding { return refuse("plist-utf16", encoding) }
        guard let first = bytes.first(where: { !$0.isBlank }) else {
            return refuse("plist-empty file")
        }
        if "{(".utf8.contains(first) { return refuse("plist-not-xml") }
        let isSigned = bytes.starts(with: [0x30, 0x80]) || bytes.starts(with: [0x30, 0x82])
        return isSigned ? refuse("plist-signed") : nil
    }
}

/// The pass over the bytes.
struct PropertyListScanner {
    private let source: SourceText
    private let bytes: [UInt8]
    private var at = 0
    private var depth = 0
    /// Whether the last start tag was `<name/>`, which is its own end tag.
    private var isClosed = false

    init(_ source: SourceText) {
        self.source = source
        bytes = source.bytes
        // codesign -d --entitlements prepends the 8 bytes of a code signing blob (magic, length).
        if bytes.count > 8, bytes.starts(with: [0xFA, 0xDE, 0x71, 0x71]) { at = 8 }
        if bytes[at...].starts(with: [0xEF, 0xBB, 0xBF]) { at += 3 }
    }

    mutating func document() throws(PropertyListError) -> JSONValue {
        try prologue()
        let open = try startTag()
        var root: JSONValue
        if open.name == "plist" {
            if try isAtEnd() { throw failure("plist-empty", open.range) }
            root = try value(try startTag())
            try skipMisc()
            try endTag(of: open)
        } else {
            root = try value(open)
        }
        try skipMisc()
        guard at == bytes.count else { throw failure("plist-extra-content", at..<at + 1) }
        return root
    }

    private mutating func prologue() throws(PropertyListError) {
        skipBlanks()
        if looking(at: "<?xml") { try skip(past: "?>", "the XML declaration") }
        try skipMisc()
        if looking(at: "<!DOCTYPE") {
            let start = at
            try skip(past: ">", "the document type")
            if bytes[start..<at].contains(UInt8(ascii: "[")) {
                throw failure("plist-doctype", start..<at)
            }
            try skipMisc()
        }
    }

    private mutating func value(_ tag: Tag) throws(PropertyListError) -> JSONValue {
        depth += 1
        defer { depth -= 1 }
        if depth > PropertyListReader.depthMaximum {
            throw failure("plist-too-deep", tag.range)
        }
        let kind: JSONValue.Kind
        switch tag.name {
        case "dict": kind = .object(try entries(of: tag))
        case "array":
            var elements: [JSONValue] = []
            while !(try isAtEnd()) { elements.append(try value(try startTag())) }
            try endTag(of: tag)
            kind = .array(elements)
        case "string", "date": kind = .string(try text(of: tag))
        case "integer": kind = .number(try text(of: tag))
        case "true", "false":
            try endTag(of: tag)
            kind = .bool(tag.name == "true")
        case "data", "real":
            _ = try text(of: tag)
            kind = .null
        case "key": throw failure("plist-misplaced-key", tag.range)
        default: throw failure("plist-unknown-element", tag.range, tag.name)
        }
        return JSONValue(kind, range: tag.range.lowerBound..<at)
    }

    private mutating func entries(of tag: Tag) throws(PropertyListError) -> [JSONMember] {
        var entries: [JSONMember] = []
        while !(try isAtEnd()) {
            let keyTag = try startTag()
            guard keyTag.name == "key" else { throw failure("plist-missing-key", keyTag.range) }
            let key = try text(of: keyTag)
            let range = keyTag.range.lowerBound..<at
            if try isAtEnd() { throw failure("plist-missing-value", range) }
            entries.append(
                JSONMember(key: key, keyRange: range, value: try value(try startTag())))
        }
        try endTag(of: tag)
        return entries
    }
}

// MARK: - Tags and text

extension PropertyListScanner {
    struct Tag {
        let name: String
        let range: Range<Int>
    }

    private func failure(
        _ fault: String, _ range: Range<Int>, _ subject: String = ""
    ) -> PropertyListError {
        PropertyListError(fault, in: source, at: range, subject)
    }

    private func looking(at text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            bytes.count - at >= text.count && bytes[at..<at + text.count].elementsEqual(text)
        }
    }

    private mutating func skipBlanks() {
        while at < bytes.count, bytes[at].isBlank { at += 1 }
    }

    /// Blanks and comments.
    private mutating func skipMisc() throws(PropertyListError) {
        while true {
            skipBlanks()
            guard looking(at: "<!--") else { return }
            try skip(past: "-->", "the comment")
        }
    }

    /// Whether the element that is open ends here; blanks and comments before are skipped.
    private mutating func isAtEnd() throws(PropertyListError) -> Bool {
        if isClosed { return true }
        try skipMisc()
        return looking(at: "</")
    }

    private mutating func name() -> ArraySlice<UInt8> {
        let name = bytes[at...].prefix(while: \.isASCIILetter)
        at = name.endIndex
        return name
    }

    private mutating func skip(
        past end: StaticString, _ what: String
    ) throws(PropertyListError) {
        let start = at
        while at < bytes.count {
            if looking(at: end) {
                at += end.utf8CodeUnitCount
                return
            }
            at += 1
        }
        throw failure("plist-truncated inside", start..<start + 1, what)
    }

    private mutating func startTag() throws(PropertyListError) -> Tag {
        let start = at
        guard at < bytes.count else { throw failure("plist-truncated", at..<at) }
        guard bytes[at] == UInt8(ascii: "<") else {
            throw failure("plist-stray-text", at..<at + 1)
        }
        at += 1
        let name = String(decoding: name(), as: UTF8.self)
        // Attributes (`version="1.0"`) are ignored; their values may contain '>'.
        var quote: UInt8?
        while at < bytes.count {
            let byte = bytes[at]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                isClosed = bytes[at - 1] == UInt8(ascii: "/")
                break
            } else if byte == UInt8(ascii: "<") {
                break
            }
            at += 1
        }
        guard at < bytes.count, bytes[at] == UInt8(ascii: ">"), !name.isEmpty else {
            let fault = quote == nil ? "plist-bad-tag" : "plist-bad-tag quote"
            throw failure(fault, start..<start + 1)
        }
        at += 1
        return Tag(name: name, range: start..<at)
    }

    private mutating func endTag(of tag: Tag) throws(PropertyListError) {
        if isClosed {
            isClosed = false
            return
        }
        let start = at
        let isEnd = looking(at: "</")
        if isEnd { at += 2 }
        let found = name()
        skipBlanks()
        guard isEnd, found.elementsEqual(tag.name.utf8), at < bytes.count,
            bytes[at] == UInt8(ascii: ">")
        else {
            throw failure(
                start == bytes.count ? "plist-truncated tag" : "plist-mismatched-tag",
                start..<start + 1,
                "</\(tag.name)> expected for the <\(tag.name)> of line "
                    + "\(source.position(at: tag.range.lowerBound).line)")
        }
        at += 1
    }

    /// The text up to the end tag, with entities replaced; consumes the end tag.
    private mutating func text(of tag: Tag) throws(PropertyListError) -> String {
        var text: [UInt8] = []
        let start = at
        while at < bytes.count, !isClosed {
            let byte = bytes[at]
            if byte == UInt8(ascii: "&") {
                text.append(contentsOf: try entity().utf8)
            } else if looking(at: "<!--") {
                try skip(past: "-->", "the comment")
            } else if looking(at: "<![CDATA[") {
                let open = at + 9
                try skip(past: "]]>", "the CDATA section")
                text.append(contentsOf: bytes[open..<max(open, at - 3)])
            } else if byte == UInt8(ascii: "<") {
                break
            } else {
                text.append(byte)
                at += 1
            }
        }
        let end = at
        try endTag(of: tag)
        guard let string = String(validating: text, as: UTF8.self) else {
            throw failure("plist-invalid-utf8", start..<end)
        }
        if CombiningMarks.exceedRow(string) {
            throw failure("plist-combining-marks", start..<end, "\(CombiningMarks.rowMaximum)")
        }
        return string
    }

    private mutating func entity() throws(PropertyListError) -> String {
        let start = at
        let limit = min(bytes.count, start + 12)
        guard let end = bytes[start..<limit].firstIndex(of: UInt8(ascii: ";")) else {
            throw failure("plist-bad-entity open", start..<start + 1)
        }
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        at = end + 1
        switch name {
        case "amp": return "&"
        case "apos": return "'"
        case "gt": return ">"
        case "lt": return "<"
        case "quot": return "\""
        default:
            let number =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16)
                : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            guard let scalar = number.flatMap(Unicode.Scalar.init) else {
                throw failure("plist-bad-entity", start..<at, name)
            }
            return String(Character(scalar))
        }
    }
}
