/// Parses one response as a client, from bytes in any chunks (RFC 9112).
///
/// It keeps what the server sent: the final head byte for byte, the decoded body and its size on
/// the wire. Lines may end in a bare LF (RFC 9112 §2.2 allows this to a recipient); anything that
/// makes the message length uncertain is a fault.
package struct HTTP1ResponseParser: Sendable {
    /// The largest head accepted: 64 KiB, eight times the most that servers send.
    package static let headBytes = 65_536
    /// Maximum of 1xx responses before the final one.
    package static let interimMaximum = 8
    /// The longest chunk-size line, including extensions, and the longest trailer line.
    static let lineBytes = 4096

    package enum State: Sendable, Hashable {
        case needsMore
        case complete
        case failed(HTTP1ResponseFault)
    }

    /// How the body is delimited (RFC 9112 §6.3).
    package enum Framing: Sendable, Hashable {
        case none
        case length(Int)
        case chunked
        case untilClose
    }

    private enum Place: Sendable {
        case head
        case counted(left: Int)
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailer
        case untilClose
    }

    /// Whether the request was HEAD, so that no body follows.
    let answersHead: Bool
    let bodyMaximum: Int

    private var place = Place.head
    private var pending: [UInt8] = []
    /// Where the current line begins in `pending`.
    private var lineStart = 0

    package private(set) var state = State.needsMore
    /// The 1xx responses received before the final one.
    private var interimCount = 0
    /// The final head, once it is complete.
    package private(set) var head: HTTP1ResponseHead?
    package private(set) var framing = Framing.none
    /// The body so far, without the chunked coding; content codings are kept.
    package private(set) var body: [UInt8] = []
    /// Bytes of the body so far, without the chunked coding, taken or not.
    package private(set) var bodyCount = 0
    /// Bytes received after the end of the response.
    package private(set) var surplus = 0

    /// - Parameters:
    ///   - answersHead: whether the request was HEAD.
    ///   - bodyMaximum: bytes of a body; more is a fault.
    package init(answersHead: Bool = false, bodyMaximum: Int = 8 << 20) {
        self.answersHead = answersHead
        self.bodyMaximum = bodyMaximum
    }

    // MARK: - Input

    /// Processes the next bytes.
    @discardableResult
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) -> State {
        guard state == .needsMore else {
            surplus += bytes.count
            return state
        }
        do throws(HTTP1ResponseFault) {
            var rest = bytes
            while !rest.isEmpty, state == .needsMore { try step(&rest) }
            surplus += rest.count
        } catch { state = .failed(error) }
        return state
    }

    /// The connection ended: close_notify or FIN.
    @discardableResult
    package mutating func endOfStream() -> State {
        guard state == .needsMore else { return state }
        switch place {
        case .head: state = .failed(.cutInHead)
        case .untilClose: state = .complete
        case .counted, .chunkSize, .chunk, .chunkEnd, .trailer: state = .failed(.cutInBody)
        }
        return state
    }

    /// Returns the part of the body received so far and forgets it, so that a long response needs
    /// bounded memory.
    package mutating func takeBody() -> [UInt8] {
        defer { body = [] }
        return body
    }

    private mutating func step(_ rest: inout UnsafeRawBufferPointer) throws(HTTP1ResponseFault) {
        switch place {
        case .head: try takeHead(&rest)
        case .counted(let left):
            let count = try takeBody(&rest, atMost: left)
            place = .counted(left: left - count)
            if left == count { state = .complete }
        case .untilClose: _ = try takeBody(&rest, atMost: .max)
        case .chunkSize:
            guard let line = try takeLine(&rest) else { return }
            let size = try Self.chunkSize(line)
            place = size == 0 ? .trailer : .chunk(left: size)
        case .chunk(let left):
            let count = try takeBody(&rest, atMost: left)
            place = left == count ? .chunkEnd : .chunk(left: left - count)
        case .chunkEnd:
            guard let line = try takeLine(&rest) else { return }
            guard line.isEmpty else { throw .invalidChunk }
            place = .chunkSize
        case .trailer:
            guard let line = try takeLine(&rest) else { return }
            if line.isEmpty { state = .complete }
        }
    }

    // MARK: - Pieces

    private mutating func takeBody(
        _ rest: inout UnsafeRawBufferPointer, atMost limit: Int
    ) throws(HTTP1ResponseFault) -> Int {
        let count = min(limit, rest.count)
        guard count <= bodyMaximum - bodyCount else { throw .bodyTooLarge }
        body.append(contentsOf: rest.prefix(count))
        bodyCount += count
        rest = rest.slice(count, rest.count)
        return count
    }

    /// One line of the chunked coding, without its line end; nil while it is incomplete.
    private mutating func takeLine(
        _ rest: inout UnsafeRawBufferPointer
    ) throws(HTTP1ResponseFault) -> [UInt8]? {
        let end = rest.firstIndex(of: Octet.lineFeed, from: 0, to: rest.count)
        pending.append(contentsOf: rest.prefix(end ?? rest.count))
        guard pending.count <= Self.lineBytes else { throw .invalidChunk }
        rest = rest.slice(end.map { $0 + 1 } ?? rest.count, rest.count)
        guard end != nil else { return nil }
        if pending.last == Octet.carriageReturn { pending.removeLast() }
        defer { pending = [] }
        return pending
    }

    /// RFC 9112 §7.1: hexadecimal digits, then optional extensions.
    private static func chunkSize(_ line: [UInt8]) throws(HTTP1ResponseFault) -> Int {
        var size = 0
        var digits = 0
        for octet in line {
            guard let digit = Character(Unicode.Scalar(octet)).hexDigitValue, octet < 0x80 else {
                guard octet == 0x3B || Octet.isWhitespace(octet) else { throw .invalidChunk }
                break
            }
            size = size << 4 | digit
            digits += 1
            guard digits <= 8 else { throw .invalidChunk }
        }
        guard digits > 0 else { throw .invalidChunk }
        return size
    }

    private mutating func takeHead(
        _ rest: inout UnsafeRawBufferPointer
    ) throws(HTTP1ResponseFault) {
        // Line by line, so that nothing after the head is consumed.
        let end = rest.firstIndex(of: Octet.lineFeed, from: 0, to: rest.count).map { $0 + 1 }
        let known = pending.count
        pending.append(contentsOf: rest.prefix(end ?? rest.count))
        rest = rest.slice(end ?? rest.count, rest.count)
        guard pending.count <= Self.headBytes else { throw .headTooLarge }
        if known < 8 { try Self.checkStart(pending) }
        guard end != nil else { return }
        let line = pending[lineStart...]
        lineStart = pending.count
        guard line.count <= 2, line.first == Octet.lineFeed || line.first == Octet.carriageReturn
        else { return }
        let head = try HTTP1ResponseHead(parsing: pending)
        pending = []
        lineStart = 0
        // 101 is final for us: we never request an upgrade.
        if (100...199).contains(head.status), head.status != 101 {
            interimCount += 1
            guard interimCount <= Self.interimMaximum else { throw .tooManyInterim }
            return
        }
        self.head = head
        try frame(head)
    }

    /// Detects bytes that are not HTTP at the first wrong byte, not after 64 KB.
    private static func checkStart(_ bytes: [UInt8]) throws(HTTP1ResponseFault) {
        for (octet, expected) in zip(bytes, "HTTP/1.".utf8) where octet != expected {
            throw .notHTTP
        }
    }

    private mutating func frame(_ head: HTTP1ResponseHead) throws(HTTP1ResponseFault) {
        framing = try Self.framing(of: head, answersHead: answersHead)
        switch framing {
        case .none, .length(0): state = .complete
        case .length(let count):
            guard count <= bodyMaximum else { throw .bodyTooLarge }
            place = .counted(left: count)
        case .chunked: place = .chunkSize
        case .untilClose: place = .untilClose
        }
    }

    /// The rules of RFC 9112 §6.3, in its order.
    static func framing(
        of head: HTTP1ResponseHead, answersHead: Bool
    ) throws(HTTP1ResponseFault) -> Framing {
        if answersHead || head.status < 200 || head.status == 204 || head.status == 304 {
            return .none
        }
        if let coding = head.values(of: "transfer-encoding").last {
            var text = coding
            let isChunked = text.withUTF8 {
                HTTP1FieldValue.contains("chunked", in: UnsafeRawBufferPointer($0))
            }
            return isChunked ? .chunked : .untilClose
        }
        var length: Int?
        for value in head.values(of: "content-length") {
            // RFC 9110 §8.6: a list of equal values may be read as one.
            for part in value.split(separator: ",", omittingEmptySubsequences: false) {
                let count = Array(part.utf8).withUnsafeBytes {
                    HTTP1FieldValue.contentLength($0.withoutOuterWhitespace)
                }
                guard let count else { throw .invalidContentLength }
                guard length == nil || length == count else { throw .conflictingContentLength }
                length = count
            }
        }
        return length.map { .length($0) } ?? .untilClose
    }
}

extension HTTP1ResponseHead {
    /// Parses a complete head.
    init(parsing raw: [UInt8]) throws(HTTP1ResponseFault) {
        var lines = raw.split(separator: Octet.lineFeed, omittingEmptySubsequences: false)
            .map { $0.last == Octet.carriageReturn ? $0.dropLast() : $0 }
        let first = lines.removeFirst()
        (status, reason) = try Self.statusLine(first)
        var fields: [HTTPField] = []
        for line in lines where !line.isEmpty {
            // RFC 9112 §5.2: a folded line continues the value before it.
            if let start = line.first, Octet.isWhitespace(start), !fields.isEmpty {
                fields[fields.count - 1].value += " " + Self.trimmed(line)
                continue
            }
            guard let colon = line.firstIndex(of: Octet.colon) else { throw .invalidField }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            guard HTTPField.isValid(name: name) else { throw .invalidField }
            fields.append(
                HTTPField(name: name, value: Self.trimmed(line[line.index(after: colon)...])))
        }
        self.raw = raw
        self.fields = fields
    }

    /// `HTTP/1.1 200 OK`; the reason may be empty (RFC 9112 §4). A later minor version is read as
    /// the latest known (§2.3).
    private static func statusLine(
        _ line: ArraySlice<UInt8>
    ) throws(HTTP1ResponseFault) -> (status: Int, reason: String) {
        let octets = Array(line)
        guard octets.count >= 12, Octet.isDigit(octets[7]),
            octets[8] == Octet.space, octets[9...11].allSatisfy(Octet.isDigit),
            octets.count == 12 || octets[12] == Octet.space
        else { throw .notHTTP }
        let status = octets[9...11].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard status >= 100 else { throw .notHTTP }
        return (status, String(decoding: octets.dropFirst(13), as: UTF8.self))
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> String {
        line.withUnsafeBytes { String(decoding: $0.withoutOuterWhitespace, as: UTF8.self) }
    }
}
