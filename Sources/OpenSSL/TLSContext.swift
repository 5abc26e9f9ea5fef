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

    /// The number of full chain verifications, if chains are cached.
    var chainVerifications: Int? { entry.chainMemory?.verifications }

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
            (entry, callbacks) = try TLSContext.makeServer(
                settings, library, previous?.library === library ? previous : nil)
        case .client(let settings):
            client = settings
            callbacks = nil
            entry = try ContextHandle(client: settings, library)
        }
    }

    /// The host that the server name selects, for the server role.
    func host(of ssl: OpaquePointer) -> Int? {
        guard let callbacks else { return nil }
        return withServerName(ssl) { $0.flatMap { callbacks.selection.host(of: $0) } }
    }

    private static func makeServer(
        _ settings: TLSServerSettings, _ library: TLSLibrary, _ previous: TLSContext?
    ) throws(OpenSSLError) -> (ContextHandle, ServerCallbacks) {
        // Before its first certificate a server answers only challenges.
        let waits = settings.hosts.isEmpty && settings.challenges != nil
        guard waits || settings.hosts.indices.contains(settings.defaultHost) else {
            throw OpenSSLError(
                cause: "the default host has no certificate",
                remedy:
                    "Create a folder with fullchain.pem and privkey.pem for every host of the site."
            )
        }
        let protocols = ProtocolList(settings.protocols)
        // Hosts with the same certificates and suites share one SSL_CTX: an alias costs a table
        // entry.
        var known: [String: ContextHandle] = [:]
        if let previous, let old = previous.callbacks {
            for handle in old.handles { known[handle.identity] = handle }
        }
        var handles: [ContextHandle] = []
        for host in settings.hosts {
            let identity = ContextHandle.identity(host, settings)
            if let handle = known[identity] {
                handles.append(handle)
                continue
            }
            let handle = try ContextHandle(
                serving: host, settings, protocols, library, identity: identity)
            known[identity] = handle
            handles.append(handle)
        }
        // The entry is never reused from an earlier context: its callback argument is its own.
        let entry = try ContextHandle(
            serving: waits ? TLSHost(names: [], pairs: []) : settings.hosts[settings.defaultHost],
            settings, protocols, library, identity: "")
        let names = settings.hosts.enumerated().flatMap { index, host in
            host.names.map { (name: $0, host: index) }
        }
        let callbacks = ServerCallbacks(
            selection: ServerNameSelection(names), handles: handles, entry: entry.pointer,
            defaultHost: settings.defaultHost, challenges: settings.challenges, library: library)
        _ = COpenSSL_SSL_CTX_set_tlsext_servername_callback(entry.pointer, selectServerName)
        _ = COpenSSL_SSL_CTX_set_tlsext_servername_arg(
            entry.pointer, Unmanaged.passUnretained(callbacks).toOpaque())
        if settings.challenges != nil {
            SSL_CTX_set_client_hello_cb(
                entry.pointer, inspectClientHello,
                Unmanaged.passUnretained(callbacks).toOpaque())
        }
        return (entry, callbacks)
    }
}
