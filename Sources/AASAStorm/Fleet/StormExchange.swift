import HTTP

/// The requests of a storm, made once: one per user agent.
struct StormRequest: Sendable {
    let host: String
    let path: String
    let userAgents: [String]
    /// HTTP/1.1 request heads, by user agent.
    let heads: [[UInt8]]

    init(_ configuration: StormConfiguration) {
        let target = configuration.target
        host = target.port == 443 ? target.host : "\(target.host):\(target.port)"
        path = target.path
        userAgents = configuration.userAgents.isEmpty ? ["aasa-storm"] : configuration.userAgents
        let authority = host
        heads = userAgents.map {
            // What swcd sends; the connection ends with the answer, as a phone's does.
            Array(
                ("GET \(target.path) HTTP/1.1\r\nHost: \(authority)\r\nAccept: */*\r\n"
                    + "Accept-Language: en-us\r\nConnection: close\r\nUser-Agent: \($0)\r\n\r\n")
                    .utf8)
        }
    }
}

/// One request and its answer, over HTTP/1.1.
struct StormExchange {
    private var unsent: [UInt8]
    private var parser = HTTP1ResponseParser(
        bodyMaximum: StormExchange.bodyMaximum, keepsBody: false)

    /// The largest body accepted: 32 times what a device accepts.
    static let bodyMaximum = 4 << 20

    init(_ request: StormRequest, _ userAgent: Int) {
        unsent = request.heads[userAgent % request.heads.count]
    }

    /// Takes what has to be sent.
    mutating func output() -> [UInt8] {
        defer { unsent = [] }
        return unsent
    }

    /// Takes plaintext; the outcome once the answer is complete or hopeless.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> DeviceOutcome? {
        let state = parser.receive(bytes)
        return outcome(of: state)
    }

    /// The connection ended.
    mutating func endOfStream() -> DeviceOutcome {
        let state = parser.endOfStream()
        return outcome(of: state) ?? .failed(.cut)
    }

    var status: Int? { parser.head?.status }

    private func outcome(of state: HTTP1ResponseParser.State) -> DeviceOutcome? {
        switch state {
        case .needsMore: nil
        case .failed(.cutInHead), .failed(.cutInBody): .failed(.cut)
        case .failed: .failed(.badAnswer)
        case .complete: parser.head.map { DeviceOutcome(status: $0.status) } ?? .failed(.badAnswer)
        }
    }
}

extension DeviceOutcome {
    /// What a whole answer with this status means to a device.
    init(status: Int) {
        switch status {
        case 200: self = .associated
        case 300...499: self = .denied
        case 500...599: self = .willRetry
        default: self = .failed(.badAnswer)
        }
    }
}
