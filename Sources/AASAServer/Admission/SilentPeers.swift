package import Reactor

/// Connections that wait for their peer: which peers have been silent for longer than honest
/// clients are, and which connection gives way first when there are too many.
///
/// ```
///          add              silent for `grace`              remove
/// ───────────────► recent ────────────────────► silent ───────────────►
///                    ▲                             │
///                    └───────── peerSpoke ─────────┘
/// ```
///
/// The connection that has been silent for longest gives way first. Its address does not count:
/// thousands of clients share one behind a carrier, and an attacker among them must not decide
/// which of them give way.
///
/// Every step takes constant time: connections are in two linked lists of slots (``SlotLists``).
/// Memory is bounded by the slots. A value; time is a parameter.
package struct SilentPeers: Sendable {
    private struct Entry: Sendable {
        var token = SlotToken(rawValue: 0)
        /// When the peer spoke last, in nanoseconds.
        var spokeAt: Int64 = 0
        var place = Place.nowhere
    }
    private enum Place: Equatable, Sendable {
        case nowhere, recent, silent
    }

    private let grace: Int64
    private var entries: [Entry] = []
    private var lists = SlotLists()
    private var recent = SlotLists.Ends()
    private var silent = SlotLists.Ends()

    /// Connections whose peer has spoken within the grace.
    package private(set) var recentCount = 0
    /// Connections whose peer has been silent for longer.
    package private(set) var silentCount = 0
    package var count: Int { recentCount + silentCount }

    /// - Parameter grace: a peer that sends nothing for this long is not yet silent: a round trip
    ///   and a retransmission.
    package init(grace: Duration) { self.grace = grace.inNanoseconds }

    /// A connection begins to wait for its peer.
    package mutating func add(_ token: SlotToken, now: MonotonicInstant) {
        while token.index >= entries.count { entries.append(Entry()) }
        lists.makeRoom(for: entries.count)
        remove(entries[token.index].token)
        entries[token.index].token = token
        entries[token.index].spokeAt = now.nanoseconds
        appendRecent(Int32(truncatingIfNeeded: token.index))
    }

    /// Bytes of the peer have arrived; no effect for an unknown connection.
    package mutating func peerSpoke(_ token: SlotToken, now: MonotonicInstant) {
        guard contains(token) else { return }
        let slot = Int32(truncatingIfNeeded: token.index)
        unlink(slot)
        entries[token.index].spokeAt = now.nanoseconds
        appendRecent(slot)
    }

    /// The connection does not wait for its peer any more; no effect for an unknown connection.
    package mutating func remove(_ token: SlotToken) {
        guard contains(token) else { return }
        unlink(Int32(truncatingIfNeeded: token.index))
    }

    package func contains(_ token: SlotToken) -> Bool {
        token.index < entries.count && entries[token.index].place != .nowhere
            && entries[token.index].token == token
    }

    /// Moves connections whose grace is over to the silent ones.
    ///
    /// - Parameter isExcused: whether the peer is not to blame for the silence: the grace starts
    ///   again.
    package mutating func turnBegan(
        now: MonotonicInstant, isExcused: (SlotToken) -> Bool = { _ in false }
    ) {
        while recent.first >= 0,
            now.nanoseconds - entries[Int(recent.first)].spokeAt > grace
        {
            let slot = recent.first
            let excused = isExcused(entries[Int(slot)].token)
            unlink(slot)
            if excused {
                entries[Int(slot)].spokeAt = now.nanoseconds
                appendRecent(slot)
            } else {
                entries[Int(slot)].place = .silent
                lists.append(slot, to: &silent)
                silentCount += 1
            }
        }
    }

    /// The connection that gives way first; `nil` if no peer is silent.
    package var firstToEvict: SlotToken? {
        silent.first < 0 ? nil : entries[Int(silent.first)].token
    }

    /// The connection whose peer was active least recently, if that was at least so long ago. For
    /// when no peer is silent, but a slot is needed.
    package func leastRecent(silentFor minimum: Duration, now: MonotonicInstant) -> SlotToken? {
        guard recent.first >= 0 else { return nil }
        let entry = entries[Int(recent.first)]
        return now.nanoseconds - entry.spokeAt >= minimum.inNanoseconds ? entry.token : nil
    }

    // MARK: Lists

    private mutating func appendRecent(_ slot: Int32) {
        entries[Int(slot)].place = .recent
        lists.append(slot, to: &recent)
        recentCount += 1
    }

    private mutating func unlink(_ slot: Int32) {
        switch entries[Int(slot)].place {
        case .nowhere: return
        case .recent:
            lists.remove(slot, from: &recent)
            recentCount -= 1
        case .silent:
            lists.remove(slot, from: &silent)
            silentCount -= 1
        }
        entries[Int(slot)].place = .nowhere
    }
}
