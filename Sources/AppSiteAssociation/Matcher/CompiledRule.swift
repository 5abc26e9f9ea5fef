/// A rule, ready for matching. Small, because a document has up to a few thousand and a decision
/// scans all of them; rare parts are in `RuleExtras`.
struct CompiledRule: Sendable {
    var path: CompiledPattern
    var form: URLForm
    var excludes: Bool
    /// The index of the rule's `RuleExtras` plus one; 0 if there is only a path.
    var extras: UInt32
    var reference: UInt32
}

/// The patterns of a rule besides the path.
struct RuleExtras: Sendable {
    /// Compared with the whole query.
    var query: CompiledPattern?
    /// Items of a query object, a range of `CompiledAssociation.items`.
    var items: Range<Int>
    var fragment: CompiledPattern?
}

/// One member of a query object.
struct CompiledItem: Sendable {
    /// Compared byte by byte: names are not patterns.
    var name: CompiledPattern
    var value: CompiledPattern
}

/// The forms of one URL, each created on demand.
struct URLForms {
    private var writer: URLTextWriter
    private var forms: (URLText?, URLText?, URLText?, URLText?) = (nil, nil, nil, nil)

    init(url: URLParts, scratch: MatchScratch) {
        writer = URLTextWriter(url: url, scratch: scratch)
    }

    mutating func text(in form: URLForm) -> URLText {
        switch form.index {
        case 0: Self.get(&forms.0, form, &writer)
        case 1: Self.get(&forms.1, form, &writer)
        case 2: Self.get(&forms.2, form, &writer)
        default: Self.get(&forms.3, form, &writer)
        }
    }

    private static func get(
        _ slot: inout URLText?, _ form: URLForm, _ writer: inout URLTextWriter
    ) -> URLText {
        if let text = slot { return text }
        let text = writer.text(in: form)
        slot = text
        return text
    }
}
