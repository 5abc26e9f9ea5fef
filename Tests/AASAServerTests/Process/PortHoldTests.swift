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
        let held = hold.settle()
        #expect(held.count == 1)
        #expect(throws: Problem.self) { try EndpointSockets(configuration, []) }
        #expect(
            try EndpointSockets(configuration, [], hold: hold).addresses == held)
        hold.release()
        #expect(throws: Never.self) { try EndpointSockets(configuration, []) }
    }

    /// A server that shuts down closes it while this one loads.
    @Test func aPortIsHeldAsSoonAsItIsFree() throws {
        let configuration = configuration(try own.freePorts(1))
        let address = try #require(EndpointSockets.wanted(configuration, []).first)
        var old = try ListeningSocket(on: address, backlog: 1)
        let hold = PortHold(configuration, [])
        old.close()
        #expect(eventually { isRefused(address) == false })
        #expect(hold.settle() == [address])
        hold.release()
        #expect(ListeningSocket.probe(address) == nil)
    }

    /// A port of another process, a port that the kernel is to choose, and those that were handed
    /// over.
    @Test func whatIsNotFreeIsLeftToTheStart() throws {
        var other = try ListeningSocket(
            on: try #require(SocketAddress(host: own.text, port: 0)), backlog: 1)
        defer { other.close() }
        let taken = configuration([other.address.port, 0])
        #expect(PortHold(taken, []).settle().isEmpty)
        let handed = InheritedSocket(descriptor: 901, name: "https")
        #expect(PortHold(configuration(try own.freePorts(1)), [handed]).settle().isEmpty)
    }
}
