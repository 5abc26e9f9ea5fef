/// Validations of challenges unknown to this process: another machine may just have published them.
/// They wait until a read of the store that began after them ends, so that every machine answers
/// what any machine has published (RFC 8555 section 8: an authority validates from several places,
/// and its packets may reach any machine).
///
/// One read serves all validations that were waiting when it began.
package final class PendingValidations: Sendable {
    private struct State {
        /// The number of the read that the newest validation needs.
        var wanted: UInt64 = 0
        var begun: UInt64 = 0
        var done: UInt64 = 0
        var wake: (@Sendable () -> Void)?
    }

    private let state = LibraryLock(State())

    package init() {}

    /// Registers the reader of the store, which new validations wake.
    package func attend(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
    }

    /// Unregisters the reader: validations are answered from known challenges.
    package func leave() {
        state.withLock { $0.wake = nil }
    }

    /// - Returns: the ticket for ``isAnswered(_:)``; nil without a reader.
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

    /// Whether a read that began after the validation has ended.
    package func isAnswered(_ ticket: UInt64) -> Bool {
        state.withLock { $0.done >= ticket || $0.wake == nil }
    }

    /// Starts a read and returns its number; nil if no validation waits.
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

    /// Whether a validation waits for a read that has not begun.
    package var isLookWanted: Bool { state.withLock { $0.wanted > $0.begun } }
}
