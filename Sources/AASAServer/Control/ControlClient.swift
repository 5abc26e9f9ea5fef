package import AppSiteAssociation
import HTTP
package import Reactor

/// The commands' side of the control socket: finds the running server and sends it a request.
/// Blocking.
package struct ControlClient: Sendable {
    /// A server that answered.
    package struct Server: Sendable {
        package let path: String
        package let process: ProcessID
        package let phase: String
    }

    package enum Failure: Error, Sendable, Equatable {
        /// No process listens there, or it has exited before it answered.
        case gone
        /// This user may not connect.
        case denied(String)
        /// It listens, and does not answer in so many seconds: it hangs, or was stopped.
        case silent(seconds: Int)
        /// The answer is not that of an aasa server.
        case stranger(String)
    }

    /// A server answers at once who it is, but on an overloaded machine its thread may have to
    /// wait for a processor.
    private static let identifySeconds = 15

    /// What was found in the run folders.
    package struct Look: Sendable {
        /// The servers that answer.
        package var found: [Server] = []
        /// The places that this user may not read.
        package var denied: [String] = []
        /// Why the other servers did not answer.
        package var failed: [ProcessID: Failure] = [:]
    }

    /// Asks the servers in these folders who they are.
    ///
    /// - Parameter wanted: the only process to ask; nil: all.
    package static func look(in folders: [RunFolder], for wanted: ProcessID? = nil) -> Look {
        var look = Look()
        for folder in folders where folder.isTrusted(by: CurrentProcess.user) {
            do throws(FileError) {
                try Files.checkListable(folder.path)
            } catch {
                if error.isDenied { look.denied.append(folder.path) }
            }
            for process in folder.processes.sorted() where wanted == nil || wanted == process {
                let path = folder.socket(of: process)
                do throws(Failure) {
                    let reply = try ask(
                        path, .process, process: process, seconds: identifySeconds)
                    look.found.append(
                        Server(path: path, process: process, phase: reply.phase))
                } catch {
                    look.failed[process] = error
                    if case .denied = error { look.denied.append(path) }
                }
            }
        }
        return look
    }

    /// 10,000 hosts in `status.json` are some megabytes, more than a document may have.
    static let bytesMaximum = 1 << 26

    /// Sends a command and waits for its reply.
    ///
    /// - Parameters:
    ///   - process: the process that has to be at the other end.
    ///   - seconds: how long to wait for the answer.
    package static func ask(
        _ path: String, _ request: ControlRequest, process: ProcessID, seconds: Int
    ) throws(Failure) -> ControlReply {
        guard
            let reply = ControlReply(
                try fetch(path, request, process: process, seconds: seconds))
        else { throw .stranger("not an answer of aasa") }
        return reply
    }

    /// Sends a request and waits for the JSON of the response; the parameters are those of
    /// ``ask(_:_:process:seconds:)``.
    package static func fetch(
        _ path: String, _ request: ControlRequest, process: ProcessID, seconds: Int
    ) throws(Failure) -> JSONValue {
        let bytes = try exchange(path, request.message, process: process, seconds: seconds)
        if isVersion1(bytes) {
            return try fetchFromVersion1(path, request, process: process, seconds: seconds)
        }
        var parser = HTTP1ResponseParser(bodyMaximum: bytesMaximum)
        bytes.withUnsafeBytes { _ = parser.receive($0) }
        switch parser.endOfStream() {
        case .complete: return try json(parser.body)
        case .needsMore, .failed(.cutInHead), .failed(.cutInBody): throw .gone
        case .failed: throw .stranger("not an answer of aasa")
        }
    }

    static func json(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
        let limits = JSONLimits(bytesMaximum: bytesMaximum, depthMaximum: 32)
        let text = SourceText(name: "control", bytes: bytes)
        guard let root = try? JSONReader.read(text, limits: limits).root else {
            throw .stranger("not an answer of aasa")
        }
        return root
    }

    /// Sends bytes and reads to the end of the connection.
    static func exchange(
        _ path: String, _ message: [UInt8], process: ProcessID, seconds: Int
    ) throws(Failure) -> [UInt8] {
        let connection = try connect(path, seconds)
        if let peer = connection.peer,
            let stranger = stranger(
                peer.process, of: peer.user, insteadOf: process,
                owner: Files.owner(of: Files.folder(of: path))?.user)
        {
            throw stranger
        }
        connection.limitWait(seconds: seconds)
        guard connection.send(message) == .bytes(message.count) else { throw .gone }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= bytesMaximum {
            switch chunk.withUnsafeMutableBytes({ connection.receive(into: $0) }) {
            case .bytes(let count): bytes += chunk[..<count]
            case .endOfStream: return bytes
            case .wouldBlock, .failed: throw .silent(seconds: seconds)
            }
        }
        throw .stranger("its answer is too big")
    }

    /// Why the process at the other end, which the kernel names, is not the server: another one may
    /// have put a socket there.
    ///
    /// - Parameters:
    ///   - peer: 0 for a process of another PID namespace (a container).
    ///   - owner: of the folder, in which only that user and root can make a socket.
    static func stranger(
        _ peer: ProcessID, of user: UserID, insteadOf process: ProcessID, owner: UserID?
    ) -> Failure? {
        if peer != 0, peer != process { return .stranger("process \(peer) answers on its socket") }
        if user != 0, user != owner {
            return .stranger(
                "user \(user) answers on its socket, and the folder belongs to another user")
        }
        return nil
    }

    private static func connect(
        _ path: String, _ seconds: Int
    ) throws(Failure) -> LocalConnection {
        do throws(SystemError) {
            return try LocalConnection(to: path, within: seconds)
        } catch {
            if error.isWouldBlock { throw .silent(seconds: seconds) }
            if error.isDenied, error.call == "connect" { throw .denied(path) }
            throw .gone
        }
    }
}
