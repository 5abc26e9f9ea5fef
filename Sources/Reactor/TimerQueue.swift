/// One deadline per slot, in a timer wheel of coarse buckets. Setting a deadline allocates nothing,
/// and moving one further out, as a busy connection does at every request, is a single store.
///
/// A deadline never fires early and at most one tick (plus the loop's turn) late. The wheel: bucket
/// = tick modulo bucket count, each a doubly linked list through arrays indexed by slot. A slot
/// whose deadline was moved while it was in an earlier bucket is moved when that bucket is due.
package struct TimerQueue {
    private struct Entry {
        var deadline: Int64 = .max  // nanoseconds; .max: none
        var bucket: Int32 = -1  // -1: in no list
        var next: Int32 = -1
        var previous: Int32 = -1
    }

    private var entries: [Entry] = []
    private var heads: [Int32]
    /// One bit per non-empty bucket, so that finding the next one reads 16 words, not 1,024 lists.
    private var occupied: [UInt64]
    private let tick: Int64
    private let mask: Int64
    /// The tick up to which buckets have been processed.
    private var current: Int64
    private var linked = 0

    /// - Parameters:
    ///   - tick: the wheel's resolution.
    ///   - bucketCount: a power of two; `tick * bucketCount` is one turn of the wheel. Later
    ///     deadlines are checked once per turn.
    package init(now: MonotonicInstant, tick: Duration = .milliseconds(50), bucketCount: Int = 1024)
    {
        precondition(bucketCount > 1 && bucketCount & (bucketCount - 1) == 0 && tick > .zero)
        self.tick = tick.inNanoseconds
        mask = Int64(bucketCount - 1)
        heads = Array(repeating: -1, count: bucketCount)
        occupied = Array(repeating: 0, count: (bucketCount + 63) / 64)
        current = now.nanoseconds / self.tick
    }

    /// Sets, moves or (with `.distantFuture`) removes the deadline of `slot`.
    package mutating func set(_ slot: Int, _ deadline: MonotonicInstant) {
        while slot >= entries.count { entries.append(Entry()) }
        let previous = entries[slot].deadline
        entries[slot].deadline = deadline.nanoseconds
        if deadline.nanoseconds == .max {
            unlink(slot)
        } else if entries[slot].bucket < 0 {
            link(slot)
        } else if deadline.nanoseconds < previous {
            unlink(slot)
            link(slot)
        }
    }

    /// Removes the deadline of `slot`.
    package mutating func clear(_ slot: Int) {
        guard slot < entries.count else { return }
        entries[slot].deadline = .max
        unlink(slot)
    }

    /// Returns one slot whose deadline has passed and removes the deadline; `nil` if there is none
    /// (left) at `now`.
    package mutating func popExpired(now: MonotonicInstant) -> Int? {
        let target = now.nanoseconds / tick
        while true {
            var slot = heads[Int(current & mask)]
            while slot >= 0 {
                let index = Int(slot)
                let next = entries[index].next
                let deadline = entries[index].deadline
                if deadline <= now.nanoseconds {
                    unlink(index)
                    entries[index].deadline = .max
                    return index
                }
                if deadline / tick > current {
                    // Moved further out since, or due in a later turn of the wheel.
                    if (deadline / tick) & mask != current & mask {
                        unlink(index)
                        link(index)
                    }
                }
                slot = next
            }
            if current >= target { return nil }
            // After a long sleep one turn of the wheel covers every bucket.
            current = max(current + 1, target - mask)
        }
    }

    /// How long the loop may sleep: until the next non-empty bucket; `nil` if no deadline is set.
    package func timeout(now: MonotonicInstant) -> Duration? {
        guard linked > 0, let distance = distanceToOccupied(from: Int(current & mask)) else {
            return nil
        }
        // The end of the bucket: everything in it is due then.
        let end = (current + Int64(distance) + 1) * tick
        return .nanoseconds(max(0, end - now.nanoseconds))
    }

    /// The distance from `start`, inclusive and wrapping around, to the first non-empty bucket.
    private func distanceToOccupied(from start: Int) -> Int? {
        let first = occupied[start >> 6] >> UInt64(start & 63)
        if first != 0 { return first.trailingZeroBitCount }
        for step in 1...occupied.count {
            let index = (start >> 6 + step) % occupied.count
            let word = occupied[index]
            if word != 0 {
                let bucket = index << 6 + word.trailingZeroBitCount
                return (bucket - start) & Int(mask)
            }
        }
        return nil
    }

    private mutating func link(_ slot: Int) {
        // A deadline in the past goes into the current bucket.
        let at = max(entries[slot].deadline / tick, current)
        let bucket = Int(at & mask)
        let head = heads[bucket]
        entries[slot].bucket = Int32(bucket)
        entries[slot].next = head
        entries[slot].previous = -1
        if head >= 0 { entries[Int(head)].previous = Int32(slot) }
        heads[bucket] = Int32(slot)
        occupied[bucket >> 6] |= 1 << UInt64(bucket & 63)
        linked += 1
    }

    private mutating func unlink(_ slot: Int) {
        let entry = entries[slot]
        guard entry.bucket >= 0 else { return }
        if entry.previous >= 0 {
            entries[Int(entry.previous)].next = entry.next
        } else {
            heads[Int(entry.bucket)] = entry.next
            if entry.next < 0 {
                occupied[Int(entry.bucket) >> 6] &= ~(1 << UInt64(entry.bucket & 63))
            }
        }
        if entry.next >= 0 { entries[Int(entry.next)].previous = entry.previous }
        entries[slot].bucket = -1
        entries[slot].next = -1
        entries[slot].previous = -1
        linked -= 1
    }
}
