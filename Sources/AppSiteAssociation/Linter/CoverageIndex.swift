/// Rules in order, indexed by the characters and variables at the start of their paths. Only a rule
/// whose start is also the start of another rule's path can cover that one, so a thousand different
/// paths need a thousand look-ups and not half a million comparisons.
struct CoverageIndex {
    /// Positions of rules by the hash of their start, ascending.
    private var positions: [UInt64: [Int]] = [:]
    /// Whether one of them has a variable near its start.
    private var hasVariables = false

    /// Maximum of indexed symbols: a path of 60 KB in "defaults" may precede a thousand entries.
    private static let beginning = 128

    /// - Parameter position: larger than all before it.
    mutating func insert(_ rule: Rule, at position: Int) {
        // What matches nothing covers nothing.
        if rule.path.matchesNothing { return }
        let hashes = Self.hashes(of: rule)
        positions[hashes.last ?? 0, default: []].append(position)
        let symbols = rule.path.symbols.prefix(hashes.count - 1)
        if let variable = symbols.firstIndex(where: \.isVariable) {
            positions[~hashes[variable], default: []].append(position)
            hasVariables = true
        }
    }

    /// The first rule, in order, that may cover `rule` and meets the condition; nil also when the
    /// steps are spent.
    func first(for rule: Rule, _ steps: Steps, where holds: (Int) -> Bool) -> Int? {
        if positions.isEmpty { return nil }
        var hashes = Self.hashes(of: rule)
        if hasVariables {
            // Its characters may be a value of a variable in an earlier rule, which is listed by
            // the complement of what is before the variable.
            hashes += zip(hashes, rule.path.symbols).compactMap { $1.isVariable ? nil : ~$0 }
        }
        steps.spend(hashes.count)
        var lists = hashes.compactMap { positions[$0].map { (list: $0, next: 0) } }
        // After a rule for everything there may be thousands: the lists are followed together.
        while steps.spend(lists.count),
            let first = lists.indices.min(by: {
                lists[$0].list[lists[$0].next] < lists[$1].list[lists[$1].next]
            })
        {
            let position = lists[first].list[lists[first].next]
            lists[first].next += 1
            if lists[first].next == lists[first].list.count { lists.remove(at: first) }
            if holds(position) { return position }
        }
        return nil
    }

    /// FNV-1a of each beginning of a path, ignoring case, so that one table serves case-sensitive
    /// and case-insensitive rules. A rule covers only what begins as it does itself, or with a
    /// value of its variable.
    private static func hashes(of rule: Rule) -> [UInt64] {
        var hashes: [UInt64] = [0xCBF2_9CE4_8422_2325]
        for symbol in rule.path.symbols.prefix(beginning) {
            guard let code = symbol.code, let last = hashes.last else { break }
            hashes.append((last ^ code) &* 0x100_0000_01B3)
        }
        return hashes
    }
}

extension PatternSymbol {
    /// A number for ASCII characters, ignoring case, and for variables. Only itself, `*` and a
    /// variable with such a value match it.
    fileprivate var code: UInt64? {
        switch self {
        case .literal(let scalar):
            guard scalar.isASCII else { return nil }
            let value = UInt64(scalar.value)
            return ("A"..."Z").contains(scalar) ? value | 0x20 : value
        case .region: return 0x100
        case .language: return 0x101
        case .variable(let number): return 0x200 + UInt64(number)
        case .one, .run, .below, .characters, .undefined: return nil
        }
    }
}
