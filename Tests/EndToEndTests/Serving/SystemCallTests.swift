import Foundation
import Glibc
import TestSupport
import Testing

/// What a request costs in system calls: a guard that does not depend on the clock or the machine
/// (issue 9).
@Suite(.serialized) struct SystemCallTests {
    // No keys are made ahead meanwhile: the loop would wake for them.
    private let count = 40

    /// Calls of the worker's thread per operation while `body` runs, by name; `nil`, with a line of
    /// output, where it cannot be traced. Other threads look at the machine once per second, so
    /// their calls depend on how long the body takes.
    private func calls(_ server: ServerProcess, _ body: () throws -> Void) throws -> [String:
        Double]?
    {
        guard let strace = Tool.find("strace") else {
            print("SKIPPED: strace is not installed")
            return nil
        }
        let files = try TemporaryFolder("strace")
        let tracer = try Tool.spawn(
            strace, ["-f", "-o", files.path("trace"), "-p", "\(server.pid)"],
            output: files.path("out"), errors: files.path("err"))
        var said = ""
        let isAttached = eventually {
            said = String(decoding: (try? files.read("err")) ?? [], as: UTF8.self)
            return said.contains("attached") || said.contains("permitted")
        }
        // All threads are attached to when the worker's wait shows up in the trace.
        let isTracing = eventually {
            said.contains("permitted")
                || String(decoding: (try? files.read("trace")) ?? [], as: UTF8.self)
                    .contains("epoll_wait")
        }
        if !isAttached || !isTracing || said.contains("permitted") {
            kill(tracer, SIGKILL)
            _ = Tool.wait(for: tracer, timeout: .seconds(30))
            print("SKIPPED: strace cannot attach: \(said)")
            return nil
        }
        try body()
        kill(tracer, SIGINT)
        _ = Tool.wait(for: tracer, timeout: .seconds(30))
        var threads: [Substring: [String: Double]] = [:]
        let trace = String(decoding: try files.read("trace"), as: UTF8.self)
        for line in trace.split(separator: "\n") where !line.contains("resumed>") {
            // "1234  sendto(7, ...": process, then call.
            let thread = line.prefix { $0.isNumber }
            let call = line.dropFirst(thread.count).drop { $0 == " " }
            guard let open = call.firstIndex(of: "(") else { continue }
            threads[thread, default: [:]][String(call[..<open]), default: 0] += 1 / Double(count)
        }
        // The one that answers.
        return threads.values.max { $0["sendto", default: 0] < $1["sendto", default: 0] } ?? [:]
    }

    @Test func aHandshakeWithOneRequest() throws {
        let server = try ServerProcess(
            try SampleSite(),
            options: ["--workers", "1", "--watch", "off", "--key-reserve", "0"])
        let traced = try calls(server) {
            for _ in 0..<count {
                let client = try server.client()
                let status = try client.get(fields: "Connection: close\r\n").status
                expectEqual(status, 200)
                client.socket.close()
            }
        }
        guard let traced else { return }
        #expect(traced["accept4", default: 0] <= 1.2, "\(traced)")
        #expect(traced["sendto", default: 0] <= 2.1, "\(traced)")
        #expect(traced["sendto", default: 0] >= 1.9, "the trace is not whole: \(traced)")
        #expect(traced["epoll_ctl", default: 0] <= 1.1, "\(traced)")
        // ClientHello; Finished; the request, which this client sends on its own.
        #expect(traced["recvfrom", default: 0] <= 4.1, "\(traced)")
        #expect(traced["close", default: 0] <= 1.2, "\(traced)")
    }

    @Test func aRequestOnAnOpenConnection() throws {
        let server = try ServerProcess(
            try SampleSite(),
            options: ["--workers", "1", "--watch", "off", "--key-reserve", "0"])
        let client = try server.client()
        try expectEqual(client.get().status, 200)
        let traced = try calls(server) {
            for _ in 0..<count {
                let status = try client.get().status
                expectEqual(status, 200)
            }
        }
        guard let traced else { return }
        #expect(traced["sendto", default: 0] <= 1.1, "\(traced)")
        #expect(traced["sendto", default: 0] >= 0.9, "the trace is not whole: \(traced)")
        #expect(traced["recvfrom", default: 0] <= 1.1, "\(traced)")
        #expect(traced["epoll_wait", default: 0] <= 1.5, "\(traced)")
        #expect(traced["epoll_ctl", default: 0] <= 0.1, "\(traced)")
    }
}
