/// One problem of one host over time: from its first observation to the report, and to its end.
package struct ProblemWatch: Sendable, Equatable {
    package enum Phase: String, Sendable, CaseIterable {
        /// Not present; kept only while its earlier beginnings count.
        case quiet
        /// Observed, but not confirmed yet.
        case suspected
        case open
        /// Flapping: reported once, and again when it has stayed absent or present.
        case flapping
    }

    /// The reported events.
    package enum Event: Sendable, Equatable {
        case began, worsened, flaps
        case ended(seconds: Int64)
        /// It flapped, and now persists.
        case stays
    }

    package internal(set) var phase = Phase.quiet
    /// As last observed.
    package internal(set) var problem: WatchProblem
    /// The first observation of the current occurrence.
    package internal(set) var since: Int64
    /// Consecutive checks that confirm the pending change.
    var looks = 0
    /// Whether the last check observed it.
    var isPresent = false
    /// The last change of ``isPresent``.
    var turnedAt: Int64
    /// Times of its beginnings, while they count for flapping.
    var beginnings: [Int64] = []
    /// The reported level.
    var level = 0

    init(_ problem: WatchProblem, now: Int64) {
        self.problem = problem
        since = now
        turnedAt = now
    }

    /// Whether an early check could confirm something.
    func wantsConfirmation(_ settings: WatchSettings) -> Bool {
        switch phase {
        case .quiet, .flapping: false
        case .suspected: looks < settings.looksToConfirm
        case .open: !isPresent
        }
    }

    /// Whether nothing needs to be remembered.
    var isForgotten: Bool { phase == .quiet && beginnings.isEmpty }

    /// Processes a check.
    ///
    /// - Parameter problem: nil if it was absent and would have been observed.
    mutating func see(
        _ problem: WatchProblem?, now: Int64, _ settings: WatchSettings
    ) -> Event? {
        let grace = settings.grace(self.problem.code)
        let isTurn = isPresent != (problem != nil)
        if isTurn { turnedAt = now }
        isPresent = problem != nil
        beginnings.removeAll { $0 <= now - settings.flapWindow }
        // A problem with a grace period does not flap.
        if isTurn, isPresent, grace == 0 {
            beginnings.append(now)
            // More of them are not needed.
            if beginnings.count > settings.flapBeginnings { beginnings.removeFirst() }
        }
        let isNewCopy = problem.map { $0.mark != self.problem.mark } ?? false
        if let problem { self.problem = problem }
        if phase != .flapping, beginnings.count >= settings.flapBeginnings {
            if phase != .open { since = beginnings[0] }
            phase = .flapping
            return .flaps
        }
        switch phase {
        case .quiet:
            guard isPresent else { return nil }
            phase = .suspected
            since = now
            looks = 0
            return confirm(now, grace, settings)
        case .suspected:
            guard isPresent else {
                phase = .quiet
                return nil
            }
            if isNewCopy, grace > 0 {
                since = now
                looks = 0
            }
            return confirm(now, grace, settings)
        case .open: return seeOpen(now, settings)
        case .flapping: return seeFlapping(now, settings)
        }
    }

    private mutating func confirm(
        _ now: Int64, _ grace: Int64, _ settings: WatchSettings
    ) -> Event? {
        looks += 1
        guard looks >= settings.looksToConfirm, now - since >= grace else { return nil }
        phase = .open
        looks = 0
        level = problem.level
        return .began
    }

    private mutating func seeOpen(_ now: Int64, _ settings: WatchSettings) -> Event? {
        if isPresent {
            looks = 0
            guard problem.level > level else { return nil }
            level = problem.level
            return .worsened
        }
        looks += 1
        guard looks >= settings.looksToConfirm else { return nil }
        phase = .quiet
        // It ended at the first check without it.
        return .ended(seconds: turnedAt - since)
    }

    private mutating func seeFlapping(_ now: Int64, _ settings: WatchSettings) -> Event? {
        guard now - turnedAt >= settings.calm else { return nil }
        beginnings = []
        looks = 0
        level = problem.level
        phase = isPresent ? .open : .quiet
        return isPresent ? .stays : .ended(seconds: turnedAt - since)
    }
}
