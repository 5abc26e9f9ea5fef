package import AppSiteAssociation

/// The report of `aasa check` about one host.
package struct CheckReport: Sendable {
    package let evidence: CheckEvidence
    package let findings: [Diagnostic]

    package init(_ evidence: CheckEvidence, _ settings: CheckSettings) {
        self.evidence = evidence
        var evaluator = CheckEvaluator(evidence: evidence, settings: settings)
        findings = evaluator.evaluate()
    }

    package func count(_ severity: Severity) -> Int {
        findings.count { $0.severity == severity }
    }

    /// Whether the check fails: the host does, or nothing could be asked
    /// (``CheckEvidence/hasNoRoute``).
    package func fails(at level: Severity) -> Bool { findings.contains { $0.severity >= level } }

    package var name: String { evidence.authority }

    /// A summary in one line.
    package var summary: String {
        let errors = count(.error)
        let warnings = count(.warning)
        let parts = [
            errors > 0 ? counted(errors, "error") : nil,
            warnings > 0 ? counted(warnings, "warning") : nil,
        ].compactMap { $0 }
        var text = name + ": " + (parts.isEmpty ? "good" : parts.joined(separator: ", "))
        if errors > 0, let first = findings.first,
            let entry = CheckCatalog.entry(first.code)
        {
            text += ". " + entry.title
        }
        return text
    }

    /// The verdicts of each era's devices; services with the same verdict are combined.
    private var table: [(era: Era, verdicts: [(services: [String], sentence: String)])] {
        Era.allCases.compactMap { era in
            var verdicts: [(services: [String], sentence: String)] = []
            for transcript in evidence.eras where transcript.era == era {
                let sentence = transcript.sentence
                if let index = verdicts.firstIndex(where: { $0.sentence == sentence }) {
                    verdicts[index].services.append(transcript.service)
                } else {
                    verdicts.append(([transcript.service], sentence))
                }
            }
            return verdicts.isEmpty ? nil : (era, verdicts)
        }
    }

    /// What was negotiated with the crawler's hello, and with that of iOS 26.
    private var handshakes: [(name: String, text: String)] {
        let isHybrid = !Era.ios26.rules.offer.unavailable.contains("X25519MLKEM768")
        return [
            ("TLS", evidence.main?.tls, ""),
            (
                "TLS with iOS 26", evidence[.longHello]?.tls,
                isHybrid ? "" : " (simulated without the hybrid group, at the same length)"
            ),
        ].compactMap { name, tls, note in
            tls.map {
                (name, "\($0.version), \($0.cipher), group \($0.group ?? "unknown")" + note)
            }
        }
    }

    /// For people.
    package func text(verbose: Bool) -> String {
        let shown = findings.filter { verbose || $0.severity > .note }
        let text = shown.map { $0.text(color: false, why: CheckCatalog.why($0.code)) }.joined()
        var lines: [String] = []
        for (era, verdicts) in table {
            for (index, (services, sentence)) in verdicts.enumerated() {
                lines.append(
                    "  " + (index == 0 ? era.rules.title : "").padded(to: 18)
                        + services.joined(separator: ", ") + ": " + sentence)
            }
        }
        for line in handshakes { lines.append("  " + line.name.padded(to: 18) + line.text) }
        if evidence.cdnIsOutOfReach {
            lines.append(
                "  (Apple's CDN could not be asked from here: iOS 14 and later are simulated with "
                    + "what the origin answered)")
        }
        // No fault of the host, but a reader of "good" has to know how far that goes.
        for finding in findings
        where !verbose && finding.code == "address-not-checked" {
            lines.append("  (\(finding.message))")
        }
        let notes = count(.note)
        if !verbose, notes > 0 {
            lines.append("")
            lines.append("  \(counted(notes, "note")) with --verbose")
        }
        return InertText.piece(summary) + "\n\n" + text + InertText.joined(lines)
    }

    /// For machines.
    package func json(exchanges: Bool) -> JSONValue {
        let eras = evidence.eras.map { transcript in
            JSONValue.object([
                ("era", .text(transcript.era.rawValue)), ("service", .text(transcript.service)),
                ("verdict", .text(transcript.verdictName)),
                ("reason", .text(transcript.verdict.reason?.description)),
                ("standing", .list(transcript.standing.map { .text($0) })),
                ("doubt", .text(transcript.doubt)),
            ])
        }
        let probes = evidence.probes.map {
            JSONValue.object([
                ("purpose", .text($0.purpose.name)), ("exchange", $0.exchange.json),
            ])
        }
        return .object(
            [
                ("host", .text(evidence.host)), ("port", .integer(Int(evidence.port))),
                ("good", .flag(count(.error) == 0)), ("summary", .text(summary)),
                ("errors", .integer(count(.error))), ("warnings", .integer(count(.warning))),
                ("unaskedQuestions", .integer(evidence.unasked)),
                ("cdnPlayed", .flag(evidence.cdnIsOutOfReach)),
                ("group", .text(evidence.main?.tls?.group)),
                ("groupWithIOS26", .text(evidence[.longHello]?.tls?.group)),
                ("addresses", .list(evidence.addresses.map { .text($0.host) })),
                ("findings", .list(findings.map(\.json))), ("eras", .list(eras)),
            ] + (exchanges ? [("exchanges", .list(probes))] : []))
    }
}
