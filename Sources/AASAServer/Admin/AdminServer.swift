package import Reactor
import Synchronization

/// The admin listener on a thread of its own: a busy or stuck status page costs the workers
/// nothing, and a storm on the public port does not hide the status page.
package final class AdminServer: Sendable {
    /// Short: only people and a scraper connect.
    package static let backlog: Int32 = 64

    /// The address it is bound to, with the real port where 0 was asked for.
    package let address: SocketAddress
    private let stopSignal: AdminStopSignal
    private let thread: WorkerThread

    /// Serves on a listening socket until `stop`; the socket is ours from here on.
    ///
    /// - Parameters:
    ///   - listener: the raw descriptor of a listening socket, bound or handed over.
    ///   - tokenFile: guards all but the two probes; on a network address they are closed without.
    /// - Throws: `SystemError` when the descriptor is no listening socket, or a thread or
    ///   descriptor cannot be had.
    package init(
        owning listener: Int32, answers: any AdminAnswers, tokenFile: AdminTokenFile? = nil
    ) throws(SystemError) {
        let listening = try ListeningSocket(adopting: listener)
        address = listening.address
        let stopSignal = AdminStopSignal(wakeup: try Wakeup())
        self.stopSignal = stopSignal
        var adopted = listening
        // A number crosses into the thread, which owns the socket again on the other side.
        let raw = adopted.release()
        thread = try WorkerThread(name: "aasa-admin") {
            var loop: AdminLoop
            do throws(SystemError) {
                loop = try AdminLoop(
                    listener: raw, answers: answers, tokenFile: tokenFile, stopSignal: stopSignal)
            } catch { return }
            loop.run()
        }
    }

    /// Serves a server's pages on a listening socket.
    package convenience init(
        owning listener: Int32, source: any StatusSource, tokenFile: AdminTokenFile? = nil
    ) throws(SystemError) {
        try self.init(
            owning: listener, answers: StatusAnswers(source: source), tokenFile: tokenFile)
    }

    /// Binds `address` and serves a server's pages on it.
    ///
    /// - Throws: `SystemError` about the address.
    package convenience init(
        on address: SocketAddress, source: any StatusSource, tokenFile: AdminTokenFile? = nil
    ) throws(SystemError) {
        try self.init(
            on: address, answers: StatusAnswers(source: source), tokenFile: tokenFile)
    }

    /// Binds `address` and serves on it.
    ///
    /// - Throws: `SystemError` about the address.
    package convenience init(
        on address: SocketAddress, answers: any AdminAnswers, tokenFile: AdminTokenFile? = nil
    ) throws(SystemError) {
        var listener = try ListeningSocket(
            on: address, backlog: Self.backlog, sharesPort: false)
        try self.init(owning: listener.release(), answers: answers, tokenFile: tokenFile)
    }

    /// Ends the thread and waits for it; open connections are cut. Call exactly once.
    package func stop() {
        stopSignal.raise()
        thread.join()
    }
}

/// Asks the loop to end, from another thread.
final class AdminStopSignal: Sendable {
    let wakeup: Wakeup
    private let raised = Atomic(false)

    init(wakeup: Wakeup) { self.wakeup = wakeup }

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// Until it is raised, and no longer than `interval`.
    func wait(within interval: Duration) {
        _ = Waiting.wait([.init(wakeup.descriptor)], until: .now() + interval)
    }

    func raise() {
        raised.store(true, ordering: .releasing)
        wakeup.signal()
    }
}
