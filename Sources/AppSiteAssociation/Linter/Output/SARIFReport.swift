extension LintReport {
    /// SARIF 2.1.0 (OASIS, *Static Analysis Results Interchange Format*): one run, the violated
    /// rules, a result per finding.
    ///
    /// - Parameters:
    ///   - version: of the tool (`semanticVersion` of the driver).
    ///   - failures: why the run could not check everything; if any, `executionSuccessful` is false
    ///     (3.20.14).
    public func sarif(version: String, failures: [String] = []) -> [UInt8] {
        var index: [String: Int] = [:]
        var rules: [JSONValue] = []
        for finding in findings where index[finding.code] == nil {
            index[finding.code] = rules.count
            rules.append(Self.rule(finding))
        }
        let notifications = failures.map { failure -> JSONValue in
            ["level": "error", "message": Self.message(failure)]
        }
        let invocation = JSONValue.present([
            ("executionSuccessful", .flag(failures.isEmpty)),
            ("toolExecutionNotifications", failures.isEmpty ? nil : .list(notifications)),
        ])
        var prints = Fingerprints()
        let results = findings.map {
            Self.result($0, index[$0.code] ?? 0, prints.next(for: $0))
        }
        let driver: JSONValue = [
            "name": "aasa lint", "semanticVersion": .text(version),
            "informationUri":
                "https://developer.apple.com/documentation/xcode/supporting-associated-domains",
            "rules": .list(rules),
        ]
        return JSONWriter.indented([
            "$schema": .text(
                "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                    + "sarif-schema-2.1.0.json"),
            "version": "2.1.0",
            "runs": [
                [
                    "tool": ["driver": driver],
                    // Our columns count scalars, which SARIF supports (3.14.17).
                    "columnKind": "unicodeCodePoints", "invocations": [invocation],
                    "results": .list(results),
                ]
            ],
        ])
    }

    /// - Parameter text: may contain text of the document, which must not become a link: viewers
    ///   interpret `[words](0)` as one (SARIF 2.1.0, section 3.11.6).
    private static func message(_ text: String) -> JSONValue {
        guard text.contains("](") else { return ["text": .text(text)] }
        return ["text": .text(text.map { "[]\\".contains($0) ? "\\\($0)" : "\($0)" }.joined())]
    }

    /// The catalogue's entry for a code; findings of other parts (site-…, plist-…) describe
    /// themselves.
    private static func rule(_ finding: Diagnostic) -> JSONValue {
        guard let rule = RuleCatalog.rule(finding.code) else {
            return [
                "id": .text(finding.code), "shortDescription": message(finding.code),
                "defaultConfiguration": ["level": .text(finding.severity.rawValue)],
            ]
        }
        return [
            "id": .text(rule.code), "shortDescription": message(rule.title),
            "fullDescription": message(rule.why), "help": message(rule.remedy),
            "helpUri": .text(rule.page),
            "defaultConfiguration": ["level": .text(rule.severity.rawValue)],
            "properties": [
                "standing": .text(rule.standing?.rawValue), "source": .text(rule.source),
            ],
        ]
    }

    private static func result(
        _ finding: Diagnostic, _ ruleIndex: Int, _ fingerprint: String
    ) -> JSONValue {
        let place = physical(finding.file, finding.range, start: finding.start, end: finding.end)
        let related = finding.related.map { related -> JSONValue in
            [
                "physicalLocation": physical(
                    related.file, related.range, start: related.start, end: nil),
                "message": message(related.message),
            ]
        }
        return .present([
            ("ruleId", .text(finding.code)), ("ruleIndex", .integer(ruleIndex)),
            ("level", .text(finding.severity.rawValue)),
            ("message", message(finding.message + (finding.remedy.map { ". Fix: " + $0 } ?? ""))),
            ("partialFingerprints", ["aasa/v1": .text(fingerprint)]),
            ("locations", [["physicalLocation": place]]),
            ("relatedLocations", related.isEmpty ? nil : .list(related)),
        ])
    }

    private static func physical(
        _ file: String, _ range: Range<Int>?, start: SourcePosition?, end: SourcePosition?
    ) -> JSONValue {
        let artifact: JSONValue = ["uri": .text(uri(file))]
        guard let start, let range else { return ["artifactLocation": artifact] }
        let region = JSONValue.present([
            ("startLine", .integer(start.line)), ("startColumn", .integer(start.column)),
            ("endLine", end.map { .integer($0.line) }),
            ("endColumn", end.map { .integer($0.column) }),
            ("byteOffset", .integer(range.lowerBound)), ("byteLength", .integer(range.count)),
        ])
        return ["artifactLocation": artifact, "region": region]
    }

    /// A file name as a relative reference (RFC 3986, 4.2): characters not allowed in a path are
    /// percent-encoded; a colon in the first segment would be parsed as a scheme.
    private static func uri(_ file: String) -> String {
        if file == "-" { return "stdin" }
        return file.utf8.map { byte in
            byte.isASCIILetter || byte.isASCIIDigit || "-._~/@+,=".utf8.contains(byte)
                ? String(Unicode.Scalar(byte)) : byte.percentEncoded
        }.joined()
    }
}
