import Foundation
import Glibc
import OpenSSL
import Reactor
import TestSupport

/// Servers whose manners can be changed, each behind a name of its own.
final class WatchedHosts: Sendable {
    enum Manner: Sendable {
        case good, fewerApps, silent, endless, cut, drip, brokenCoding, large
        case status(String)
    }

    /// The code that says that an answer took a second: where the machine was busy, any does.
    static let slowness = "answer-slow"

    let names: [String]
    let folder: TemporaryFolder
    private let manners: Lock<[String: Manner]>
    private let servers: [(name: String, server: FaultServer)]

    init(_ manners: [String: Manner]) throws {
        names = manners.keys.sorted()
        folder = try TemporaryFolder("watch")
        let lock = Lock(manners)
        self.manners = lock
        let now = Int64(Date().timeIntervalSince1970)
        let authority = try LocalAuthority.make(now: now)
        try Data(authority.pair.leaf.pem).write(to: URL(fileURLWithPath: folder.path("ca.pem")))
        servers = try names.map { name in
            let plan = CertificateTemplate(
                commonName: name, names: [name], notBefore: now - 3600, notAfter: now + 90 * 86_400)
            var settings = TLSServerSettings(
                hosts: [TLSHost(names: [name], pairs: [try plan.make(issuer: authority.pair)])])
            settings.protocols = [.http11]
            let server = try FaultServer(tls: settings) { request in
                Self.answer(lock.withLock { $0[name] ?? .good }, request)
            }
            return (name, server)
        }
    }

    func set(_ name: String, _ manner: Manner) { manners.withLock { $0[name] = manner } }

    var options: [String] {
        ["--cacert", folder.path("ca.pem")]
            + servers.flatMap { ["--resolve", "\($0.name):443:127.0.0.1:\($0.server.port)"] }
    }

    private static func document(_ apps: [String]) -> String {
        "{\"webcredentials\":{\"apps\":["
            + apps.map { "\"D3KQX62K1A.com.example.\($0)\"" }.joined(separator: ",") + "]}}"
    }

    private static func answer(_ manner: Manner, _ request: FaultRequest) -> FaultAnswer {
        guard request.path.hasSuffix("apple-app-site-association") else {
            return .http("404 Not Found", [], "no")
        }
        let body = document(["a", "b"])
        switch manner {
        case .good: return .http("200 OK", [], request.method == "HEAD" ? "" : body)
        case .fewerApps: return .http("200 OK", [], document(["a"]))
        case .silent: return .silence
        case .endless:
            return .endless(
                head: Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n".utf8),
                [UInt8](repeating: 0x20, count: 32_768))
        case .cut: return .http("200 OK", ["Content-Length: 4000"], body)
        case .brokenCoding: return .http("200 OK", ["Content-Encoding: gzip"], body)
        case .large: return .http("200 OK", [], body + String(repeating: " ", count: 140_000))
        case .drip:
            let bytes = FaultAnswer.bytes("200 OK", ["Content-Length: 4000"], Array(body.utf8))
            return .pieces(bytes.map { [$0] }, milliseconds: 100)
        case .status(let line): return .http(line, [], "no", type: "text/plain")
        }
    }
}

/// A service manager's socket.
final class NotifySocket {
    private let folder: TemporaryFolder
    private let descriptor: Int32
    var path: String { folder.path("notify") }

    init() throws {
        folder = try TemporaryFolder("notify")
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) {
            $0.copyBytes(from: folder.path("notify").utf8)
        }
        let bound = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if bound != 0 { throw Tool.Failure(description: "bind: \(errno)") }
    }

    deinit { close(descriptor) }

    /// What came until now.
    func messages() -> [String] {
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count <= 0 { return messages }
            messages.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }
}

/// The running command.
final class Watcher {
    /// Kept, since their folder holds the authority that the command trusts.
    private let hosts: WatchedHosts
    private let files: TemporaryFolder
    private let pid: pid_t
    private var hasEnded = false

    init(
        _ hosts: WatchedHosts, _ more: [String] = [], environment: [String: String] = [:]
    ) throws {
        self.hosts = hosts
        files = try TemporaryFolder("watcher")
        _ = try files.write("hosts", Array(("# ours\n" + hosts.names.joined(separator: "\n")).utf8))
        pid = try Tool.spawn(
            try Tool.aasa(),
            [
                "check", "--watch", "2", "--hosts-file", files.path("hosts"), "--timeout", "6",
                "--admin", "127.0.0.1:0",
            ] + more + hosts.options,
            output: files.path("out"), errors: files.path("err"), environment: environment)
    }

    deinit { if !hasEnded { _ = end() } }

    func end() -> Int32 {
        hasEnded = true
        kill(pid, SIGTERM)
        return Tool.wait(for: pid, timeout: .seconds(30)).status
    }

    /// Without what is true of a busy machine, not of the hosts.
    var lines: [String] {
        let text = (try? String(contentsOfFile: files.path("out"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
            .filter { !$0.contains(WatchedHosts.slowness) }
    }

    /// `host/code change` of everything that was printed as JSON, in order.
    var changes: [String] {
        lines.compactMap { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
            guard let change = object as? [String: Any] else { return nil }
            let finding = change["finding"] as? [String: Any]
            let words = [change["host"], finding?["code"], change["change"]].map {
                $0 as? String ?? ""
            }
            return "\(words[0])/\(words[1]) \(words[2])"
        }
    }

    var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count) ?? .max
    }

    /// A guard only: the test ends as soon as the condition holds.
    func wait(_ condition: (Watcher) -> Bool) throws {
        if eventually({ condition(self) }) { return }
        let errors = (try? String(contentsOfFile: files.path("err"), encoding: .utf8)) ?? ""
        throw Tool.Failure(description: "not told: \(lines)\n\(errors)")
    }

    func ask(_ path: String) throws -> String {
        let errors = try String(contentsOfFile: files.path("err"), encoding: .utf8)
        guard let start = errors.firstRange(of: "http://127.0.0.1:") else {
            throw Tool.Failure(description: "no address in \(errors)")
        }
        let port = errors[start.upperBound...].prefix { $0.isNumber }
        return try Tool.run(
            "curl", ["-si", "--max-time", "20", "http://127.0.0.1:\(port)\(path)"]
        ).stdout
    }
}
