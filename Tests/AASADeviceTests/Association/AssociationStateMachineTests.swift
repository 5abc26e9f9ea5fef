import AASADevice
import TestSupport
import Testing

private typealias Machine = AssociationStateMachine

@Suite struct AssociationStateMachineTests {
    /// What the outside can bring a machine to.
    enum State: String, CaseIterable {
        case absent, asking, waiting, associated, denied, failed
    }

    private static let no = Verdict.Reason.nothingListed
    private static let busy = Verdict.Reason.other("the server failed with status 503")
    private static let gone = Verdict.Reason.other("no answer")

    /// A machine in that state; the old rule has all of them.
    private static func machine(_ state: State) -> Machine {
        var machine = Machine(era: .ios8)
        if state == .absent { return machine }
        _ = machine.installed()
        switch state {
        case .absent, .asking: break
        case .waiting: _ = machine.answered(.temporary(busy), chance: 0)
        case .associated: _ = machine.answered(.associated, chance: 0)
        case .denied: _ = machine.answered(.denied(no), chance: 0)
        case .failed: _ = machine.answered(.failed(gone), chance: 0)
        }
        return machine
    }

    @Test(arguments: State.allCases)
    func asksAgain(_ state: State) {
        var machine = Self.machine(state)
        expectEqual(machine.installed(), .ask(.root))
        machine = Self.machine(state)
        expectEqual(machine.timerFired(), .ask(.root))
        machine = Self.machine(state)
        let isAsked = state == .waiting || state == .failed
        expectEqual(machine.apiCalled(), (isAsked ? .ask(.root) : nil), "\(state)")
        if !isAsked { expectEqual(machine, Self.machine(state)) }
    }

    @Test func everyAnswer() {
        let answers: [(Machine.Answer, Machine.Action)] = [
            (.associated, .rest(.associated, next: nil)),
            (.denied(Self.no), .rest(.denied(Self.no), next: nil)),
            (
                .temporary(Self.busy),
                .rest(.willRetry(Self.busy, seconds: 10_800), next: 10_800)
            ),
            (.failed(Self.gone), .rest(.failed(Self.gone), next: nil)),
        ]
        for (answer, action) in answers {
            var machine = Self.machine(.asking)
            expectEqual(machine.answered(answer, chance: 0), action)
        }
    }

    @Test func asksTheRootWhenTheWellKnownPathSaysNo() {
        var machine = Machine(era: .ios93)
        expectEqual(machine.installed(), .ask(.wellKnown))
        expectEqual(
            machine.answered(.denied(.refused(status: 404)), chance: 0), .ask(.root))
        expectEqual(
            machine.answered(.denied(.refused(status: 404)), chance: 0),
            .rest(.denied(.refused(status: 404)), next: nil))
    }

    @Test func triesEightTimesThenGivesUp() {
        var machine = Machine(era: .ios8)
        var waits = 0
        var action = machine.installed()
        while true {
            guard case .ask = action else { break }
            action = machine.answered(.temporary(Self.busy), chance: 0.5)
            guard case .rest(.willRetry(_, let seconds), _) = action else { break }
            expectEqual(seconds, 10_800)
            waits += 1
            action = machine.timerFired()
        }
        expectEqual(waits, 7)
        guard case .rest(.failed(.triesUsedUp), _) = action else {
            Issue.record("ended as \(action)")
            return
        }
        // The documented way back: the app calls the API, or is updated.
        expectEqual(machine.apiCalled(), .ask(.root))
    }

    @Test func laterErasKeepTryingAndDouble() {
        var machine = Machine(era: .ios14)
        var seconds: [Int] = []
        expectEqual(machine.installed(), .ask(.cdn))
        for _ in 0..<12 {
            let action = machine.answered(.temporary(Self.busy), chance: 0.5)
            guard case .rest(.willRetry(_, let wait), _) = action else { break }
            seconds.append(wait)
            expectEqual(machine.timerFired(), .ask(.cdn))
        }
        #expect(seconds.prefix(8).allSatisfy { $0 == 12_600 })
        expectEqual(Array(seconds.suffix(4)), [25_200, 50_400, 100_800, 201_600])
        expectEqual(
            machine.answered(.associated, chance: 0.5),
            .rest(.associated, next: 430_200))
    }

    @Test func aServerThatComesBackEndsAssociated() {
        for era in Era.allCases {
            var machine = Machine(era: era)
            var action = machine.installed()
            for _ in 0..<2 {
                action = machine.answered(.temporary(Self.busy), chance: 0)
                guard case .rest(.willRetry(_, let seconds), _) = action else {
                    Issue.record("\(era) does not wait")
                    return
                }
                #expect((10_800...14_400).contains(seconds))
                action = machine.timerFired()
            }
            _ = machine.answered(.associated, chance: 0)
            var other = Machine(era: era)
            _ = other.installed()
            _ = other.answered(.associated, chance: 0)
            expectEqual(machine, other, "\(era)")
        }
    }

    // MARK: - The time of the next try

    /// The waits after so many failed tries; nil where the device gives up.
    private static func waits(_ machine: inout Machine, _ count: Int, chance: Double) -> [Int?] {
        (0..<count).map { _ in
            _ = machine.timerFired()
            let action = machine.answered(.temporary(busy), chance: chance)
            guard case .rest(.willRetry(_, let seconds), let next) = action, next == seconds else {
                return nil
            }
            return seconds
        }
    }

    private static func waits(_ era: Era, _ count: Int, chance: Double = 0) -> [Int?] {
        var machine = Machine(era: era)
        return waits(&machine, count, chance: chance)
    }

    private static func recheck(_ era: Era, chance: Double) -> Int? {
        var machine = Machine(era: era)
        _ = machine.installed()
        guard case .rest(.associated, let next) = machine.answered(.associated, chance: chance)
        else { return nil }
        return next
    }

    @Test func staysWithinTheObservedSpans() {
        for chance in [-1, 0, 0.25, 0.999, 1, 7.0] {
            let next = Self.waits(.ios13, 1, chance: chance)[0]
            #expect((10_800...14_400).contains(next ?? 0))
            #expect((428_400...432_000).contains(Self.recheck(.ios13, chance: chance) ?? 0))
        }
        #expect(Self.recheck(.ios8, chance: 0) == nil)
    }

    @Test func spreadsOverAnHour() {
        for (chance, seconds) in [(0, 0), (0.5, 1800), (1, 3600)] {
            expectEqual(Self.waits(.ios13, 1, chance: chance), [10_800 + seconds])
            expectEqual(Self.recheck(.ios13, chance: chance), 428_400 + seconds)
        }
    }

    /// Eight tries as they are, then twice as long each time, up to a month.
    @Test func doublesAfterEightTries() {
        let waits = Self.waits(.ios13, 40).map { $0 ?? 0 }
        #expect(waits.prefix(8).allSatisfy { $0 == 10_800 })
        #expect(waits[8..<15].elementsEqual((1...7).map { 10_800 << $0 }))
        #expect(waits[15...].allSatisfy { $0 == 30 * 86_400 })
    }

    @Test func givesUpAtTheEighthInTheOldRule() {
        let waits = Self.waits(.ios8, 9, chance: 1)
        expectEqual(waits, Array(repeating: 10_800, count: 7) + [nil, nil])
    }

    @Test func beginsAgainAfterASuccess() {
        var machine = Self.machine(.asking)
        _ = Self.waits(&machine, 8, chance: 0)
        _ = machine.timerFired()
        _ = machine.answered(.associated, chance: 0)
        expectEqual(machine, Self.machine(.associated))
        expectEqual(Self.waits(&machine, 1, chance: 0), [10_800])
    }

    @Test func neverWaitsLongerThanAMonth() {
        #expect(
            Self.waits(.ios13, 200, chance: 1).allSatisfy { ($0 ?? .max) <= 30 * 86_400 })
    }

    @Test func followsTheRuleOfTheEra() {
        for era in Era.allCases {
            let isOld = era == .ios8 || era == .ios93
            expectEqual(era.rules.randomisesRetries, !isOld, "\(era)")
        }
    }
}
