/// Rules in order, found by the literals and variables their paths begin with: only a rule whose
/// beginning also begins another rule's path can cover that one, so a thousand different paths
/// need a thousand looks and not half a million.
struct CoverageIndex {
    /// Positions of rules with one hash, ascending: the first and the last of a chain.
    private var chains: [UInt64: (first: Int, last: Int)] = [:]
    private var positions: [Int] = []
    /// By place in ``positions``: the next of the chain; -1 at its end.
    private var next: [Int] = []

    /// Symbols that are looked at of a beginning: a path of 60 KB in "defaults" stands in front of
    /// a thousand entries.
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

    /// Positions of all rules that may cover `rule`, ascending; more than those that do.
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

    /// The first of the rules that may cover `rule`, in their order, for which the condition holds;
    /// nil also when the budget is spent. Those behind it are not looked at: behind a rule for
    /// everything there may be thousands of others.
    func first(
        for rule: OutlinedRule, _ budget: inout CoverageBudget,
        where holds: (Int, inout CoverageBudget) -> Bool
    ) -> Int? {
        var heads = heads(for: rule, &budget)
        // Which chain goes on is looked up each time; many chains are short, and sorted faster.
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

    /// The places at which the chains of all beginnings of a rule's path begin.
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

/// FNV-1a over the letters of a pattern without regard to case: rules with and without regard to
/// it are found in one table.
private struct PrefixHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ symbol: PatternSymbol) {
        value = (value ^ UInt64(symbol.foldedCode)) &* 0x100_0000_01B3
    }
}
