import OpenSSL
import Reactor

/// One connection of the client: blocking, with a deadline for every wait.
///
/// A tool that sends one request at a time and times each step needs no event loop; poll(2) on one
/// descriptor is enough.
final class ClientConnection {
    private var socket = Socket()
    private var transport: TLSTransport?
    private(set) var session: TLSSession?
    /// The deadline of every wait.
    var deadline: MonotonicInstant
    private let stop: Wakeup?
    private var plaintext = [UInt8](repeating: 0, count: 32 * 1024)
    private var ciphertext = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 32 * 1024, alignment: 16)

    /// - Parameter stop: ends every wait when it is signalled.
    init(deadline: MonotonicInstant, stop: Wakeup? = nil) {
        self.deadline = deadline
        self.stop = stop
    }

    deinit { ciphertext.deallocate() }

    // MARK: - Steps

    func connect(to address: SocketAddress, within limit: Duration) throws(ClientFailure) {
        do {
            socket = try Socket(for: address)
        } catch {
            throw error.isNoRoute ? .noRoute(error.reason) : .local(error.description)
        }
        switch socket.connect(to: address) {
        case .connected: return
        case .failed(let error):
            throw error.isNoRoute ? .noRoute(error.reason) : Self.connectFailure(error)
        case .inProgress: break
        }
        let end = min(deadline, MonotonicInstant.now() + limit)
        guard try wait(for: .writing, until: end) else { throw .timeout(.connecting) }
        if let error = socket.pendingError() { throw Self.connectFailure(error) }
    }

    private static func connectFailure(_ error: SystemError) -> ClientFailure {
        if error.isRefused { return .refused }
        if error.isTimeout { return .timeout(.connecting) }
        return error.isReset ? .reset(.connecting) : .unreachable(error.reason)
    }

    func secure(_ context: TLSContext, name: String, sendsName: Bool) throws(ClientFailure) {
        let transport: TLSTransport
        let session: TLSSession
        do {
            transport = try TLSTransport()
            session = try TLSSession(
                context: context, serverName: sendsName ? name : nil, checkedName: name)
        } catch {
            throw .local(error.description)
        }
        self.transport = transport
        self.session = session
        while true {
            let step = session.handshake(transport)
            session.keepUnread(transport)
            do {
                try flush(.handshake)
            } catch {
                // The peer's alert says more than the closed socket.
                if case .failed(let failure) = step { throw .tls(failure) }
                throw error
            }
            switch step {
            case .done: return
            case .failed(let failure): throw .tls(failure)
            case .wantsInput: break
            }
            if try receiveCiphertext(.handshake) == 0 { throw .closed(.handshake, missing: nil) }
        }
    }

    func send(_ bytes: [UInt8]) throws(ClientFailure) {
        guard let session, let transport else {
            return try bytes.withUnsafeBufferPointer { (raw) throws(ClientFailure) in
                try sendRaw(UnsafeRawBufferPointer(raw), .request)
            }
        }
        let written = bytes.withUnsafeBytes { session.write($0, transport) }
        try flush(.request)
        if !written, let failure = session.failure { throw .tls(failure) }
    }

    /// The next bytes from the peer; empty at end of stream.
    func receive(_ phase: ClientFailure.Phase) throws(ClientFailure) -> ArraySlice<UInt8> {
        guard let session, let transport else {
            let count = try receiveCiphertext(phase)
            return Array(ciphertext[..<count])[...]
        }
        while true {
            let read = plaintext.withUnsafeMutableBytes { session.read(into: $0, transport) }
            session.keepUnread(transport)
            switch read {
            case .bytes(let count): return plaintext[..<count]
            case .closedByPeer: return []
            case .failed(let failure): throw .tls(failure)
            case .wantsInput:
                try flush(phase)
                if try receiveCiphertext(phase) == 0 { return [] }
            }
        }
    }

    // MARK: - The socket

    private func flush(_ phase: ClientFailure.Phase) throws(ClientFailure) {
        guard let transport else { return }
        defer { transport.clearOutput() }
        try sendRaw(transport.output, phase)
    }

    private func sendRaw(
        _ bytes: UnsafeRawBufferPointer, _ phase: ClientFailure.Phase
    ) throws(ClientFailure) {
        var rest = bytes
        while !rest.isEmpty {
            switch socket.send(rest) {
            case .bytes(let count): rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            case .wouldBlock:
                guard try wait(for: .writing, until: deadline) else { throw .timeout(phase) }
            case .endOfStream: throw .closed(phase, missing: nil)
            case .failed(let error):
                throw error.isBrokenPipe ? .closed(phase, missing: nil) : .reset(phase)
            }
        }
    }

    private func receiveCiphertext(_ phase: ClientFailure.Phase) throws(ClientFailure) -> Int {
        // A peer that sends without a pause is never waited for: the time ends here as well.
        if deadline <= .now() { throw .timeout(phase) }
        while true {
            switch socket.receive(into: ciphertext) {
            case .bytes(let count):
                transport?.receive(UnsafeRawBufferPointer(rebasing: ciphertext[..<count]))
                return count
            case .endOfStream: return 0
            case .wouldBlock:
                guard try wait(for: .reading, until: deadline) else { throw .timeout(phase) }
            case .failed: throw .reset(phase)
            }
        }
    }

    private func wait(
        for purpose: Waiting.Subject.Purpose, until end: MonotonicInstant
    ) throws(ClientFailure) -> Bool {
        if end <= .now() { return false }
        let isReady = Waiting.wait(
            [.init(socket.raw, purpose), .init(stop?.descriptor ?? -1)], until: end)
        if isReady[1] { throw .stopped }
        return isReady[0]
    }
}
