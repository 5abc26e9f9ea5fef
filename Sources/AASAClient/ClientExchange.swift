package import HTTP
package import OpenSSL
package import Reactor

/// Everything observed during one request.
package struct ClientExchange: Sendable {
    package var request: ClientRequest
    /// The address connected to; nil if the name did not resolve.
    package var address: SocketAddress?
    package var tls: TLSFacts?
    package var head: ResponseHead?
    /// Decoded according to ``coding``.
    package var body: [UInt8] = []
    package var coding = BodyCoding.none
    /// Bytes after a complete response.
    package var surplus = 0
    /// Nil for a complete response.
    package var failure: ClientFailure?
    /// Where the time was up in the body: the end that was waited for, when the peer had fallen
    /// silent before. Nil where it was sending still.
    package var stall: Stall?
    package var timing = Timing()

    package init(request: ClientRequest) { self.request = request }

    /// The result of decoding the codings in Content-Encoding.
    package enum BodyCoding: Sendable, Hashable {
        case none
        case decoded([String], sentBytes: Int)
        /// The body is kept as sent.
        case failed([String], ContentDecoder.Failure)
    }

    /// A body whose end does not come.
    package struct Stall: Sendable, Hashable {
        /// What tells the end.
        package enum End: Sendable, Hashable {
            /// Content-Length; so many bytes of it are missing.
            case length(missing: Int)
            /// The chunk of size 0 and the trailer behind it.
            case lastChunk
            /// The end of the connection.
            case close
            /// HTTP/2's flag END_STREAM.
            case endStream
        }

        package let end: End
        /// Bytes of the body that came.
        package let received: Int

        /// Whether a peer had stopped sending when the time was up: it was silent for more than
        /// half of it.
        static func isSilent(since lastByte: Duration, until end: Duration) -> Bool {
            (end - lastByte) * 2 > end
        }
    }

    /// Takes the codings off the body, as devices do before they measure and read it. A name that
    /// is no coding is passed over.
    ///
    /// - Parameter maximum: of decoded bytes.
    mutating func decodeBody(maximum: Int) {
        let names = ContentDecoder.names(head?.values("Content-Encoding") ?? [])
            .filter(ContentDecoder.isCoding)
        // A part of a compressed body cannot be decoded.
        guard !names.isEmpty, !body.isEmpty, head?.status != 206 else { return }
        do throws(ContentDecoder.Failure) {
            let sent = body.count
            body = try ContentDecoder.decode(body, codings: names, maximum: maximum)
            coding = .decoded(names, sentBytes: sent)
        } catch {
            coding = .failed(names, error)
        }
    }

    /// Since the start; nil for steps that were not reached.
    package struct Timing: Sendable, Hashable {
        package var connected: Duration?
        package var secured: Duration?
        package var firstByte: Duration?
        package var ended: Duration = .zero
    }

    /// Whether the server selected HTTP/2.
    package var isHTTP2: Bool { tls?.applicationProtocol == .http2 }

    /// The status of a complete response.
    package var status: Int? { failure == nil ? head?.status : nil }
}

/// The facts of the handshake.
package struct TLSFacts: Sendable {
    package let version: TLSVersion
    package let cipher: String
    package let group: String?
    package let applicationProtocol: TLSApplicationProtocol?
    /// As sent by the server, leaf first.
    package let chain: [Certificate]
    package let verification: TLSVerification
}

/// The head of a response as received.
package struct ResponseHead: Sendable, Hashable {
    /// Status line and field lines without line ends. HTTP/2 has none: they are formatted as in
    /// HTTP/1.1.
    package let lines: [String]
    package let status: Int
    package let reason: String
    package let fields: [HTTPField]
    /// Whether a NUL was in it; as every control character it is shown as `?`.
    package let hasNUL: Bool

    package init(
        lines: [String], status: Int, reason: String, fields: [HTTPField], hasNUL: Bool = false
    ) {
        self.hasNUL = hasNUL
        self.lines = lines
        self.status = status
        self.reason = reason
        self.fields = fields
    }

    /// The head of an answer that is simulated.
    package init(status: Int, reason: String, fields: [(name: String, value: String)]) {
        self.init(
            lines: ["HTTP/1.1 \(status) \(reason)"] + fields.map { "\($0.name): \($0.value)" },
            status: status, reason: reason,
            fields: fields.map { HTTPField(name: $0.name, value: $0.value) })
    }

    /// The values of a field; the name is case-insensitive.
    package func values(_ name: String) -> [String] {
        let name = name.lowercased()
        return fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    package func value(_ name: String) -> String? { values(name).first }
}

/// Why there is no complete response.
package enum ClientFailure: Error, Sendable, Hashable {
    /// The current step.
    package enum Phase: String, Sendable, Hashable {
        case connecting = "while connecting"
        case handshake = "during the TLS handshake"
        case request = "while sending the request"
        case head = "before the response started"
        case partialHead = "in the middle of the response head"
        case body = "in the middle of the body"
    }

    /// The name has no address; the resolver's message.
    case unresolved(String)
    case refused
    /// This machine has no route to the address, often to none of its family: nothing was sent, and
    /// nothing is known of the host. The kernel's reason.
    case noRoute(String)
    /// A router on the way has no route, or another network error occurred.
    case unreachable(String)
    case timeout(Phase)
    /// The peer reset the connection.
    case reset(Phase)
    /// The peer closed the connection before the response was complete.
    case closed(Phase, missing: Int?)
    case tls(TLSFailure)
    /// The server's certificate is invalid, and the request requires a valid one: the reason and
    /// the remedy.
    case certificate(String)
    /// The response is not HTTP; its first bytes.
    case notHTTP(String)
    /// The answer's head is larger than so many bytes.
    case headTooLarge(Int)
    /// A framing that cannot be read: the reason.
    case badFraming(String)
    /// The body is larger than `ClientRequest.Limits.body`, or announced to be.
    case tooLarge(Int)
    /// The HTTP/2 stream or connection ended with an error code.
    case http2(String)
    /// An error of this machine: the reason.
    case local(String)
    /// The client was stopped from another thread.
    case stopped
}

extension ClientExchange.Stall: CustomStringConvertible {
    package var description: String {
        let missing =
            switch end {
            case .length(let missing): "Content-Length announces \(missing) more"
            case .lastChunk: "the last chunk, of size 0, is missing"
            case .close:
                "the response has no Content-Length, and the server does not close the connection"
            case .endStream: "the server did not end the stream (END_STREAM)"
            }
        return "the body stopped after \(received) bytes: " + missing
    }
}

extension ClientFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unresolved(let reason): "the name does not resolve: \(reason)"
        case .refused: "the connection was refused"
        case .noRoute(let reason): "this machine has no route to the address: \(reason)"
        case .unreachable(let reason): "the address cannot be reached: \(reason)"
        case .timeout(let phase): "the time limit expired \(phase.rawValue)"
        case .reset(let phase): "the connection was reset \(phase.rawValue)"
        case .closed(let phase, let missing?):
            "the connection was closed \(phase.rawValue): \(missing) bytes are missing"
        case .closed(let phase, nil): "the connection was closed \(phase.rawValue)"
        case .tls(let failure): failure.description
        case .certificate(let reason): "the server's certificate was rejected: \(reason)"
        case .notHTTP(let start): "the response is not HTTP: \(start)"
        case .badFraming(let reason): "the response is invalid: \(reason)"
        case .headTooLarge(let limit): "the response head is larger than \(limit) bytes"
        case .tooLarge(let limit): "the body is larger than \(limit) bytes"
        case .http2(let reason): "HTTP/2: \(reason)"
        case .local(let reason): reason
        case .stopped: "the request was stopped"
        }
    }
}
