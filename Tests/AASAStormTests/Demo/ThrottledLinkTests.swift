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

        /// - Parameter together: nobody gets a byte before all have asked.
        init(bytes: Int, clients: Int, together: Bool = false) throws {
            var listener = try ListeningSocket(
                on: .v4(0x7F00_0001, port: 0), backlog: 64, sharesPort: false)
            address = listener.address
            raw = listener.release()
            let raw = raw
            let texts = (0..<clients).map { number in
                (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &+ number) }
            }
            thread = try WorkerThread(name: "source") {
                func answer(_ client: Int32, _ part: ArraySlice<UInt8>) {
                    _ = part.withUnsafeBytes {
                        send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                }
                var asked: [Int32] = []
                for number in 0..<clients {
                    var waiting = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
                    guard poll(&waiting, 1, 30_000) == 1 else { return }
                    let client = Glibc.accept(raw, nil, nil)
                    // It holds all of it: nobody waits for another one.
                    var room = Int32(1 << 20)
                    setsockopt(
                        client, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
                    var request: UInt8 = 0
                    _ = recv(client, &request, 1, 0)
                    if together {
                        asked.append(client)
                    } else {
                        answer(client, texts[number][...])
                        Glibc.close(client)
                    }
                }
                // In turns: nobody has all of his while the others wait for this thread.
                for start in stride(from: 0, to: together ? bytes : 0, by: 4096) {
                    for (number, client) in asked.enumerated() {
                        answer(client, texts[number][start...].prefix(4096))
                    }
                }
                for client in asked { Glibc.close(client) }
            }
        }

        deinit {
            thread?.join()
            close(raw)
        }
    }

    /// Connects and asks.
    private func ask(_ address: SocketAddress) throws -> Int32 {
        let client = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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
        return client
    }

    /// Connects, asks and reads to the end.
    private func fetch(_ address: SocketAddress) throws -> [UInt8] {
        let client = try ask(address)
        defer { close(client) }
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

    /// The kernel names what is ready in the same order each time: the first one had all of the
    /// link, and the others looked like readers that do not read.
    @Test func allHaveAnEqualPartOfTheLink() throws {
        let source = try Source(bytes: 60_000, clients: 4, together: true)
        let link = try ThrottledLink(to: source.address, .init(bytesPerSecond: 300_000))
        defer { link.stop() }
        var clients = try (0..<4).map { _ in
            pollfd(fd: try ask(link.address), events: Int16(POLLIN), revents: 0)
        }
        defer { for client in clients { close(client.fd) } }
        var received = [0, 0, 0, 0]
        var chunk = [UInt8](repeating: 0, count: 4096)
        while received.allSatisfy({ $0 < 60_000 }) {
            try #require(poll(&clients, 4, 30_000) > 0)
            for index in 0..<4 where clients[index].revents != 0 {
                let count = recv(clients[index].fd, &chunk, chunk.count, 0)
                try #require(count > 0 || received[index] == 60_000)
                received[index] += max(0, count)
            }
        }
        #expect(received.allSatisfy { $0 > 30_000 }, "\(received)")
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
