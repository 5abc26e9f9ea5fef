import CNGHTTP2

/// The answers that wait for the content of their requests.
struct AwaitedContent {
    private(set) var streams: [HTTP2StreamID] = []
    /// When they are sent without waiting any longer; nil: none waits.
    private(set) var deadline: UInt64?

    mutating func add(_ stream: HTTP2StreamID, until deadline: UInt64) {
        streams.append(stream)
        self.deadline = self.deadline ?? deadline
    }

    /// - Returns: whether the answer of this stream waited.
    @discardableResult
    mutating func remove(_ stream: HTTP2StreamID) -> Bool {
        guard let index = streams.firstIndex(of: stream) else { return false }
        streams.remove(at: index)
        if streams.isEmpty { deadline = nil }
        return true
    }
}

/// The content of requests: no answer depends on it, and none of it is kept.
///
/// An answer waits until its request has ended, because curl 7.88 discards an answer whose stream
/// is reset, whatever the code, and never reads again once it has the whole answer. It does not
/// wait for more content than the byte budget allows, nor for longer than
/// ``FloodLimits/contentNanoseconds``. Then the answer goes out, and the stream ends with NO_ERROR
/// (RFC 9113 §8.1): the client stops sending.
extension HTTP2ServerSession {
    /// Whether the answer of a stream has to wait.
    func awaitsContent(_ slot: Int, stream: HTTP2StreamID) -> Bool {
        guard parts.streams[slot].content == .coming,
            parts.guardian.mayAwaitContent,
            nghttp2_session_get_stream_remote_close(session, stream) == 0
        else { return false }
        parts.awaited.add(stream, until: now &+ parts.guardian.contentNanoseconds)
        return true
    }

    /// A frame of content, or the fields behind it.
    func contentReceived(stream: HTTP2StreamID, endsStream: Bool) {
        if endsStream {
            if parts.awaited.remove(stream) { submitAwaited(stream) }
        } else if !parts.guardian.mayAwaitContent {
            answerAwaited()
        }
    }

    /// Sends the answers that wait: no more content is awaited.
    package func answerAwaited() {
        while let stream = parts.awaited.streams.first {
            parts.awaited.remove(stream)
            submitAwaited(stream)
        }
    }

    private func submitAwaited(_ stream: HTTP2StreamID) {
        guard let slot = slot(of: stream), let response = parts.streams[slot].response
        else { return }
        submit(slot, stream: stream, response)
    }

    /// The answer is complete: the rest of the content is not needed. A client that waits for 100
    /// (Continue) sends none, and curl 7.88 loses the end of a large answer to the reset.
    func stopContent(_ slot: Int, stream: HTTP2StreamID) {
        guard parts.streams[slot].content == .coming,
            nghttp2_session_get_stream_remote_close(session, stream) == 0
        else { return }
        nghttp2_submit_rst_stream(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, HTTP2ErrorCode.noError.rawValue)
    }
}
