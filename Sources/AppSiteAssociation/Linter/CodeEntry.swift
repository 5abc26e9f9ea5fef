package import Texts

/// What a code means that some command prints, the same for every file and host.
public struct CodeEntry: Sendable {
    /// Stable name; never reused for another finding.
    public let code: String
    /// The usual severity.
    public let severity: Severity
    /// How to fix it; empty if nothing needs to be done.
    public let remedy: String
    /// What a finding says, with `{}` in the place of what it is about; nil: the code that reports
    /// it has the whole message.
    private let words: String?
    /// As the file has them: few of the texts are asked for.
    private let fields: [CodeFamily.Field]

    /// What was found, in one line without a full stop.
    public var title: String { fields["title"] ?? "" }
    /// Why it matters: for a document, what happens on a device.
    public var why: String { fields["why"] ?? "" }
    /// How to fix it in particular cases, by the word after `fix`.
    package var remedies: [String: String] {
        let cases = fields.filter { $0.name.hasPrefix("fix ") }
        return Dictionary(
            cases.map { (String($0.name.dropFirst(4)), $0.prose) },
            uniquingKeysWith: { first, _ in first })
    }
    /// For a finding about a host: the parts of a check without which it is unknown whether the
    /// problem is still there. Nil: those of a finding about the document.
    package var needs: [String]? { fields["needs"]?.split(separator: " ").map(String.init) }
    /// What a device does with a document that has the finding, for errors of documents.
    public var device: String? { fields["device"] }
    /// How certain the finding is; only rules of the linter say it.
    public var standing: LintConfidence? {
        fields["evidence"].flatMap { LintConfidence(rawValue: $0) }
    }
    /// The source: Apple page, RFC, or the observation.
    public var source: String { String((fields["source"] ?? "").prefix { $0 != "<" }.dropLast()) }
    /// The web page of the source.
    public var page: String {
        String((fields["source"] ?? "").drop { $0 != "<" }.dropFirst().dropLast())
    }
    /// A document that has the finding; rules of the linter have one.
    public var bad: LintExample? { example("bad") }
    /// The same without what the finding is about.
    public var good: LintExample? { example("good") }

    /// An entry of a ``CodeFamily``; a field that is missing stays empty, and a test reports
    /// unknown ones.
    init(_ code: String, _ fields: [CodeFamily.Field]) {
        self.code = code
        self.fields = fields
        severity = fields["severity"].flatMap { Severity(rawValue: $0) } ?? .error
        remedy = fields["fix"] ?? ""
        words = fields["says"]
    }

    /// A code that no file explains: a mistake of ours, which the tests find.
    package init(unknown code: String) { self.init(code, []) }

    /// The message of a finding about `subject`.
    func message(_ subject: String) -> String {
        guard let words else { return subject }
        guard let hole = words.utf8.firstIndex(of: UInt8(ascii: "{")) else { return words }
        return "\(words[..<hole])\(subject)\(words[hole...].dropFirst(2))"
    }

    /// The example with this name, which further files of its host follow.
    private func example(_ name: String) -> LintExample? {
        guard let start = fields.firstIndex(where: { $0.name == name }) else { return nil }
        let others = fields[(start + 1)...].prefix { $0.name == "with" }
        return LintExample(fields[start], companions: others.map { LintExample($0) })
    }
}

extension [CodeFamily.Field] {
    /// The text of the field with this name.
    fileprivate subscript(name: String) -> String? { first { $0.name == name }?.prose }
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
