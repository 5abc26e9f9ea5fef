/// Which apps of a list are builds or parts of one another.
///
/// One app has many identifiers: `com.example.shop`, `com.example.shop.dev`,
/// `com.example.shop-beta`, `com.example.shop.Clip`. That they claim the same URLs is no conflict.
struct AppFamily {
    /// Bundle IDs without the words that tell builds and platforms apart.
    private let stems: Set<String>
    /// The stems of which these are parts: `com.example` and `com.example.shop` of
    /// `com.example.shop.clip`.
    private let ancestors: Set<String>

    /// Longer bundle IDs do not exist: Apple allows 155 bytes.
    private static let longest = 256

    init(_ apps: [String]) {
        var stems: Set<String> = []
        var ancestors: Set<String> = []
        for app in apps {
            let bundle = app.drop { $0 != "." }.dropFirst().prefix(Self.longest)
            let parts = Self.stem(bundle.lowercased())
            stems.insert(parts.joined(separator: "."))
            // A company's name alone relates nothing.
            for count in stride(from: 2, to: parts.count, by: 1) {
                ancestors.insert(parts.prefix(count).joined(separator: "."))
            }
        }
        self.stems = stems
        self.ancestors = ancestors
    }

    /// The work that ``isRelated(to:)`` may take.
    var size: Int { stems.count + ancestors.count }

    func isRelated(to other: AppFamily) -> Bool {
        !stems.isDisjoint(with: other.stems) || !stems.isDisjoint(with: other.ancestors)
            || !ancestors.isDisjoint(with: other.stems)
    }

    /// Over bytes: a document has thousands of identifiers, all of them ASCII.
    private static func stem(_ bundle: String) -> [String] {
        let parts = bundle.utf8.split { byte in
            byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        // The first two are the company's domain; the third is the app, even when it is named
        // "app".
        var kept = parts.prefix(2).map { String(Substring($0)) }
        for (index, part) in parts.enumerated().dropFirst(2) {
            if index == 2, generic.contains(String(Substring(part))) {
                kept.append("app")
            } else if let word = word(part) {
                kept.append(word)
            }
        }
        return kept
    }

    private static let generic: Set<String> = [
        "app", "ios", "iphone", "ipad", "mac", "mobile", "client",
    ]

    /// A part without what tells builds apart: `shopdev`, `shop2` and `shop` are one.
    private static func word(_ part: Substring.UTF8View) -> String? {
        var word = part
        while let last = word.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(last) {
            word.removeLast()
        }
        if word.isEmpty || variants.contains(String(Substring(word))) { return nil }
        let letters = word.count
        for suffix in suffixes where letters > suffix.utf8.count + 1 {
            let end = word.dropFirst(letters - suffix.utf8.count)
            if end.elementsEqual(suffix.utf8) {
                word.removeLast(suffix.utf8.count)
                break
            }
        }
        return String(Substring(word))
    }

    private static let suffixes = [
        "development", "production", "enterprise", "internal", "appclip", "staging", "nightly",
        "preview", "release", "inhouse", "sandbox", "debug", "adhoc", "alpha", "stage", "beta",
        "test", "prod", "demo", "clip", "dev", "ios", "app", "uat", "qa",
    ]
    private static let variants = Set(
        suffixes + [
            "develop", "gamma", "testing", "tests", "tst", "stg", "preprod", "pre", "rel", "rc",
            "int", "ent", "distribution", "dist", "appstore", "store", "canary", "local", "ci",
            "integration", "acceptance", "acc", "live", "hotfix", "iphone", "ipad", "mac",
            "macos", "catalyst", "tvos", "tv", "watchos", "watch", "visionos", "mobile", "client",
            "lite", "pro", "free", "hd", "legacy", "old", "new", "v", "hml", "homolog", "pp",
            "devel", "sit", "trunk", "next", "edge", "insider", "public", "private", "watchkitapp",
        ])
}
