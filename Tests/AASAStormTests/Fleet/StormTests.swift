import Glibc
import Reactor
import Testing

@testable import AASAStorm

// Covers: Storm.swift
// Covers: StormWorker.swift
// Covers: StormConnection.swift
// Covers: ThreadResult.swift
// Covers: DeviceOutcome+SystemError.swift
// Covers: StormConfiguration.swift
// Covers: DeviceOutcome.swift
// Covers: SplitMix.swift
// Against the real server: EndToEndTests/Storm.
@Suite struct StormTests {
    private func configuration(port: UInt16, address: String = "127.0.0.1") -> StormConfiguration {
        var configuration = StormConfiguration(
            target: StormTarget(host: "example.com", port: port, address: address, path: "/x"),
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

    @Test func anAddressIsNeeded() {
        #expect(throws: Storm.Problem.self) {
            try Storm(configuration(port: 1, address: "nowhere")).run()
        }
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
        ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("192.0.2.1", false),
        ("1270.0.0.1", false),
    ])
    func loopbackIsThisMachine(address: String, expected: Bool) {
        let target = StormTarget(host: "h", port: 1, address: address, path: "/")
        #expect(target.isLoopback == expected)
    }

    @Test func everyReasonIsExplained() {
        for reason in FailureReason.allCases { #expect(reason.explanation.count > 10) }
    }
}
