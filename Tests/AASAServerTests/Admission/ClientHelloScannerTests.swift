import OpenSSL
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ClientHelloScannerTests {
    /// What OpenSSL sends as a client.
    private static let hello: [UInt8] = {
        do {
            let transport = try TLSTransport()
            let session = try TLSSession(
                context: try TestClient.context([.http2, .http11]), serverName: "example.com")
            _ = session.handshake(transport)
            return Array(transport.output)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    private func scan(_ bytes: [UInt8]) -> ClientHelloScanner.Verdict {
        var scanner = ClientHelloScanner()
        return bytes.withUnsafeBytes { scanner.scan($0) }
    }

    /// The message of the hello in records of so many bytes.
    private func split(_ size: Int) -> [UInt8] {
        var message = Self.hello.dropFirst(5)
        var bytes: [UInt8] = []
        while !message.isEmpty {
            let part = message.prefix(size)
            bytes += [22, 3, 1, UInt8(part.count >> 8), UInt8(part.count & 255)] + part
            message = message.dropFirst(size)
        }
        return bytes
    }

    @Test func aWholeHelloIsCompleteWithItsLastByteAndNotBefore() {
        let hello = Self.hello
        expectEqual(scan(hello), .complete)
        // Early data, or a second flight, may follow.
        expectEqual(scan(hello + [23, 3, 3, 0]), .complete)
        for count in 0..<hello.count {
            expectEqual(scan(Array(hello.prefix(count))), .incomplete, "\(count)")
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 100, 16_384])
    func recordsMayCutItAnywhere(_ size: Int) {
        let bytes = split(size)
        expectEqual(scan(bytes), .complete)
        expectEqual(scan(Array(bytes.dropLast())), .incomplete)
    }

    @Test(arguments: [1, 7, 64])
    func itMayArriveInAnyPieces(_ size: Int) {
        let bytes = split(90)
        var scanner = ClientHelloScanner()
        var at = 0
        while at < bytes.count {
            let end = min(bytes.count, at + size)
            let verdict = bytes[at..<end].withUnsafeBytes { scanner.scan($0) }
            expectEqual(verdict, (end == bytes.count ? .complete : .incomplete))
            at = end
        }
    }

    /// What OpenSSL refuses is handed to it as soon as that is clear.
    @Test func whatIsNoHelloIsLeftToOpenSSL() {
        expectEqual(scan(Array("GET / HTTP/1.1\r\n".utf8)), .notAHello)
        expectEqual(scan([22, 3, 1, 0, 0]), .notAHello)
        expectEqual(scan([22, 3, 1, 0xFF, 0xFF]), .notAHello)
        expectEqual(scan([22, 2, 0, 0, 9]), .notAHello)
        expectEqual(scan([21, 3, 1, 0, 2, 1, 0]), .notAHello)
        expectEqual(scan([22, 3, 1, 0, 9, 2, 0, 0, 5]), .notAHello)
        // Longer than OpenSSL reads: 131,397 bytes.
        expectEqual(scan([22, 3, 1, 0, 9, 1, 2, 1, 0x45]), .notAHello)
        expectEqual(scan([22, 3, 1, 0, 9, 1, 2, 1, 0x44]), .incomplete)
        // A record of another kind in the middle.
        expectEqual(scan([22, 3, 1, 0, 1, 1, 20, 3, 3, 0, 1]), .notAHello)
        // Four bytes say nothing yet.
        expectEqual(scan(Array("GET ".utf8)), .incomplete)
    }

    @Test func theFormatOfSSL2IsReadWhole() {
        let bytes: [UInt8] = [0x80, 9, 1, 3, 3, 0, 0, 0, 0, 0, 0]
        expectEqual(scan(bytes), .complete)
        for count in 0..<bytes.count { expectEqual(scan(Array(bytes.prefix(count))), .incomplete) }
        expectEqual(scan([0x80, 9, 2, 3, 3]), .notAHello)
    }
}
