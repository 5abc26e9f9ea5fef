package import Reactor

/// Connections that wait for their peer: which of them have been silent for longer than a client
/// that means it, and which gives way first when there are too many.
///
/// ```
///          add              silent for `grace`              remove
/// ───────────────► recent ────────────────────► silent ───────────────►
///                    ▲                             │
///                    └───────── peerSpoke ─────────┘
/// ```
///
/// Who gives way is the one that has been silent longest at the address that holds most silent
/// ones (IPv6: at the /64). Addresses are counted for silent connections only: carriers put
/// thousands of clients behind one address, and those that speak must not be counted.
///
/// Every step takes constant time: connections hang in lists of slots (``SlotLists``), addresses in
/// lists by their count. Memory is bounded by the slots. A value; time is a parameter.
package struct SilentPeers: Sendable {
    private struct Entry: Sendable {
        var token = SlotToken(rawValue: 0)
        var network: UInt64 = 0
        /// When the peer spoke last, in nanoseconds.
        var spokeAt: Int64 = 0
        var place = Place.nowhere
    }
    private enum Place: Equatable, Sendable {
        case nowhere, recent
        /// In the list of that address.
        case silent(address: Int32)
    }
    private struct Address: Sendable {
        var network: UInt64
        var count = 0
        /// How many have done what was waited for since the first of them was silent.
        var answered = 0
        var silent = SlotLists.Ends()
        var next: Int32 = -1
        var previous: Int32 = -1
    }

    /// Fewer say nothing about an address: a phone may be out of reach.
    private static let silentMinimum = 3

    private let grace: Int64
    private var entries: [Entry] = []
    private var lists = SlotLists()
    private var recent = SlotLists.Ends()
    private var addresses: [Address] = []
    private var unusedAddresses: [Int32] = []
    private var addressOf: [UInt64: Int32] = [:]
    /// Addresses by how many silent ones they hold.
    private var byCount: [Int32] = []
    private var highestCount = 0

    /// Connections whose peer has spoken within the grace.
    package private(set) var recentCount = 0
    /// Connections whose peer has been silent for longer.
    package private(set) var silentCount = 0
    package var count: Int { recentCount + silentCount }

    /// - Parameter grace: silence up to this long is no silence: a round trip and a
    ///   retransmission.
    package init(grace: Duration) { self.grace = grace.inNanoseconds }

    /// A connection begins to wait for its peer.
    ///
    /// - Parameter network: ``SocketAddress/network`` of the peer.
    package mutating func add(_ token: SlotToken, network: UInt64, now: MonotonicInstant) {
        while token.index >= entries.count { entries.append(Entry()) }
        lists.makeRoom(for: entries.count)
        remove(entries[token.index].token)
        entries[token.index].token = token
        entries[token.index].network = network
        entries[token.index].spokeAt = now.nanoseconds
        appendRecent(Int32(truncatingIfNeeded: token.index))
    }

    /// Bytes of the peer have arrived; nothing happens if it is not known here.
    package mutating func peerSpoke(_ token: SlotToken, now: MonotonicInstant) {
        guard contains(token) else { return }
        let slot = Int32(truncatingIfNeeded: token.index)
        unlink(slot)
        entries[token.index].spokeAt = now.nanoseconds
        appendRecent(slot)
    }

    /// It does not wait for its peer any more; nothing happens if it is not known here.
    package mutating func remove(_ token: SlotToken) {
        guard contains(token) else { return }
        unlink(Int32(truncatingIfNeeded: token.index))
    }

    package func contains(_ token: SlotToken) -> Bool {
        token.index < entries.count && entries[token.index].place != .nowhere
            && entries[token.index].token == token
    }

    /// Moves those to the silent ones whose grace is over.
    ///
    /// - Parameter isExcused: whether this one's silence is not its own: it has grace once more.
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
                appendSilent(slot)
            }
        }
    }

    /// Who gives way first; `nil` if nobody is silent.
    package var firstToGo: SlotToken? {
        guard highestCount > 0 else { return nil }
        let address = byCount[highestCount]
        return entries[Int(addresses[Int(address)].silent.first)].token
    }

    /// The one whose peer has spoken least recently, if that is at least so long ago; for when
    /// nobody is silent and a place is needed all the same.
    package func leastRecent(silentFor minimum: Duration, now: MonotonicInstant) -> SlotToken? {
        guard recent.first >= 0 else { return nil }
        let entry = entries[Int(recent.first)]
        return now.nanoseconds - entry.spokeAt >= minimum.inNanoseconds ? entry.token : nil
    }

    // MARK: Trust

    /// A peer of this address has done what was waited for. It counts while others there are
    /// silent.
    package mutating func answered(network: UInt64) {
        guard silentCount > 0, let address = addressOf[network] else { return }
        addresses[Int(address)].answered += 1
    }

    /// The address of a peer that is silent; `nil` if it is not.
    func silentNetwork(of token: SlotToken) -> UInt64? {
        guard contains(token), case .silent = entries[token.index].place else { return nil }
        return entries[token.index].network
    }

    /// Whether this address holds some silent peers, and one for each so many that have
    /// answered: a carrier has a few silent ones among thousands that answer.
    ///
    /// - Parameter earlier: what is remembered of peers that are not here any more.
    func isMostlySilent(
        network: UInt64, oneOf share: Int, earlier: SilenceMemory.Record = .init()
    ) -> Bool {
        var (silent, answered) = (0, 0)
        if silentCount > 0, let index = addressOf[network] {
            (silent, answered) = (addresses[Int(index)].count, addresses[Int(index)].answered)
        }
        // What was answered beside those here may be remembered as well: it is counted once.
        silent += Int(earlier.unanswered)
        answered = max(answered, Int(earlier.answered))
        return silent >= Self.silentMinimum && silent * share > answered
    }

    // MARK: Lists

    private mutating func appendRecent(_ slot: Int32) {
        entries[Int(slot)].place = .recent
        lists.append(slot, to: &recent)
        recentCount += 1
    }

    private mutating func appendSilent(_ slot: Int32) {
        let address = index(of: entries[Int(slot)].network)
        entries[Int(slot)].place = .silent(address: address)
        lists.append(slot, to: &addresses[Int(address)].silent)
        silentCount += 1
        count(address, by: 1)
    }

    private mutating func unlink(_ slot: Int32) {
        switch entries[Int(slot)].place {
        case .nowhere: return
        case .recent:
            lists.remove(slot, from: &recent)
            recentCount -= 1
        case .silent(let address):
            lists.remove(slot, from: &addresses[Int(address)].silent)
            silentCount -= 1
            count(address, by: -1)
        }
        entries[Int(slot)].place = .nowhere
    }

    // MARK: Addresses

    private mutating func index(of network: UInt64) -> Int32 {
        if let known = addressOf[network] { return known }
        let index: Int32
        if let unused = unusedAddresses.popLast() {
            addresses[Int(unused)] = Address(network: network)
            index = unused
        } else {
            index = Int32(truncatingIfNeeded: addresses.count)
            addresses.append(Address(network: network))
        }
        addressOf[network] = index
        return index
    }

    /// Moves an address to the list of the neighbouring count.
    private mutating func count(_ address: Int32, by difference: Int) {
        let at = Int(address)
        let old = addresses[at].count
        let new = old + difference
        if old > 0 {
            let (next, previous) = (addresses[at].next, addresses[at].previous)
            if previous >= 0 {
                addresses[Int(previous)].next = next
            } else {
                byCount[old] = next
            }
            if next >= 0 { addresses[Int(next)].previous = previous }
        }
        addresses[at].count = new
        if new > 0 {
            while byCount.count <= new { byCount.append(-1) }
            let head = byCount[new]
            addresses[at].next = head
            addresses[at].previous = -1
            if head >= 0 { addresses[Int(head)].previous = address }
            byCount[new] = address
        } else {
            addressOf[addresses[at].network] = nil
            unusedAddresses.append(address)
        }
        // Counts change by one, so the list below the highest one holds somebody if that is empty.
        if new > highestCount {
            highestCount = new
        } else if highestCount > 0, byCount[highestCount] < 0 {
            highestCount -= 1
        }
    }
}
