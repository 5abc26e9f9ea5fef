import Reactor

/// The bytes of the clients: records for a ``MarkedSession``, with HTTP as it is.
enum Wire {
    /// The server's first flight: certificates and signature.
    static let flightBytes = 4200
    /// Its second in TLS 1.2.
    static let finishedBytes = 250
    static let unavailableBytes = 300
    static let recordBytes = 16_384

    /// The lengths of a ClientHello of one segment, and of one of two.
    static let helloBytes = 512
    static let longHelloBytes = 1800
    static let firstSegmentBytes = 1400

    private static let path = Array("/.well-known/apple-app-site-association".utf8)
    private static let host = Array("www.example.com".utf8)
    static let requestText = Array(
        ("GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: www.example.com\r\n"
            + "User-Agent: swcd (unknown version) CFNetwork/1410.0.3 Darwin/22.6.0\r\n"
            + "Accept: */*\r\n\r\n").utf8)
    static let request = record(23, requestText)
    static let lastRequest = record(
        23,
        Array(
            ("GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: www.example.com\r\n"
                + "Connection: close\r\n\r\n").utf8))
    /// Sixteen requests in one segment's worth of bytes, for those who pipeline.
    static let manyRequests = record(23, Array((0..<16).map { _ in requestText }.joined()))
    static let noise = Array("GET / HTTP/1.0\r\n\r\n".utf8)
    /// The client's second flight.
    static let finished = record(20, [UInt8](repeating: 0, count: 75))
    static let closeNotify = record(21, [UInt8](repeating: 0, count: 19))

    /// A record with a handshake message of type ClientHello (RFC 8446 sections 4 and 5.1).
    static func hello(of peer: Peer, _ count: Int = helloBytes) -> [UInt8] {
        let message = count - 9
        let mark = ClientMark(
            client: peer.id, speaksTLS12: peer.kind.speaksTLS12,
            speaksHTTP2: peer.kind.speaksHTTP2)
        var bytes = [UInt8](repeating: 7, count: count)
        bytes.replaceSubrange(
            ..<9,
            with: [
                22, 3, 1, UInt8((count - 5) >> 8), UInt8((count - 5) & 0xFF),
                1, 0, UInt8(message >> 8), UInt8(message & 0xFF),
            ])
        bytes.replaceSubrange(
            ClientMark.offset..<(ClientMark.offset + ClientMark.byteCount), with: mark.bytes)
        return bytes
    }

    static func record(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        [type, 3, 3, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }

    // MARK: HTTP/2

    /// Preface, SETTINGS and WINDOW_UPDATE, and the first request, or all at once.
    static func opening(of peer: Peer) -> [UInt8] {
        let isClosed = peer.kind == .closedWindow
        let requests = peer.kind == .deafStreams ? peer.kind.answersWanted : 1
        let window: [UInt8] = isClosed ? [0, 0, 0, 0] : [0x7F, 0xFF, 0, 0]
        return record(
            23,
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, [0, 4] + window)
                + (isClosed ? [] : frame(8, [0x7F, 0xFF - 1, 0, 0]))
                + (0..<requests).flatMap { _ in headers(of: peer) })
    }

    static func nextRequest(of peer: Peer) -> [UInt8] { record(23, headers(of: peer)) }

    /// A request and its RST_STREAM.
    static func resetRequest(of peer: Peer) -> [UInt8] {
        let headers = headers(of: peer)
        return record(23, headers + frame(3, [0, 0, 0, 8], stream: peer.stream))
    }

    static let pings = record(23, Array((0..<50).map { _ in frame(6, fourBytes * 2) }.joined()))
    private static let fourBytes: [UInt8] = [1, 2, 3, 4]

    private static func headers(of peer: Peer) -> [UInt8] {
        peer.stream = peer.stream == 0 ? 1 : peer.stream + 2
        return frame(1, headerBlock, flags: 5, stream: peer.stream)
    }

    /// GET, https, the path, the host (RFC 7541 appendix A), never indexed.
    private static let headerBlock =
        [0x82, 0x87, 0x04, UInt8(path.count)] + path + [0x01, UInt8(host.count)] + host

    private static func frame(
        _ type: UInt8, _ content: [UInt8], flags: UInt8 = 0, stream: UInt32 = 0
    ) -> [UInt8] {
        [
            0, UInt8(content.count >> 8), UInt8(content.count & 0xFF), type, flags,
            UInt8(stream >> 24), UInt8(stream >> 16 & 0xFF), UInt8(stream >> 8 & 0xFF),
            UInt8(stream & 0xFF),
        ] + content
    }
}

private func * (bytes: [UInt8], times: Int) -> [UInt8] {
    Array((0..<times).map { _ in bytes }.joined())
}

/// Bytes of the server, by what they mean to the client.
struct Message {
    enum Kind {
        case flight, finished12, document, unavailable
        /// A part of an answer.
        case content
        case other
    }
    var kind: Kind
    var count: Int
    /// Nothing of what it says comes behind these bytes.
    var isWhole = true
}

/// What the server never asks for by name: epoll(7) has these numbers.
extension Readiness {
    static let readable = Readiness(rawValue: 0x001)
    static let hangup = Readiness(rawValue: 0x010)
}
