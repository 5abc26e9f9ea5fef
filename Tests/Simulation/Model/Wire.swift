import Reactor

/// What travels, as the simulation sees it: bytes where the server's own parsers read them, marks
/// where a library would.
enum Wire {
    /// The server's first flight: certificates and signature.
    static let flightBytes = 4200
    static let unavailableBytes = 300
    static let recordBytes = 16_384

    /// A ClientHello of one segment, and one of two.
    static let hello = helloBytes(512)
    static let longHello = helloBytes(1800)
    static let request = Array(
        ("GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: www.example.com\r\n"
            + "User-Agent: swcd (unknown version) CFNetwork/1410.0.3 Darwin/22.6.0\r\n"
            + "Accept: */*\r\n\r\n").utf8)
    static let lastRequest = Array(
        ("GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: www.example.com\r\n"
            + "Connection: close\r\n\r\n").utf8)
    /// Sixteen requests in one segment's worth of bytes, for those who pipeline.
    static let manyRequests = Array((0..<16).map { _ in request }.joined())
    static let noise = Array("GET / HTTP/1.0\r\n\r\n".utf8)

    /// A record with a handshake message of type ClientHello (RFC 8446 sections 4 and 5.1).
    private static func helloBytes(_ count: Int) -> [UInt8] {
        let message = count - 9
        let record = count - 5
        let head: [UInt8] = [
            22, 3, 1, UInt8(record >> 8), UInt8(record & 0xFF),
            1, 0, UInt8(message >> 8), UInt8(message & 0xFF),
        ]
        return head + Array(repeating: 7, count: message)
    }
}

/// Bytes of a client, as one segment brings them.
enum Piece {
    /// Before the handshake: a part of a ClientHello, or noise.
    case plain(ArraySlice<UInt8>)
    /// The client's second flight; `isWhole`: nothing of it is missing.
    case finished
    case http1(ArraySlice<UInt8>)
    case http2(HTTP2Input)
    case closeNotify

    var count: Int {
        switch self {
        case .plain(let bytes), .http1(let bytes): bytes.count
        case .finished: 80
        case .http2(let input): input.count
        case .closeNotify: 24
        }
    }
}

/// Frames of an HTTP/2 client.
enum HTTP2Input {
    /// Preface, SETTINGS and WINDOW_UPDATE, with the first request behind them.
    case opening
    case request
    case acknowledgement
    case pings(Int)
    /// A request and its RST_STREAM.
    case resetRequest

    var count: Int {
        switch self {
        case .opening: 200
        case .request: 80
        case .acknowledgement: 9
        case .pings(let count): 17 * count
        case .resetRequest: 93
        }
    }
}

/// Bytes of the server, by what they mean to the client.
struct Message {
    enum Kind {
        case flight, finished12, document, unavailable, badRequest, settings, pong, goAway
        case closeNotify, alert
    }
    let kind: Kind
    var count: Int
    /// Nothing of what it says comes behind these bytes.
    var isWhole = true
}

/// What the server never asks for by name: epoll(7) has these numbers.
extension Readiness {
    static let readable = Readiness(rawValue: 0x001)
    static let hangup = Readiness(rawValue: 0x010)
}
