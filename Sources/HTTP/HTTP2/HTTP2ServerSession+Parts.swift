import CNGHTTP2

extension HTTP2ServerSession {
    /// The values that do the work.
    ///
    /// They are not checked at run time for exclusive access, which would be a seventh of the cost
    /// of a request. Accesses cannot overlap: a session belongs to one thread, and the parts are
    /// pure, so that no call of one calls the session or nghttp2.
    struct Parts {
        var guardian: FloodGuard
        var streams = StreamTable()
        var fields = RequestFields()
        var scanner = HTTP2FrameScanner()
        var history = StreamHistory()
        var awaited = AwaitedContent()
        var output = OutputBuffer()
        var requests = 0
        /// Requests whose answer was sent completely.
        var answered = 0
        /// Requests that the peer, or a violation, reset before that.
        var abandoned = 0

        /// When an answer counts as stalled, or waits for content no longer.
        var deadline: UInt64? {
            guard let awaited = awaited.deadline else { return guardian.deadline }
            return min(awaited, guardian.deadline ?? awaited)
        }
    }

    static let headLimits = HTTP1Limits()

    /// The place of a stream's answer; nil if the stream is gone.
    func slot(of stream: HTTP2StreamID) -> Int? {
        nghttp2_session_get_stream_user_data(session, stream).map { Int(bitPattern: $0) - 1 }
    }

    /// The process was kept from running: answers under way get that time again.
    package func serverWasLate(by nanoseconds: UInt64) {
        parts.guardian.serverWasLate(by: nanoseconds)
    }

    // MARK: Content, called by nghttp2

    /// The length of the next DATA frame, and whether it is the last.
    func contentLength(slot: Int, atMost length: Int) -> (count: Int, isLast: Bool) {
        let left = parts.streams[slot].body.count - parts.streams[slot].offset
        return (min(left, length), left <= length)
    }

    /// Writes a DATA frame to the output; false if there is no room now.
    func sendContent(slot: Int, head: UnsafePointer<UInt8>, count: Int) -> MayContinue {
        let offset = parts.streams[slot].offset
        let written = parts.output.write(
            head: UnsafeRawBufferPointer(start: head, count: HTTP2FrameHead.byteCount),
            content: parts.streams[slot].body.slice(offset, offset + count),
            owner: parts.streams[slot].response?.body)
        if written {
            parts.streams[slot].offset = offset + count
            parts.guardian.contentSent(count, now: now)
        }
        return written
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Int { parts.output.write(bytes) }
}
