import AASADevice
import Glibc
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAStorm

/// Small storms on loopback: against a port, or a server that does one thing.
protocol StormSuite {}

extension StormSuite {
    func configuration(port: UInt16) -> StormConfiguration {
        let address = SocketAddress.v4(0x7F00_0001, port: port)
        var configuration = StormConfiguration(
            target: StormTarget(host: "example.com", address: address, path: ""),
            schedule: ArrivalSchedule(shape: .constant, devices: 40, seconds: 0.2), patience: [30])
        configuration.threads = 2
        return configuration
    }

    /// A storm of some devices with an era each, against a server that does this.
    func storm(
        _ eras: String = "ios13:1", devices: Int = 6, tls: TLSServerSettings? = nil,
        handshake: FaultHandshake = .proper,
        settings change: (inout StormConfiguration) -> Void = { _ in },
        answer: @escaping @Sendable (FaultRequest) -> FaultAnswer
    ) throws -> StormReport {
        let server = try FaultServer(
            tls: tls ?? Self.tls(), handshake: handshake, answer: answer)
        var configuration = configuration(port: server.port)
        configuration.eras = try EraMix(parsing: eras)
        configuration.schedule = ArrivalSchedule(shape: .constant, devices: devices, seconds: 0.1)
        change(&configuration)
        return try withExtendedLifetime(server) { try Storm(configuration).run() }
    }

    static func tls() throws -> TLSServerSettings {
        let now = WallClock.seconds
        let pair = try LocalAuthority.make(now: now)
            .issue(names: ["example.com"], key: .ecdsaP256, now: now)
        var settings = TLSServerSettings(hosts: [
            TLSHost(names: ["example.com"], pairs: [pair], servesIOS8: true)
        ])
        settings.protocols = [.http11]
        return settings
    }
}

/// A port of our own, on which nobody listens, or nobody accepts.
final class StormPort {
    let socket: Socket
    let number: UInt16

    init(listening: Bool) throws {
        guard let any = SocketAddress(host: "127.0.0.1", port: 0) else {
            throw SystemError(call: "address", number: EINVAL)
        }
        let socket = try Socket(for: any)
        try socket.bind(any)
        if listening, listen(socket.raw, 128) != 0 {
            throw SystemError(call: "listen", number: errno)
        }
        number = socket.localAddress?.port ?? 0
        self.socket = socket
    }
}
