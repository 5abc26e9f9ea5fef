import Testing

@testable import AASAServer

@Suite struct HistoryTests {
    private func traffic(accepted: UInt64, answered: UInt64 = 0, shed: UInt64 = 0)
        -> StatusReport.Traffic
    {
        var traffic = StatusReport.Traffic()
        traffic.accepted = accepted
        traffic.answered = answered
        traffic.shed = shed
        return traffic
    }

    @Test func turnsSumsIntoRates() {
        var history = History()
        history.sample(time: 100, traffic: traffic(accepted: 10), connections: .init())
        #expect(history.points.isEmpty, "one sample has no rate")
        var next = traffic(accepted: 30, answered: 8)
        next.processorSeconds = 1
        history.sample(time: 102, traffic: next, connections: .init())
        #expect(history.points.map(\.accepted) == [10])
        #expect(history.points.map(\.answered) == [4])
        #expect(history.points.map(\.processors) == [0.5])
    }

    @Test func survivesClocksAndCountersThatGoBack() {
        var history = History()
        history.sample(time: 100, traffic: traffic(accepted: 10), connections: .init())
        history.sample(time: 99, traffic: traffic(accepted: 20), connections: .init())
        history.sample(time: 100, traffic: traffic(accepted: 5), connections: .init())
        #expect(history.points.map(\.accepted) == [0])
    }

    @Test func keepsAQuarterOfAnHour() {
        var history = History()
        for second in 0...1000 {
            history.sample(
                time: Double(second), traffic: traffic(accepted: 0), connections: .init())
        }
        #expect(history.points.count == History.secondsMaximum)
        #expect(history.points.last?.second == 1000)
    }

    @Test func countsWhoWasTurnedAwayInTheLastMinute() {
        var history = History()
        var shed: UInt64 = 0
        for second in 0...100 {
            if second >= 50 && second < 60 { shed += 3 }
            history.sample(
                time: Double(second), traffic: traffic(accepted: 0, shed: shed),
                connections: .init())
        }
        #expect(history.shedLately(now: 100) == 30)
        #expect(history.shedLately(now: 112) == 21)
        #expect(history.shedLately(now: 200) == 0)
    }

    /// Feeds seconds with the given rates of new connections and shed clients.
    private func run(_ seconds: [(accepted: UInt64, shed: UInt64)]) -> History {
        var history = History()
        var sum: (accepted: UInt64, shed: UInt64) = (0, 0)
        history.sample(time: 0, traffic: traffic(accepted: 0), connections: .init())
        for (index, second) in seconds.enumerated() {
            sum.accepted += second.accepted
            sum.shed += second.shed
            history.sample(
                time: Double(index + 1),
                traffic: traffic(accepted: sum.accepted, answered: sum.accepted, shed: sum.shed),
                connections: .init())
        }
        return history
    }

    @Test func seesNoStormInOrdinaryTraffic() {
        let calm: [(accepted: UInt64, shed: UInt64)] = Array(repeating: (40, 0), count: 600)
        let growing = (0..<100).map { _ in (accepted: UInt64(120), shed: UInt64(0)) }
        #expect(run(calm + growing).storms.storm == nil)
    }

    @Test func takesABusyStartForUsual() {
        let busy: [(accepted: UInt64, shed: UInt64)] = Array(repeating: (500, 0), count: 60)
        #expect(run(busy).storms.storm == nil)
        let shedding: [(accepted: UInt64, shed: UInt64)] = [(500, 1)]
        #expect(run(shedding).storms.storm != nil, "who is turned away is turned away")
    }

    @Test func recordsAStormFromItsBeginToItsEnd() throws {
        let calm: [(accepted: UInt64, shed: UInt64)] = Array(repeating: (5, 0), count: 300)
        let wild: [(accepted: UInt64, shed: UInt64)] = Array(repeating: (900, 10), count: 20)
        let during = try #require(run(calm + wild).storms.storm)
        #expect(!during.isOver)
        #expect(during.began == 301)
        #expect(during.shed == 200)
        #expect(during.answered == 18_000)
        #expect(during.peakConnectionsPerSecond == 900)

        let after = try #require(run(calm + wild + calm).storms.storm)
        #expect(after.isOver)
        #expect(after.lastSeen == 320)
    }
}
