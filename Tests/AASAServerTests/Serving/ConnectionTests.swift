import Glibc
import HTTP
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ConnectionTests {
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    private func connection() -> Connection {
        Connection(
            token: SlotToken(index: 1, generation: 2), socket: Socket(), peer: nil,
            limits: SharedLimits(.standard), now: start)
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    // MARK: A ClientHello in parts

    /// The first bytes were scanned when they were taken from the socket: scanned again, they
    /// would count twice.
    @Test func aHelloInPartsIsWholeWithItsLastByte() throws {
        let transport = try TLSTransport()
        let session = try TLSSession(context: try TestClient.context([.http11]), serverName: "a")
        _ = session.handshake(transport)
        let hello = Array(transport.output)
        try #require(hello.count > 20)
        for cut in [1, 5, 6, 9, hello.count / 2, hello.count - 1] {
            var scanner = ClientHelloScanner()
            let first = Array(hello[..<cut])
            expectEqual(first.withUnsafeBytes { scanner.scan($0) }, .incomplete, "\(cut)")
            let partial = PartialHello(scanner)
            expectEqual(first.withUnsafeBytes { partial.append($0) }, .incomplete)
            expectEqual(partial.bytes, first)
            var verdict = ClientHelloScanner.Verdict.incomplete
            for byte in hello[cut...] {
                expectEqual(verdict, .incomplete, "\(cut)")
                verdict = [byte].withUnsafeBytes { partial.append($0) }
            }
            #expect(verdict != .incomplete, "\(cut)")
            expectEqual(partial.bytes, hello)
        }
    }

    // MARK: Input that is held

    @Test func whatIsHeldIsWhatWasReadAndNotUsed() throws {
        let connection = connection()
        #expect(connection.isOpen && connection.keptInputBytes == 0 && !connection.holdsInput)
        let partial = PartialHello(ClientHelloScanner())
        _ = bytes("12345").withUnsafeBytes { partial.append($0) }
        connection.hello = partial
        expectEqual(connection.keptInputBytes, 5)
        #expect(!connection.holdsInput, "a ClientHello waits for its handshake, not for an answer")
        let exchange = HTTP1Exchange(limits: HTTP1Limits())
        connection.http1 = exchange
        exchange.keep(bytes("GET /"), from: 0, behindAnswer: false)
        expectEqual(connection.keptInputBytes, 10)
        #expect(!connection.holdsInput, "the rest of a head has to be read")
        exchange.keep(bytes("GET /"), from: 0, behindAnswer: true)
        #expect(connection.holdsInput)
        // All of it is used.
        exchange.keep(bytes("GET /"), from: 5, behindAnswer: true)
        #expect(!connection.holdsInput)
        connection.machine.closed(.answered)
        #expect(!connection.isOpen)
    }

    @Test func anExchangeKnowsWhatIsStillToBeSent() throws {
        let document = PreparedResponse(status: 200, fields: [], body: bytes("0123456789"))
        let connection = connection()
        #expect(!connection.isAnswering && connection.openRequests == 0)
        #expect(connection.keptInputBytes == 0 && connection.ownBytes == 0)
        let http1 = HTTP1Exchange(limits: HTTP1Limits())
        connection.http1 = http1
        #expect(connection.ownBytes == 0 && !connection.isAnswering && http1.kept.isEmpty)
        http1.answer = document
        http1.offset = 3
        #expect(connection.ownBytes == 7 && connection.isAnswering)
        expectEqual(connection.openRequests, 0, "HTTP/1.1 awaits no window")
        connection.unsent = bytes("0123")[...]
        expectEqual(connection.ownBytes, 11)
        http1.keep(bytes("GET"), from: 0, behindAnswer: false)
        #expect(!http1.kept.isEmpty && connection.keptInputBytes == 3)
        connection.dropSession()
        #expect(connection.ownBytes == 4 && !connection.isAnswering)
    }

    /// Nothing of it is kept outside its session.
    @Test func http2TakesAllInputAtOnce() throws {
        let connection = connection()
        connection.http2 = try HTTP2ServerSession(
            settings: try HTTP2ServerSettings(limits: FloodLimits()),
            date: HTTPDate(unixSeconds: 0), now: start.unsigned)
        #expect(!connection.isAnswering && connection.openRequests == 0)
        #expect(connection.keptInputBytes == 0 && connection.ownBytes == 0)
    }
}
