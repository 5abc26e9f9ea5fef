import Foundation
import Glibc
import Reactor
import TestSupport

/// The real binary, serving a site on ports of the kernel's choice; ended by its process id when
/// the value goes.
final class ServerProcess {
    let site: SampleSite
    let pid: pid_t
    /// What `--ready-file` says.
    private(set) var address = SocketAddress.v4(0, port: 0)
    private(set) var adminAddress = SocketAddress.v4(0, port: 0)
    private let files: TemporaryFolder
    /// For the commands that talk to this server.
    var environment: [String: String] { ["AASA_RUN": files.path("run"), "AASA_PID_FILE": ""] }
    private var exitStatus: Int32?

    /// - Parameters:
    ///   - listen: 0: a port of the kernel's choice.
    ///   - asNobody: where this is root, the server is not.
    ///   - descriptors: `ulimit -n` of the server; `nil`: as it is.
    ///   - readsErrors: false: its stderr is a full pipe that nobody reads.
    convenience init(
        _ site: SampleSite, options: [String] = [], listen: String = "127.0.0.1:0",
        admin: String = "127.0.0.1:0", descriptors: Int? = nil,
        environment: [String: String] = [:], asNobody: Bool = false, readsErrors: Bool = true
    ) throws {
        try self.init(
            site,
            arguments: [
                "serve", "--certs", site.certs, "--listen", listen, "--admin", admin,
                "--default-host", "example.com",
            ] + (options.contains("--site") ? [] : ["--site", site.site]) + options,
            descriptors: descriptors, environment: environment, asNobody: asNobody,
            readsErrors: readsErrors)
    }

    private init(
        _ site: SampleSite, arguments given: [String], descriptors: Int? = nil,
        environment: [String: String] = [:], asNobody: Bool = false, readsErrors: Bool = true
    ) throws {
        self.site = site
        files = try TemporaryFolder("serve")
        // Another user writes the ready file.
        if given.contains("--user") || asNobody { chmod(files.path, 0o777) }
        let arguments = given + ["--ready-file", files.path("ready")]
        let limit = descriptors.map { "ulimit -n \($0) && " } ?? ""
        let pipe = files.path("pipe")
        let errors =
            readsErrors
            ? ""
            : "mkfifo \(pipe) && exec 2<>\(pipe); "
                + "dd if=/dev/zero of=\(pipe) bs=4096 count=1024 oflag=nonblock 2>\(pipe).dd; "
        let changesUser = asNobody && geteuid() == 0
        var binary = try Tool.aasa()
        if changesUser {
            // At an upgrade the other user starts it, whom root's home does not let in.
            let copy = files.path("aasa")
            // In a process of its own: what another test starts meanwhile would hold the copy open
            // for writing, and nobody could start it.
            let copied = try Tool.run("cp", ["-L", binary, copy])
            if copied.status != 0 { throw Tool.Failure(description: "\(copied)") }
            binary = copy
        }
        // exec: the process id is the server's own.
        let script =
            limit + errors
            + (changesUser
                ? #"exec setpriv --reuid 65534 --regid 65534 --clear-groups "$0" "$@""#
                : #"exec "$0" "$@""#)
        pid = try Tool.spawn(
            "/bin/sh", ["-c", script, binary] + arguments, output: files.path("out"),
            errors: files.path("err"),
            environment: ["AASA_RUN": files.path("run")].merging(environment) { _, own in own })
        try waitUntilReady()
    }

    /// A machine of a fleet: the site comes from the store, everything else is in the options.
    convenience init(fleetOf site: SampleSite, options: [String]) throws {
        try self.init(
            site,
            arguments: [
                "serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--default-host",
                "example.com",
            ] + options)
    }

    private func waitUntilReady() throws {
        var text: String?
        _ = eventually {
            text = try? String(contentsOfFile: files.path("ready"), encoding: .utf8)
            return text != nil || waitpid(pid, nil, WNOHANG) == pid
        }
        guard let text else {
            throw Tool.Failure(description: "the server did not start: \(log)")
        }
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 2, let found = SocketAddress(parsing: words[1]) else { continue }
            if words[0] == "listen" { address = found } else { adminAddress = found }
        }
    }

    /// Everything it printed so far.
    var log: String {
        ["out", "err"].map { (try? String(contentsOfFile: files.path($0), encoding: .utf8)) ?? "" }
            .joined(separator: "\n")
    }

    var isRunning: Bool { exitStatus == nil && kill(pid, 0) == 0 }

    func signal(_ number: Int32) { kill(pid, number) }

    /// SIGINT (SIGTERM waits for the time of `--drain`), and the exit status it led to; 128 + the
    /// signal when one ended it, as after the time limit.
    @discardableResult
    func stop(within limit: Duration = .seconds(120)) -> Int32 {
        if let exitStatus { return exitStatus }
        kill(pid, SIGINT)
        return wait(within: limit)
    }

    func wait(within limit: Duration = .seconds(120)) -> Int32 {
        if let exitStatus { return exitStatus }
        let status = Tool.wait(for: pid, timeout: limit).status
        exitStatus = status
        return status
    }

    deinit {
        if exitStatus == nil {
            kill(pid, SIGKILL)
            _ = Tool.wait(for: pid, timeout: .seconds(30))
        }
    }

    // MARK: Looking at it

    /// A TLS client, its handshake done.
    func client(_ name: String = "example.com") throws -> TestClient {
        try TestClient(address, name: name)
    }

    /// Sum of all samples of a metric whose name and labels contain all of `marks`.
    func metric(_ marks: String...) throws -> Double {
        let text = try Tool.run("curl", ["-s", "http://\(adminAddress)/metrics"]).stdout
        var sum = 0.0
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            if marks.allSatisfy({ line[..<space].contains($0) }) {
                sum += Double(line[line.index(after: space)...]) ?? 0
            }
        }
        return sum
    }

    /// Open descriptors of the server.
    var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count) ?? 0
    }

    /// Resident memory in bytes.
    var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)) ?? ""
        let words = text.split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 : 0
    }

    /// Processor time so far in seconds.
    var processorSeconds: Double {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        let words = (text.split(separator: ")").last ?? "").split(separator: " ")
        guard words.count > 12 else { return 0 }
        return Double((Int(words[11]) ?? 0) + (Int(words[12]) ?? 0)) / 100
    }
}
