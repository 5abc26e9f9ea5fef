/// The 131,072 bytes that devices read (domain.md 1.5).
enum SizeRules {
    /// - Parameter isFragment: whether the document is a team's fragment: its size in the merged
    ///   document counts, which ``check(_:of:_:)`` and the merge check.
    static func check(
        _ document: JSONDocument, isFragment: Bool, _ context: inout LintContext
    ) {
        let size = context.source.bytes.count
        if isFragment {
            // Blanks and indentation on disk do not count.
        } else if size > LintLimits.documentBytes {
            context.report(
                "size-over-limit", at: nil,
                "the document has \(size) bytes, \(size - LintLimits.documentBytes) more than devices read"
                    + shares(document))
        } else if size >= LintLimits.largeDocumentBytes {
            context.report(
                "size-near-limit", at: nil,
                "the document uses \(size) of at most \(LintLimits.documentBytes) bytes"
                    + shares(document))
        }
        if let signed = context.options.signedSize, signed > LintLimits.documentBytes {
            context.report(
                "signed-size-over-limit", at: nil,
                "\(signed) bytes, \(signed - LintLimits.documentBytes)")
        }
    }

    /// The merged document of a host.
    static func check(
        _ merged: MergeResult, of fragments: [Fragment], _ context: inout LintContext
    ) {
        guard merged.size >= LintLimits.largeDocumentBytes,
            merged.size <= LintLimits.documentBytes
        else { return }
        context.report(
            "size-near-limit", at: nil,
            "the merged document uses \(merged.size) of at most \(LintLimits.documentBytes) bytes",
            places: Merge.shares(merged.teamSizes, fragments))
    }

    /// "; 9JA89QQLNQ 71 %, D3KQX62K1A 20 %": the bytes of the entries by team prefix, largest
    /// first.
    private static func shares(_ document: JSONDocument) -> String {
        var bytes: [String: Int] = [:]
        for entry in document.root["applinks"]?["details"]?.array ?? [] {
            let app = entry["appIDs"]?.array?.first?.string ?? entry["appID"]?.string ?? ""
            let team = String(decoding: app.utf8.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)
            bytes[team.isEmpty ? "no app" : team, default: 0] += entry.range.count
        }
        if bytes.isEmpty { return "" }
        let largest = bytes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(4)
        let total = max(1, document.source.bytes.count)
        return "; by team: "
            + largest.map { "\($0.key) \($0.value * 100 / total) %" }.joined(separator: ", ")
    }
}
