/// Reads one HTTP/1 answer from the bytes of a connection, and keeps it as it came.
///
/// A checker has to show what is wrong, so this reader takes what a careful client would refuse,
/// such as bare line feeds, and reports the rest by name. Sans-I/O: bytes in, state out.
struct ResponseReader {
    enum Progress: Equatable {
        case needsMore
        case complete
        case failed(ClientFailure)
    }

    private enum State: Equatable {
        case head
        case fixed(left: Int)
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailers
        case untilClose
        case done
    }

    /// A head larger than this is refused: eight times what common servers allow a request to be.
    static let headMaximum = 64 * 1024

    private var state = State.head
    private var line: [UInt8] = []
    private var headLines: [[UInt8]] = []
    private var headBytes = 0
    private let isHead: Bool
    private let bodyMaximum: Int

    private(set) var head: ResponseHead?
    private(set) var interim: [ResponseHead] = []
    private(set) var body: [UInt8] = []
    private(set) var surplus = 0

    /// - Parameters:
    ///   - method: `HEAD` has no body, whatever the head says.
    ///   - bodyMaximum: bytes of body that are kept.
    init(method: String, bodyMaximum: Int) {
        isHead = method == "HEAD"
        self.bodyMaximum = bodyMaximum
    }

    mutating func read(_ bytes: some Collection<UInt8>) -> Progress {
        var rest = bytes[...]
        while let byte = rest.first {
            switch state {
            case .done:
                surplus += rest.count
                return .complete
            case .untilClose:
                body += rest
                rest = rest[rest.endIndex...]
            case .fixed(let left), .chunk(let left):
                let taken = rest.prefix(left)
                body += taken
                rest = rest[taken.endIndex...]
                advance(left - taken.count)
            case .head, .chunkSize, .chunkEnd, .trailers:
                rest = rest.dropFirst()
                headBytes += 1
                if headBytes > Self.headMaximum {
                    return .failed(
                        .badFraming("the head is larger than \(Self.headMaximum) bytes"))
                }
                guard byte == UInt8(ascii: "\n") else {
                    line.append(byte)
                    // Told early: a peer that is not HTTP may never send a line end.
                    if case .head = state, headLines.isEmpty, line.count == 5,
                        !Self.beginsHTTP(line)
                    {
                        return .failed(.notHTTP(Self.printable(line + rest.prefix(60))))
                    }
                    continue
                }
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                if let failure = endLine() { return .failed(failure) }
            }
            if body.count > bodyMaximum { return .failed(.tooLarge(bodyMaximum)) }
        }
        return state == .done ? .complete : .needsMore
    }

    private mutating func advance(_ left: Int) {
        switch state {
        case .fixed: state = left == 0 ? .done : .fixed(left: left)
        case .chunk: state = left == 0 ? .chunkEnd : .chunk(left: left)
        case .head, .chunkSize, .chunkEnd, .trailers, .untilClose, .done: break
        }
    }

    private mutating func endLine() -> ClientFailure? {
        defer { line = [] }
        switch state {
        case .head:
            if !line.isEmpty {
                headLines.append(line)
                return nil
            }
            return headLines.isEmpty ? nil : endHead()
        case .chunkSize:
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0
            else {
                return .badFraming("\"\(Self.printable(line))\" is no chunk size")
            }
            headBytes = 0
            state = size == 0 ? .trailers : .chunk(left: size)
        case .chunkEnd:
            if !line.isEmpty { return .badFraming("a chunk is longer than it says") }
            state = .chunkSize
        case .trailers:
            if line.isEmpty { state = .done }
        case .fixed, .chunk, .untilClose, .done: break
        }
        return nil
    }

    private mutating func endHead() -> ClientFailure? {
        let lines = headLines.map { Self.printable($0) }
        headLines = []
        headBytes = 0
        guard let first = lines.first, let (status, reason) = Self.status(first) else {
            return .notHTTP(lines.first ?? "")
        }
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1] : ""
            return ResponseHead.Field(
                name: String(parts[0]), value: String(value.trimmed { $0 == " " || $0 == "\t" }))
        }
        let head = ResponseHead(lines: lines, status: status, reason: reason, fields: fields)
        if status < 200, status != 101 {
            interim.append(head)
            return nil
        }
        self.head = head
        return chooseFraming(head)
    }

    /// RFC 9112 section 6.3.
    private mutating func chooseFraming(_ head: ResponseHead) -> ClientFailure? {
        if isHead || head.status == 204 || head.status == 304 {
            state = .done
            return nil
        }
        let codings = head.values("Transfer-Encoding").joined(separator: ",").lowercased()
        if codings.hasSuffix("chunked") {
            state = .chunkSize
            return nil
        }
        let lengths = Set(head.values("Content-Length"))
        if lengths.count > 1 {
            return .badFraming("Content-Length stands there twice, with different values")
        }
        guard let text = lengths.first else {
            state = .untilClose
            return nil
        }
        guard let length = Int(text), length >= 0 else {
            return .badFraming("Content-Length is \"\(text)\"")
        }
        state = length == 0 ? .done : .fixed(left: length)
        return nil
    }

    /// The peer has closed: complete, or cut short?
    mutating func end() -> ClientFailure? {
        switch state {
        case .untilClose, .done:
            state = .done
            return nil
        case .head:
            return .closed(headLines.isEmpty && line.isEmpty ? .head : .partialHead, missing: nil)
        case .fixed(let left): return .closed(.body, missing: left)
        case .chunkSize, .chunk, .chunkEnd, .trailers: return .closed(.body, missing: nil)
        }
    }

    /// What is under way, for a failure of the connection.
    var phase: ClientFailure.Phase {
        switch state {
        case .head: headLines.isEmpty && line.isEmpty ? .head : .partialHead
        case .fixed, .chunkSize, .chunk, .chunkEnd, .trailers, .untilClose, .done: .body
        }
    }

    private static func beginsHTTP(_ line: [UInt8]) -> Bool { line.starts(with: "HTTP/".utf8) }

    /// `HTTP/1.1 200 OK`
    private static func status(_ line: String) -> (Int, String)? {
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), let status = Int(parts[1]),
            (100...999).contains(status)
        else { return nil }
        return (status, parts.count > 2 ? String(parts[2]) : "")
    }

    /// Text of a peer, safe to show: control characters and bytes beyond ASCII become `?`.
    static func printable(_ bytes: some Sequence<UInt8>) -> String {
        String(
            decoding: bytes.map {
                ($0 >= 0x20 && $0 < 0x7F) || $0 == 9 ? $0 : UInt8(ascii: "?")
            }, as: UTF8.self)
    }
}

extension Substring {
    func trimmed(_ isBlank: (Character) -> Bool) -> Substring {
        var text = self
        while let first = text.first, isBlank(first) { text = text.dropFirst() }
        while let last = text.last, isBlank(last) { text = text.dropLast() }
        return text
    }
}
