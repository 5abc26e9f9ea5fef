package import AASAClient
package import OpenSSL
package import Reactor

/// A pool of clients that share TLS contexts: creating those loads the system's roots, which takes
/// longer than most requests.
// A client has no lock of its own; the pool's lock ensures that only one thread uses it at a time.
package final class ClientPool: @unchecked Sendable {
    private let resolver: Resolver
    private let stop: Wakeup?
    private let lock = Lock(())
    private var idle: [HTTPClient] = []
    private var contexts: ClientContexts?

    /// - Parameter stop: ends the waits of its clients (see ``HTTPClient``).
    package init(resolver: Resolver, stop: Wakeup? = nil) {
        self.resolver = resolver
        self.stop = stop
    }

    /// Lends a client for the duration of the call.
    /// - Throws: ``OpenSSLError`` if the library is broken.
    package func lend<Value>(
        _ body: (HTTPClient) -> Value
    ) throws(OpenSSLError) -> Value {
        let client =
            if let known = lock.withLock({ _ in idle.popLast() }) { known } else {
                try HTTPClient(resolver: resolver, stop: stop, contexts: try sharedContexts())
            }
        defer { lock.withLock { _ in idle.append(client) } }
        return body(client)
    }

    private func sharedContexts() throws(OpenSSLError) -> ClientContexts {
        if let known = lock.withLock({ _ in contexts }) { return known }
        // At the start two threads may create one each; only one is kept.
        let made = try ClientContexts()
        return lock.withLock { _ in
            if let known = contexts { return known }
            contexts = made
            return made
        }
    }
}
