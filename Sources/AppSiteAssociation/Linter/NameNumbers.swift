/// Maps names to numbers for many comparisons: each name is hashed once.
struct NameNumbers<Name: Hashable> {
    private var numbers: [Name: Int] = [:]

    /// The number of a name, equal for equal names only.
    mutating func number(of name: Name) -> Int {
        if let known = numbers[name] { return known }
        numbers[name] = numbers.count
        return numbers.count - 1
    }
}

/// A sorted set of such numbers. Most have one or two, so that a search is cheaper than a hash.
struct NumberSet {
    private let numbers: [Int]

    init(_ numbers: [Int]) {
        self.numbers = numbers.count < 2 ? numbers : Set(numbers).sorted()
    }

    var count: Int { numbers.count }

    /// Whether the sets intersect. Costs the smaller count times the logarithm of the larger.
    func meets(_ other: NumberSet) -> Bool {
        let (few, many) = count < other.count ? (self, other) : (other, self)
        return few.numbers.contains(where: many.contains)
    }

    private func contains(_ number: Int) -> Bool {
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < numbers.count && numbers[low] == number
    }
}
