import OpenSSL

/// The TLS session of a device: of OpenSSL or of the light client.
enum StormSession {
    case full(TLSSession)
    case light(LightSession)

    enum Step { case done, wantsInput, failed }
    enum Read {
        case bytes(Int)
        case wantsInput, closedByPeer, failed
    }

    func handshake(_ wire: StormTransports) -> Step {
        switch self {
        case .full(let session):
            switch session.handshake(wire.full) {
            case .done: .done
            case .wantsInput: .wantsInput
            case .failed: .failed
            }
        case .light(let session):
            switch session.handshake() {
            case .done: .done
            case .wantsInput: .wantsInput
            case .failed: .failed
            }
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, _ wire: StormTransports) -> Read {
        switch self {
        case .full(let session):
            switch session.read(into: buffer, wire.full) {
            case .bytes(let count): .bytes(count)
            case .wantsInput: .wantsInput
            case .closedByPeer: .closedByPeer
            case .failed: .failed
            }
        case .light(let session):
            switch session.read(into: buffer) {
            case .bytes(let count): .bytes(count)
            case .wantsInput: .wantsInput
            case .closedByPeer: .closedByPeer
            case .failed: .failed
            }
        }
    }

    /// - Returns: whether all of it is encrypted in the output.
    func write(_ bytes: UnsafeRawBufferPointer, _ wire: StormTransports) -> Bool {
        switch self {
        case .full(let session):
            if case .written = session.write(bytes, wire.full) { return true }
            return false
        case .light(let session): return session.write(bytes)
        }
    }

    func closeNotify(_ wire: StormTransports) {
        switch self {
        case .full(let session): session.closeNotify(wire.full)
        case .light(let session): session.closeNotify()
        }
    }

    func keepUnread(_ wire: StormTransports) {
        switch self {
        case .full(let session): session.keepUnread(wire.full)
        case .light(let session): session.keepUnread()
        }
    }

    /// Whether a read may return something without more input.
    func hasUnread(_ wire: StormTransports) -> Bool {
        switch self {
        case .full(let session): session.hasUnread || wire.full.unreadCount > 0
        case .light(let session): session.hasUnread || session.client.unreadCount > 0
        }
    }

    /// Whether the session was resumed.
    var isResumed: Bool {
        if case .full(let session) = self { return session.negotiated.isResumed }
        return false
    }

    /// The data for the next device to resume; the light client does not resume.
    var resumption: TLSResumption? {
        if case .full(let session) = self { return session.resumption() }
        return nil
    }

    /// Whether the server selected something that the light client does not support.
    var needsMore: Bool {
        if case .light(let session) = self { return session.phase == .failed(.needsMore) }
        return false
    }

    /// Provides received bytes, which are read in place.
    func receive(_ bytes: UnsafeRawBufferPointer, _ wire: StormTransports) {
        switch self {
        case .full: wire.full.receive(bytes)
        case .light(let session): session.client.receive(bytes)
        }
    }

    /// The bytes to send.
    func output(_ wire: StormTransports) -> UnsafeRawBufferPointer {
        switch self {
        case .full: wire.full.output
        case .light(let session): session.client.output
        }
    }

    func clearOutput(_ wire: StormTransports) {
        switch self {
        case .full: wire.full.clearOutput()
        case .light(let session): session.client.clearOutput()
        }
    }
}

/// The transports of the sessions of one thread; a light session uses its client's.
struct StormTransports {
    let full: TLSTransport
}
