/// Detects which apps of a list are variants or parts of one another.
///
/// One app has many identifiers: `com.example.shop`, `com.example.shop.dev`,
/// `com.example.shop-beta`, `com.example.shop.Clip`. They may claim the same URLs without conflict.
struct AppFamily {
    /// Bundle IDs without the words that distinguish builds and platforms.
    private let stems: NumberSet
    /// The stems that contain these: `com.example` and `com.example.shop` of
    /// `com.example.shop.clip`.
    private let ancestors: NumberSet

    /// Maximum length of a bundle ID: Apple allows 155 bytes.
    private static let longest = 256
    private static let dot = UInt8(ascii: ".")

    /// - Parameter numbers: of the stems of all compared families.
    init(_ apps: [String], _ numbers: inout NameNumbers<[UInt8]>) {
        var stems: [Int] = []
        var ancestors: [Int] = []
        for app in apps {
            let (stem, ends) = Self.stem(app)
            // A common company name alone does not relate apps.
            for end in ends.dropFirst().dropLast() {
                ancestors.append(numbers.number(of: Array(stem[..<end])))
            }
            stems.append(numbers.number(of: stem))
        }
        self.stems = NumberSet(stems)
        self.ancestors = NumberSet(ancestors)
    }

    /// The cost of ``isRelated(to:)``.
    var size: Int { stems.count + ancestors.count }

    func isRelated(to other: AppFamily) -> Bool {
        stems.meets(other.stems) || stems.meets(other.ancestors) || ancestors.meets(other.stems)
    }

    /// The remaining parts with full stops between them, and the end of each. On bytes: a document
    /// has thousands of identifiers, all of them ASCII.
    private static func stem(_ app: String) -> (bytes: [UInt8], ends: [Int]) {
        let bundle = app.utf8.drop { $0 != dot }.dropFirst().prefix(longest).map(\.asciiLowercased)
        var bytes: [UInt8] = []
        var ends: [Int] = []
        bytes.reserveCapacity(bundle.count)
        func keep(_ part: ArraySlice<UInt8>) {
            if !ends.isEmpty { bytes.append(dot) }
            bytes += part
            ends.append(bytes.count)
        }
        let parts = bundle.split { byte in
            byte == dot || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        for (index, part) in parts.enumerated() {
            // The first two are the company's domain; the third is the app, even if it is named
            // "app".
            if index < 2 {
                keep(part)
            } else if index == 2, generic.contains(part) {
                keep(appWord[...])
            } else if let word = word(part) {
                keep(word)
            }
        }
        return (bytes, ends)
    }

    private static let appWord = Array("app".utf8)

    private static let generic = WordSet([
        "app", "ios", "iphone", "ipad", "mac", "mobile", "client",
    ])

    /// A part without build suffixes: `shopdev`, `shop2` and `shop` are equal.
    private static func word(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var word = part
        while let last = word.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(last) {
            word.removeLast()
        }
        guard let last = word.last, !variants.contains(word) else { return nil }
        for suffix in suffixes where suffix.last == last && word.count > suffix.count + 1 {
            if word.suffix(suffix.count).elementsEqual(suffix) {
                word.removeLast(suffix.count)
                break
            }
        }
        return word
    }

    private static let suffixWords = [
        "development", "production", "enterprise", "internal", "appclip", "staging", "nightly",
        "preview", "release", "inhouse", "sandbox", "debug", "adhoc", "alpha", "stage", "beta",
        "test", "prod", "demo", "clip", "dev", "ios", "app", "uat", "qa",
    ]
    private static let suffixes = suffixWords.map { Array($0.utf8) }
    private static let variants = WordSet(
        suffixWords + [
            "develop", "gamma", "testing", "tests", "tst", "stg", "preprod", "pre", "rel", "rc",
            "int", "ent", "distribution", "dist", "appstore", "store", "canary", "local", "ci",
            "integration", "acceptance", "acc", "live", "hotfix", "iphone", "ipad", "mac",
            "macos", "catalyst", "tvos", "tv", "watchos", "watch", "visionos", "mobile", "client",
            "lite", "pro", "free", "hd", "legacy", "old", "new", "v", "hml", "homolog", "pp",
            "devel", "sit", "trunk", "next", "edge", "insider", "public", "private", "watchkitapp",
        ])
}

/// A set of words for look-ups by bytes, without creating strings.
private struct WordSet {
    private let short: Set<UInt64>
    private let long: Set<[UInt8]>

    init(_ words: [String]) {
        let bytes = words.map { Array($0.utf8) }
        short = Set(bytes.compactMap { Self.packed($0[...]) })
        long = Set(bytes.filter { $0.count > 8 })
    }

    func contains(_ word: ArraySlice<UInt8>) -> Bool {
        if let packed = Self.packed(word) { return short.contains(packed) }
        return long.contains(Array(word))
    }

    /// A word of up to eight bytes as one number; no word contains a zero byte.
    private static func packed(_ word: ArraySlice<UInt8>) -> UInt64? {
        word.count > 8 ? nil : word.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
