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
package struct KeptHellos: ~Copyable, Sendable {
    private struct Holder: Sendable {
        var token = SlotToken(rawValue: 0)
        /// 0: nothing is kept.
        var bytes = 0
        /// When the first part was kept, in nanoseconds.
        var since: Int64 = 0
    }

    private let maximum: Int
    private let grace: Int64
    /// By slot.
    private var holders: [Holder] = []
    /// By the bit width of the bytes that a slot holds: the one that has held for longest first.
    private var heaps: [SlotHeap] = []
    /// Bytes of all holders.
    package private(set) var bytes = 0

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
        let before = holders[token.index].bytes
        if before == 0 {
            holders[token.index] = Holder(token: token, since: now.nanoseconds)
        }
        holders[token.index].bytes += more
        bytes += more
        let size = Self.size(before + more)
        if before > 0 {
            if size == Self.size(before) { return }
            heaps[Self.size(before)].remove(token.index)
        }
        while heaps.count <= size { heaps.append(SlotHeap()) }
        heaps[size].set(token.index, holders[token.index].since)
    }

    /// Nothing is kept of this connection any more; no effect if nothing was.
    package mutating func remove(_ token: SlotToken) {
        guard token.index < holders.count, holders[token.index].token == token,
            holders[token.index].bytes > 0
        else { return }
        heaps[Self.size(holders[token.index].bytes)].remove(token.index)
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
        return heaps.dropFirst(Self.size(mean / 2)).compactMap(\.first)
            .map { holders[$0.slot] }
            .filter { now.nanoseconds - $0.since >= grace }
            .max { product($0) < product($1) }?.token
    }

    /// Whether no more may be kept: the memory is used up, and none may be evicted yet.
    package func isFull(now: MonotonicInstant) -> Bool {
        bytes > maximum && victim(now: now) == nil
    }

    /// Steps up or down a heap so far; for tests.
    var steps: Int { heaps.reduce(0) { $0 + $1.steps } }

    private static func size(_ bytes: Int) -> Int { bytes.bitWidth - bytes.leadingZeroBitCount }
}
