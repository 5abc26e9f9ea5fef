import AASADevice
import Testing

private typealias Machine = AssociationStateMachine

@Suite struct AssociationStateMachineTests {
    /// Every state that the outside can bring about.
    enum State: String, CaseIterable {
        case absent, asking, waiting, associated, denied, failed
    }

    enum Input: String, CaseIterable {
        case installed, removed, timerFired, apiCalled
        case associated, deniedAnswer, temporary, failedAnswer
    }

    private static let no = Verdict.Reason.appNotListed(service: "applinks")
    private static let busy = Verdict.Reason.serverError(status: 503)
    private static let gone = Verdict.Reason.noAnswer(.refused)

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

    private static func apply(_ input: Input, to machine: inout Machine) -> Machine.Action {
        switch input {
        case .installed: machine.installed()
        case .removed: machine.removed()
        case .timerFired: machine.timerFired()
        case .apiCalled: machine.apiCalled()
        case .associated: machine.answered(.associated, chance: 0)
        case .deniedAnswer: machine.answered(.denied(no), chance: 0)
        case .temporary: machine.answered(.temporary(busy), chance: 0)
        case .failedAnswer: machine.answered(.failed(gone), chance: 0)
        }
    }

    /// The whole table: what each state does with each input.
    private static func expected(_ state: State, _ input: Input) -> Machine.Action {
        switch (state, input) {
        case (.asking, .associated): .settle(.associated, recheck: nil)
        case (.asking, .deniedAnswer): .settle(.denied(no), recheck: nil)
        case (.asking, .temporary): .wait(busy, seconds: 10_800)
        case (.asking, .failedAnswer): .settle(.failed(gone), recheck: nil)
        case (.asking, .installed), (.asking, .timerFired), (.asking, .apiCalled): .none
        // An answer that nobody waits for any more changes nothing.
        case (_, .associated), (_, .deniedAnswer), (_, .temporary), (_, .failedAnswer): .none
        case (_, .removed): .none
        case (_, .installed): .ask(.root)
        case (.absent, .timerFired), (.absent, .apiCalled): .none
        case (.waiting, .timerFired), (.waiting, .apiCalled): .ask(.root)
        case (.associated, .timerFired), (.denied, .timerFired), (.failed, .timerFired):
            .ask(.root)
        case (.failed, .apiCalled): .ask(.root)
        case (.associated, .apiCalled), (.denied, .apiCalled): .none
        }
    }

    @Test(arguments: State.allCases, Input.allCases)
    func everyStateAndInput(_ state: State, _ input: Input) {
        var machine = Self.machine(state)
        let before = machine
        let action = Self.apply(input, to: &machine)
        #expect(action == Self.expected(state, input), "\(state) × \(input)")
        if action == .none, input != .removed { #expect(machine == before) }
        if input == .removed { #expect(machine == Machine(era: .ios8)) }
    }

    @Test func asksTheRootWhenTheWellKnownPathSaysNo() {
        var machine = Machine(era: .ios93)
        #expect(machine.installed() == .ask(.wellKnown))
        #expect(
            machine.answered(.denied(.refused(status: 404)), chance: 0) == .ask(.root))
        #expect(
            machine.answered(.denied(.refused(status: 404)), chance: 0)
                == .settle(.denied(.refused(status: 404)), recheck: nil))
    }

    @Test func triesEightTimesThenGivesUp() {
        var machine = Machine(era: .ios8)
        var waits = 0
        var action = machine.installed()
        while true {
            guard case .ask = action else { break }
            action = machine.answered(.temporary(Self.busy), chance: 0.5)
            guard case .wait(_, let seconds) = action else { break }
            #expect(seconds == 10_800)
            waits += 1
            action = machine.timerFired()
        }
        #expect(waits == 7)
        guard case .settle(.failed(.triesUsedUp), _) = action else {
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
            guard case .wait(_, let wait) = machine.answered(.temporary(Self.busy), chance: 0.5)
            else { break }
            seconds.append(wait)
            #expect(machine.timerFired() == .ask(.cdn))
        }
        #expect(seconds.prefix(8).allSatisfy { $0 == 12_600 })
        #expect(Array(seconds.suffix(4)) == [25_200, 50_400, 100_800, 201_600])
        #expect(
            machine.answered(.associated, chance: 0.5)
                == .settle(.associated, recheck: 430_200))
    }

    @Test func aServerThatComesBackEndsAssociated() {
        for era in Era.allCases {
            var machine = Machine(era: era)
            var action = machine.installed()
            for _ in 0..<2 {
                action = machine.answered(.temporary(Self.busy), chance: 0)
                guard case .wait(_, let seconds) = action else {
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
