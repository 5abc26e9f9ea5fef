import Foundation
import Glibc
import TestSupport

/// One real etcd member on ports of its own, ended by its process id when the value goes.
final class EtcdProcess {
    let url: String
    private(set) var pid: pid_t
    private let folder: TemporaryFolder
    private let ports: (client: UInt16, peer: UInt16)

    /// Whether Debian's `etcd-server` is there; `deploy/test` installs it.
    static var isInstalled: Bool { Tool.find("etcd") != nil && Tool.find("etcdctl") != nil }

    init() throws {
        folder = try TemporaryFolder("etcd")
        let first = try Self.freePort()
        ports = (first, try Self.freePort(not: first))
        url = "http://127.0.0.1:\(ports.client)"
        pid = try Self.spawn(folder, ports)
        try waitUntilHealthy()
    }

    private static func spawn(
        _ folder: TemporaryFolder, _ ports: (client: UInt16, peer: UInt16)
    ) throws -> pid_t {
        let peer = "http://127.0.0.1:\(ports.peer)"
        let client = "http://127.0.0.1:\(ports.client)"
        return try Tool.spawn(
            "etcd",
            [
                "--name", "m1", "--data-dir", folder.path("data"), "--listen-client-urls", client,
                "--advertise-client-urls", client, "--listen-peer-urls", peer,
                "--initial-advertise-peer-urls", peer, "--initial-cluster", "m1=\(peer)",
                "--log-level", "error",
            ], output: folder.path("out"), errors: folder.path("err"))
    }

    /// A port that nobody listens on at the moment.
    private static func freePort(not other: UInt16 = 0) throws -> UInt16 {
        while true {
            let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, length) + getsockname(socket, $0, &length)
                }
            }
            guard result == 0 else { throw Tool.Failure(description: "no port") }
            let port = UInt16(bigEndian: address.sin_port)
            if port != other { return port }
        }
    }

    private func waitUntilHealthy() throws {
        for _ in 0..<600 {
            let health = try Tool.run("curl", ["-s", "-m", "2", "\(url)/health"])
            if health.stdout.contains("true") { return }
            usleep(50_000)
        }
        throw Tool.Failure(
            description: "etcd did not start: "
                + ((try? String(contentsOfFile: folder.path("err"), encoding: .utf8)) ?? ""))
    }

    /// `etcdctl` with these arguments.
    @discardableResult
    func control(_ arguments: [String], stdin: [UInt8] = []) throws -> Tool.Result {
        try Tool.run(
            "etcdctl", ["--endpoints", url] + arguments, stdin: stdin,
            environment: ["ETCDCTL_API": "3"])
    }

    func kill() {
        guard pid > 0 else { return }
        Glibc.kill(pid, SIGKILL)
        _ = Tool.wait(for: pid, timeout: .seconds(30))
        pid = 0
    }

    func pause() { Glibc.kill(pid, SIGSTOP) }
    func resume() { Glibc.kill(pid, SIGCONT) }

    func restart() throws {
        kill()
        pid = try Self.spawn(folder, ports)
        try waitUntilHealthy()
    }

    deinit { kill() }
}
