package import AppSiteAssociation

/// What `aasa check` says about one host.
package struct CheckReport: Sendable {
    package let evidence: CheckEvidence
    package let findings: [CheckFinding]

    package init(_ evidence: CheckEvidence, _ settings: CheckSettings) {
        self.evidence = evidence
        var judge = CheckJudge(evidence, settings)
        findings = judge.judge()
    }

    package func count(_ severity: Severity) -> Int {
        findings.count { $0.severity == severity }
    }

    package var name: String {
        evidence.port == 443 ? evidence.host : "\(evidence.host):\(evidence.port)"
    }

    /// One line that says it all.
    package var summary: String {
        let errors = count(.error)
        let warnings = count(.warning)
        var text = name + ": "
        if errors == 0 && warnings == 0 {
            text += "good"
        } else {
            let parts = [
                errors > 0 ? "\(errors) error\(errors == 1 ? "" : "s")" : nil,
                warnings > 0 ? "\(warnings) warning\(warnings == 1 ? "" : "s")" : nil,
            ]
            text += parts.compactMap { $0 }.joined(separator: ", ")
        }
        if errors > 0, let first = findings.first,
            let entry = CheckCatalog.entry(first.code)
        {
            text += ". " + entry.what
        }
        return text
    }

    /// For people.
    package func text(verbose: Bool) -> String {
        var lines = [summary]
        for finding in findings where verbose || finding.severity > .info {
            lines.append("")
            lines.append("  \(finding.severity.rawValue.padded(to: 9))\(finding.code)")
            lines.append("    " + finding.message)
            lines.append("    at " + finding.subject)
            if let why = CheckCatalog.entry(finding.code)?.why, !why.isEmpty {
                lines.append("    why:    " + why)
            }
            if !finding.remedy.isEmpty { lines.append("    change: " + finding.remedy) }
        }
        lines.append("")
        for transcript in evidence.eras {
            lines.append(
                "  \(transcript.era.title.padded(to: 18))" + transcript.verdict.sentence)
        }
        let notes = count(.info)
        if !verbose, notes > 0 {
            lines.append("")
            lines.append("  \(notes) remark\(notes == 1 ? "" : "s") with --verbose")
        }
        return lines.joined(separator: "\n")
    }

    /// For machines.
    package func json(exchanges: Bool) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("host", .text(evidence.host)), ("port", .integer(Int(evidence.port))),
            ("good", .flag(count(.error) == 0)), ("summary", .text(summary)),
            ("errors", .integer(count(.error))), ("warnings", .integer(count(.warning))),
            ("addresses", .list(evidence.addresses.map { .text($0.host) })),
            ("findings", .list(findings.map { $0.json })),
            (
                "eras",
                .list(
                    evidence.eras.map {
                        .object([
                            ("era", .text($0.era.rawValue)), ("verdict", .text($0.verdict.name)),
                            ("reason", .text($0.verdict.reason?.description)),
                        ])
                    })
            ),
        ]
        if exchanges {
            members.append(
                (
                    "exchanges",
                    .list(
                        evidence.probes.map {
                            .object([
                                ("purpose", .text("\($0.purpose)")), ("exchange", $0.exchange.json),
                            ])
                        })
                ))
        }
        return .object(members)
    }
}

extension CheckFinding {
    fileprivate var json: JSONValue {
        .object([
            ("code", .text(code)), ("severity", .text(severity.rawValue)),
            ("message", .text(message)), ("subject", .text(subject)),
            ("why", .text(CheckCatalog.entry(code)?.why)), ("remedy", .text(remedy)),
        ])
    }
}
