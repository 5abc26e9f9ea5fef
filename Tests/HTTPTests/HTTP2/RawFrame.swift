@testable import HTTP

/// Frames as bytes, right or wrong on purpose (RFC 9113 §4.1).
struct RawFrame: Equatable, CustomStringConvertible {
    var type: UInt8
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let priority: UInt8 = 2
    static let rstStream: UInt8 = 3
    static let settings: UInt8 = 4
    static let pushPromise: UInt8 = 5
    static let ping: UInt8 = 6
    static let goAway: UInt8 = 7
    static let windowUpdate: UInt8 = 8
    static let continuation: UInt8 = 9

    static let endStream: UInt8 = 1
    static let ack: UInt8 = 1
    static let endHeaders: UInt8 = 4
    static let padded: UInt8 = 8
    static let hasPriority: UInt8 = 0x20

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    var description: String { "(type \(type) flags \(flags) stream \(stream) \(payload.count) B)" }

    var octets: [UInt8] {
        let count = payload.count
        return [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255), type, flags]
            + Self.bigEndian(stream) + payload
    }

    static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    var code: UInt32? {
        switch type {
        case Self.rstStream: Self.number(payload[...])
        case Self.goAway: Self.number(payload[4...])
        default: nil
        }
    }

    var lastStream: UInt32? { type == Self.goAway ? Self.number(payload[...]) : nil }

    static func number(_ octets: ArraySlice<UInt8>) -> UInt32 {
        octets.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// All frames of a byte string; what is left over is returned as well.
    static func parse(_ octets: [UInt8]) -> (frames: [RawFrame], rest: [UInt8]) {
        var frames: [RawFrame] = []
        var rest = octets[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + count else { break }
            frames.append(
                RawFrame(
                    type: head[3], flags: head[4], stream: number(head[5...]) & 0x7FFF_FFFF,
                    payload: Array(rest.dropFirst(9).prefix(count))))
            rest = rest.dropFirst(9 + count)
        }
        return (frames, Array(rest))
    }

    static func settings(_ entries: [(UInt16, UInt32)] = []) -> RawFrame {
        RawFrame(
            type: settings,
            payload: entries.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] + bigEndian($1) })
    }

    static func windowUpdate(_ increment: UInt32, stream: UInt32 = 0) -> RawFrame {
        RawFrame(type: windowUpdate, stream: stream, payload: bigEndian(increment))
    }

    static func reset(_ stream: UInt32, code: UInt32 = 8) -> RawFrame {
        RawFrame(type: rstStream, stream: stream, payload: bigEndian(code))
    }

    static func request(
        _ stream: UInt32, _ fields: [(String, String)] = get, endStream: Bool = true
    ) -> RawFrame {
        RawFrame(
            type: headers, flags: endHeaders | (endStream ? Self.endStream : 0), stream: stream,
            payload: block(fields))
    }

    static let get = [
        (":method", "GET"), (":scheme", "https"), (":path", "/a"), (":authority", "example.com"),
    ]

    static func get(_ path: String) -> [(String, String)] {
        get.map { $0.0 == ":path" ? ($0.0, path) : $0 }
    }

    /// A field block of literals without indexing and without Huffman coding (RFC 7541 §6.2.2).
    static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + string($0) + string($1) }
    }

    static func string(_ text: String) -> [UInt8] {
        let octets = Array(text.utf8)
        return integer(octets.count, prefix: 7, first: 0) + octets
    }

    /// RFC 7541 §5.1.
    static func integer(_ number: Int, prefix: Int, first: UInt8) -> [UInt8] {
        let most = 1 << prefix - 1
        if number < most { return [first | UInt8(number)] }
        var result = [first | UInt8(most)]
        var rest = number - most
        while rest >= 128 {
            result.append(UInt8(rest % 128 + 128))
            rest /= 128
        }
        return result + [UInt8(rest)]
    }
}
