package import Reactor

/// Auxiliary listeners on a thread of their own: a stuck page costs the workers nothing, and a
/// storm on the public port does not hide the page.
package final class AuxiliaryServer: Sendable {
    private let thread: StoppableThreads

    /// Serves on listening sockets until `stop`.
    ///
    /// - Parameters:
    ///   - listeners: raw descriptors; the server owns them from here on.
    ///   - name: of the thread, 15 bytes at most.
    ///   - backlog: of each listener.
    /// - Throws: `SystemError` when a thread or descriptor cannot be had.
    package init(
        owning listeners: [Int32], name: StaticString, connectionsMaximum: Int, backlog: Int32,
        service: any AuxiliaryService
    ) throws(SystemError) {
        let thread = try StoppableThreads()
        self.thread = thread
        try thread.start(name: "\(name)") {
            var loop = try? AuxiliaryLoop(
                listeners: listeners, service: service, connectionsMaximum: connectionsMaximum,
                acceptsPerTurn: Int(backlog), thread: thread)
            loop?.run()
        }
    }

    /// Ends the thread, also in a process that fails before it serves and never calls `stop`.
    deinit { stop() }

    /// Closes the listeners, so that later connections are a successor's, and answers the requests
    /// that have arrived. The caller must still call `stop`.
    package func leave() { thread.raise() }

    /// Answers the requests that have arrived, ends the thread and waits for it.
    package func stop() { thread.stop() }
}
