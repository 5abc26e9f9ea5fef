import Foundation
import Glibc
import Reactor
import Testing

@testable import AASAStorm

@Suite struct ThrottledLinkTests {
    /// A server that sends so many bytes to each client and closes.
    private final class Source: @unchecked Sendable {
        let address: SocketAddress
        private var thread: WorkerThread?
        private let raw: Int32

        init(bytes: Int, clients: Int) throws {
            var listener = try ListeningSocket(
                on: .v4(0x7F00_0001, port: 0), backlog: 64, sharesPort: false)
            address = listener.address
            raw = listener.release()
            let raw = raw
            thread = try WorkerThread(name: "source") {
                for number in 0..<clients {
                    var waiting = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
                    guard poll(&waiting, 1, 30_000) == 1 else { return }
                    let client = Glibc.accept(raw, nil, nil)
                    var request: UInt8 = 0
                    _ = recv(client, &request, 1, 0)
                    let text = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &+ number) }
                    _ = text.withUnsafeBytes {
                        send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    Glibc.close(client)
                }
            }
        }

        deinit {
            thread?.join()
            close(raw)
        }
    }

    /// Connects, asks and reads to the end.
    private func fetch(_ address: SocketAddress) throws -> [UInt8] {
        let client = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            client, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = address.port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(connected == 0)
        var request: UInt8 = 7
        send(client, &request, 1, 0)
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(client, &chunk, chunk.count, 0)
            if count <= 0 { return received }
            received += chunk[..<count]
        }
    }

    @Test func everythingArrivesAndNoFasterThanTheLinkIs() throws {
        let source = try Source(bytes: 40_000, clients: 1)
        let link = try ThrottledLink(to: source.address, .init(bytesPerSecond: 100_000))
        defer { link.stop() }
        let began = MonotonicInstant.now()
        let received = try fetch(link.address)
        #expect(received == (0..<40_000).map { UInt8(truncatingIfNeeded: $0) })
        // 0.4 s by arithmetic; what a burst saves is below a tenth of it.
        #expect((MonotonicInstant.now() - began).inSeconds > 0.3)
    }

    @Test func connectionsPassInTheOrderInWhichTheyCame() throws {
        let source = try Source(bytes: 1000, clients: 4)
        let link = try ThrottledLink(to: source.address, .init(connectionsPerSecond: 20))
        defer { link.stop() }
        for number in 0..<4 {
            #expect(
                try fetch(link.address) == (0..<1000).map { UInt8(truncatingIfNeeded: $0 + number) }
            )
        }
    }

    @Test func aServerThatIsGoneEndsTheConnection() throws {
        var listener = try ListeningSocket(
            on: .v4(0x7F00_0001, port: 0), backlog: 1, sharesPort: false)
        let address = listener.address
        listener.close()
        let link = try ThrottledLink(to: address, .init())
        defer { link.stop() }
        #expect(try fetch(link.address).isEmpty)
    }
}
