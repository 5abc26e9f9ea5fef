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
        let parts = [(count(.error), "error"), (count(.warning), "warning")]
            .filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
        let text = name + ": " + (parts.isEmpty ? "good" : parts.joined(separator: ", "))
        guard let first = findings.first, first.severity == .error,
            let entry = CheckCatalog.entry(first.code)
        else { return text }
        return text + ". " + entry.title
    }

    /// The verdicts of each era's devices; services with the same verdict are combined.
    private var verdicts: [(name: String, text: String)] {
        Era.allCases.flatMap { era in
            var services: [(sentence: String, names: String)] = []
            for transcript in evidence.eras where transcript.era == era {
                let sentence = transcript.sentence
                if let index = services.firstIndex(where: { $0.sentence == sentence }) {
                    services[index].names += ", " + transcript.service
                } else {
                    services.append((sentence, transcript.service))
                }
            }
            return services.enumerated().map { index, line in
                (index == 0 ? era.rules.title : "", line.names + ": " + line.sentence)
            }
        }
    }

    /// What was negotiated with the crawler's hello, and with that of iOS 26.
    private var handshakes: [(name: String, text: String)] {
        let isHybrid = !Era.ios26.rules.offer.unavailable.contains("X25519MLKEM768")
        let note = isHybrid ? "" : " (simulated without the hybrid group, at the same length)"
        return [
            ("TLS", evidence.main?.tls, ""), ("TLS with iOS 26", evidence[.longHello]?.tls, note),
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
        var lines = (verdicts + handshakes).map { "  " + $0.name.padded(to: 18) + $0.text }
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
