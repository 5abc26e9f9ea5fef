package import HTTP
package import OpenSSL
package import Reactor

/// Everything that was seen while one request was made.
package struct ClientExchange: Sendable {
    package let request: ClientRequest
    /// The address that was asked; nil when the name did not resolve.
    package var address: SocketAddress?
    package var tls: TLSFacts?
    package var head: ResponseHead?
    /// Heads of interim answers (1xx).
    package var interim: [ResponseHead] = []
    /// Decoded, as far as ``coding`` says.
    package var body: [UInt8] = []
    package var coding = BodyCoding.none
    /// Bytes that followed a complete answer.
    package var surplus = 0
    /// Nil when a whole answer came.
    package var failure: ClientFailure?
    /// Where the time was up in the body: the end that was waited for, when the peer had fallen
    /// silent before. Nil where it was sending still.
    package var stall: Stall?
    package var timing = Timing()

    package init(request: ClientRequest) { self.request = request }

    /// What became of the codings that Content-Encoding names.
    package enum BodyCoding: Sendable, Hashable {
        case none
        case decoded([String], sentBytes: Int)
        /// The body is as it was sent.
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

    /// Takes the codings off the body, as devices do before they measure and read it.
    ///
    /// - Parameter maximum: bytes that may come out.
    mutating func decodeBody(maximum: Int) {
        let names = ContentDecoder.names(head?.values("Content-Encoding") ?? [])
        // A part of a compressed body is no compressed body.
        guard !names.isEmpty, !body.isEmpty, head?.status != 206 else { return }
        do throws(ContentDecoder.Failure) {
            let sent = body.count
            body = try ContentDecoder.decode(body, codings: names, maximum: maximum)
            coding = .decoded(names, sentBytes: sent)
        } catch {
            coding = .failed(names, error)
        }
    }

    /// Since the start; nil for what was not reached.
    package struct Timing: Sendable, Hashable {
        package var connected: Duration?
        package var secured: Duration?
        package var firstByte: Duration?
        package var ended: Duration = .zero
    }

    /// The status of a whole answer.
    package var status: Int? { failure == nil ? head?.status : nil }
}

/// What the handshake showed.
package struct TLSFacts: Sendable {
    package let version: TLSVersion
    package let cipher: String
    package let group: String?
    package let applicationProtocol: TLSApplicationProtocol?
    /// As the server sent it, its own certificate first.
    package let chain: [Certificate]
    package let verification: TLSVerification
}

/// The head of an answer, as it came.
package struct ResponseHead: Sendable, Hashable {
    /// Status line and field lines without their line ends. HTTP/2 has none: they are written as
    /// HTTP/1.1 would.
    package let lines: [String]
    package let status: Int
    package let reason: String
    package let fields: [Field]

    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(lines: [String], status: Int, reason: String, fields: [Field]) {
        self.lines = lines
        self.status = status
        self.reason = reason
        self.fields = fields
    }

    /// The values of a field, its name compared without regard to case.
    package func values(_ name: String) -> [String] {
        let name = name.lowercased()
        return fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    package func value(_ name: String) -> String? { values(name).first }
}

/// Why there is no whole answer.
package enum ClientFailure: Error, Sendable, Hashable {
    /// What was under way.
    package enum Phase: String, Sendable, Hashable {
        case connecting = "while connecting"
        case handshake = "during the TLS handshake"
        case request = "while the request was sent"
        case head = "before the answer began"
        case partialHead = "in the middle of the answer's head"
        case body = "in the middle of the body"
    }

    /// The name has no address; the resolver's words.
    case unresolved(String)
    case refused
    /// No route, or another error of the network.
    case unreachable(String)
    case timeout(Phase)
    /// The peer reset the connection.
    case reset(Phase)
    /// The peer closed the connection before the answer was complete.
    case closed(Phase, missing: Int?)
    case tls(TLSFailure)
    /// The server's certificate is not right, and the request asks for one that is: why, and the
    /// remedy.
    case certificate(String)
    /// HTTP/2 was asked for and not chosen.
    case noHTTP2
    /// What came is no HTTP; its first bytes.
    case notHTTP(String)
    /// The answer's head is larger than so many bytes.
    case headTooLarge(Int)
    /// A framing that cannot be read: the reason.
    case badFraming(String)
    /// The body is larger than `ClientRequest.Limits.body`, or announced to be.
    case tooLarge(Int)
    /// The HTTP/2 stream or connection ended with an error code.
    case http2(String)
    /// This machine could not even try: the reason.
    case local(String)
    /// The client was stopped from another thread.
    case stopped
}

extension ClientExchange.Stall: CustomStringConvertible {
    package var description: String {
        let missing =
            switch end {
            case .length(let missing): "Content-Length promises \(missing) more"
            case .lastChunk: "the last chunk, of size 0, is missing"
            case .close:
                "there is no Content-Length, and the connection that tells the end stays open"
            case .endStream: "the stream is not ended (END_STREAM)"
            }
        return "\(received) bytes of the body came and then nothing more: " + missing
    }
}

extension ClientFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unresolved(let reason): "the name does not resolve: \(reason)"
        case .refused: "the connection was refused"
        case .unreachable(let reason): "the address cannot be reached: \(reason)"
        case .timeout(let phase): "the time was up \(phase.rawValue)"
        case .reset(let phase): "the connection was reset \(phase.rawValue)"
        case .closed(let phase, let missing?):
            "the connection was closed \(phase.rawValue): \(missing) bytes are missing"
        case .closed(let phase, nil): "the connection was closed \(phase.rawValue)"
        case .tls(let failure): failure.description
        case .certificate(let reason): "the server's certificate was refused: \(reason)"
        case .noHTTP2: "the server did not choose HTTP/2"
        case .notHTTP(let start): "the answer is not HTTP: \(start)"
        case .badFraming(let reason): "the answer cannot be read: \(reason)"
        case .headTooLarge(let limit): "the answer's head is larger than \(limit) bytes"
        case .tooLarge(let limit): "the body is larger than \(limit) bytes"
        case .http2(let reason): "HTTP/2: \(reason)"
        case .local(let reason): reason
        case .stopped: "it was stopped"
        }
    }
}
