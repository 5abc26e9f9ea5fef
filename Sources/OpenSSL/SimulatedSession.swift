internal import COpenSSL

/// Takes the place of OpenSSL in a ``TLSSession`` of a simulation (Tests/Simulation), in builds
/// with `FAULT_INJECTION`.
package protocol SimulatedSession: AnyObject {
    func handshake(_ transport: TLSTransport) -> TLSStep
    func read(into buffer: UnsafeMutableRawBufferPointer, _ transport: TLSTransport) -> TLSRead
    func write(_ bytes: UnsafeRawBufferPointer, _ transport: TLSTransport) -> Bool
    func closeNotify(_ transport: TLSTransport)
    var negotiated: TLSNegotiated { get }
}

extension TLSTransport {
    /// The next input, at most so many bytes; 0: there is none.
    package func take(into target: UnsafeMutableRawPointer, atMost limit: Int) -> Int {
        state.pointee.take(into: target, atMost: limit)
    }
    package func append(_ bytes: UnsafeRawBufferPointer) {
        if let base = bytes.baseAddress { state.pointee.append(base, count: bytes.count) }
    }
}

/// Makes the simulated sessions of a context, with one unused OpenSSL session for all of them.
final class SimulatedSessions {
    let make: () -> any SimulatedSession
    private let ssl: OpaquePointer?
    init(_ context: ContextHandle, _ make: @escaping () -> any SimulatedSession) {
        self.make = make
        ssl = SSL_new(context.pointer)
    }

    deinit { SSL_free(ssl) }

    func shared() throws(OpenSSLError) -> OpaquePointer {
        guard let ssl else { throw OpenSSLError(doing: "creating a TLS session") }
        SSL_up_ref(ssl)
        return ssl
    }
}
