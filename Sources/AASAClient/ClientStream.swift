import HTTP
import Reactor

/// A response that is read in chunks while the server still writes it.
///
/// It buffers one read of the connection (32 KiB). A server that writes faster than the caller
/// reads is slowed down by TCP flow control.
package final class ClientStream {
    /// The response head.
    package let head: ResponseHead
    private let connection: ClientConnection
    private var parser: HTTP1ResponseParser

    /// Sends the request and reads the head.
    init(_ connection: ClientConnection, _ request: ClientRequest) throws(ClientFailure) {
        var parser = HTTP1ResponseParser(
            answersHead: request.method == "HEAD", bodyMaximum: .max)
        try connection.send(request.http1Bytes)
        var received = 0
        while parser.head == nil {
            let bytes = try connection.receive(received == 0 ? .head : .partialHead)
            received += bytes.count
            try Self.feed(bytes, to: &parser)
        }
        guard let head = parser.head else { throw .closed(.head, missing: nil) }
        self.head = ResponseHead(head)
        self.connection = connection
        self.parser = parser
    }

    /// The next bytes of the body, at least one; nil at the end according to its framing.
    ///
    /// - Throws: ``ClientFailure/timeout(_:)`` if nothing arrived within the limit: the stream
    ///   stays usable. After every other failure it is not.
    package func next(within limit: Duration) throws(ClientFailure) -> [UInt8]? {
        connection.deadline = MonotonicInstant.now() + limit
        while true {
            let piece = parser.takeBody()
            if !piece.isEmpty { return piece }
            if parser.state == .complete { return nil }
            try Self.feed(connection.receive(.body), to: &parser)
        }
    }

    private static func feed(
        _ bytes: ArraySlice<UInt8>, to parser: inout HTTP1ResponseParser
    ) throws(ClientFailure) {
        let state =
            bytes.isEmpty ? parser.endOfStream() : bytes.withUnsafeBytes { parser.receive($0) }
        guard case .failed(let fault) = state else { return }
        switch fault {
        case .cutInHead: throw .closed(.head, missing: nil)
        case .cutInBody: throw .closed(.body, missing: nil)
        default: throw .badFraming(fault.explanation)
        }
    }
}
