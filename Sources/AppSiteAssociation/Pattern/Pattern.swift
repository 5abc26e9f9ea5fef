/// One pattern of an association file: for tools that need to know what a single pattern matches.
///
/// ```swift
/// let pattern = Pattern("/$(lang)/*")
/// pattern.matches("/en/news")  // true
/// ```
///
/// Whole documents are matched with ``CompiledAssociation``, which also handles order, defaults and
/// percent-encoding.
public struct Pattern: Sendable {
    /// The part of a URL for the pattern.
    public enum Place: Sendable, Hashable {
        /// A path: leading slashes are optional, trailing ones ignored.
        case path
        /// A query, a query item's value, or a fragment.
        case text
    }

    /// The pattern as written.
    public let source: String
    /// The part of a URL that it is compared with.
    public let place: Place
    /// Whether the comparison is case-sensitive.
    public let caseSensitive: Bool
    private let code: PatternCode
    private let pattern: CompiledPattern

    /// - Parameters:
    ///   - source: the pattern: `*`, `?` and `$(name)` are special; there is no escape.
    ///   - place: the part of the URL.
    ///   - caseSensitive: whether `A` and `a` differ.
    ///   - variables: the document's `substitutionVariables`; the built-in ones are always
    ///     available.
    public init(
        _ source: String, place: Place = .path, caseSensitive: Bool = true,
        variables: [(name: String, values: [String])] = []
    ) {
        self.source = source
        self.place = place
        self.caseSensitive = caseSensitive
        var compiler = PatternCompiler(variables: variables)
        pattern =
            place == .path
            ? compiler.compilePath(source, caseSensitive: caseSensitive)
            : compiler.compile(source, caseSensitive: caseSensitive)
        code = compiler.finish()
    }

    /// Whether everything matches, as with `*`.
    public var matchesEverything: Bool { pattern.shape == .anything }

    /// Whether nothing can match, because a variable is undefined.
    public var matchesNothing: Bool { pattern.shape == .never }

    /// Whether the pattern matches the whole of `text`, which is not decoded.
    public func matches(_ text: String) -> Bool {
        matches(text, scratch: MatchScratch())
    }

    /// Like ``matches(_:)``, with reusable memory.
    public func matches(_ text: String, scratch: MatchScratch) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            scratch.reserve(bytes: CaseFolding.growth * bytes.count + 1, items: 0)
            let copy = scratch.bytes
            var count = 0
            if caseSensitive {
                for byte in bytes {
                    copy[count] = byte
                    count += 1
                }
            } else {
                CaseFolding.fold(bytes) {
                    copy[count] = $0
                    count += 1
                }
            }
            let path = place == .path ? PathText(copy, count: count) : nil
            let compared =
                path.map { pattern.endsWithSlashRun ? $0.withSlash : $0.core }
                ?? PatternText(base: copy, count: count)
            return code.withView {
                PatternMatcher(code: $0, scratch: scratch).matches(pattern, compared)
            }
        }
    }
}
