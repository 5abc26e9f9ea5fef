package import Reactor
import Synchronization

/// The control socket of a running server, on a thread of its own: `aasa reload`, `upgrade` and
/// `status` ask here and get the outcome. Only the server's own user and root may ask.
package final class ControlServer: Sendable {
    /// Called at most once, from any thread.
    package typealias Answer = @Sendable (ControlReply) -> Void

    private let path: String
    private let mailbox: ControlMailbox
    private let thread: WorkerThread

    /// - Parameters:
    ///   - path: of the Unix socket, in a folder that only its owner can write to.
    ///   - perform: starts the request, and answers when its outcome is known.
    package init(
        path: String, perform: @escaping @Sendable (ControlRequest, @escaping Answer) -> Void
    ) throws(SystemError) {
        let address = try SocketAddress.requireUnix(path: path)
        var listener = try ListeningSocket(on: address, backlog: 16, sharesPort: false)
        try? Files.setMode(path, 0o600)
        let mailbox = ControlMailbox(wakeup: try Wakeup())
        let raw = listener.release()
        self.path = path
        self.mailbox = mailbox
        thread = try WorkerThread(name: "aasa-commands") {
            guard let listener = try? ListeningSocket(adopting: raw) else { return }
            var loop = ControlServerLoop(mailbox: mailbox, perform: perform)
            loop.run(listener)
        }
    }

    /// Sends the answers that are ready, and ends. Removes the socket.
    package func stop() {
        Files.remove(path)
        mailbox.stop()
        thread.join()
    }
}

/// Passes answers from the threads that know them to the thread that sends them.
final class ControlMailbox: Sendable {
    let wakeup: Wakeup
    private let answers = Lock<[(connection: Int, reply: ControlReply)]>([])
    private let isStopped = Atomic(false)

    init(wakeup: Wakeup) { self.wakeup = wakeup }

    func put(_ reply: ControlReply, for connection: Int) {
        answers.withLock { $0.append((connection, reply)) }
        wakeup.signal()
    }

    func take() -> [(connection: Int, reply: ControlReply)] {
        wakeup.drain()
        return answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        wakeup.signal()
    }

    var mustStop: Bool { isStopped.load(ordering: .acquiring) }
}

/// The loop of that thread: few connections, each with one line in and one line out.
private struct ControlServerLoop {
    /// Enough for people and scripts; one more waits in the kernel's queue.
    static let connectionsMaximum = 16
    /// A request is one short line.
    static let requestBytesMaximum = 1024
    /// The time to send the request, and to take the answer; the work between them may take longer.
    static let patience: Duration = .seconds(5)

    /// A class, because a list cannot hold a `Socket`, which cannot be copied.
    private final class Peer {
        let socket: Socket
        init(_ socket: consuming Socket) { self.socket = socket }
    }

    private struct Connection {
        let number: Int
        let peer: Peer
        var input: [UInt8] = []
        var output: [UInt8] = []
        var isWorking = false
        /// The client has left, or all is said: it is ended, also while it waits for an outcome.
        var isOver = false
        var deadline: MonotonicInstant
    }

    private let mailbox: ControlMailbox
    private let perform: @Sendable (ControlRequest, @escaping ControlServer.Answer) -> Void
    private var connections: [Connection] = []
    private var next = 1

    init(
        mailbox: ControlMailbox,
        perform: @escaping @Sendable (ControlRequest, @escaping ControlServer.Answer) -> Void
    ) {
        self.mailbox = mailbox
        self.perform = perform
    }

    mutating func run(_ listener: borrowing ListeningSocket) {
        // A client that waits for an outcome gets it, or else sees the end of the connection.
        defer { connections = [] }
        while true {
            let isFull = connections.count >= Self.connectionsMaximum
            var waiting: [Waiting.Subject] = [
                .init(mailbox.wakeup.descriptor), .init(listener.raw, isFull ? .ending : .reading),
            ]
            for connection in connections {
                waiting.append(
                    .init(
                        connection.peer.socket.raw,
                        connection.isWorking
                            ? .ending : connection.output.isEmpty ? .reading : .writing))
            }
            let isReady = Waiting.wait(waiting, until: nextDeadline)
            // Read before the mailbox, so that answers given before the stop are still taken below.
            let isStopping = mailbox.mustStop
            for (number, reply) in mailbox.take() { answer(number, reply) }
            for index in connections.indices
            where isReady[index + 2] && !connections[index].isOver {
                proceed(index)
            }
            if isReady[1], !isStopping { accept(listener) }
            endOverdue()
            if isStopping { return }
        }
    }

    private var nextDeadline: MonotonicInstant {
        connections.filter { !$0.isWorking }.map(\.deadline).min() ?? .distantFuture
    }

    private mutating func accept(_ listener: borrowing ListeningSocket) {
        guard case .accepted(var socket, _) = listener.accept() else { return }
        let peer = Peer(Socket(owning: socket.release()))
        guard let identity = PeerIdentity(of: peer.socket.raw),
            identity.user == CurrentProcess.user || identity.user == 0
        else { return }
        connections.append(
            Connection(number: next, peer: peer, deadline: .now() + Self.patience))
        next += 1
    }

    private mutating func proceed(_ index: Int) {
        if !connections[index].output.isEmpty { return send(index) }
        // A client that waits for an outcome sends nothing more: this is the end of the connection.
        if connections[index].isWorking {
            connections[index].isOver = true
            return
        }
        var bytes = [UInt8](repeating: 0, count: Self.requestBytesMaximum)
        let peer = connections[index].peer
        switch bytes.withUnsafeMutableBytes({ peer.socket.receive(into: $0) }) {
        case .bytes(let count): connections[index].input += bytes[..<count]
        case .wouldBlock: return
        case .endOfStream, .failed:
            connections[index].isOver = true
            return
        }
        let input = connections[index].input
        guard let end = input.firstIndex(of: 10) else {
            if input.count > Self.requestBytesMaximum {
                connections[index].isOver = true
            }
            return
        }
        let number = connections[index].number
        guard let request = ControlRequest(Array(input[..<end])) else {
            return answer(number, ControlReply(.refused, problems: ["not a request"]))
        }
        connections[index].isWorking = true
        let mailbox = mailbox
        perform(request) { mailbox.put($0, for: number) }
    }

    private mutating func answer(_ number: Int, _ reply: ControlReply) {
        guard let index = connections.firstIndex(where: { $0.number == number }) else { return }
        connections[index].output = reply.line
        connections[index].isWorking = false
        connections[index].deadline = .now() + Self.patience
        send(index)
    }

    private mutating func send(_ index: Int) {
        let connection = connections[index]
        switch connection.output.withUnsafeBytes({ connection.peer.socket.send($0) }) {
        case .bytes(let count): connections[index].output.removeFirst(count)
        case .wouldBlock: return
        case .endOfStream, .failed:
            connections[index].isOver = true
            return
        }
        if connections[index].output.isEmpty {
            connections[index].isOver = true
        }
    }

    private mutating func endOverdue() {
        let now = MonotonicInstant.now()
        // An outcome that comes later finds nobody (``answer(_:_:)``).
        connections.removeAll { $0.isOver || !$0.isWorking && now >= $0.deadline }
    }
}
