import Foundation
import Glibc
import TestSupport

/// One real etcd member on an address of its own, ended by its process id when the value goes.
final class EtcdProcess {
    let url: String
    private(set) var pid: pid_t
    private let folder: TemporaryFolder
    private let peer: String

    /// Whether Debian's `etcd-server` is there; `deploy/test` installs it.
    static var isInstalled: Bool { Tool.find("etcd") != nil && Tool.find("etcdctl") != nil }

    init() throws {
        folder = try TemporaryFolder("etcd")
        let address = OwnAddress()
        let ports = try address.freePorts(2)
        url = "http://\(address.text):\(ports[0])"
        peer = "http://\(address.text):\(ports[1])"
        pid = try Self.spawn(folder, client: url, peer: peer)
        try waitUntilHealthy()
    }

    private static func spawn(
        _ folder: TemporaryFolder, client: String, peer: String
    ) throws -> pid_t {
        try Tool.spawn(
            "etcd",
            [
                "--name", "m1", "--data-dir", folder.path("data"), "--listen-client-urls", client,
                "--advertise-client-urls", client, "--listen-peer-urls", peer,
                "--initial-advertise-peer-urls", peer, "--initial-cluster", "m1=\(peer)",
                "--log-level", "error",
            ], output: folder.path("out"), errors: folder.path("err"))
    }

    private func waitUntilHealthy() throws {
        let isHealthy = try eventually {
            try Tool.run("curl", ["-s", "-m", "2", "\(url)/health"]).stdout.contains("true")
        }
        if isHealthy { return }
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
        pid = try Self.spawn(folder, client: url, peer: peer)
        try waitUntilHealthy()
    }

    deinit { kill() }
}
