package import Reactor

/// Connections in the order in which they came or last spoke, in two queues: young ones, and those
/// for which that was longer ago than an age.
///
/// ```
///          add               longer ago than an age            remove
/// ───────────────► young ──────────────────────────► old ───────────────►
///                    ▲                                │
///                    └────────────── renew ───────────┘
/// ```
///
/// Clients that wait for their handshake are in such queues, and connections that wait for their
/// peer. Of the latter the one that has been silent for longest gives way first. Its address does
/// not count: thousands of clients share one behind a carrier, and an attacker among them must not
/// decide which of them give way.
///
/// A connection that ends is removed at once, every step takes constant time, and memory is bounded
/// by the slots. A value; time is a parameter.
package struct AgedSlots: ~Copyable, Sendable {
    package enum Age: Int, Sendable {
        case young, old
    }

    package struct Member: Sendable {
        package let token: SlotToken
        /// When it came, or last spoke.
        package let since: MonotonicInstant
    }

    private struct Entry: Sendable {
        var member: Member
        /// Its queue; nil: none.
        var age: Age?
        var next: Int32 = -1
        var previous: Int32 = -1
    }

    /// Slots; -1: none.
    private struct Queue: Sendable {
        var first: Int32 = -1
        var last: Int32 = -1
        var count = 0
    }

    /// By slot.
    private var entries: [Entry] = []
    /// By age.
    private var queues = [Queue(), Queue()]
    /// Those of both queues.
    package private(set) var count = 0

    package init() {}

    package func count(_ age: Age) -> Int { queues[age.rawValue].count }
    package func first(_ age: Age) -> Member? { member(queues[age.rawValue].first) }
    package func last(_ age: Age) -> Member? { member(queues[age.rawValue].last) }

    package func contains(_ token: SlotToken) -> Bool {
        token.index < entries.count && entries[token.index].age != nil
            && entries[token.index].member.token == token
    }

    /// Adds a connection behind the other young ones.
    package mutating func add(_ token: SlotToken, since: MonotonicInstant) {
        let member = Member(token: token, since: since)
        while token.index >= entries.count { entries.append(Entry(member: member)) }
        unlink(token.index)
        entries[token.index].member = member
        link(token.index, .young)
    }

    /// The peer has spoken: the connection is the youngest now. No effect for an unknown one.
    package mutating func renew(_ token: SlotToken, since: MonotonicInstant) {
        if contains(token) { add(token, since: since) }
    }

    /// No effect for an unknown connection.
    package mutating func remove(_ token: SlotToken) {
        if contains(token) { unlink(token.index) }
    }

    /// Moves those that are older than `limit` to the old ones.
    ///
    /// - Parameter isExcused: whether the peer is not to blame for its silence: it is young again.
    package mutating func age(
        beyond limit: Duration, now: MonotonicInstant,
        isExcused: (SlotToken) -> Bool = { _ in false }
    ) {
        while let oldest = first(.young), now - oldest.since > limit {
            if isExcused(oldest.token) {
                add(oldest.token, since: now)
            } else {
                unlink(oldest.token.index)
                link(oldest.token.index, .old)
            }
        }
    }

    // MARK: Queues

    private func member(_ slot: Int32) -> Member? { slot < 0 ? nil : entries[Int(slot)].member }

    private mutating func link(_ index: Int, _ age: Age) {
        let slot = Int32(truncatingIfNeeded: index)
        let last = queues[age.rawValue].last
        entries[index].age = age
        entries[index].next = -1
        entries[index].previous = last
        if last >= 0 { entries[Int(last)].next = slot } else { queues[age.rawValue].first = slot }
        queues[age.rawValue].last = slot
        queues[age.rawValue].count += 1
        count += 1
    }

    private mutating func unlink(_ index: Int) {
        guard let age = entries[index].age?.rawValue else { return }
        let (next, previous) = (entries[index].next, entries[index].previous)
        if previous >= 0 { entries[Int(previous)].next = next } else { queues[age].first = next }
        if next >= 0 { entries[Int(next)].previous = previous } else { queues[age].last = previous }
        entries[index].age = nil
        queues[age].count -= 1
        count -= 1
    }
}
