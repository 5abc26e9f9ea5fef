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
/// The connection that gives way is the one silent for longest, at the address with the most silent
/// connections (IPv6: at the /64). Only silent connections count for an address: carriers put
/// thousands of clients behind one address, and the active ones must not count against it.
///
/// Every step takes constant time: connections are in linked lists of slots (``SlotLists``),
/// addresses in lists by their count. Memory is bounded by the slots. A value; time is a parameter.
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
        /// Peers that answered since the first silent one of this address.
        var answered = 0
        var silent = SlotLists.Ends()
        var next: Int32 = -1
        var previous: Int32 = -1
    }

    /// Fewer silent peers say nothing about an address: a phone may be out of reach.
    private static let silentMinimum = 3

    private let grace: Int64
    private var entries: [Entry] = []
    private var lists = SlotLists()
    private var recent = SlotLists.Ends()
    private var addresses: [Address] = []
    private var unusedAddresses: [Int32] = []
    private var addressOf: [UInt64: Int32] = [:]
    /// First address of each list; the index is the number of silent connections.
    private var byCount: [Int32] = []
    private var highestCount = 0

    /// Connections whose peer has spoken within the grace.
    package private(set) var recentCount = 0
    /// Connections whose peer has been silent for longer.
    package private(set) var silentCount = 0
    package var count: Int { recentCount + silentCount }

    /// - Parameter grace: a peer that sends nothing for this long is not yet silent: a round trip
    ///   and a retransmission.
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
                appendSilent(slot)
            }
        }
    }

    /// The connection that gives way first; `nil` if no peer is silent.
    package var firstToEvict: SlotToken? {
        guard highestCount > 0 else { return nil }
        let address = byCount[highestCount]
        return entries[Int(addresses[Int(address)].silent.first)].token
    }

    /// The connection whose peer was active least recently, if that was at least so long ago. For
    /// when no peer is silent, but a slot is needed.
    package func leastRecent(silentFor minimum: Duration, now: MonotonicInstant) -> SlotToken? {
        guard recent.first >= 0 else { return nil }
        let entry = entries[Int(recent.first)]
        return now.nanoseconds - entry.spokeAt >= minimum.inNanoseconds ? entry.token : nil
    }

    // MARK: Trust

    /// A peer of this address has answered. This counts while other peers of the address are
    /// silent.
    package mutating func answered(network: UInt64) {
        guard silentCount > 0, let address = addressOf[network] else { return }
        addresses[Int(address)].answered += 1
    }

    /// The address of a silent peer; `nil` if the peer is not silent.
    func silentNetwork(of token: SlotToken) -> UInt64? {
        guard contains(token), case .silent = entries[token.index].place else { return nil }
        return entries[token.index].network
    }

    /// Whether this address holds some silent peers, and more than one per `share` peers that have
    /// answered: a carrier has a few silent peers among thousands that answer.
    ///
    /// - Parameter earlier: what is remembered of handshakes that have ended.
    func isMostlySilent(
        network: UInt64, oneOf share: Int, earlier: SilentAddressHistory.Record = .init()
    ) -> Bool {
        var (silent, answered) = (0, 0)
        if silentCount > 0, let index = addressOf[network] {
            (silent, answered) = (addresses[Int(index)].count, addresses[Int(index)].answered)
        }
        // An answered handshake may be in both counts, so the larger one is taken and not the sum.
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
        // Counts change by one, so if the highest list is empty, the list below it is not.
        if new > highestCount {
            highestCount = new
        } else if highestCount > 0, byCount[highestCount] < 0 {
            highestCount -= 1
        }
    }
}
