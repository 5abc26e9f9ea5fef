/// The header of a frame (RFC 9113 §4.1).
struct HTTP2FrameHead: Equatable {
    /// Length (24 bits), type, flags, stream.
    static let byteCount = 9

    enum Kind: UInt8 {
        case data = 0
        case headers = 1
        case priority = 2
        case rstStream = 3
        case settings = 4
        case pushPromise = 5
        case ping = 6
        case goAway = 7
        case windowUpdate = 8
        case continuation = 9
    }

    static let endStream: UInt8 = 1

    /// Octets of the payload.
    var length: Int
    /// Nil for extension types.
    var kind: Kind?
    var flags: UInt8
    var stream: HTTP2StreamID

    /// - Parameter octets: at least nine.
    init(_ octets: UnsafeRawBufferPointer) {
        length = Int(octets[0]) << 16 | Int(octets[1]) << 8 | Int(octets[2])
        kind = Kind(rawValue: octets[3])
        flags = octets[4]
        let word = octets.loadUnaligned(fromByteOffset: 5, as: UInt32.self).bigEndian
        stream = HTTP2StreamID(word & 0x7FFF_FFFF)
    }

    /// Of a SETTINGS or PING frame.
    var isAcknowledgement: Bool { flags & 1 != 0 }

    /// A GOAWAY frame (RFC 9113 §6.8) for a session that no longer uses nghttp2.
    static func goAway(lastStream: HTTP2StreamID, code: HTTP2ErrorCode) -> [UInt8] {
        [0, 0, 8, Kind.goAway.rawValue, 0, 0, 0, 0, 0]
            + bigEndian(UInt32(bitPattern: lastStream)) + bigEndian(code.rawValue)
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// Finds frame headers in the bytes of a peer, before nghttp2 processes them.
///
/// nghttp2 does not report every frame to its callbacks (DATA on a closed stream is dropped
/// silently), so frames are counted here: each costs reading nine octets.
struct HTTP2FrameScanner {
    /// The client's preface comes first (RFC 9113 §3.4); nghttp2 checks it.
    static let prefaceCount = 24

    private var skip: Int
    private var partial: (UInt64, UInt8) = (0, 0)
    private var partialCount = 0

    init(skip: Int = Self.prefaceCount) {
        self.skip = skip
    }

    /// The next complete frame header; `bytes` is advanced past it. Nil when all bytes are
    /// consumed.
    mutating func next(_ bytes: inout UnsafeRawBufferPointer) -> HTTP2FrameHead? {
        let passed = min(skip, bytes.count)
        skip -= passed
        bytes = bytes.slice(passed, bytes.count)
        if partialCount == 0, bytes.count >= HTTP2FrameHead.byteCount {
            let head = HTTP2FrameHead(bytes)
            bytes = bytes.slice(HTTP2FrameHead.byteCount, bytes.count)
            skip = head.length
            return head
        }
        return bytes.isEmpty ? nil : nextInPieces(&bytes)
    }

    private mutating func nextInPieces(
        _ bytes: inout UnsafeRawBufferPointer
    ) -> HTTP2FrameHead? {
        let count = min(HTTP2FrameHead.byteCount - partialCount, bytes.count)
        let start = partialCount
        let head = withUnsafeMutableBytes(of: &partial) { place -> HTTP2FrameHead? in
            for index in 0..<count { place[start + index] = bytes[index] }
            guard start + count == HTTP2FrameHead.byteCount else { return nil }
            return HTTP2FrameHead(UnsafeRawBufferPointer(place))
        }
        bytes = bytes.slice(count, bytes.count)
        partialCount = head == nil ? start + count : 0
        skip = head?.length ?? 0
        return head
    }
}
