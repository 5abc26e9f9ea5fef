/// Parses numbers and vectors of a handshake message (RFC 8446 section 3); nil past the end.
struct LightReader {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number(_ byteCount: Int) -> Int? {
        guard rest.count >= byteCount else { return nil }
        let value = rest.prefix(byteCount).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(byteCount)
        return value
    }

    mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    }

    /// A vector with a length prefix of this many bytes.
    mutating func vector(_ lengthBytes: Int) -> UnsafeRawBufferPointer? {
        number(lengthBytes).flatMap { bytes($0) }
    }
}
