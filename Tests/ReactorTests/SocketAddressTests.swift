import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct SocketAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8443", "127.0.0.1:8443"), ("0.0.0.0:0", "0.0.0.0:0"),
        ("[::1]:443", "[::1]:443"), ("[2001:DB8:0::1]:1", "[2001:db8::1]:1"),
        ("[::ffff:192.0.2.1]:80", "[::ffff:192.0.2.1]:80"), ("unix:/tmp/a b", "unix:/tmp/a b"),
        ("255.254.253.252:65535", "255.254.253.252:65535"),
    ])
    func readsAndPrints(_ text: String, _ printed: String) throws {
        try expectEqual(#require(SocketAddress(parsing: text)).description, printed)
    }

    @Test(arguments: [
        "", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
        "::1:443", "[127.0.0.1]:1", "[::1]", "localhost:1", "1.2.3:4", "unix:", "[::1%none9]:1",
        "unix:" + String(repeating: "a", count: 108), "127.0.0.1: 1",
    ])
    func refuses(_ text: String) {
        #expect(SocketAddress(parsing: text) == nil)
    }

    @Test func theKernelsFormSurvivesARoundTrip() throws {
        for text in ["192.0.2.7:9", "[2001:db8::42]:7", "unix:/run/x"] {
            let address = try #require(SocketAddress(parsing: text))
            let copy = address.withSockAddr { pointer, length in
                pointer.withMemoryRebound(to: sockaddr_storage.self, capacity: 1) {
                    SocketAddress($0.pointee, length: length)
                }
            }
            expectEqual(copy, address)
        }
    }

    @Test func knowsLoopback() throws {
        for text in ["127.9.9.9:1", "[::1]:1", "unix:/x"] {
            #expect(try #require(SocketAddress(parsing: text)).isLoopback)
        }
        for text in ["128.0.0.1:1", "[::2]:1", "[fe80::1%1]:1"] {
            #expect(try !#require(SocketAddress(parsing: text)).isLoopback)
        }
    }
}
