import AASADevice

/// One device of a storm: its properties and its reaction to answers. A value; its state is that of
/// `aasa device` (``AssociationStateMachine``), so that both behave alike.
struct StormDevice: Equatable {
    /// What to do next.
    enum Step: Equatable {
        /// Ask another path at once: the fallback of iOS 9.3 to 12.
        case ask(AssociationPath)
        /// The try failed; the next one follows after this many seconds on the device's clock.
        case wait(seconds: Int)
        /// Decided, or no tries left: the device's outcome.
        case ended(DeviceOutcome)
    }

    let era: Era
    /// The index of its user agent; its era's own if none was given.
    let userAgent: Int
    /// Seconds it waits for a complete answer.
    let patience: Double
    /// Tries begun; the fallback to another path is part of one try.
    private(set) var tries = 0
    private let triesMaximum: Int
    /// Whether all paths are the same: the storm was given one path.
    private let asksOnePath: Bool
    private var association: AssociationStateMachine

    init(
        era: Era, userAgent: Int = 0, patience: Double, triesMaximum: Int = 1,
        asksOnePath: Bool = false
    ) {
        self.era = era
        self.userAgent = userAgent
        self.patience = patience
        self.triesMaximum = triesMaximum
        self.asksOnePath = asksOnePath
        association = AssociationStateMachine(era: era)
    }

    var canTryAgain: Bool { tries < triesMaximum }

    /// Starts the first or the next try.
    mutating func begin() -> AssociationPath {
        tries += 1
        let action = tries == 1 ? association.installed() : association.timerFired()
        if case .ask(let path) = action { return path }
        return era.rules.paths[0]
    }

    /// Processes an answer.
    ///
    /// - Parameters:
    ///   - status: of the answer, 0 if there was none.
    ///   - chance: 0 ..< 1, chosen by the caller.
    mutating func answered(_ outcome: DeviceOutcome, status: Int, chance: Double) -> Step {
        let answer = meaning(of: outcome, status)
        var action = association.answered(answer, chance: chance)
        // Another path would be the same one again.
        while asksOnePath, case .ask = action {
            action = association.answered(answer, chance: chance)
        }
        switch action {
        case .ask(let path): return .ask(path)
        case .rest(.willRetry(_, let seconds), _):
            if canTryAgain { return .wait(seconds: seconds) }
            // The storm ends for a device that would retry later.
            if case .denied = outcome { return .ended(.denied(.asksAgain)) }
            return .ended(outcome)
        case .rest(.failed(.triesUsedUp), _): return .ended(.failed(.triesUsedUp))
        case .rest: return .ended(outcome)
        }
    }

    private func meaning(
        of outcome: DeviceOutcome, _ status: Int
    ) -> AssociationStateMachine.Answer {
        switch outcome {
        case .associated: .associated
        case .denied(.unsigned): .denied(.unsigned)
        case .denied(.nothingListed): .denied(.nothingListed)
        case .denied(.badSignature): .denied(.badSignature(""))
        case .denied, .willRetry:
            AnswerEvaluator.refusal(status: status, era: era) ?? .failed(.refused(status: status))
        case .failed(.noDocument): .denied(.unreadable(""))
        case .failed(let reason): .failed(.other(reason.rawValue))
        }
    }
}
