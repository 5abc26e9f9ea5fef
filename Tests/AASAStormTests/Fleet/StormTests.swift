import AASADevice
import Glibc
import Reactor
import Testing

@testable import AASAStorm

// Covers: Storm.swift
// Covers: StormWorker.swift, StormWorkerIO.swift
// Covers: StormConnection.swift
// Covers: ThreadResult.swift
// Covers: StormSession.swift
// Covers: DeviceOutcome+SystemError.swift
// Covers: StormConfiguration.swift
// Covers: DeviceOutcome.swift
// Against the real server: EndToEndTests/Storm.
@Suite struct StormTests {
    private func configuration(port: UInt16) -> StormConfiguration {
        let address = SocketAddress.v4(0x7F00_0001, port: port)
        var configuration = StormConfiguration(
            target: StormTarget(host: "example.com", address: address, path: ""),
            schedule: ArrivalSchedule(shape: .constant, devices: 40, seconds: 0.2), patience: [30])
        configuration.threads = 2
        return configuration
    }

    /// A port of our own, on which nobody listens, or nobody accepts.
    private final class Port {
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

    @Test func nobodyListens() throws {
        let port = try Port(listening: false)
        let report = try Storm(configuration(port: port.number)).run()
        #expect(report.count(.failed(.refused)) == 40)
        #expect(report.tries == 40)
        #expect(report.lag.count == 40)
        #expect(report.timeline.seconds.reduce(0) { $0 + $1.arrivals } == 40)
        #expect(report.timeline.waiting.last == 0)
        #expect(report.devices == 40)
    }

    /// Each thread keeps a processor busy, and a server beside it wants as many.
    @Test func takesThreadsAsCoresAllow() {
        #expect(StormConfiguration.threads(processors: 8, sharedWithServer: true) == 4)
        #expect(StormConfiguration.threads(processors: 8, sharedWithServer: false) == 8)
        #expect(StormConfiguration.threads(processors: 1, sharedWithServer: true) == 1)
        #expect(StormConfiguration.threads(processors: 1000, sharedWithServer: false) == 64)
    }

    /// The light client says its hello, and waits like the other.
    @Test(arguments: [false, true]) func bothClientsWait(_ isLight: Bool) throws {
        let port = try Port(listening: true)
        var configuration = configuration(port: port.number)
        configuration.patience = [0.3]
        configuration.isLight = isLight
        let report = try Storm(configuration).run()
        #expect(report.count(.failed(.timedOut)) == 40)
        #expect(report.clientText.hasPrefix(isLight ? "light" : "OpenSSL's"))
        #expect(report.light.handshakes == 0)
    }

    @Test func patienceEnds() throws {
        // The kernel completes the connection, nobody answers.
        let port = try Port(listening: true)
        var configuration = configuration(port: port.number)
        configuration.patience = [0.3]
        let report = try Storm(configuration).run()
        #expect(report.count(.failed(.timedOut)) == 40)
        #expect(!report.everyDeviceWasAnswered)
    }

    @Test func stopsWhenAsked() throws {
        let port = try Port(listening: false)
        var configuration = configuration(port: port.number)
        configuration.schedule = ArrivalSchedule(shape: .constant, devices: 100, seconds: 3600)
        let progress = StormProgress()
        progress.stop()
        let report = try Storm(configuration).run(progress: progress)
        #expect(report.interrupted)
        #expect(report.ended < 100)
        #expect(report.verdict.hasPrefix("Interrupted"))
    }

    @Test func devicesThatFailedAskAgainOnTheCompressedClock() throws {
        let port = try Port(listening: false)
        var configuration = configuration(port: port.number)
        configuration.eras = try EraMix(parsing: "ios9.3:1,developer:1")
        configuration.tries = 3
        // Three hours in 11 ms.
        configuration.retryScale = 1_000_000
        let report = try Storm(configuration).run()
        let old = try #require(report.eras[.ios93])
        let later = try #require(report.eras[.developer])
        #expect(old.failed == old.devices && later.failed == later.devices)
        #expect(old.devices + later.devices == 40)
        // The old rule asks again for 5xx only.
        #expect(report.tries == old.devices + 3 * later.devices)
        #expect(report.count(.failed(.refused)) == 40)
        #expect(
            report.timeline.seconds.reduce(0) { $0 + $1.retries } == 2 * later.devices)
        #expect(report.timeline.waiting.last == 0)
    }

    @Test(arguments: [
        (ECONNREFUSED, DeviceOutcome.failed(.refused)), (ECONNRESET, .failed(.reset)),
        (EPIPE, .failed(.reset)), (ETIMEDOUT, .failed(.timedOut)), (EMFILE, .failed(.generator)),
        (EADDRNOTAVAIL, .failed(.generator)), (EHOSTUNREACH, .failed(.cut)),
    ])
    func errorsOfTheSocket(number: Int32, expected: DeviceOutcome) {
        #expect(DeviceOutcome(SystemError(call: "connect", number: number)) == expected)
    }

    @Test(arguments: [
        ("example.com", "127.0.0.1:443", "example.com"),
        ("example.com", "127.0.0.1:8443", "example.com:8443"), ("::1", "[::1]:444", "[::1]:444"),
    ])
    func theAuthorityNamesUnusualPorts(host: String, address: String, expected: String) throws {
        let address = try #require(SocketAddress(parsing: address))
        #expect(StormTarget(host: host, address: address, path: "").authority == expected)
    }

    @Test func everyReasonIsExplained() {
        for reason in FailureReason.allCases { #expect(reason.explanation.count > 10) }
    }
}
