package import Reactor

/// The memory for ClientHellos that arrive in parts: who holds how much of it, and who gives way
/// when it runs out.
///
/// The victim is the connection with the largest product of bytes held and time held, and never one
/// within the grace. Either factor alone serves an attacker: 17,000 connections of 1 KB make the
/// first segment of an honest ClientHello the biggest holder, and one byte every 0.1 s makes it the
/// least recent one. While every holder is within the grace there is no victim, and the caller
/// stops accepting: the kernel's queue is patient.
///
/// A holder far below the mean is no victim: its end frees next to nothing, and it would pay alone
/// while the large ones are within the grace. Far below is less than the power of two under half
/// the mean. Such holders have less than half of the memory together, so the others always have
/// more than half of it.
///
/// Holders are grouped by size, in powers of two; a heap has the one that has held for longest at
/// its top. The victim is the best of the tops, so its product is at least half of the largest.
/// Every step takes O(log n), and memory is bounded by the slots. A value; time is a parameter.
package struct KeptHellos: Sendable {
    private struct Holder: Sendable {
        var token = SlotToken(rawValue: 0)
        var bytes = 0
        /// When the first part was kept, in nanoseconds.
        var since: Int64 = 0
        /// Where it stands in the heap of its size.
        var place = -1
    }

    private let maximum: Int
    private let grace: Int64
    private var holders: [Holder] = []
    /// Slots; the index is the bit width of the bytes they hold.
    private var heaps: [[Int32]] = []
    /// Bytes of all holders.
    package private(set) var bytes = 0
    /// Steps up or down a heap so far; for tests.
    private(set) var steps = 0

    /// - Parameters:
    ///   - maximum: bytes of all holders from which holders give way.
    ///   - grace: none is evicted within this time after its first part.
    package init(maximum: Int, grace: Duration) {
        self.maximum = maximum
        self.grace = grace.inNanoseconds
    }

    /// A part of a ClientHello is kept.
    package mutating func keep(_ token: SlotToken, bytes more: Int, now: MonotonicInstant) {
        while token.index >= holders.count { holders.append(Holder()) }
        if holders[token.index].token != token { remove(holders[token.index].token) }
        let old = holders[token.index]
        let isNew = old.place < 0
        let isLarger = Self.size(old.bytes + more) != Self.size(old.bytes)
        if !isNew, isLarger { removeFromHeap(token.index) }
        if isNew { holders[token.index] = Holder(token: token, since: now.nanoseconds) }
        holders[token.index].bytes += more
        bytes += more
        if isNew || isLarger { insertInHeap(token.index) }
    }

    /// Nothing is kept of this connection any more; no effect if nothing was.
    package mutating func remove(_ token: SlotToken) {
        guard token.index < holders.count, holders[token.index].token == token,
            holders[token.index].place >= 0
        else { return }
        removeFromHeap(token.index)
        bytes -= holders[token.index].bytes
        holders[token.index].bytes = 0
    }

    /// The connection that gives way now; `nil` while the memory suffices, or while every holder of
    /// more than a fraction is within the grace. Ask again after ``remove(_:)``.
    package func victim(now: MonotonicInstant) -> SlotToken? {
        guard bytes > maximum else { return nil }
        let mean = bytes / heaps.reduce(0) { $0 + $1.count }
        func product(_ holder: Holder) -> Int64 {
            Int64(holder.bytes) * (now.nanoseconds - holder.since)
        }
        return heaps.dropFirst(Self.size(mean / 2)).lazy.compactMap(\.first)
            .map { holders[Int($0)] }
            .filter { now.nanoseconds - $0.since >= grace }
            .max { product($0) < product($1) }?.token
    }

    /// Whether no more may be kept: the memory is used up, and none may be evicted yet.
    package func isFull(now: MonotonicInstant) -> Bool {
        bytes > maximum && victim(now: now) == nil
    }

    // MARK: Heaps

    private static func size(_ bytes: Int) -> Int { bytes.bitWidth - bytes.leadingZeroBitCount }

    private mutating func insertInHeap(_ index: Int) {
        let size = Self.size(holders[index].bytes)
        while heaps.count <= size { heaps.append([]) }
        heaps[size].append(Int32(truncatingIfNeeded: index))
        rise(heaps[size].count - 1, size)
    }

    private mutating func removeFromHeap(_ index: Int) {
        let size = Self.size(holders[index].bytes)
        let place = holders[index].place
        holders[index].place = -1
        guard let last = heaps[size].popLast(), Int(last) != index else { return }
        put(last, at: place, size)
        rise(place, size)
        sink(holders[Int(last)].place, size)
    }

    private mutating func put(_ slot: Int32, at place: Int, _ size: Int) {
        heaps[size][place] = slot
        holders[Int(slot)].place = place
        steps += 1
    }

    private func since(_ place: Int, _ size: Int) -> Int64 {
        holders[Int(heaps[size][place])].since
    }

    private mutating func rise(_ from: Int, _ size: Int) {
        let slot = heaps[size][from]
        var place = from
        while place > 0, holders[Int(slot)].since < since((place - 1) / 2, size) {
            put(heaps[size][(place - 1) / 2], at: place, size)
            place = (place - 1) / 2
        }
        put(slot, at: place, size)
    }

    private mutating func sink(_ from: Int, _ size: Int) {
        let slot = heaps[size][from]
        let count = heaps[size].count
        var place = from
        while 2 * place + 1 < count {
            var child = 2 * place + 1
            if child + 1 < count, since(child + 1, size) < since(child, size) { child += 1 }
            if holders[Int(slot)].since <= since(child, size) { break }
            put(heaps[size][child], at: place, size)
            place = child
        }
        put(slot, at: place, size)
    }
}
