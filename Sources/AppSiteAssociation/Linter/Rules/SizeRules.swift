/// The 131,072 bytes that devices read (domain.md 1.5).
enum SizeRules {
    static let rules = [overLimit, large, signedOverLimit]

    static let overLimit = LintRule(
        "size-over-limit", .error, "larger than the 131,072 bytes that devices read",
        why:
            "Since iOS 9.3.1 a file of more than 128 KB is dropped whole. The bytes count "
            + "uncompressed; "
            + "131,072 exactly still pass.",
        fix:
            "use substitution variables and defaults, remove comments and blanks (aasa build "
            + "writes the "
            + "shortest form), or split apps over hosts", .documented,
        "Apple, Shared Web Credentials",
        bad: LintExample("{ \"applinks\": { \"details\": [] } }", padding: 131_072),
        good: LintExample("{ \"applinks\": { \"details\": [] } }"))
    static let large = LintRule(
        "size-near-limit", .warning, "close to the 131,072 bytes that devices read",
        why: "Beyond the limit every app of the host loses its association at once.",
        fix:
            "look at the largest team (aasa build shows the size per team) before the next one "
            + "is added",
        .advice, "Apple, Shared Web Credentials",
        bad: LintExample("{ \"applinks\": { \"details\": [] } }", padding: 110_000),
        good: LintExample("{ \"applinks\": { \"details\": [] } }"))
    static let signedOverLimit = LintRule(
        "signed-size-over-limit", .error, "the signed form is larger than what devices read",
        why: "The limit counts the file as it is served: JSON, signature and certificates.",
        fix: "serve it unsigned (only iOS 8 wants a signature), or make the document smaller",
        .documented, "Apple, Shared Web Credentials",
        bad: LintExample("{ \"applinks\": { \"details\": [] } }", signedSize: 133_000),
        good: LintExample("{ \"applinks\": { \"details\": [] } }", signedSize: 2_187))

    /// - Parameter isFragment: whether the document is a team's fragment: its size in the merged
    ///   document counts, which ``nearLimit(_:of:)`` and the merge check.
    static func check(
        _ document: JSONDocument, isFragment: Bool, _ context: inout LintContext
    ) {
        let size = context.source.bytes.count
        if isFragment {
            // Blanks and indentation on disk do not count.
        } else if size > LintLimits.documentBytes {
            context.report(
                overLimit, at: nil,
                "\(size) bytes are \(size - LintLimits.documentBytes) more than devices read"
                    + shares(document))
        } else if size >= LintLimits.largeDocumentBytes {
            context.report(
                large, at: nil,
                "\(size) of at most \(LintLimits.documentBytes) bytes are used" + shares(document))
        }
        if let signed = context.options.signedSize, signed > LintLimits.documentBytes {
            context.report(
                signedOverLimit, at: nil,
                "the signed form has \(signed) bytes, \(signed - LintLimits.documentBytes) more "
                    + "than devices read"
            )
        }
    }

    /// The merged document of a host.
    static func nearLimit(_ merged: MergeResult, of fragments: [Fragment]) -> Diagnostic? {
        guard merged.size >= LintLimits.largeDocumentBytes,
            merged.size <= LintLimits.documentBytes
        else { return nil }
        return Diagnostic(
            code: large.code, severity: large.severity,
            message: "the merged document uses \(merged.size) of at most "
                + "\(LintLimits.documentBytes) bytes",
            remedy: large.remedy, file: fragments.first?.file.source.name ?? "",
            related: zip(merged.teamSizes, fragments).map {
                Diagnostic.Related(
                    message: "team \($0.team) takes \($0.bytes) bytes", file: $1.file.source.name)
            })
    }

    /// "; 9JA89QQLNQ 71 %, D3KQX62K1A 20 %": the bytes of the entries by team prefix, largest
    /// first.
    private static func shares(_ document: JSONDocument) -> String {
        var bytes: [String: Int] = [:]
        // Entries of one team are usually adjacent.
        var last = (team: "", bytes: 0)
        var nobody = 0
        for entry in document.root["applinks"]?["details"]?.array ?? [] {
            guard let members = entry.members, !members.isEmpty else {
                nobody += entry.range.count
                continue
            }
            let app = entry["appIDs"]?.array?.first?.string ?? entry["appID"]?.string ?? ""
            let prefix = app.utf8.prefix { $0 != UInt8(ascii: ".") }
            if !prefix.elementsEqual(last.team.utf8) {
                if last.bytes > 0 { bytes[last.team, default: 0] += last.bytes }
                last = (String(prefix) ?? "", 0)
            }
            last.bytes += entry.range.count
        }
        if last.bytes > 0 { bytes[last.team, default: 0] += last.bytes }
        nobody += bytes.removeValue(forKey: "") ?? 0
        if nobody > 0 { bytes["no app"] = nobody }
        if bytes.isEmpty { return "" }
        let largest = bytes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(4)
        let total = max(1, document.source.bytes.count)
        return "; by team: "
            + largest.map { "\($0.key) \($0.value * 100 / total) %" }.joined(separator: ", ")
    }
}
