import AASADevice
import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAStorm

// Covers: ThreadResult.swift, DeviceOutcome+SystemError.swift
// Against the real server: EndToEndTests/Storm.
@Suite struct StormTests: StormSuite {
    @Test func nobodyListens() throws {
        let port = try StormPort(listening: false)
        let report = try Storm(configuration(port: port.number)).run()
        expectEqual(report.count(.failed(.refused)), 40)
        expectEqual(report.tries, 40)
        expectEqual(report.lag.count, 40)
        expectEqual(report.timeline.seconds.reduce(0) { $0 + $1.count.devices }, 40)
        expectEqual(report.timeline.waiting.last, 0)
        expectEqual(report.devices, 40)
    }

    @Test func stopsWhenAsked() throws {
        let port = try StormPort(listening: false)
        var configuration = configuration(port: port.number)
        configuration.schedule = ArrivalSchedule(shape: .constant, devices: 100, seconds: 3600)
        let progress = StormProgress()
        progress.stop()
        let report = try Storm(configuration).run(progress: progress)
        #expect(report.interrupted)
        #expect(report.ended < 100)
        #expect(report.verdict.hasPrefix("Interrupted"))
    }

    @Test(arguments: [
        (ECONNREFUSED, DeviceOutcome.failed(.refused)), (ECONNRESET, .failed(.reset)),
        (EPIPE, .failed(.reset)), (ETIMEDOUT, .failed(.timedOut)), (EMFILE, .failed(.generator)),
        (EADDRNOTAVAIL, .failed(.generator)), (EHOSTUNREACH, .failed(.cut)),
    ])
    func errorsOfTheSocket(number: Int32, expected: DeviceOutcome) {
        expectEqual(DeviceOutcome(SystemError(call: "connect", number: number)), expected)
    }
}
