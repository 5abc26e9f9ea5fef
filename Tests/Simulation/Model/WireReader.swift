import Glibc

/// Reads what the server writes to one client: where its flights and its answers end.
struct WireReader {
    /// Which answers it looks for.
    enum Content { case http1, http2, ignored }

    private let content: Content
    private var header: (UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0)
    private var headerCount = 0
    /// Bytes of the record that are missing, the tag behind its content included.
    private var left = 0
    /// An answer has begun: the link carries more than a handshake.
    private(set) var hasContent = false
    /// An answer ended in this record, and it was a document.
    private var ended: Message.Kind?

    // HTTP/1.1: the line of the head that has begun, and what is missing of the body.
    private var line: [UInt8] = []
    private var contentLength = 0
    private var bodyLeft = 0
    // HTTP/2: the frame's header, and what is missing of the frame.
    private var frame: [UInt8] = []
    private var frameLeft = 0
    private var isDocument = false

    private static let tagBytes = 17

    init(_ content: Content) { self.content = content }

    /// - Parameter message: called for each part of `bytes` that means something else.
    mutating func read(_ bytes: UnsafeRawBufferPointer, _ message: (Message) -> Void) {
        var start = 0
        while start < bytes.count {
            let begin = start
            while headerCount < 5, start < bytes.count {
                withUnsafeMutableBytes(of: &header) { $0[headerCount] = bytes[start] }
                headerCount += 1
                start += 1
                if headerCount == 5 { left = Int(header.3) << 8 | Int(header.4) }
            }
            if headerCount == 5 {
                let count = min(left, bytes.count - start)
                if header.0 == 23 {
                    hasContent = true
                    let plain = min(count, max(0, left - Self.tagBytes))
                    if plain > 0 {
                        read(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + plain)]))
                    }
                }
                left -= count
                start += count
            }
            let isWhole = headerCount == 5 && left == 0
            message(Message(kind: kind(isWhole), count: start - begin, isWhole: isWhole))
            if isWhole {
                headerCount = 0
                ended = nil
            }
        }
    }

    private func kind(_ isWhole: Bool) -> Message.Kind {
        switch headerCount == 5 ? header.0 : 0 {
        case 22: .flight
        case 20: .finished12
        case 23: isWhole ? ended ?? .content : .content
        default: .other
        }
    }

    private mutating func read(_ plain: UnsafeRawBufferPointer) {
        switch content {
        case .http1: readHTTP1(plain)
        case .http2: readHTTP2(plain)
        case .ignored: break
        }
    }

    // MARK: HTTP/1.1

    private mutating func readHTTP1(_ plain: UnsafeRawBufferPointer) {
        var start = 0
        while start < plain.count {
            if bodyLeft > 0 {
                let count = min(bodyLeft, plain.count - start)
                bodyLeft -= count
                start += count
                if bodyLeft == 0 { end() }
                continue
            }
            // Line by line, until an empty one.
            let rest = UnsafeRawBufferPointer(rebasing: plain[start...])
            guard let base = rest.baseAddress else { return }
            let lineEnd = memchr(base, 10, rest.count).map { UnsafeRawPointer($0) - base + 1 }
            line.append(contentsOf: rest[..<(lineEnd ?? rest.count)])
            start += lineEnd ?? rest.count
            if lineEnd != nil { lineEnded() }
        }
    }

    private mutating func lineEnded() {
        defer { line.removeAll(keepingCapacity: true) }
        if line.count == 2 {
            bodyLeft = contentLength
            contentLength = 0
            if bodyLeft == 0 { end() }
        } else if line.starts(with: Self.statusLine) {
            isDocument = line[Self.statusLine.count] == UInt8(ascii: "2")
        } else if line.starts(with: Self.lengthField) {
            for digit in line[Self.lengthField.count...] where digit >= 48 {
                contentLength = contentLength * 10 + Int(digit) - 48
            }
        }
    }

    private static let statusLine = Array("HTTP/1.1 ".utf8)
    private static let lengthField = Array("Content-Length: ".utf8)

    private mutating func end() { ended = isDocument ? .document : .unavailable }

    // MARK: HTTP/2

    private mutating func readHTTP2(_ plain: UnsafeRawBufferPointer) {
        var start = 0
        while start < plain.count {
            if frameLeft > 0 {
                let count = min(frameLeft, plain.count - start)
                frameLeft -= count
                start += count
                if frameLeft == 0 { frameEnded() }
                continue
            }
            frame.append(plain[start])
            start += 1
            // The status is the first field of a header block: `:status: 200` is one byte.
            let isHeaders = frame.count > 3 && frame[3] == 1
            if frame.count < (isHeaders ? 10 : 9) { continue }
            if isHeaders { isDocument = frame[9] == 0x88 }
            frameLeft = Int(frame[0]) << 16 | Int(frame[1]) << 8 | Int(frame[2])
            if isHeaders { frameLeft -= 1 }
            if frameLeft == 0 { frameEnded() }
        }
    }

    private mutating func frameEnded() {
        if frame[3] <= 1, frame[4] & 1 != 0 { end() }
        frame.removeAll(keepingCapacity: true)
    }
}
