/// Questions of validators for challenges that this process does not know: another machine may have
/// published them a moment ago. They wait until a look at the store that began behind them is over,
/// so that every machine answers what any has published (RFC 8555 section 8: an authority asks
/// whichever machine its packets reach, and from several places).
///
/// One look answers all who asked before it, however many.
package final class ChallengeQuestions: Sendable {
    private struct State {
        /// The look that the newest question needs.
        var wanted: UInt64 = 0
        var begun: UInt64 = 0
        var done: UInt64 = 0
        var wake: (@Sendable () -> Void)?
    }

    private let state = LibraryLock(State())

    package init() {}

    /// Somebody looks from now on, and is woken by questions.
    package func attend(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
    }

    /// Nobody looks any more: what is asked is answered by what is known.
    package func leave() {
        state.withLock { $0.wake = nil }
    }

    /// - Returns: what ``isAnswered(_:)`` is asked with; nil where nobody looks.
    package func ask() -> UInt64? {
        let (ticket, wake) = state.withLock { state -> (UInt64?, (@Sendable () -> Void)?) in
            guard let wake = state.wake else { return (nil, nil) }
            let isFirst = state.wanted <= state.begun
            state.wanted = state.begun + 1
            return (state.wanted, isFirst ? wake : nil)
        }
        wake?()
        return ticket
    }

    /// Whether a look that began behind the question is over.
    package func isAnswered(_ ticket: UInt64) -> Bool {
        state.withLock { $0.done >= ticket || $0.wake == nil }
    }

    /// The number of a look that begins now; nil: nobody has asked.
    package func beginLook() -> UInt64? {
        state.withLock { state in
            guard state.wanted > state.begun else { return nil }
            state.begun += 1
            return state.begun
        }
    }

    package func endLook(_ look: UInt64) {
        state.withLock { $0.done = max($0.done, look) }
    }

    /// Whether a look is asked for that has not begun.
    package var isLookWanted: Bool { state.withLock { $0.wanted > $0.begun } }
}
