extension HTTP2ServerSession {
    /// The values that do the work, in memory of their own.
    ///
    /// As stored properties of the class each would be guarded at run time against overlapping
    /// access: a seventh of what a request costs. No access here can overlap: a session belongs to
    /// one thread, and the parts are pure, so that no call of one comes back to the session or to
    /// nghttp2 while it lasts.
    struct Parts {
        var guardian: FloodGuard
        var streams = StreamTable()
        var fields = RequestFields()
        var scanner = HTTP2FrameScanner()
        var history = StreamHistory()
        var output = OutputBuffer()
        var requests = 0
        /// Requests whose answer was handed out whole.
        var answered = 0
        /// Requests that were reset by the peer, or for a broken rule, before that.
        var abandoned = 0
    }

    // MARK: Content, called by nghttp2

    /// How much of the next DATA frame there is, and whether it is the last.
    func contentLength(slot: Int, atMost length: Int) -> (count: Int, isLast: Bool) {
        let left = parts.pointee.streams[slot].body.count - parts.pointee.streams[slot].offset
        return (min(left, length), left <= length)
    }

    /// Puts a DATA frame into the output; false if there is no room now.
    func sendContent(slot: Int, head: UnsafePointer<UInt8>, count: Int) -> GoesOn {
        let offset = parts.pointee.streams[slot].offset
        let written = parts.pointee.output.write(
            head: UnsafeRawBufferPointer(start: head, count: HTTP2FrameHead.byteCount),
            content: parts.pointee.streams[slot].body.slice(offset, offset + count),
            owner: parts.pointee.streams[slot].response?.body)
        if written {
            parts.pointee.streams[slot].offset = offset + count
            parts.pointee.guardian.contentSent(count, now: now)
        }
        return written
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Int { parts.pointee.output.write(bytes) }
}
