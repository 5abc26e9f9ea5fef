/// The result of ``HTTP1RequestParser/parse(_:)``.
package enum HTTP1ParseResult {
    /// The head is not complete: call again when more bytes have been appended.
    case needMore
    /// A request. Remove `consumed` bytes from the front of the buffer after use. If
    /// ``RequestView/wantsClose`` is false, the next request follows; otherwise discard the rest.
    case request(RequestView, consumed: Int)
    /// The message cannot be parsed safely: answer ``HTTP1RequestParser/unreadable(in:)`` with an
    /// error, then close.
    case reject(RejectReason)
}

/// Parses HTTP/1.1 request heads in a buffer that the caller owns (RFC 9112 §2 to §6).
///
/// ```
///   parse            request line complete            empty line
///  ──────► requestLine ──────────────► fields ──────────────► requestLine (next request)
///               │                        │ limit: answered with a fault
///               └───── no safe reading ──┴──────► rejected(reason)
/// ```
///
/// The buffer holds everything since the last consumed byte. It may move and grow between calls.
/// Each octet is scanned once for a line end and once for its value, so a head that arrives byte
/// by byte costs no more than a whole one. A line is parsed when it is complete.
///
/// Strict wherever two parsers could differ, as a proxy in front may be the other one: CRLF line
/// ends, one space between the parts of the request line, no space before a colon, no folding, no
/// control octets. Content is never read: a request that has any, or whose length is ambiguous,
/// is answered and the connection closed (``RejectReason``). A request without exactly one valid
/// Host is answered with 400 and closed (RFC 9112 §3.2). A message that cannot be parsed gets an
/// error and the close, too (RFC 9112 §2.2).
package struct HTTP1RequestParser {
    private enum State {
        case requestLine
        case fields
        case rejected(RejectReason)
    }

    /// A range of the buffer in 8 bytes. It uses offsets, as the buffer may move between calls.
    private struct Extent {
        var start: Int32 = 0
        var end: Int32 = -1
        static let absent = Extent()
        init() {}
        init(_ start: Int, _ end: Int) {
            self.start = Int32(truncatingIfNeeded: start)
            self.end = Int32(truncatingIfNeeded: end)
        }
        var isPresent: Bool { end >= start }
        func view(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
            bytes.slice(Int(start), Int(end))
        }
    }

    private struct Head {
        var method = RequestMethod.other
        var version = HTTPVersion.http11
        var methodName = Extent(0, 0)
        var target = Extent(0, 0)
        var path = Extent(0, 0)
        var authority = Extent.absent
        var userAgent = Extent.absent
        var accept = Extent.absent
        var authorization = Extent.absent
        var fieldCount = 0
        var hasHost = false
        /// Takes precedence over every other fault: the request gets an error.
        var hostFault: RejectReason?
        var targetNamesAuthority = false
        var hasContentLength = false
        var hasBody = false
        var wantsClose = false
        var fault: RejectReason?
    }

    private let limits: HTTP1Limits
    private var state = State.requestLine
    private var head = Head()
    private var lineStart = 0
    private var searched = 0
    private var emptyLines = 0

    package init(limits: HTTP1Limits = HTTP1Limits()) {
        self.limits = limits
    }

    /// Continues where the last call stopped.
    ///
    /// - Parameter bytes: everything received since the last consumed byte.
    package mutating func parse(_ bytes: UnsafeRawBufferPointer) -> HTTP1ParseResult {
        if case .rejected(let reason) = state { return .reject(reason) }
        let limit = min(bytes.count, limits.headBytes)
        while let lineFeed = bytes.firstIndex(of: Octet.lineFeed, from: searched, to: limit) {
            let start = lineStart
            let end = lineFeed &- 1
            guard end >= start, bytes[end] == Octet.carriageReturn else {
                return reject(.unreadable)
            }
            lineStart = lineFeed &+ 1
            searched = lineStart
            if end > start {
                if !readLine(bytes, start, end) { return reject(.unreadable) }
            } else if case .fields = state {
                if !head.hasHost, head.version == .http11 { head.hostFault = .invalidHost }
                return finish(bytes, consumed: lineStart, fault: nil)
            } else {
                emptyLines += 1
                if emptyLines > limits.emptyLineCount { return reject(.unreadable) }
            }
        }
        searched = limit
        guard bytes.count >= limits.headBytes else { return .needMore }
        guard case .fields = state else {
            // Its path may still be readable, and is not searched for in all of the line.
            _ = readRequestLine(bytes, lineStart, min(limit, lineStart &+ limits.targetBytes))
            return reject(.requestLineTooLong)
        }
        return finish(bytes, consumed: bytes.count, fault: .headTooLarge)
    }

    /// - Returns: whether the line can be read safely.
    private mutating func readLine(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int
    ) -> Bool {
        switch state {
        case .requestLine:
            state = .fields
            return readRequestLine(bytes, start, end)
        case .fields:
            head.fieldCount &+= 1
            if head.fieldCount > limits.fieldCount { head.fault = head.fault ?? .overLimit }
            return readField(bytes, start, end)
        case .rejected:
            return false
        }
    }

    private mutating func reject(_ reason: RejectReason) -> HTTP1ParseResult {
        state = .rejected(reason)
        return .reject(reason)
    }

    /// What was read of a message that was rejected. The fault is the reason for the rejection; a
    /// part that was not read is empty. The path is guessed if it was not read, so that the error
    /// can be one that does no harm there.
    ///
    /// - Parameter bytes: as in the call of ``parse(_:)`` that rejected the message.
    package func unreadable(in bytes: UnsafeRawBufferPointer) -> RequestView? {
        guard case .rejected(let reason) = state else { return nil }
        var head = head
        if head.path.view(in: bytes).isEmpty { head.path = likelyPath(in: bytes) }
        return view(of: head, in: bytes, fault: reason)
    }

    /// What looks like a path in the first line: from the first slash that belongs to no `//`.
    private func likelyPath(in bytes: UnsafeRawBufferPointer) -> Extent {
        var start = 0
        while start < bytes.count, Octet.isLineEnd(bytes[start]) { start &+= 1 }
        let most = min(bytes.count, start &+ limits.targetBytes)
        var line = start
        while line < most, !Octet.isLineEnd(bytes[line]) { line &+= 1 }
        while let slash = bytes.firstIndex(of: Octet.slash, from: start, to: line) {
            start = slash
            while start < line, bytes[start] == Octet.slash { start &+= 1 }
            if start > slash &+ 1 { continue }
            let end = (slash..<line).first {
                Octet.isWhitespace(bytes[$0]) || Octet.isControl(bytes[$0])
            }
            return Extent(slash, bytes.endOfPath(from: slash, to: end ?? line))
        }
        return Extent(0, 0)
    }

    private mutating func finish(
        _ bytes: UnsafeRawBufferPointer, consumed: Int, fault: RejectReason?
    ) -> HTTP1ParseResult {
        let fault = head.hostFault ?? head.fault ?? fault ?? (head.hasBody ? .content : nil)
        let view = view(of: head, in: bytes, fault: fault)
        state = .requestLine
        head = Head()
        lineStart = 0
        searched = 0
        emptyLines = 0
        return .request(view, consumed: consumed)
    }

    @inline(__always)
    private func view(
        of head: Head, in bytes: UnsafeRawBufferPointer, fault: RejectReason?
    ) -> RequestView {
        RequestView(
            method: head.method, version: head.version,
            methodName: head.methodName.view(in: bytes),
            target: head.target.view(in: bytes), path: head.path.view(in: bytes),
            authority: head.authority.isPresent ? head.authority.view(in: bytes) : nil,
            userAgent: head.userAgent.isPresent ? head.userAgent.view(in: bytes) : nil,
            accept: head.accept.isPresent ? head.accept.view(in: bytes) : nil,
            authorization: head.authorization.isPresent
                ? head.authorization.view(in: bytes) : nil,
            hasBody: head.hasBody, wantsClose: head.wantsClose || fault != nil, fault: fault)
    }
}

// MARK: - Request line (RFC 9112 §3)

extension HTTP1RequestParser {
    private mutating func readRequestLine(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int
    ) -> Bool {
        var index = start
        while index < end, Octet.isToken(bytes[index]) { index &+= 1 }
        guard index > start, index < end, bytes[index] == Octet.space else { return false }
        head.methodName = Extent(start, index)
        let name = bytes.slice(start, index)
        if name.equals("GET") {
            head.method = .get
        } else if name.equals("HEAD") {
            head.method = .head
        }

        let targetStart = index &+ 1
        let targetEnd = bytes.firstIndex(of: Octet.space, from: targetStart, to: end) ?? end
        guard targetEnd > targetStart,
            bytes.firstControl(from: targetStart, to: targetEnd) == targetEnd,
            bytes.firstIndex(of: Octet.tab, from: targetStart, to: targetEnd) == nil
        else { return false }
        if targetEnd &- targetStart > limits.targetBytes { head.fault = .overLimit }
        head.target = Extent(targetStart, targetEnd)
        let isConnect = name.equals("CONNECT")
        return readTarget(bytes, targetStart, targetEnd, isConnect: isConnect)
            && targetEnd < end && readVersion(bytes.slice(targetEnd &+ 1, end))
    }

    private mutating func readVersion(_ version: UnsafeRawBufferPointer) -> Bool {
        guard version.count == 8, version.slice(0, 7).equals("HTTP/1."),
            Octet.isDigit(version[7])
        else { return false }
        if version[7] == 0x30 {
            // A proxy that speaks 1.0 may forward `keep-alive` without understanding it.
            head.version = .http10
            head.wantsClose = true
        }
        return true
    }

    /// The four forms of RFC 9112 §3.2.
    private mutating func readTarget(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int, isConnect: Bool
    ) -> Bool {
        var pathStart = start
        if isConnect {
            // A path is no authority, and decides which error it gets.
            if bytes[start] != Octet.slash { pathStart = end }
            head.authority = Extent(start, end)
            head.targetNamesAuthority = true
            if !HTTPAuthority.isValid(bytes.slice(start, end)) { head.hostFault = .invalidHost }
        } else if bytes[start] != Octet.slash {
            if end &- start == 1, bytes[start] == 0x2A {
                head.path = Extent(start, end)
                return true
            }
            guard let authorityStart = authorityStart(bytes, start, end) else { return false }
            var authorityEnd = authorityStart
            while authorityEnd < end, bytes[authorityEnd] != Octet.slash,
                bytes[authorityEnd] != Octet.questionMark
            {
                // Userinfo is not allowed in an http or https URI (RFC 9110 §4.2.4).
                if bytes[authorityEnd] == Octet.at { return false }
                authorityEnd &+= 1
            }
            guard authorityEnd > authorityStart else { return false }
            if !HTTPAuthority.isValid(bytes.slice(authorityStart, authorityEnd)) {
                head.hostFault = .invalidHost
            }
            head.authority = Extent(authorityStart, authorityEnd)
            head.targetNamesAuthority = true
            pathStart = authorityEnd
        }
        head.path = Extent(pathStart, bytes.endOfPath(from: pathStart, to: end))
        return true
    }

    private func authorityStart(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int
    ) -> Int? {
        if end &- start > 8, bytes.slice(start, start &+ 8).equalsIgnoringCase("https://") {
            return start &+ 8
        }
        if end &- start > 7, bytes.slice(start, start &+ 7).equalsIgnoringCase("http://") {
            return start &+ 7
        }
        return nil
    }
}

// MARK: - Fields (RFC 9112 §5)

extension HTTP1RequestParser {
    private mutating func readField(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int
    ) -> Bool {
        var colon = start
        while colon < end, Octet.isToken(bytes[colon]) { colon &+= 1 }
        guard colon > start, colon < end, bytes[colon] == Octet.colon,
            bytes.firstControl(from: colon &+ 1, to: end) == end
        else { return false }
        var valueStart = colon &+ 1
        var valueEnd = end
        while valueStart < valueEnd, Octet.isWhitespace(bytes[valueStart]) { valueStart &+= 1 }
        while valueEnd > valueStart, Octet.isWhitespace(bytes[valueEnd &- 1]) { valueEnd &-= 1 }
        note(bytes, name: bytes.slice(start, colon), valueStart, valueEnd)
        return true
    }

    /// Keeps the few fields that matter here; the length of the name rules out nearly all others.
    private mutating func note(
        _ bytes: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, _ start: Int, _ end: Int
    ) {
        switch name.count {
        case 4 where name.equalsIgnoringCase("host"):
            if head.hasHost || !HTTPAuthority.isValid(bytes.slice(start, end)) {
                head.hostFault = .invalidHost
            }
            head.hasHost = true
            if !head.targetNamesAuthority { head.authority = Extent(start, end) }
        case 6 where name.equalsIgnoringCase("accept"): head.accept = Extent(start, end)
        case 10 where name.equalsIgnoringCase("user-agent"):
            head.userAgent = Extent(start, end)
        case 10 where name.equalsIgnoringCase("connection"):
            if HTTP1FieldValue.contains("close", in: bytes.slice(start, end)) {
                head.wantsClose = true
            }
        case 13 where name.equalsIgnoringCase("authorization"):
            head.authorization = Extent(start, end)
        case 14 where name.equalsIgnoringCase("content-length"):
            noteContentLength(bytes.slice(start, end))
        case 17 where name.equalsIgnoringCase("transfer-encoding"):
            head.hasBody = true
        default:
            break
        }
    }

    /// RFC 9112 §6.3: a repeated, conflicting or invalid length leaves the end of the message
    /// undefined. The answer does not depend on it; the connection is closed after the answer.
    private mutating func noteContentLength(_ value: UnsafeRawBufferPointer) {
        if HTTP1FieldValue.contentLength(value) != 0 { head.hasBody = true }
        if head.hasContentLength { head.fault = head.fault ?? .content }
        head.hasContentLength = true
    }
}
