/// What a code means that some command prints, the same for every file and host.
package struct CodeEntry: Sendable {
    package let code: String
    /// The usual severity.
    package private(set) var severity = Severity.error
    /// What was found, in one line without a full stop.
    package private(set) var title = ""
    /// Why it matters.
    package private(set) var why = ""
    /// How to fix it; empty if nothing needs to be done.
    package private(set) var remedy = ""
    /// What a device does with a document that has the finding, for errors of documents.
    package private(set) var device: String?
    /// How certain the finding is; only rules of the linter say it.
    package private(set) var standing: LintConfidence?
    /// Who says so.
    package private(set) var source = ""
    /// The web page of the source.
    package private(set) var page = ""
    private(set) var bad: CatalogExample?
    private(set) var good: CatalogExample?

    /// The fields that an entry of a ``CatalogFile`` may have.
    static let fields: Set = [
        "severity", "title", "why", "fix", "device", "evidence", "source", "bad", "good", "with",
    ]

    /// An entry of a ``CatalogFile``; a field that is missing stays empty.
    init(_ code: String, _ fields: [CatalogFile.Field]) {
        self.code = code
        var isBad = false
        for field in fields {
            switch field.name {
            case "severity": severity = Severity(rawValue: field.prose) ?? .error
            case "title": title = field.prose
            case "why": why = field.prose
            case "fix": remedy = field.prose
            case "device": device = field.prose
            case "evidence": standing = LintConfidence(rawValue: field.prose)
            case "source":
                // "RFC 8259 <https://…>"
                let parts = field.prose.split(separator: "<", maxSplits: 1)
                source = String(parts.first?.dropLast() ?? "")
                page = parts.count == 2 ? String(parts[1].dropLast()) : ""
            case "bad": (bad, isBad) = (CatalogExample(field), true)
            case "good": (good, isBad) = (CatalogExample(field), false)
            case "with" where isBad: bad?.companions.append(CatalogExample(field))
            case "with": good?.companions.append(CatalogExample(field))
            default: break  // `CatalogFile` reports it.
            }
        }
    }

    /// A code that no file explains: a mistake of ours, which the tests find.
    package init(unknown code: String) { self.code = code }
}

/// The entries of several files, found by their codes.
package struct CodeTable: Sendable {
    package let families: [CatalogFile]
    package let entries: [CodeEntry]
    private let places: [String: Int]

    package init(_ files: [[UInt8]]) {
        self.init(files.map { CatalogFile($0) })
    }

    package init(_ families: [CatalogFile]) {
        self.families = families
        entries = families.flatMap(\.entries)
        places = Dictionary(
            entries.enumerated().map { ($1.code, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(code: String) -> CodeEntry? { places[code].map { entries[$0] } }
}
