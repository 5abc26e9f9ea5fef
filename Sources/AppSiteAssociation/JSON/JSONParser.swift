/// The pass over the bytes; it allocates only the values.
///
/// Recursive descent with the depth limit `depthMaximum`, which also limits the stack. On an error
/// a ``JSONFault`` gives the place, and the cause is determined elsewhere: this is the fast part.
struct JSONParser {
    let bytes: [UInt8]
    var at = 0
    private let depthMaximum: Int
    private var depth = 0

    var end: Int { bytes.count }

    init(_ bytes: [UInt8], depthMaximum: Int) {
        self.bytes = bytes
        self.depthMaximum = depthMaximum
    }

    mutating func document() throws(JSONFault) -> JSONValue {
        skipBlanks()
        let root = try value(opened: 0)
        skipBlanks()
        guard at == end else {
            throw JSONFault(kind: .extraContent, offset: at, opened: root.range.lowerBound)
        }
        return root
    }

    @inline(__always)
    private func isNext(_ byte: UInt8) -> Bool { at < end && bytes[at] == byte }

    @inline(__always)
    mutating func skipBlanks() {
        while at < end, bytes[at].isBlank { at += 1 }
    }

    /// - Parameter opened: the start of the array or object around the value.
    private mutating func value(opened: Int) throws(JSONFault) -> JSONValue {
        let start = at
        guard start < end else {
            throw JSONFault(kind: .expectedValue, offset: start, opened: opened)
        }
        switch bytes[start] {
        case UInt8(ascii: "\""):
            return JSONValue(.string(try string()), range: start..<at)
        case UInt8(ascii: "{"):
            return try object()
        case UInt8(ascii: "["):
            return try array()
        case UInt8(ascii: "t") where literal("true"):
            return JSONValue(.bool(true), range: start..<at)
        case UInt8(ascii: "f") where literal("false"):
            return JSONValue(.bool(false), range: start..<at)
        case UInt8(ascii: "n") where literal("null"):
            return JSONValue(.null, range: start..<at)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return JSONValue(.number(try number()), range: start..<at)
        default: throw JSONFault(kind: .expectedValue, offset: start, opened: opened)
        }
    }

    private mutating func array() throws(JSONFault) -> JSONValue {
        let start = at
        var values: [JSONValue] = []
        var goesOn = try hasElements(until: UInt8(ascii: "]"))
        while goesOn {
            values.append(try value(opened: start))
            goesOn = try hasMore(until: UInt8(ascii: "]"), start)
        }
        depth -= 1
        return JSONValue(.array(values), range: start..<at)
    }

    private mutating func object() throws(JSONFault) -> JSONValue {
        let start = at
        var object: [JSONMember] = []
        var goesOn = try hasElements(until: UInt8(ascii: "}"))
        while goesOn {
            let keyStart = at
            guard isNext(UInt8(ascii: "\"")) else {
                throw JSONFault(kind: .expectedKey, offset: at, opened: start)
            }
            let key = try string()
            let keyEnd = at
            skipBlanks()
            guard isNext(UInt8(ascii: ":")) else {
                throw JSONFault(kind: .expectedColon, offset: at, opened: keyStart)
            }
            at += 1
            skipBlanks()
            let value = try value(opened: start)
            object.append(JSONMember(key: key, keyRange: keyStart..<keyEnd, value: value))
            goesOn = try hasMore(until: UInt8(ascii: "}"), start)
        }
        depth -= 1
        return JSONValue(.object(object), range: start..<at)
    }

    /// Passes an opening bracket, and the closing one if nothing stands between them.
    @inline(__always)
    private mutating func hasElements(until closing: UInt8) throws(JSONFault) -> Bool {
        depth += 1
        if depth > depthMaximum {
            throw JSONFault(kind: .tooDeep, offset: at, opened: at)
        }
        at += 1
        skipBlanks()
        guard isNext(closing) else { return true }
        at += 1
        return false
    }

    /// Passes what follows an element: a comma, or the closing bracket.
    @inline(__always)
    private mutating func hasMore(until closing: UInt8, _ start: Int) throws(JSONFault) -> Bool {
        skipBlanks()
        let isComma = isNext(UInt8(ascii: ","))
        guard isComma || isNext(closing) else {
            throw JSONFault(kind: .expectedCommaOrEnd, offset: at, opened: start)
        }
        at += 1
        if isComma { skipBlanks() }
        return isComma
    }

    private mutating func literal(_ word: String) -> Bool {
        guard bytes[at...].starts(with: word.utf8) else { return false }
        at += word.utf8.count
        return true
    }

    /// RFC 8259 section 6: `-`, digits without a leading zero, a fraction, an exponent.
    private mutating func number() throws(JSONFault) -> String {
        let start = at
        if bytes[at] == UInt8(ascii: "-") { at += 1 }
        let leadingZero = isNext(UInt8(ascii: "0"))
        let whole = digits()
        guard whole > 0, !(leadingZero && whole > 1) else { throw invalidNumber(start) }
        if isNext(UInt8(ascii: ".")) {
            at += 1
            guard digits() > 0 else { throw invalidNumber(start) }
        }
        if isNext(UInt8(ascii: "e")) || isNext(UInt8(ascii: "E")) {
            at += 1
            if isNext(UInt8(ascii: "+")) || isNext(UInt8(ascii: "-")) { at += 1 }
            guard digits() > 0 else { throw invalidNumber(start) }
        }
        return text(start, at)
    }

    private func invalidNumber(_ start: Int) -> JSONFault {
        JSONFault(kind: .invalidNumber, offset: at, opened: start)
    }

    private mutating func digits() -> Int {
        let start = at
        while at < end, bytes[at] &- UInt8(ascii: "0") <= 9 { at += 1 }
        return at - start
    }

    @inline(__always)
    func text(_ start: Int, _ end: Int) -> String {
        String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
