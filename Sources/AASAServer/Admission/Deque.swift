/// A queue in a ring: both ends in constant time, memory reused.
struct Deque<Element> {
    private var ring: [Element?] = Array(repeating: nil, count: 16)
    private var head = 0
    private(set) var count = 0

    var first: Element? { count == 0 ? nil : ring[head] }

    mutating func append(_ element: Element) {
        if count == ring.count { grow() }
        ring[(head + count) & (ring.count - 1)] = element
        count += 1
    }

    mutating func removeFirst() {
        if count == 0 { return }
        ring[head] = nil
        head = (head + 1) & (ring.count - 1)
        count -= 1
    }

    private mutating func grow() {
        var larger: [Element?] = Array(repeating: nil, count: ring.count * 2)
        for index in 0..<count { larger[index] = ring[(head + index) & (ring.count - 1)] }
        ring = larger
        head = 0
    }
}

extension Deque: Sendable where Element: Sendable {}
