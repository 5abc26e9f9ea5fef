package import Texts

/// What a code means that some command prints, the same for every file and host.
public struct CodeEntry: Sendable {
    /// Stable name; never reused for another finding.
    public let code: String
    /// The usual severity.
    public private(set) var severity = Severity.error
    /// What was found, in one line without a full stop.
    public private(set) var title = ""
    /// Why it matters: for a document, what happens on a device.
    public private(set) var why = ""
    /// How to fix it; empty if nothing needs to be done.
    public private(set) var remedy = ""
    /// How to fix it in particular cases, by the word after `fix`.
    package private(set) var remedies: [String: String] = [:]
    /// For a finding about a host: the parts of a check without which it is unknown whether the
    /// problem is still there. Nil: those of a finding about the document.
    package private(set) var needs: [String]?
    /// What a device does with a document that has the finding, for errors of documents.
    public private(set) var device: String?
    /// How certain the finding is; only rules of the linter say it.
    public private(set) var standing: LintConfidence?
    /// The source: Apple page, RFC, or the observation.
    public private(set) var source = ""
    /// The web page of the source.
    public private(set) var page = ""
    /// The examples, each followed by further files of its host.
    private var examples: (bad: [CodeFamily.Field], good: [CodeFamily.Field]) = ([], [])

    /// A document that has the finding; rules of the linter have one.
    public var bad: LintExample? { LintExample(examples.bad) }
    /// The same without what the finding is about.
    public var good: LintExample? { LintExample(examples.good) }

    /// An entry of a ``CodeFamily``; a field that is missing stays empty.
    init(_ code: String, _ fields: [CodeFamily.Field]) {
        self.code = code
        var isBad = false
        for field in fields {
            switch field.name {
            case "severity": severity = Severity(rawValue: field.prose) ?? .error
            case "title": title = field.prose
            case "why": why = field.prose
            case "fix": remedy = field.prose
            case "needs": needs = field.prose.split(separator: " ").map(String.init)
            case "device": device = field.prose
            case "evidence": standing = LintConfidence(rawValue: field.prose)
            case "source":
                // "RFC 8259 <https://…>"
                let parts = field.prose.split(separator: "<", maxSplits: 1)
                source = String(parts.first?.dropLast() ?? "")
                page = parts.count == 2 ? String(parts[1].dropLast()) : ""
            case "bad", "good", "with":
                if field.name != "with" { isBad = field.name == "bad" }
                if isBad { examples.bad.append(field) } else { examples.good.append(field) }
            case let name where name.hasPrefix("fix "):
                remedies[String(name.dropFirst(4))] = field.prose
            default: break  // A test reports it.
            }
        }
    }

    /// A code that no file explains: a mistake of ours, which the tests find.
    package init(unknown code: String) { self.code = code }
}

/// The entries of a catalogue, found by their codes.
package struct CodeTable: Sendable {
    package let families: [CodeFamily]
    package let entries: [CodeEntry]
    private let places: [String: Int]

    /// - Parameter catalog: the families, one after the other; each begins with its name.
    package init(_ catalog: Text) {
        self.init(catalog.bytes)
    }

    init(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let starts = lines.indices.filter { lines[$0].starts(with: "# ".utf8) }
        self.init(
            zip(starts, starts.dropFirst() + [lines.count]).map { CodeFamily(lines[$0..<$1]) })
    }

    package init(_ families: [CodeFamily]) {
        self.families = families
        entries = families.flatMap(\.entries)
        places = Dictionary(
            entries.enumerated().map { ($1.code, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(code: String) -> CodeEntry? { places[code].map { entries[$0] } }
}
