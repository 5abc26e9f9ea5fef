import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAClient

@Suite struct ClientConnectionTests: ClientSuite {
    private static let loopback: UInt32 = 0x7F00_0001

    private func connection(
        _ patience: Duration = .seconds(20), stop: Wakeup? = nil
    ) -> ClientConnection {
        ClientConnection(deadline: MonotonicInstant.now() + patience, stop: stop)
    }

    /// Connected to a server that does this with the handshake.
    private func connected(
        _ handshake: FaultHandshake, _ patience: Duration = .seconds(20)
    ) throws -> (ClientConnection, FaultServer) {
        let server = try FaultServer(tls: nil, handshake: handshake) { _ in .silence }
        let connection = connection()
        try connection.connect(
            to: .v4(Self.loopback, port: server.port), within: .seconds(20))
        connection.deadline = .now() + patience
        return (connection, server)
    }

    @Test func saysThatNobodyListens() throws {
        let connection = connection()
        #expect(throws: ClientFailure.refused) {
            try connection.connect(to: .v4(Self.loopback, port: 1), within: .seconds(20))
        }
    }

    /// No machine has a way to a multicast address over TCP (tcp_v4_connect() in the kernel).
    @Test func tellsThatThisMachineHasNoRoute() throws {
        let connection = connection()
        #expect(throws: ClientFailure.noRoute("Network is unreachable")) {
            try connection.connect(to: .v4(0xE000_0001, port: 443), within: .seconds(20))
        }
    }

    /// The limit of one address and the deadline of all: whichever is first. A wait that began all
    /// the same would end as stopped.
    @Test(arguments: [(0, 20), (20, 0)])
    func waitsForAConnectionNoLongerThanBothLimits(limit: Int, patience: Int) throws {
        let silent = try SilentListener()
        let stop = try Wakeup()
        stop.signal()
        let late = connection(.seconds(patience), stop: stop)
        #expect(throws: ClientFailure.timeout(.connecting)) {
            try late.connect(to: silent.address, within: .seconds(limit))
        }
        let stopped = connection(stop: stop)
        #expect(throws: ClientFailure.stopped) {
            try stopped.connect(to: silent.address, within: .seconds(20))
        }
        withExtendedLifetime(silent) {}
    }

    @Test func tellsHowAHandshakeFailed() throws {
        let context = try ClientContexts().context(
            for: ClientRequest(host: "example.com", target: "/"))
        func failure(_ handshake: FaultHandshake, _ patience: Duration = .seconds(20)) throws
            -> ClientFailure?
        {
            let (connection, server) = try connected(handshake, patience)
            defer { withExtendedLifetime(server) {} }
            do throws(ClientFailure) {
                try connection.secure(context, name: "example.com", sendsName: true)
                return nil
            } catch {
                return error
            }
        }
        try expectEqual(failure(.close), .closed(.handshake, missing: nil))
        try expectEqual(failure(.reset), .reset(.handshake))
        try expectEqual(failure(.silence, .milliseconds(300)), .timeout(.handshake))
        guard case .tls(let noise) = try failure(.noise) else {
            Issue.record("noise was taken for TLS")
            return
        }
        expectEqual(noise.cause, .notTLS)
        // A fatal handshake_failure.
        guard case .tls(let alert) = try failure(.bytes([21, 3, 3, 0, 2, 2, 40])) else {
            Issue.record("the alert was not read")
            return
        }
        expectEqual(alert.cause, .alertReceived(40))
    }

    @Test func receivesUntilThePeerEnds() throws {
        let (connection, server) = try connected(.plainHTTP)
        try connection.send(Array("anything".utf8))
        var text = ""
        while case let bytes = try connection.receive(.head), !bytes.isEmpty {
            text += String(decoding: bytes, as: UTF8.self)
        }
        expectEqual(text, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        withExtendedLifetime(server) {}
    }

    @Test func tellsASilentPeerFromOneThatResets() throws {
        let (silent, one) = try connected(.silence, .milliseconds(300))
        #expect(throws: ClientFailure.timeout(.partialHead)) { try silent.receive(.partialHead) }
        let (reset, two) = try connected(.reset)
        try reset.send([1])
        #expect(throws: ClientFailure.reset(.body)) { try reset.receive(.body) }
        withExtendedLifetime((one, two)) {}
    }

    /// A peer that reads nothing: what the kernel does not take has its time as well.
    @Test func sendsNoLongerThanTheDeadline() throws {
        let listener = try ListeningSocket(
            on: .v4(Self.loopback, port: 0), backlog: 8, sharesPort: false)
        let connection = connection()
        try connection.connect(to: listener.address, within: .seconds(20))
        connection.deadline = .now() + .milliseconds(500)
        #expect(throws: ClientFailure.timeout(.request)) {
            try connection.send([UInt8](repeating: 1, count: 64 << 20))
        }
    }
}
