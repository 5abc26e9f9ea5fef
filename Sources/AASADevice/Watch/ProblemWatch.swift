/// One problem of one host over time: from the first sight to the news, and to its end.
package struct ProblemWatch: Sendable, Equatable {
    package enum Phase: String, Sendable, CaseIterable {
        /// Not there; kept only for as long as its earlier beginnings count.
        case quiet
        /// Seen, and not confirmed yet.
        case suspected
        case open
        /// Comes and goes: told once, and then when it has stayed away or stayed.
        case flapping
    }

    /// What is told.
    package enum Event: Sendable, Equatable {
        case began, worsened, flaps
        case ended(seconds: Int64)
        /// It flapped, and stays.
        case stays
    }

    package internal(set) var phase = Phase.quiet
    /// As it was last seen.
    package internal(set) var problem: WatchProblem
    /// When it was first seen, this time.
    package internal(set) var since: Int64
    /// Looks in a row that speak for what is to be confirmed.
    var looks = 0
    /// Whether the last look showed it.
    var isPresent = false
    /// When that changed last.
    var turnedAt: Int64
    /// When it began, as long as that counts for flapping.
    var beginnings: [Int64] = []
    /// Of what was told.
    var level = 0

    init(_ problem: WatchProblem, now: Int64) {
        self.problem = problem
        since = now
        turnedAt = now
    }

    /// Whether another look soon would confirm something.
    func wantsConfirmation(_ settings: WatchSettings) -> Bool {
        switch phase {
        case .quiet, .flapping: false
        case .suspected: looks < settings.looksToConfirm
        case .open: !isPresent
        }
    }

    /// Whether there is nothing left to remember.
    var isForgotten: Bool { phase == .quiet && beginnings.isEmpty }

    /// Takes what a look showed.
    ///
    /// - Parameter problem: nil when it was not there, and would have been seen.
    mutating func see(
        _ problem: WatchProblem?, now: Int64, _ settings: WatchSettings
    ) -> Event? {
        let grace = settings.grace(self.problem.code)
        let isTurn = isPresent != (problem != nil)
        if isTurn { turnedAt = now }
        isPresent = problem != nil
        beginnings.removeAll { $0 <= now - settings.flapWindow }
        // What takes its time by design does not flap.
        if isTurn, isPresent, grace == 0 {
            beginnings.append(now)
            // The news needs no more of them.
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
        // It ended when it was first missed.
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
