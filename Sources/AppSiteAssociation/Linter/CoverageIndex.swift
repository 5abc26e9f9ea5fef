/// Rules in order, found by the literals their paths begin with: only a rule whose literal
/// beginning also begins another rule's path can cover that one, so a thousand different paths
/// need a thousand looks and not half a million.
struct CoverageIndex {
    /// Positions of rules by the hash of their literal beginning, ascending.
    private var buckets: [UInt64: [Int]] = [:]

    mutating func insert(_ rule: OutlinedRule, at position: Int) {
        var hash = PrefixHash()
        for symbol in rule.path.literalPrefix { hash.add(symbol) }
        buckets[hash.value, default: []].append(position)
    }

    /// Positions of all rules that may cover `rule`, in no order; more than those that do.
    func candidates(for rule: OutlinedRule, _ budget: inout CoverageBudget) -> [Int] {
        var hash = PrefixHash()
        var found: [Int] = buckets[hash.value] ?? []
        for symbol in rule.path.symbols {
            guard case .literal = symbol, budget.spend() else { break }
            hash.add(symbol)
            if let more = buckets[hash.value] { found += more }
        }
        return budget.spend(found.count / 8) ? found : []
    }
}

/// FNV-1a over the letters of a pattern without regard to case: rules with and without regard to
/// it are found in one table.
private struct PrefixHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ symbol: PatternOutline.Symbol) {
        guard case .literal(let scalar) = symbol else { return }
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
