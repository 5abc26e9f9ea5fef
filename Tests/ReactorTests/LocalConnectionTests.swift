// Covers: LocalDatagram.swift
import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct LocalConnectionTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("s") }

    init() throws { folder = try TemporaryFolder("local") }

    private func listener() throws -> ListeningSocket {
        try ListeningSocket(on: .requireUnix(path: path), backlog: 4)
    }

    private func accepted(_ listener: borrowing ListeningSocket) throws -> Socket {
        guard case .accepted(let socket, _) = listener.accept() else {
            throw SystemError(call: "accept4", number: EAGAIN)
        }
        return socket
    }

    private func receive(_ connection: borrowing LocalConnection) -> (IOOutcome, [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let outcome = bytes.withUnsafeMutableBytes { connection.receive(into: $0) }
        if case .bytes(let count) = outcome { return (outcome, Array(bytes[..<count])) }
        return (outcome, [])
    }

    @Test func `A question gets its answer, and the end is told`() throws {
        let listener = try listener()
        let connection = try LocalConnection(to: path, within: 30)
        expectEqual(connection.peer?.process, CurrentProcess.id)
        expectEqual(connection.peer?.user, CurrentProcess.user)
        expectEqual(connection.send(Array("ask".utf8)), .bytes(3))
        var server = try accepted(listener)
        var question = [UInt8](repeating: 0, count: 8)
        expectEqual(question.withUnsafeMutableBytes { server.receive(into: $0) }, .bytes(3))
        expectEqual(Array("told".utf8).withUnsafeBytes { server.send($0) }, .bytes(4))
        #expect(receive(connection) == (.bytes(4), Array("told".utf8)))
        server.close()
        expectEqual(receive(connection).0, .endOfStream)
        expectEqual(connection.send([1]), .failed(SystemError(call: "send", number: EPIPE)))
    }

    @Test func `Who does not answer is not waited for any longer`() throws {
        let listener = try listener()
        let connection = try LocalConnection(to: path, within: 30)
        var server = try accepted(listener)
        connection.limitWait(seconds: 1)
        expectEqual(receive(connection).0, .wouldBlock)
        server.close()
    }

    /// A server that a signal has stopped takes nobody from its queue.
    @Test func `A queue that stays full is not waited for any longer`() throws {
        let listener = try ListeningSocket(on: .requireUnix(path: path), backlog: 0)
        let first = try LocalConnection(to: path, within: 30)
        expectEqual(LocalConnection.failure(to: path, within: 1)?.isWouldBlock, true)
        #expect(first.peer != nil && listener.raw >= 0)
    }

    @Test func `Where nobody listens, the reason is said`() throws {
        expectEqual(LocalConnection.failure(to: path)?.number, ENOENT)
        expectEqual(LocalConnection.failure(to: "")?.number, ENAMETOOLONG)
        expectEqual(
            LocalConnection.failure(to: folder.path(String(repeating: "s", count: 110)))?.number,
            ENAMETOOLONG)
        var listener = try listener()
        listener.close()
        #expect(LocalConnection.isGone(listenerAt: path))
        for number in [EACCES, EPERM] {
            FaultInjection.arm(.connect, number: number)
            defer { FaultInjection.disarm() }
            expectEqual(LocalConnection.failure(to: path)?.isDenied, true)
        }
    }

    // MARK: Datagrams

    private func datagrams(at name: [UInt8]) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size + name.count))
            }
        }
        try #require(bound == 0)
        return descriptor
    }

    private func next(_ descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    @Test func `A datagram finds a path and an abstract name`() throws {
        let named = try datagrams(at: Array(path.utf8))
        defer { close(named) }
        LocalDatagram.send(Array("one".utf8), to: path)
        expectEqual(next(named), "one")
        let name = "aasa-test-\(folder.path.utf8.count)-\(getpid())"
        let abstract = try datagrams(at: [0] + Array(name.utf8))
        defer { close(abstract) }
        LocalDatagram.send(Array("two".utf8), to: "@\(name)")
        expectEqual(next(abstract), "two")
        #expect(next(named) == nil)
    }

    @Test func `A datagram for nobody is lost in silence`() {
        LocalDatagram.send([1], to: folder.path("nobody"))
        LocalDatagram.send([1], to: String(repeating: "x", count: 200))
    }
}
