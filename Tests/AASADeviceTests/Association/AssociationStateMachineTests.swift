import AASADevice
import Testing

private typealias Machine = AssociationStateMachine

@Suite struct AssociationStateMachineTests {
    /// What the outside can bring a machine to.
    enum State: String, CaseIterable {
        case absent, asking, waiting, associated, denied, failed
    }

    private static let no = Verdict.Reason.nothingListed
    private static let busy = Verdict.Reason.serverError(status: 503)
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
        #expect(machine.installed() == .ask(.root))
        machine = Self.machine(state)
        #expect(machine.timerFired() == .ask(.root))
        machine = Self.machine(state)
        let isAsked = state == .waiting || state == .failed
        #expect(machine.apiCalled() == (isAsked ? .ask(.root) : nil), "\(state)")
        if !isAsked { #expect(machine == Self.machine(state)) }
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
            #expect(machine.answered(answer, chance: 0) == action)
        }
    }

    @Test func asksTheRootWhenTheWellKnownPathSaysNo() {
        var machine = Machine(era: .ios93)
        #expect(machine.installed() == .ask(.wellKnown))
        #expect(
            machine.answered(.denied(.refused(status: 404)), chance: 0) == .ask(.root))
        #expect(
            machine.answered(.denied(.refused(status: 404)), chance: 0)
                == .rest(.denied(.refused(status: 404)), next: nil))
    }

    @Test func triesEightTimesThenGivesUp() {
        var machine = Machine(era: .ios8)
        var waits = 0
        var action = machine.installed()
        while true {
            guard case .ask = action else { break }
            action = machine.answered(.temporary(Self.busy), chance: 0.5)
            guard case .rest(.willRetry(_, let seconds), _) = action else { break }
            #expect(seconds == 10_800)
            waits += 1
            action = machine.timerFired()
        }
        #expect(waits == 7)
        guard case .rest(.failed(.triesUsedUp), _) = action else {
            Issue.record("ended as \(action)")
            return
        }
        // The documented way back: the app calls the API, or is updated.
        #expect(machine.apiCalled() == .ask(.root))
    }

    @Test func laterErasKeepTryingAndDouble() {
        var machine = Machine(era: .ios14)
        var seconds: [Int] = []
        #expect(machine.installed() == .ask(.cdn))
        for _ in 0..<12 {
            let action = machine.answered(.temporary(Self.busy), chance: 0.5)
            guard case .rest(.willRetry(_, let wait), _) = action else { break }
            seconds.append(wait)
            #expect(machine.timerFired() == .ask(.cdn))
        }
        #expect(seconds.prefix(8).allSatisfy { $0 == 12_600 })
        #expect(Array(seconds.suffix(4)) == [25_200, 50_400, 100_800, 201_600])
        #expect(
            machine.answered(.associated, chance: 0.5)
                == .rest(.associated, next: 430_200))
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
            #expect(machine == other, "\(era)")
        }
    }
}
