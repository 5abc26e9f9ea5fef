package import HTTP
package import Reactor

/// One answered request, for the access log. Borrowed: valid only during the call that receives it.
package struct AccessEntry {
    package let request: RequestView
    /// `nil` when the kernel did not report it.
    package let peer: SocketAddress?
    /// The host whose answer it was, if one was found.
    package let host: String?
    package let status: Int
    /// Bytes of content, 0 for HEAD.
    package let bytes: Int
    /// Number of the worker that answered.
    package let worker: Int
}

/// Takes one entry per answer, from any worker's thread, and must not block it.
package protocol AccessSink: Sendable {
    func answered(_ entry: AccessEntry)
}
