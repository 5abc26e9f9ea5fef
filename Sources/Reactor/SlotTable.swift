/// Names one tenant of one slot: a stale token, kept by an event that was queued when its
/// connection ended, names nobody.
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
    /// Whether this can be the token of a slot at all.
    @inlinable
    public var isSlot: Bool { generation != 0 }
}

/// Numbered places for connections, reused last-in first-out (a warm slot is the best slot), with a
/// generation each.
///
/// Grows up to `capacityMaximum` and never shrinks; the objects in it may be kept and reused by the
/// caller.
///
/// Public and inlinable, so that the element's module gets its own version: of a `package` generic
/// the compiler makes none, and every look-up asks the runtime for the type's metadata (528
/// instructions where 12 do).
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

    /// Tenants now.
    @inlinable
    public var count: Int { tenants }
    @inlinable
    public var isFull: Bool { tenants == capacityMaximum }
    /// One more than the highest index ever used.
    @inlinable
    public var extent: Int { slots.count }

    /// Puts what `make` returns for its token into a free slot; `nil` when the table is full.
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

    /// The tenant `token` names, if it still lives there.
    @inlinable
    public subscript(token: SlotToken) -> Element? {
        let index = token.index
        guard index < slots.count, slots[index].generation == token.generation else { return nil }
        return slots[index].element
    }

    /// The tenant of the slot at `index`, whatever its generation.
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
        // 0 marks tokens that are no slots.
        slots[index].generation = slots[index].generation == .max ? 1 : slots[index].generation + 1
        free.append(Int32(index))
        tenants -= 1
        return element
    }
}
