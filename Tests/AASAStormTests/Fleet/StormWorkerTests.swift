import AASADevice
import Reactor
import TestSupport
import Testing

@testable import AASAStorm

@Suite struct StormWorkerTests: StormSuite {
    @Test func patienceEnds() throws {
        // The kernel completes the connection, nobody answers.
        let port = try StormPort(listening: true)
        var configuration = configuration(port: port.number)
        configuration.patience = [0.3]
        let report = try Storm(configuration).run()
        expectEqual(report.count(.failed(.timedOut)), 40)
        #expect(!report.everyDeviceWasAnswered)
        expectEqual(report.handshakes, 0)
    }

    @Test func devicesThatFailedAskAgainOnTheCompressedClock() throws {
        let port = try StormPort(listening: false)
        var configuration = configuration(port: port.number)
        configuration.eras = try EraMix(parsing: "ios9.3:1,developer:1")
        configuration.tries = 3
        let report = try Storm(configuration).run()
        let old = try #require(report.eras[.ios93])
        let later = try #require(report.eras[.developer])
        #expect(old.failed == old.devices && later.failed == later.devices)
        expectEqual(old.devices + later.devices, 40)
        // The old rule asks again for 5xx only.
        expectEqual(report.tries, old.devices + 3 * later.devices)
        expectEqual(report.count(.failed(.refused)), 40)
        expectEqual(
            report.timeline.seconds.reduce(0) { $0 + $1.retries }, 2 * later.devices)
        expectEqual(report.timeline.waiting.last, 0)
    }

    /// Parts and threads share the devices out: each is played once, and draws the same whoever
    /// plays it.
    @Test(arguments: [1, 2, 3]) func everyDeviceIsPlayedOnce(threads: Int) throws {
        let port = try StormPort(listening: false)
        var configuration = configuration(port: port.number)
        configuration.schedule = ArrivalSchedule(shape: .constant, devices: 41, seconds: 0.1)
        configuration.eras = try EraMix(parsing: "ios9.3:1,ios13:1,ios14:1")
        configuration.threads = threads
        let whole = try Storm(configuration).run()
        expectEqual(whole.tries, 41)
        var eras: [Era: Int] = [:]
        for index in 0..<3 {
            configuration.part = try #require(
                StormPart(parsing: "\(index + 1)/3", jobIndex: nil))
            let part = try Storm(configuration).run()
            expectEqual(part.tries, configuration.part.share(of: 41))
            for (era, count) in part.eras { eras[era, default: 0] += count.devices }
        }
        expectEqual(eras, whole.eras.mapValues { $0.devices })
    }

    /// With one place all come in turn: nobody is dropped because there was no room.
    @Test func waitsForRoom() throws {
        let port = try StormPort(listening: true)
        var configuration = configuration(port: port.number)
        configuration.schedule = ArrivalSchedule(shape: .constant, devices: 5, seconds: 0.01)
        configuration.patience = [0.1]
        configuration.threads = 1
        configuration.mostOpen = 1
        let report = try Storm(configuration).run()
        expectEqual(report.count(.failed(.timedOut)), 5)
        expectEqual(report.tries, 5)
        // The fifth began when four had had their patience.
        #expect(report.lag.largest >= 0.3)
    }

    /// iOS 9.3 falls back to the root path within the same try.
    @Test func asksTheSecondPathInTheSameTry() throws {
        let report = try storm("ios9.3:1", devices: 4) { request in
            request.isWellKnown
                ? .http("404 Not Found")
                : .http(
                    "200 OK", [], "{\"webcredentials\":{\"apps\":[\"D3KQX62K1A.com.example.a\"]}}")
        }
        expectEqual(report.count(.associated), 4)
        expectEqual(report.tries, 4)
        #expect(report.statuses[404] == 4 && report.statuses[200] == 4)
        expectEqual(report.handshakes, 8)
    }
}
