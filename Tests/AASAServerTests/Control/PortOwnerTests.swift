// Covers: EndpointSockets.swift
import Glibc
import Reactor
import Testing

@testable import AASAServer

@Suite struct PortOwnerTests {
    private let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:20FB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 34067 1
           1: 0100007F:20FB 0100007F:8001 01 00000000:00000000 00:00000000 00000000     0        0 34068 1
           2: 00000000:01BB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 34069 1
        """

    @Test func listenersAreFoundByPort() {
        #expect(PortOwner.listeners(in: table, port: 8443) == ["34067"])
        #expect(PortOwner.listeners(in: table, port: 443) == ["34069"])
        #expect(PortOwner.listeners(in: table, port: 80).isEmpty)
        #expect(PortOwner.listeners(in: "", port: 80).isEmpty)
    }

    /// A second server on a port that ours shares (SO_REUSEPORT) would take half of the
    /// connections; it is refused, and the message names the process.
    @Test func aPortInUseIsRefusedWithItsOwner() throws {
        var first = try ListeningSocket(
            on: try #require(SocketAddress(host: "127.0.0.1", port: 0)), backlog: 1)
        defer { first.close() }
        var configuration = ServerConfiguration(
            siteFolder: "s", certificateFolder: "c",
            listen: [.tcp(host: "127.0.0.1", port: first.address.port)])
        let failure = #expect(throws: Problem.self) {
            try EndpointSockets(configuration, [])
        }
        #expect(failure?.cause.contains("process \(getpid())") == true, "\(failure as Any)")
        #expect(failure?.place.contains("127.0.0.1:\(first.address.port)") == true)
        configuration.listen = [.tcp(host: "127.0.0.1", port: 0)]
        #expect(throws: Never.self) { try EndpointSockets(configuration, []) }
    }

    @Test(arguments: ["256.0.0.1", "example.com", "fe80::zz"])
    func whatIsNoAddressIsSaid(host: String) {
        let configuration = ServerConfiguration(
            siteFolder: "s", certificateFolder: "c", listen: [.tcp(host: host, port: 1)])
        let failure = #expect(throws: Problem.self) {
            try EndpointSockets(configuration, [])
        }
        #expect(failure?.place == "--listen")
    }

    @Test func handedSocketsComeBeforeAddresses() throws {
        let configuration = ServerConfiguration(
            siteFolder: "s", certificateFolder: "c", listen: [.tcp(host: "127.0.0.1", port: 1)])
        let sockets = try EndpointSockets(
            configuration,
            [
                HandedSocket(descriptor: 901, name: "https"),
                HandedSocket(descriptor: 902, name: "admin"),
            ])
        #expect(sockets.addresses.isEmpty)
        #expect(sockets.handed == [901])
        #expect(sockets.adminDescriptor == 902)
    }
}
