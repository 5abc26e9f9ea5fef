import AASADevice
import AppSiteAssociation

/// What a code means that some command prints.
struct CodeEntry {
    let code: String
    let severity: Severity
    let title: String
    let why: String
    let remedy: String

    init(_ code: String, _ severity: Severity, _ title: String, why: String, fix remedy: String) {
        self.code = code
        self.severity = severity
        self.title = title
        self.why = why
        self.remedy = remedy
    }

    /// As `aasa lint --explain` prints it.
    var text: String {
        "\(code) (\(severity.rawValue)): \(title)\n\n\(why)\n\nRemedy: \(remedy)"
    }
}

/// Every code that any command prints: the linter's rules, those of site folders, settings,
/// property lists, signed files and builds, and those of `aasa check`.
enum CodeCatalog {
    static func isKnown(_ code: String) -> Bool {
        RuleCatalog.rule(code) != nil || entry(code) != nil
    }

    /// What a code means that is no rule of the linter's own.
    static func entry(_ code: String) -> CodeEntry? {
        if let own = table[code] { return own }
        // A signed file's codes are those of aasa check under another name.
        // aasa verify prints them bare.
        let name = code.hasPrefix("cms-") ? "signed-" + code.dropFirst(4) : code
        let entry =
            BuildCatalog.entry(code) ?? CheckCatalog.entry(name)
            ?? CheckCatalog.entry("signed-" + code)
        return entry.map {
            CodeEntry(code, $0.severity, $0.what, why: $0.why, fix: $0.remedy)
        }
    }

    static func suggestion(for code: String) -> String? {
        RuleCatalog.suggestion(for: code) ?? table.keys.sorted().first { $0.contains(code) }
            ?? BuildCatalog.all.map(\.code).first { $0.contains(code) }
            ?? CheckCatalog.similar(to: code).first
    }

    private static let table = Dictionary(
        uniqueKeysWithValues: SiteCodes.all.map { ($0.code, $0) })
}
