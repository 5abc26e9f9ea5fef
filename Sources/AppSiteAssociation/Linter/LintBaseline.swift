/// Findings that a project knows and has not mended yet: only new ones are reported.
///
/// Findings are known by their fingerprints (code, file, words), so that lines may move. A file:
/// `{"version": 1, "findings": [{"fingerprint": …, "code": …, "file": …}]}`.
public struct LintBaseline: Sendable, Equatable {
    private let fingerprints: Set<String>

    /// The baseline that holds these findings, as a file.
    public static func file(of findings: [Diagnostic]) -> [UInt8] {
        var prints = Fingerprints()
        return JSONWriter.indented(
            .object([
                ("version", .integer(1)),
                (
                    "findings",
                    .list(
                        findings.filter { $0.omission == nil }.map {
                            .object([
                                ("fingerprint", .text(prints.next(for: $0))),
                                ("code", .text($0.code)), ("file", .text($0.file)),
                            ])
                        })
                ),
            ]))
    }

    /// Nil when the document is no baseline.
    public init?(_ document: JSONDocument) {
        guard let findings = document.root["findings"]?.array,
            document.root["version"] != nil
        else { return nil }
        fingerprints = Set(findings.compactMap { $0["fingerprint"]?.string })
    }

    /// The findings that are not in the baseline, and how many of the baseline's are gone.
    public func apply(to findings: [Diagnostic]) -> (new: [Diagnostic], known: Int, gone: Int) {
        var prints = Fingerprints()
        var met: Set<String> = []
        let new = findings.filter { finding in
            if finding.omission != nil { return true }
            let name = prints.next(for: finding)
            guard fingerprints.contains(name) else { return true }
            met.insert(name)
            return false
        }
        return (new, met.count, fingerprints.count - met.count)
    }
}
