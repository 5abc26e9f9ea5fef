package import OpenSSL

/// What a reload gives to the workers, all at once: the answers and the certificates. One value, so
/// that no worker ever serves a new host with old certificates.
package struct Publication: Sendable {
    package let snapshot: Snapshot
    /// One context per worker, each in that worker's library; made on the reloader's thread, so
    /// that no worker pauses for it.
    package let contexts: [TLSContext]

    package init(snapshot: Snapshot, contexts: [TLSContext]) {
        self.snapshot = snapshot
        self.contexts = contexts
    }
}
