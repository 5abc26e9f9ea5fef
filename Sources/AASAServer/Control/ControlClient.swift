package import Glibc
import Reactor

/// The commands' side of the control socket: finds the running server and asks it. Blocking.
package struct ControlClient: Sendable {
    /// A server that answered.
    package struct Server: Sendable {
        package let path: String
        package let process: pid_t
        package let version: String
        package let phase: String
    }

    package enum Failure: Error, Sendable, Equatable {
        /// Nobody listens there.
        case gone
        /// This user may not ask.
        case denied(String)
        /// Somebody answered, or nobody did in time, and it is not what an aasa server says.
        case stranger(String)
        case ended
    }

    /// To say who it is, a server needs no time at all; a machine in a storm may need some to let
    /// it.
    private static let identifySeconds = 15

    /// Every server that answers in the folders, the places where this user may not look, and why
    /// the others did not answer.
    package static func servers(
        in folders: [RunFolder]
    ) -> (found: [Server], denied: [String], failed: [pid_t: Failure]) {
        var found: [Server] = []
        var denied: [String] = []
        var failed: [pid_t: Failure] = [:]
        for folder in folders where isTrusted(folder) {
            if access(folder.path, R_OK | X_OK) != 0, errno == EACCES {
                denied.append(folder.path)
            }
            for process in folder.processes.sorted() {
                let path = folder.socket(of: process)
                do throws(Failure) {
                    let reply = try ask(
                        path, ControlRequest(.who), process: process, seconds: identifySeconds)
                    found.append(
                        Server(
                            path: path, process: process, version: reply.version,
                            phase: reply.phase))
                } catch {
                    failed[process] = error
                    if case .denied = error { denied.append(path) }
                }
            }
        }
        return (found, denied, failed)
    }

    /// Whether only its owner, who is root, we or (for root) anybody, can put a socket there.
    private static func isTrusted(_ folder: RunFolder) -> Bool {
        var status = stat()
        guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
            status.st_mode & 0o002 == 0
        else { return false }
        return geteuid() == 0 || status.st_uid == geteuid() || !folder.path.hasPrefix("/tmp/")
    }

    /// Sends a request and waits for its outcome.
    ///
    /// - Parameters:
    ///   - process: who has to be at the other end.
    ///   - seconds: how long to wait for the answer.
    package static func ask(
        _ path: String, _ request: ControlRequest, process: pid_t, seconds: Int
    ) throws(Failure) -> ControlReply {
        let descriptor = try connect(path)
        defer { close(descriptor) }
        // A socket that somebody else put there: the kernel knows who. Another PID namespace (a
        // container) has other numbers, and shows as 0.
        if let peer = PeerIdentity(of: descriptor), peer.process != 0, peer.process != process {
            throw .stranger("process \(peer.process) answers there")
        }
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let line = request.line
        guard send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else {
            throw .gone
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.last != 10 {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw .stranger("no answer within \(seconds) s") }
            if count == 0 { throw .ended }
            bytes += chunk[..<count]
            // 10,000 hosts in `status` are some megabytes.
            if bytes.count > 1 << 26 { throw .stranger("an answer without an end") }
        }
        guard let reply = ControlReply(bytes) else { throw .stranger("not an answer of aasa") }
        return reply
    }

    private static func connect(_ path: String) throws(Failure) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .gone }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .gone }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result != 0 {
            let number = errno
            close(descriptor)
            if number == EACCES || number == EPERM { throw .denied(path) }
            throw .gone
        }
        return descriptor
    }
}
