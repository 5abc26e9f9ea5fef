/// Identifies one use of one slot. A stale token, from an event that was queued when its connection
/// ended, matches nothing.
public struct SlotToken: Hashable, Sendable {
    /// `generation << 32 | index`; fits epoll's user data. The generation is never 0, so small
    /// numbers are free for other uses.
    public let rawValue: UInt64

    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    @inlinable
    public init(index: Int, generation: UInt32) {
        rawValue = UInt64(generation) << 32 | UInt64(UInt32(index))
    }

    @inlinable
    public var index: Int { Int(rawValue & 0xFFFF_FFFF) }
    @inlinable
    public var generation: UInt32 { UInt32(rawValue >> 32) }
    /// Whether this can be the token of a slot.
    @inlinable
    public var isSlot: Bool { generation != 0 }
}

/// Numbered slots for connections, reused last-in first-out (a warm cache), each with a generation.
///
/// Grows up to `capacityMaximum` and never shrinks. The caller may keep and reuse the objects.
///
/// Public and inlinable, so that the element's module gets a specialized version: the compiler
/// makes none of a `package` generic, and every look-up would request the type's metadata at run
/// time (528 instructions instead of 12).
public struct SlotTable<Element: AnyObject> {
    @usableFromInline
    struct Slot {
        @usableFromInline var element: Element?
        @usableFromInline var generation: UInt32

        @inlinable
        init(element: Element?, generation: UInt32) {
            self.element = element
            self.generation = generation
        }
    }

    @usableFromInline var slots: [Slot] = []
    @usableFromInline var free: [Int32] = []
    public let capacityMaximum: Int
    @usableFromInline var tenants = 0

    @inlinable
    public init(capacityMaximum: Int) {
        precondition(capacityMaximum > 0 && capacityMaximum <= Int(Int32.max))
        self.capacityMaximum = capacityMaximum
    }

    /// The number of used slots.
    @inlinable
    public var count: Int { tenants }
    @inlinable
    public var isFull: Bool { tenants == capacityMaximum }
    /// The highest index ever used, plus one.
    @inlinable
    public var extent: Int { slots.count }

    /// Stores what `make` returns for its token in a free slot; `nil` if the table is full.
    @inlinable
    public mutating func insert(_ make: (SlotToken) -> Element) -> Element? {
        let index: Int
        if let reused = free.popLast() {
            index = Int(reused)
        } else if slots.count < capacityMaximum {
            index = slots.count
            slots.append(Slot(element: nil, generation: 1))
        } else {
            return nil
        }
        let element = make(SlotToken(index: index, generation: slots[index].generation))
        slots[index].element = element
        tenants += 1
        return element
    }

    /// The element of `token`, if the token is not stale.
    @inlinable
    public subscript(token: SlotToken) -> Element? {
        let index = token.index
        guard index < slots.count, slots[index].generation == token.generation else { return nil }
        return slots[index].element
    }

    /// The element in the slot at `index`, of any generation.
    @inlinable
    public subscript(index index: Int) -> Element? {
        index < slots.count ? slots[index].element : nil
    }

    /// Frees the slot; a stale token frees nothing.
    @inlinable @discardableResult
    public mutating func remove(_ token: SlotToken) -> Element? {
        let index = token.index
        guard index < slots.count, slots[index].generation == token.generation,
            let element = slots[index].element
        else { return nil }
        slots[index].element = nil
        // 0 marks tokens that are not slots.
        slots[index].generation = slots[index].generation == .max ? 1 : slots[index].generation + 1
        free.append(Int32(index))
        tenants -= 1
        return element
    }
}
