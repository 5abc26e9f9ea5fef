/// Known findings of a project: only new ones are reported.
///
/// Findings are identified by their fingerprints (code, file, message), so that lines may move.
/// The file:
/// `{"version": 1, "findings": [{"fingerprint": …, "code": …, "file": …}]}`.
public struct LintBaseline: Sendable, Equatable {
    private let fingerprints: Set<String>

    /// The file of a baseline with these findings.
    ///
    /// - Parameters:
    ///   - findings: what the baseline accepts from now on.
    ///   - name: the same name for a file, however a run writes its path.
    public static func file(
        of findings: [Diagnostic], naming name: (String) -> String = { $0 }
    ) -> [UInt8] {
        var prints = Fingerprints()
        let list = findings.filter { $0.omission == nil }.map { finding -> JSONValue in
            let file = name(finding.file)
            return [
                "fingerprint": .text(prints.next(for: finding, in: file)),
                "code": .text(finding.code), "file": .text(file),
            ]
        }
        return JSONWriter.indented(["version": .integer(1), "findings": .list(list)])
    }

    /// Nil if the document is not a baseline.
    public init?(_ document: JSONDocument) {
        guard let findings = document.root["findings"]?.array,
            document.root["version"] != nil
        else { return nil }
        fingerprints = Set(findings.compactMap { $0["fingerprint"]?.string })
    }

    /// The findings that are not in the baseline, and how many of the baseline no longer occur.
    ///
    /// - Parameters:
    ///   - findings: those of this run.
    ///   - name: as when the baseline was written.
    public func apply(
        to findings: [Diagnostic], naming name: (String) -> String = { $0 }
    ) -> (new: [Diagnostic], known: Int, gone: Int) {
        var prints = Fingerprints()
        var met: Set<String> = []
        let new = findings.filter { finding in
            if finding.omission != nil { return true }
            let print = prints.next(for: finding, in: name(finding.file))
            guard fingerprints.contains(print) else { return true }
            met.insert(print)
            return false
        }
        return (new, met.count, fingerprints.count - met.count)
    }
}
