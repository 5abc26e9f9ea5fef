/// Rules in order, indexed by the literals and variables at the start of their paths. Only a rule
/// whose start is also the start of another rule's path can cover that one, so a thousand different
/// paths need a thousand look-ups and not half a million comparisons.
struct CoverageIndex {
    /// Positions of rules with the same hash, ascending: the first and the last of a chain.
    private var chains: [UInt64: (first: Int, last: Int)] = [:]
    private var positions: [Int] = []
    /// By index in ``positions``: the next of the chain; -1 at its end.
    private var next: [Int] = []

    /// Maximum of indexed symbols: a path of 60 KB in "defaults" may precede a thousand entries.
    private static let beginning = 128

    /// - Parameter position: larger than all before it.
    mutating func insert(_ rule: OutlinedRule, at position: Int) {
        var hash = PrefixHash()
        for symbol in rule.path.exactPrefix(Self.beginning) { hash.add(symbol) }
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

    /// The positions of all rules that may cover `rule`, ascending; a superset of those that do.
    func candidates(for rule: OutlinedRule, _ budget: inout CoverageBudget) -> [Int] {
        let heads = heads(for: rule, &budget)
        var found: [Int] = []
        for head in heads {
            var place = head
            while place >= 0 {
                found.append(positions[place])
                place = next[place]
            }
        }
        guard budget.spend(found.count / 8) else { return [] }
        if heads.count > 1 { found.sort() }
        return found
    }

    /// The first rule, in order, that may cover `rule` and meets the condition; nil also when the
    /// budget is spent. Later ones are not checked: after a rule for everything there may be
    /// thousands.
    func first(
        for rule: OutlinedRule, _ budget: inout CoverageBudget,
        where holds: (Int, inout CoverageBudget) -> Bool
    ) -> Int? {
        var heads = heads(for: rule, &budget)
        // Looking up the next chain each time is fast for a few chains; many short ones are sorted.
        if heads.count > Self.mergedChains {
            return candidates(for: rule, &budget).first { !budget.isSpent && holds($0, &budget) }
        }
        while !budget.isSpent,
            let chain = heads.indices.min(by: { positions[heads[$0]] < positions[heads[$1]] })
        {
            let position = positions[heads[chain]]
            heads[chain] = next[heads[chain]]
            if heads[chain] < 0 { heads.remove(at: chain) }
            if holds(position, &budget) { return position }
        }
        return nil
    }

    private static let mergedChains = 8

    /// The starts of the chains for all prefixes of a rule's path.
    private func heads(for rule: OutlinedRule, _ budget: inout CoverageBudget) -> [Int] {
        if positions.isEmpty { return [] }
        var hash = PrefixHash()
        var heads = chains[hash.value].map { [$0.first] } ?? []
        for symbol in rule.path.symbols.prefix(Self.beginning) {
            guard symbol.isExact, budget.spend() else { break }
            hash.add(symbol)
            if let chain = chains[hash.value] { heads.append(chain.first) }
        }
        return heads
    }
}

/// FNV-1a over the letters of a pattern, ignoring case, so that one table serves case-sensitive and
/// case-insensitive rules.
private struct PrefixHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ symbol: PatternSymbol) {
        value = (value ^ UInt64(symbol.foldedCode)) &* 0x100_0000_01B3
    }
}
