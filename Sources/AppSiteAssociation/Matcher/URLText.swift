/// A path without insignificant slashes, and the same with a trailing slash.
///
/// A pattern that ends with `/*` is compared with the longer one: `/buy/*` matches `/buy` (TN3155
/// and swcutil), because `buy/` precedes the wildcard.
struct PathText {
    let core: PatternText
    let withSlash: PatternText
    /// The first bytes of each, see `CompiledPattern.head`.
    let head: UInt64
    let headWithSlash: UInt64

    /// - Parameter bytes: the path, with room for one more byte after its `count` bytes.
    init(_ bytes: UnsafeMutablePointer<UInt8>, count: Int) {
        var first = 0
        var end = count
        while end > 0, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
        while first < end, bytes[first] == UInt8(ascii: "/") { first += 1 }
        bytes[end] = UInt8(ascii: "/")
        let base = UnsafePointer(bytes + first)
        core = PatternText(base: base, count: end - first)
        withSlash = PatternText(base: base, count: end - first + 1)
        head = core.head
        headWithSlash = withSlash.head
    }
}

/// One item of a query, in one of the URL's forms.
struct QueryItemText {
    let name: PatternText
    /// Empty if the item has no `=`.
    let value: PatternText
}

/// One form of a URL's parts: as written or decoded, each unchanged or folded.
struct URLText {
    let path: PathText
    let query: PatternText
    let fragment: PatternText
    /// In the order of the URL; more than ``itemsUnsorted`` by their names.
    let items: UnsafeBufferPointer<QueryItemText>

    /// So many are looked through one by one.
    static let itemsUnsorted = 16

    /// The places of ``items`` among which all of a name are.
    func places(of name: PatternText) -> Range<Int> {
        guard items.count > Self.itemsUnsorted else { return items.indices }
        let first = items.firstPlace { !$0.name.isBefore(name) }
        return first..<items.firstPlace { name.isBefore($0.name) }
    }
}

extension PatternText {
    /// Byte by byte, a beginning before what goes on.
    func isBefore(_ other: PatternText) -> Bool {
        let shorter = min(count, other.count)
        var index = 0
        while index < shorter, base[index] == other.base[index] { index += 1 }
        return index == shorter ? count < other.count : base[index] < other.base[index]
    }
}

/// The form of the URL that a rule is compared with.
struct URLForm: Hashable, Sendable {
    /// 0...3: bit 0 is folding, bit 1 is decoding.
    let index: Int

    static let count = 4

    /// - Parameters: as in a component: `percentEncoded` compares with the URL as written.
    init(caseSensitive: Bool, percentEncoded: Bool) {
        index = (caseSensitive ? 0 : 1) | (percentEncoded ? 0 : 2)
    }

    init(index: Int) { self.index = index }

    var folds: Bool { index & 1 != 0 }
    var decodes: Bool { index & 2 != 0 }
}
