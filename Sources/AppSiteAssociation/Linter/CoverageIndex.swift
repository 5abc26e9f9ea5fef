/// Rules in order, found by the literals their paths begin with: only a rule whose literal
/// beginning also begins another rule's path can cover that one, so a thousand different paths
/// need a thousand looks and not half a million.
struct CoverageIndex {
    /// Positions of rules with one hash, ascending: the first and the last of a chain.
    private var chains: [UInt64: (first: Int, last: Int)] = [:]
    private var positions: [Int] = []
    /// By place in ``positions``: the next of the chain; -1 at its end.
    private var next: [Int] = []

    /// - Parameter position: larger than all before it.
    mutating func insert(_ rule: OutlinedRule, at position: Int) {
        var hash = PrefixHash()
        for symbol in rule.path.literalPrefix { hash.add(symbol) }
        let place = positions.count
        positions.append(position)
        next.append(-1)
        if let chain = chains[hash.value] {
            next[chain.last] = place
            chains[hash.value] = (chain.first, place)
        } else {
            chains[hash.value] = (place, place)
        }
    }

    /// Positions of all rules that may cover `rule`, ascending; more than those that do.
    func candidates(for rule: OutlinedRule, _ budget: inout CoverageBudget) -> [Int] {
        var hash = PrefixHash()
        var found: [Int] = []
        var isSorted = true
        func collect() {
            guard var place = chains[hash.value]?.first else { return }
            if !found.isEmpty { isSorted = false }
            while place >= 0 {
                found.append(positions[place])
                place = next[place]
            }
        }
        if positions.isEmpty { return [] }
        collect()
        for symbol in rule.path.symbols {
            guard symbol.scalar != nil, budget.spend() else { break }
            hash.add(symbol)
            collect()
        }
        guard budget.spend(found.count / 8) else { return [] }
        if !isSorted { found.sort() }
        return found
    }
}

/// FNV-1a over the letters of a pattern without regard to case: rules with and without regard to
/// it are found in one table.
private struct PrefixHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ symbol: PatternSymbol) {
        guard let scalar = symbol.scalar else { return }
        value = (value ^ UInt64(Self.lowercase(scalar))) &* 0x100_0000_01B3
    }

    private static func lowercase(_ scalar: Unicode.Scalar) -> UInt32 {
        if scalar.isASCII {
            return ("A"..."Z").contains(scalar) ? scalar.value | 0x20 : scalar.value
        }
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        return lower.count == 1 ? lower[lower.startIndex].value : scalar.value
    }
}
