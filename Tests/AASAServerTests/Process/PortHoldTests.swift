import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct PortHoldTests {
    private let own = OwnAddress()

    private func configuration(_ ports: [UInt16]) -> ServerConfiguration {
        ServerConfiguration(
            siteFolder: "s", certificateFolder: "c",
            listen: ports.map { .tcp(host: own.text, port: $0) })
    }

    /// Whether the kernel refuses a client at once: so it does where a socket is only bound.
    private func isRefused(_ address: SocketAddress) -> Bool? {
        guard let client = try? Socket(for: address) else { return nil }
        let result = client.connect(to: address)
        return result == .inProgress ? client.pendingError()?.isRefused ?? false : nil
    }

    @Test func onlyItsServerMayListenAtAHeldPort() throws {
        let configuration = configuration(try own.freePorts(1))
        let hold = PortHold(configuration, [])
        #expect(throws: Problem.self) { try EndpointSockets(configuration, []) }
        let sockets = try EndpointSockets(configuration, [], hold: hold)
        #expect(sockets.addresses.count == 1 && Array(sockets.held.keys) == sockets.addresses)
        close(sockets.held)
        #expect(throws: Never.self) { try EndpointSockets(configuration, []) }
    }

    private func close(_ listeners: [SocketAddress: [Int32]]) {
        for descriptor in listeners.values.joined() { FileDescriptor.close(descriptor) }
    }

    /// Its TCP handshake is over at once, and its worker's queue has it: no retry after a second.
    @Test func aClientIsConnectedWhileItWaits() throws {
        var configuration = configuration(try own.freePorts(1))
        configuration.workers = 3
        let hold = PortHold(configuration, [])
        let address = try #require(EndpointSockets.wanted(configuration, []).first)
        let client = try Socket(for: address)
        _ = client.connect(to: address)
        _ = Waiting.wait([.init(client.raw, .writing)], until: .now() + .seconds(30))
        expectEqual([1].withUnsafeBytes { client.send($0) }, .bytes(8))
        let listeners = hold.take()
        expectEqual(listeners[address]?.count, 3)
        let waiting = try listeners.values.joined().map { descriptor in
            try ListeningSocket(adopting: descriptor).queue.waiting
        }
        expectEqual(waiting.reduce(0, +), 1)
    }

    /// A server that shuts down closes it while this one loads.
    @Test func aPortIsHeldAsSoonAsItIsFree() throws {
        let configuration = configuration(try own.freePorts(1))
        let address = try #require(EndpointSockets.wanted(configuration, []).first)
        var old = try ListeningSocket(on: address, backlog: 1)
        let hold = PortHold(configuration, [])
        old.close()
        #expect(eventually { isRefused(address) == false })
        let held = hold.take()
        expectEqual(Array(held.keys), [address])
        close(held)
        #expect(ListeningSocket.probe(address) == nil)
    }

    /// A port of another process, a port that the kernel is to choose, and those that were handed
    /// over.
    @Test func whatIsNotFreeIsLeftToTheStart() throws {
        var other = try ListeningSocket(
            on: try #require(SocketAddress(host: own.text, port: 0)), backlog: 1)
        defer { other.close() }
        let taken = configuration([other.address.port, 0])
        #expect(PortHold(taken, []).take().isEmpty)
        let handed = InheritedSocket(descriptor: 901, name: "https")
        #expect(PortHold(configuration(try own.freePorts(1)), [handed]).take().isEmpty)
    }
}
