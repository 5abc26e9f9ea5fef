/// A text to compare with patterns: a part of a URL, or the symbols of another pattern.
///
/// A set of places in the text is moved through the symbols of the pattern. Every symbol visits a
/// place at most once, so a comparison costs at most the product of both lengths, and usually the
/// few characters before the first difference.
final class ComparedText {
    let symbols: [PatternSymbol]
    /// Whether the text is a pattern: what stands for several texts is taken as a whole or not.
    private let isPattern: Bool
    private let steps: Steps
    /// Results of long patterns, by the place of their symbols: rules share those of `defaults`.
    private var results: [UnsafeRawPointer: Bool] = [:]
    /// Results of variables, which may have thousands of values.
    private var ends: [VariableUse: [Int]] = [:]

    private struct VariableUse: Hashable {
        let number: UInt32
        let places: [Int]
    }

    /// Shorter patterns are compared sooner than looked up.
    private static let longPattern = 64

    init(_ symbols: [PatternSymbol], _ steps: Steps, isPattern: Bool = false) {
        self.symbols = symbols
        self.steps = steps
        self.isPattern = isPattern
    }

    /// The text itself.
    private(set) lazy var string: String = {
        var text = ""
        for case .literal(let scalar) in symbols { text.unicodeScalars.append(scalar) }
        return text
    }()

    /// The same with the slash that a path begins with.
    private(set) lazy var path = "/" + string

    /// Whether the pattern matches the whole text.
    func matches(_ pattern: Pattern) -> Bool {
        guard pattern.symbols.count >= Self.longPattern, let address = pattern.symbols.address
        else { return compare(pattern) }
        if let known = results[address] { return known }
        let result = compare(pattern)
        results[address] = result
        return result
    }

    private func compare(_ pattern: Pattern) -> Bool {
        let wanted = pattern.symbols
        var place = 0
        // Before the first wildcard there is only one place to go on from.
        while place < wanted.count, isSingle(wanted[place]) {
            guard place < symbols.count, takes(wanted[place], symbols[place]) else {
                steps.spend(place + 1)
                return false
            }
            place += 1
        }
        guard steps.spend(place + 1) else { return false }
        if place == wanted.count { return place == symbols.count }
        if wanted.last == .run {
            return !ends(of: wanted[place...].dropLast(), from: [place], pattern).isEmpty
        }
        return ends(of: wanted[place...], from: [place], pattern).last == symbols.count
    }

    /// The places after a match of `wanted` that begins at one of some places; both ascending.
    private func ends(
        of wanted: ArraySlice<PatternSymbol>, from start: [Int], _ pattern: Pattern
    ) -> [Int] {
        var places = start
        for symbol in wanted {
            guard let first = places.first, steps.spend(places.count) else { return [] }
            if isSingle(symbol) {
                var kept = 0
                for place in places
                where place < symbols.count && takes(symbol, symbols[place]) {
                    places[kept] = place + 1
                    kept += 1
                }
                places.removeSubrange(kept...)
                continue
            }
            // In a pattern, the same variable stands for the same texts.
            let same =
                !isPattern || !symbol.isVariable
                ? [] : places.filter { $0 < symbols.count && symbols[$0] == symbol }
            switch symbol {
            case .run:
                steps.spend(symbols.count - first)
                places = Array(first...symbols.count)
            case .below:
                let isThere = places.contains {
                    $0 == symbols.count || symbols[$0] == .literal("/") || symbols[$0] == .below
                }
                places = isThere ? [symbols.count] : []
            case .region(let folds):
                places = places.filter { place in
                    let code = letters(2, at: place) ?? ""
                    return LocaleCodes.regions.contains(folds ? code.uppercased() : code)
                }.map { $0 + 2 }
            case .language:
                let found = places.flatMap { place in
                    [2, 3].filter {
                        LocaleCodes.languages.contains(letters($0, at: place) ?? "")
                    }.map { place + $0 }
                }
                places = Set(found).sorted()
            case .variable(let number): places = ends(ofVariable: number, from: places, pattern)
            case .literal, .one, .characters, .undefined: return []
            }
            if !same.isEmpty { places = Set(places + same.map { $0 + 1 }).sorted() }
        }
        return places
    }

    private func ends(
        ofVariable number: UInt32, from places: [Int], _ pattern: Pattern
    ) -> [Int] {
        let use = VariableUse(number: number, places: places)
        if let known = ends[use] { return known }
        let values = pattern.variables.values(of: number, folds: !pattern.caseSensitive)
        let found = Set(values.flatMap { ends(of: $0[...], from: places, pattern) }).sorted()
        ends[use] = found
        return found
    }

    private func letters(_ count: Int, at place: Int) -> String? {
        guard place + count <= symbols.count else { return nil }
        var text = ""
        for symbol in symbols[place..<place + count] {
            guard case .literal(let scalar) = symbol, scalar.isASCII else { return nil }
            text.unicodeScalars.append(scalar)
        }
        return text
    }

    /// Whether a symbol of a pattern stands for one symbol here.
    private func isSingle(_ symbol: PatternSymbol) -> Bool {
        switch symbol {
        case .literal, .one, .characters: true
        case .run, .below, .region, .language, .variable, .undefined: false
        }
    }

    private func takes(_ wanted: PatternSymbol, _ symbol: PatternSymbol) -> Bool {
        switch (wanted, symbol) {
        case (.literal(let wanted), .literal(let scalar)): wanted == scalar
        // What a pattern writes beyond ASCII may be percent-encoded in the URL, or be several
        // characters.
        case (.one, .literal(let scalar)): !isPattern || scalar.isASCII
        case (.one, .characters), (.one, .one): true
        case (.characters(let characters), .literal(let scalar)): characters.contains(scalar)
        case (.characters, _): wanted == symbol
        case (.literal, _), (.one, _), (.run, _), (.below, _), (.region, _), (.language, _),
            (.variable, _), (.undefined, _):
            false
        }
    }
}

extension Array {
    /// Where the elements are: the same for all copies of an array.
    var address: UnsafeRawPointer? { withUnsafeBytes { $0.baseAddress } }
}
