import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct SocketNameTests {
    @Test func `It says who may connect, and leaves another's name alone`() throws {
        let folder = try TemporaryFolder("socket-name")
        let path = folder.path("s")
        let (first, old) = try SocketName.listen(path, backlog: 4, mode: 0o666, replaces: false)
        defer { close(first) }
        expectEqual((Files.status(path)?.mode ?? 0) & 0o777, 0o666)
        let (second, new) = try SocketName.listen(path, backlog: 4, mode: 0o600, replaces: true)
        defer { close(second) }
        try new.take()
        old.remove()
        expectEqual(Files.status(path)?.isSocket, true)
        new.remove()
        #expect(!Files.exists(path))
    }

    @Test func `A successor that never takes the path leaves it as it was`() throws {
        let folder = try TemporaryFolder("socket-name")
        let path = folder.path("s")
        let (first, old) = try SocketName.listen(path, backlog: 4, mode: 0o666, replaces: true)
        defer { close(first) }
        let inode = Files.status(path)?.inode
        let (second, failed) = try SocketName.listen(path, backlog: 4, mode: 0o666, replaces: true)
        expectEqual(Files.status(path)?.inode, inode)
        failed.leave()
        try expectEqual(Files.names(in: folder.path, limit: 10), ["s"])
        close(second)
        // One that was killed could not clean up: the next one does.
        let (killed, _) = try SocketName.listen(path, backlog: 4, mode: 0o666, replaces: true)
        close(killed)
        #expect(LocalConnection.isGone(listenerAt: path + ".next"))
        let (third, new) = try SocketName.listen(path, backlog: 4, mode: 0o666, replaces: true)
        defer { close(third) }
        try new.take()
        try new.take()
        new.leave()
        old.remove()
        try expectEqual(Files.names(in: folder.path, limit: 10), ["s"])
        #expect(Files.status(path)?.inode != inode)
    }

    @Test func `Where something else lies, it stays`() throws {
        let folder = try TemporaryFolder("socket-name")
        let path = folder.path("s")
        try Files.replace(path, with: Array("x".utf8))
        for replaces in [false, true] {
            #expect(throws: SystemError.self) {
                try SocketName.listen(path, backlog: 4, mode: 0o666, replaces: replaces)
            }
        }
        try expectEqual(Files.read(path, limit: 10), Array("x".utf8))
        let long = folder.path(String(repeating: "s", count: 110))
        #expect(throws: SystemError.self) {
            try SocketName.listen(long, backlog: 4, mode: 0o666, replaces: false)
        }
    }
}
