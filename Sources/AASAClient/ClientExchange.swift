package import HTTP
package import OpenSSL
package import Reactor

/// Everything observed during one request.
package struct ClientExchange: Sendable {
    package let request: ClientRequest
    /// The address connected to; nil if the name did not resolve.
    package var address: SocketAddress?
    package var tls: TLSFacts?
    package var head: ResponseHead?
    /// Heads of interim responses (1xx).
    package var interim: [ResponseHead] = []
    /// Decoded according to ``coding``.
    package var body: [UInt8] = []
    package var coding = BodyCoding.none
    /// Bytes after a complete response.
    package var surplus = 0
    /// Nil for a complete response.
    package var failure: ClientFailure?
    package var timing = Timing()

    package init(request: ClientRequest) { self.request = request }

    /// The result of decoding the codings in Content-Encoding.
    package enum BodyCoding: Sendable, Hashable {
        case none
        case decoded([String], sentBytes: Int)
        /// The body is kept as sent.
        case failed([String], ContentDecoder.Failure)
    }

    /// Decodes the content codings, as devices do before they measure and parse the body.
    ///
    /// - Parameter maximum: of decoded bytes.
    mutating func decodeBody(maximum: Int) {
        let names = ContentDecoder.names(head?.values("Content-Encoding") ?? [])
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
        case request = "while the request was sent"
        case head = "before the answer began"
        case partialHead = "in the middle of the answer's head"
        case body = "in the middle of the body"
    }

    /// The name has no address; the resolver's message.
    case unresolved(String)
    case refused
    /// No route, or another network error.
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
    /// HTTP/2 was requested but not selected.
    case noHTTP2
    /// The response is not HTTP; its first bytes.
    case notHTTP(String)
    /// An invalid framing: the reason.
    case badFraming(String)
    /// More than `ClientRequest.Limits.body`.
    case tooLarge(Int)
    /// The HTTP/2 stream or connection ended with an error code.
    case http2(String)
    /// An error of this machine: the reason.
    case local(String)
    /// The client was stopped from another thread.
    case stopped
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
        case .tooLarge(let limit): "more than \(limit) bytes came"
        case .http2(let reason): "HTTP/2: \(reason)"
        case .local(let reason): reason
        case .stopped: "it was stopped"
        }
    }
}
