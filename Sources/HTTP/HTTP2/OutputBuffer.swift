import CNGHTTP2

/// Collects frames in the caller's buffer, across calls.
///
/// A DATA frame that does not fit is split: nghttp2 considers it sent, and the rest, a pointer into
/// the pinned body, starts the next buffer. So buffers of 16 KiB are always sent full.
struct OutputBuffer {
    private var target = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private(set) var count = 0
    /// The rest of a DATA frame, and its owner, which must outlive it.
    private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
    private var owner: PinnedBytes?

    var hasRest: Bool { !rest.isEmpty }

    /// Starts with a buffer of the caller, valid until ``finish()``.
    mutating func begin(_ buffer: UnsafeMutableRawBufferPointer) {
        target = buffer
        count = 0
        if !rest.isEmpty {
            let part = min(rest.count, buffer.count)
            append(UnsafeRawBufferPointer(rebasing: rest[..<part]))
            rest = UnsafeRawBufferPointer(rebasing: rest[part...])
            if rest.isEmpty { owner = nil }
        }
    }

    /// Ends the call. Returns the number of bytes written.
    mutating func finish() -> Int {
        target = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        return count
    }

    /// Writes a whole frame or, without room for it, nothing: the connection may fail at any time,
    /// and its GOAWAY must not be written inside a frame. Only a frame larger than the buffer is
    /// split; none of our field blocks is.
    ///
    /// - Returns: the bytes written.
    mutating func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        let room = target.count - count
        guard rest.isEmpty, bytes.count <= room || count == 0 else { return 0 }
        let part = min(bytes.count, room)
        append(UnsafeRawBufferPointer(rebasing: bytes[..<part]))
        return part
    }

    /// Writes a DATA frame: its header at once and as much content as fits. False if there is no
    /// room for the header.
    ///
    /// - Parameter owner: evaluated only if some content is kept: retaining it for every frame
    ///   would cost more than the frame.
    @inline(__always)
    mutating func write(
        head: UnsafeRawBufferPointer, content: UnsafeRawBufferPointer,
        owner: @autoclosure () -> PinnedBytes?
    ) -> Bool {
        guard rest.isEmpty, target.count - count > head.count else { return false }
        append(head)
        let part = min(content.count, target.count - count)
        append(UnsafeRawBufferPointer(rebasing: content[..<part]))
        if part < content.count {
            rest = UnsafeRawBufferPointer(rebasing: content[part...])
            self.owner = owner()
        }
        return true
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty { return }
        UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyMemory(from: bytes)
        count += bytes.count
    }
}
