import HTTP
import Reactor

/// A response that is read piece by piece while the server still writes it.
///
/// Bytes in memory: one read of the connection (32 KiB). A server that writes faster than the
/// caller reads is held back by TCP.
package final class ClientStream {
    /// What came before the body.
    package let head: ResponseHead
    private let connection: ClientConnection
    private var parser: HTTP1ResponseParser
    private var isClosed = false

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

    /// The next bytes of the body, at least one; nil when it has ended as its framing says.
    ///
    /// - Throws: ``ClientFailure/timeout(_:)`` when nothing came within the limit: the stream
    ///   stays usable then. After every other failure it is over.
    package func next(within limit: Duration) throws(ClientFailure) -> [UInt8]? {
        connection.deadline = MonotonicInstant.now() + limit
        while true {
            let piece = parser.takeBody()
            if !piece.isEmpty { return piece }
            if isClosed || parser.state == .complete { return nil }
            try Self.feed(connection.receive(.body), to: &parser)
        }
    }

    /// Reads no more; the connection closes with the last reference to the stream.
    package func close() { isClosed = true }

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
