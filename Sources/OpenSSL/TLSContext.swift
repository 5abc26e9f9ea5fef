internal import COpenSSL

/// The state that all sessions of one worker share: certificates, keys, settings.
///
/// Immutable. Created on any thread, then used by one worker; contexts in different libraries share
/// no lock.
package final class TLSContext: @unchecked Sendable {
    package enum Role: Sendable {
        case server(TLSServerSettings)
        case client(TLSClientSettings)
    }

    let library: TLSLibrary
    /// The context that new sessions start with.
    let entry: ContextHandle
    let callbacks: ServerCallbacks?
    let client: TLSClientSettings?
    #if FAULT_INJECTION
        private(set) var simulation: SimulatedSessions?
    #endif

    /// From now on the sessions of this context are simulated (in builds with `FAULT_INJECTION`).
    package func simulate(_ make: @escaping () -> any SimulatedSession) {
        #if FAULT_INJECTION
            simulation = SimulatedSessions(entry, make)
        #endif
    }

    var isServer: Bool { callbacks != nil }

    /// - Parameters:
    ///   - library: the worker's own.
    ///   - previous: the context that this one replaces (same library): unchanged certificates are
    ///     reused, so that a reload of many hosts costs only the changes.
    /// - Throws: ``OpenSSLError`` naming the certificate or setting that OpenSSL rejected.
    package init(
        role: Role, library: TLSLibrary, replacing previous: TLSContext? = nil
    ) throws(OpenSSLError) {
        self.library = library
        switch role {
        case .server(let settings):
            client = nil
            let old = previous?.library === library ? previous?.callbacks : nil
            let callbacks = try ServerCallbacks(settings, library, replacing: old)
            (entry, self.callbacks) = (callbacks.entry, callbacks)
        case .client(let settings):
            client = settings
            callbacks = nil
            entry = try ContextHandle(client: settings, library)
        }
    }
}
