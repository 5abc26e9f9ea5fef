/// One pattern of an association file, on its own: for tools that want to know what a single
/// pattern accepts.
///
/// ```swift
/// let pattern = Pattern("/$(lang)/*")
/// pattern.matches("/en/news")  // true
/// ```
///
/// Whole documents are matched with ``CompiledAssociation``, which also knows about order, defaults
/// and percent-encoding.
public struct Pattern: Sendable {
    /// What the pattern is compared with.
    public enum Place: Sendable, Hashable {
        /// A URL's path: leading slashes are optional, trailing ones without meaning.
        case path
        /// A query, a query item's value, or a fragment.
        case text
    }

    /// The pattern as written.
    public let source: String
    /// What it is compared with.
    public let place: Place
    /// Whether upper and lower case differ.
    public let caseSensitive: Bool
    private let code: PatternCode
    private let pattern: CompiledPattern

    /// - Parameters:
    ///   - source: the pattern: `*`, `?` and `$(name)` are special, nothing escapes them.
    ///   - place: the part of the URL that it is for.
    ///   - caseSensitive: whether `A` and `a` differ.
    ///   - variables: the document's `substitutionVariables`; the built-in ones are always there.
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

    /// Whether everything matches, as `*` does.
    public var matchesEverything: Bool { pattern.shape == .anything }

    /// Whether nothing can match, because a variable is not defined.
    public var matchesNothing: Bool { pattern.shape == .never }

    /// Whether the pattern covers the whole of `text`, which is compared as it stands.
    public func matches(_ text: String) -> Bool {
        matches(text, scratch: MatchScratch())
    }

    /// As ``matches(_:)``, with memory that is kept for the next call.
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
