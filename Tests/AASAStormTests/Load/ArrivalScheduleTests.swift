import TestSupport
import Testing

@testable import AASAStorm

@Suite struct ArrivalScheduleTests {
    static let shapes = ArrivalSchedule.Shape.allCases + [nil]

    private func times(_ schedule: ArrivalSchedule) -> [Double] {
        (0..<schedule.devices).map { Double(schedule.time(ofArrival: $0)) / 1e9 }
    }

    @Test(arguments: shapes)
    func ascendsWithinTheSurge(shape: ArrivalSchedule.Shape?) {
        let schedule = ArrivalSchedule(
            shape: shape, recorded: [10, 11, 11.5, 14, 20], devices: 5000, seconds: 20)
        let all = times(schedule)
        expectEqual(all, all.sorted())
        #expect(all.first! >= 0)
        #expect(all.last! <= 20)
    }

    @Test func constantSpreadsEvenly() {
        let all = times(ArrivalSchedule(shape: .constant, devices: 1000, seconds: 10))
        for second in 0..<10 {
            expectEqual(all.count { Int($0) == second }, 100)
        }
    }

    @Test func rampDoublesItsMeanAtTheEnd() {
        let schedule = ArrivalSchedule(shape: .ramp, devices: 10_000, seconds: 10)
        let all = times(schedule)
        // The n-th tenth of a ramp holds (2n − 1) % of all arrivals.
        #expect(abs(all.count { $0 < 1 } - 100) <= 2)
        #expect(abs(all.count { $0 >= 9 } - 1900) <= 2)
        expectEqual(schedule.peakRate, 2000)
    }

    @Test func spikeIsOneSecondAtFortyTimesTheBase() {
        let schedule = ArrivalSchedule(shape: .spike, devices: 9900, seconds: 60)
        let all = times(schedule)
        // base = 9900 / (59 + 40) = 100 per second
        #expect(abs(all.count { $0 >= 29 && $0 < 30 } - 4000) <= 2)
        #expect(abs(all.count { $0 < 10 } - 1000) <= 2)
        #expect(abs(schedule.peakRate - 4000) < 0.001)
    }

    @Test func bellIsSymmetricAndDenseInTheMiddle() {
        let schedule = ArrivalSchedule(shape: .bell, devices: 10_000, seconds: 60)
        let all = times(schedule)
        #expect(abs(all.count { $0 < 30 } - 5000) <= 1)
        // One standard deviation is a sixth of the surge: 68.27 / 99.73 of all.
        #expect(abs(all.count { $0 >= 20 && $0 < 40 } - 6845) <= 5)
    }

    @Test func recordedKeepsItsShape() {
        let schedule = ArrivalSchedule(
            shape: nil, recorded: [0, 1, 1, 1, 1, 1, 1, 1, 1, 10], devices: 1000, seconds: 10)
        let all = times(schedule)
        #expect(all.count { $0 > 0.9 && $0 < 1.1 } > 650)
    }

    /// Recorded times as close or as far apart as numbers can be.
    @Test(arguments: [
        [0, Double.leastNonzeroMagnitude * 2000], [-1e12, 1e12], [1e12, 1e12.nextUp],
        [0, Double.leastNonzeroMagnitude, 1e12],
    ])
    func recordedTimesOfAnyDistanceAreHarmless(times recorded: [Double]) {
        let schedule = ArrivalSchedule(
            shape: nil, recorded: recorded, devices: 100,
            seconds: StormConfiguration.longestSurge)
        #expect(schedule.peakRate >= 1)
        let all = times(schedule)
        expectEqual(all, all.sorted())
        #expect(all.first! >= 0 && all.last! <= schedule.seconds)
    }

    @Test func noDevicesAndNoTimeAreHarmless() {
        expectEqual(ArrivalSchedule(shape: .bell, devices: 0, seconds: 0).time(ofArrival: 3), 0)
        let one = ArrivalSchedule(shape: .spike, devices: 1, seconds: 0.5)
        #expect(one.time(ofArrival: 0) <= 500_000_000)
    }
}
