/// Detects violations of RFC 9113 that nghttp2 ignores, as it forgets closed streams after
/// SETTINGS_NO_RFC7540_PRIORITIES.
///
/// * A request on a stream that was skipped: opening a stream closes all idle ones below it
///   (§5.1.1).
/// * DATA or HEADERS on a stream that the peer has ended or reset (§5.1, "closed").
/// * PRIORITY on stream 0 (§6.3).
///
/// The last 64 streams are remembered in two bit sets. Frames on older ones are left to nghttp2,
/// which ignores them.
struct StreamHistory {
    private var last: HTTP2StreamID = 0
    /// Bit n: stream `last - 2n` was used.
    private var used: UInt64 = 0
    /// Bit n: the peer ended or reset stream `last - 2n`.
    private var ended: UInt64 = 0

    /// Checks a frame header on arrival.
    mutating func judge(_ head: HTTP2FrameHead) -> HTTP2CloseReason? {
        let stream = head.stream
        switch head.kind {
        case .headers where stream & 1 == 1:
            if stream > last { open(stream) }
            guard let bit = bit(of: stream) else { return nil }
            if used & bit == 0 { return .protocolError }
            return content(bit, flags: head.flags)
        case .data where stream & 1 == 1 && stream <= last:
            guard let bit = bit(of: stream) else { return nil }
            return content(bit, flags: head.flags)
        case .rstStream where stream & 1 == 1 && stream <= last:
            if let bit = bit(of: stream) { ended |= bit }
            return nil
        case .priority where stream == 0:
            return .protocolError
        case .data, .headers, .rstStream, .priority, .settings, .pushPromise, .ping, .goAway,
            .windowUpdate, .continuation, nil:
            return nil
        }
    }

    private mutating func content(_ bit: UInt64, flags: UInt8) -> HTTP2CloseReason? {
        if ended & bit != 0 { return .streamClosed }
        if flags & HTTP2FrameHead.endStream != 0 { ended |= bit }
        return nil
    }

    private mutating func open(_ stream: HTTP2StreamID) {
        // Stream identifiers go up to 2^31-1: adding one would overflow their type.
        let distance = (UInt64(stream - last) + 1) / 2
        used = distance < 64 ? used << distance | 1 : 1
        ended = distance < 64 ? ended << distance : 0
        last = stream
    }

    /// The bit of a stream not above `last`; nil if the stream is too old.
    private func bit(of stream: HTTP2StreamID) -> UInt64? {
        let age = UInt64(last - stream) / 2
        return age < 64 ? 1 << age : nil
    }
}
