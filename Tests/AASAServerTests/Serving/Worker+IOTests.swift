import Glibc
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct WorkerIOTests {
    /// A worker that does not run, a connection at one end of a socketpair, and its peer at the
    /// other.
    private final class Pair {
        let io: Worker
        let connection: Connection
        let counters = WorkerCounters()
        private var peer: Int32

        init(_ change: (inout ServerLimits) -> Void = { _ in }) throws {
            var limits = ServerLimits.standard
            limits.keyReservePairs = 0
            change(&limits)
            let publisher = SnapshotPublisher(
                Publication(
                    snapshot: TestEndpoint.snapshot(), contexts: try TestEndpoint.contexts(1)))
            io = try Worker(
                number: 0, limits: limits,
                shared: SharedState(publisher: publisher, access: nil, report: { _ in }),
                counters: counters, wakeup: try Wakeup(), listeners: [])
            var ends: [Int32] = [-1, -1]
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
            peer = ends[1]
            let own = ends[0]
            let made = io.table.insert {
                Connection(
                    token: $0, socket: Socket(owning: own), peer: nil,
                    limits: SharedLimits(limits), now: .now())
            }
            connection = try #require(made)
        }

        deinit { closePeer() }

        func closePeer() {
            if peer >= 0 { close(peer) }
            peer = -1
        }

        func endOutput() { shutdown(peer, Int32(SHUT_WR)) }

        func send(_ bytes: [UInt8]) {
            expectEqual(Glibc.send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL)), bytes.count)
        }

        /// All that has come.
        func read() -> [UInt8] {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = recv(peer, &buffer, buffer.count, 0)
                if count <= 0 { return bytes }
                bytes += buffer[..<count]
            }
        }

        /// Sends on the connection until the kernel takes no more; what it took.
        func fill() -> [UInt8] {
            let filler = [UInt8](repeating: 0x2E, count: 4096)
            var sent: [UInt8] = []
            while true {
                let count = Glibc.send(
                    connection.socket.raw, filler, filler.count, Int32(MSG_NOSIGNAL))
                if count <= 0 { return sent }
                sent += filler[..<count]
            }
        }

        /// Ciphertext for the transport: the ClientHello of a session of its own.
        func writeHello() throws -> [UInt8] {
            let session = try TLSSession(
                context: try TestClient.context([.http11]), serverName: "example.com")
            let before = io.transport.output.count
            _ = session.handshake(io.transport)
            return Array(io.transport.output[before...])
        }

        func receive() -> (bytes: [UInt8]?, failed: Bool) {
            let bytes = io.read(connection).map { Array($0) }
            return (bytes, !connection.isOpen)
        }

        func total(_ counter: Counter) -> UInt64 {
            ServerCounters(workers: [counters]).total(counter)
        }
    }

    // MARK: Input

    /// A read that fills the buffer may have left something; a shorter one has not.
    @Test func inputIsReadUntilTheKernelHasNoMore() throws {
        let pair = try Pair { $0.receiveBytes = 16 }
        let bytes = [UInt8](0..<20)
        pair.send(bytes)
        expectEqual(pair.receive().bytes, Array(bytes[..<16]))
        #expect(pair.connection.machine.mayReceive)
        expectEqual(pair.receive().bytes, Array(bytes[16...]))
        #expect(!pair.connection.machine.mayReceive)
        expectEqual(pair.total(.bytesReceived), 20)
        let empty = try Pair()
        #expect(empty.receive() == (nil, false))
        #expect(!empty.connection.machine.mayReceive)
        #expect(!empty.connection.machine.inputHasEnded)
        expectEqual(empty.total(.bytesReceived), 0)
    }

    @Test func anEndAndAFailureAreToldApart() throws {
        let ended = try Pair()
        ended.endOutput()
        #expect(ended.receive() == (nil, false))
        #expect(ended.connection.machine.inputHasEnded)
        // The peer closes with bytes unread: a reset.
        let reset = try Pair()
        _ = reset.fill()
        reset.closePeer()
        #expect(reset.receive() == (nil, true))
        #expect(!reset.connection.machine.inputHasEnded)
    }

    @Test func discardedInputIsNoRequest() throws {
        let pair = try Pair()
        pair.send([1, 2, 3])
        pair.io.discardInput(pair.connection)
        expectEqual(pair.connection.lingerBytes, 3)
        #expect(pair.receive().bytes == nil)
        expectEqual(pair.total(.bytesReceived), 0)
    }

    // MARK: Plaintext

    @Test func aRecordTakesWhatFits() throws {
        let pair = try Pair()
        let io = pair.io
        let whole = Worker.recordBytes
        expectEqual(io.recordSpace.count, whole)
        let bytes = [UInt8](repeating: 7, count: whole)
        expectEqual(bytes[..<10].withUnsafeBytes { io.gather($0) }, 10)
        io.recordSpace[0] = 8
        io.recordCount += 1
        expectEqual(io.recordSpace.count, whole - 11)
        expectEqual(bytes.withUnsafeBytes { io.gather($0) }, whole - 11)
        expectEqual(bytes.withUnsafeBytes { io.gather($0) }, 0)
        expectEqual(io.recordSpace.count, 0)
        io.forgetOutput()
        expectEqual(io.recordSpace.count, whole)
        #expect(io.recordSpace[9] == 7 && io.recordSpace[10] == 8, "the same memory")
    }

    @Test func aRecordIsEncryptedWholeAndOnce() throws {
        let pair = try Pair()
        let io = pair.io
        let server = try TLSSession(context: try TestEndpoint.contexts(1)[0])
        let client = try TLSSession(
            context: try TestClient.context([.http11]), serverName: "example.com")
        let transport = try TLSTransport()
        for _ in 0..<4 {
            _ = client.handshake(transport)
            Array(transport.output).withUnsafeBytes {
                transport.clearOutput()
                io.transport.receive($0)
                _ = server.handshake(io.transport)
                server.keepUnread(io.transport)
            }
            Array(io.transport.output).withUnsafeBytes {
                io.transport.clearOutput()
                transport.receive($0)
                _ = client.handshake(transport)
                client.keepUnread(transport)
            }
        }
        try #require(server.isHandshakeDone && client.isHandshakeDone)
        pair.connection.tls = server
        let text = Array("the document".utf8)
        #expect(io.encryptRecord(pair.connection))
        #expect(io.transport.output.isEmpty, "nothing was gathered")
        _ = text.withUnsafeBytes { io.gather($0) }
        #expect(io.encryptRecord(pair.connection))
        expectEqual(io.recordSpace.count, Worker.recordBytes)
        let ciphertext = Array(io.transport.output)
        #expect(io.encryptRecord(pair.connection))
        expectEqual(io.transport.output.count, ciphertext.count, "it is not sent twice")
        var plaintext = [UInt8](repeating: 0, count: 100)
        ciphertext.withUnsafeBytes { bytes in
            transport.receive(bytes)
            let read = plaintext.withUnsafeMutableBytes { client.read(into: $0, transport) }
            guard case .bytes(text.count) = read else {
                Issue.record("\(read)")
                return
            }
        }
        expectEqual(Array(plaintext[..<text.count]), text)
    }

    @Test func withoutASessionARecordIsBrokenAndForgotten() throws {
        let pair = try Pair()
        #expect(pair.io.encryptRecord(pair.connection), "there is nothing to encrypt")
        _ = [UInt8](arrayLiteral: 1).withUnsafeBytes { pair.io.gather($0) }
        #expect(!pair.io.encryptRecord(pair.connection))
        #expect(pair.io.encryptRecord(pair.connection))
    }

    // MARK: Ciphertext

    @Test func whatTheKernelTakesIsGone() throws {
        let pair = try Pair()
        expectEqual(pair.io.flush(pair.connection), .sent, "nothing is to be sent")
        let hello = try pair.writeHello()
        expectEqual(pair.io.flush(pair.connection), .sent)
        expectEqual(pair.read(), hello)
        #expect(pair.io.transport.output.isEmpty)
        #expect(!pair.connection.machine.isBlocked && pair.connection.unsent.isEmpty)
        expectEqual(pair.total(.bytesSent), UInt64(hello.count))
    }

    /// Nothing may overtake what waits, and nothing is offered twice.
    @Test func whatTheKernelDoesNotTakeWaitsInItsOrder() throws {
        let pair = try Pair()
        let filler = pair.fill()
        let first = try pair.writeHello()
        expectEqual(pair.io.flush(pair.connection), .blocked)
        #expect(pair.connection.machine.isBlocked)
        #expect(pair.io.transport.output.isEmpty, "the next connection uses it")
        expectEqual(Array(pair.connection.unsent), first)
        expectEqual(pair.io.flush(pair.connection), .blocked, "without more to send as well")
        expectEqual(pair.io.sendUnsent(pair.connection), .blocked)
        // There is room again, but what waits comes first.
        expectEqual(pair.read(), filler)
        let second = try pair.writeHello()
        expectEqual(pair.io.flush(pair.connection), .blocked)
        #expect(pair.read().isEmpty)
        expectEqual(pair.io.sendUnsent(pair.connection), .sent)
        expectEqual(pair.read(), first + second)
        #expect(pair.connection.unsent.isEmpty)
        expectEqual(pair.total(.bytesSent), UInt64(first.count + second.count))
    }

    @Test func aPartThatTheKernelTakesIsNotSentAgain() throws {
        let pair = try Pair()
        var size: Int32 = 4096
        let length = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(pair.connection.socket.raw, SOL_SOCKET, SO_SNDBUF, &size, length)
        var all: [UInt8] = []
        // More in one go than the socket holds.
        while all.count < 64 * 1024 { all += try pair.writeHello() }
        expectEqual(pair.io.flush(pair.connection), .blocked)
        let taken = pair.total(.bytesSent)
        #expect(taken > 0 && Int(taken) + pair.connection.unsent.count == all.count)
        var received = pair.read()
        var rounds = 0
        while pair.io.sendUnsent(pair.connection) == .blocked, rounds < 1000 {
            received += pair.read()
            rounds += 1
        }
        expectEqual(received + pair.read(), all)
        expectEqual(pair.total(.bytesSent), UInt64(all.count))
    }

    @Test func whereNobodyIsLeftItFails() throws {
        let gone = try Pair()
        gone.closePeer()
        _ = try gone.writeHello()
        expectEqual(gone.io.flush(gone.connection), .failed)
        #expect(gone.io.transport.output.isEmpty)
        #expect(!gone.connection.isOpen)
        let blocked = try Pair()
        blocked.closePeer()
        blocked.connection.unsent.append(1)
        expectEqual(blocked.io.sendUnsent(blocked.connection), .failed)
        let closed = try Pair()
        closed.connection.machine.closed(.answered)
        expectEqual(closed.io.flush(closed.connection), .failed)
    }

    @Test func aFlightIsAsLongAsItsLimitSays() throws {
        let hello = try Pair().writeHello()
        for (limit, isFlight) in [(hello.count, true), (hello.count + 64, false)] {
            let pair = try Pair { $0.flightBytes = limit }
            #expect(!pair.io.hasFlight)
            #expect(try pair.writeHello().count < hello.count + 64)
            expectEqual(pair.io.hasFlight, isFlight)
        }
    }

    /// What one connection leaves behind must never reach another.
    @Test func nothingIsLeftForTheNextConnection() throws {
        let pair = try Pair()
        _ = try pair.writeHello()
        let bytes = [UInt8](repeating: 1, count: 9)
        bytes.withUnsafeBytes {
            pair.io.transport.receive($0)
            _ = pair.io.gather($0)
            pair.io.forgetInput()
            pair.io.forgetOutput()
            expectEqual(pair.io.transport.unreadCount, 0)
            #expect(pair.io.transport.output.isEmpty)
            expectEqual(pair.io.recordSpace.count, Worker.recordBytes)
            // Input alone: the output may still have to leave.
            pair.io.transport.receive($0)
            _ = try? pair.writeHello()
            pair.io.forgetInput()
        }
        expectEqual(pair.io.transport.unreadCount, 0)
        #expect(!pair.io.transport.output.isEmpty)
    }
}
