import AppSiteAssociation

extension StormReport {
    /// The report for people: the verdict first, then the figures behind it.
    package var text: String {
        var lines = [verdict, ""]
        lines.append(
            row(
                "storm",
                "\(Decimal.count(devices)) devices, \(shape) over \(Decimal.text(surgeSeconds)) s, patience \(patienceText), \(protocolName)"
            ))
        lines.append(
            row("against", "https://\(host)\(path) at \(address), devices \(eraText)"))
        lines.append(row("took", "\(Decimal.text(seconds)) s"))
        lines.append("")
        lines.append(outcomeRow("associated", associated, "200"))
        lines.append(outcomeRow("will retry", willRetry, "500-599: asks again in 3 to 4 hours"))
        lines.append(outcomeRow("denied", denied, denied == 0 ? "" : "the answer is no"))
        for denial in denials {
            lines.append(
                outcomeRow("  \(denial.kind.rawValue)", denial.count, denial.kind.explanation))
        }
        lines.append(outcomeRow("failed", failed, failed == 0 ? "" : "no valid answer"))
        for failure in failures {
            lines.append(
                outcomeRow(
                    "  \(failure.reason.rawValue)", failure.count, failure.reason.explanation))
        }
        if eras.count > 1 {
            lines.append("")
            for (era, count) in erasInOrder {
                lines.append(
                    row(
                        era.rawValue,
                        "\(Decimal.count(count.devices)) devices: "
                            + "\(Decimal.count(count.associated)) associated, "
                            + "\(Decimal.count(count.willRetry)) will retry, "
                            + "\(Decimal.count(count.denied)) denied, "
                            + "\(Decimal.count(count.failed)) failed"
                    ))
            }
        }
        lines.append("")
        lines.append(latencyRow("200 after", associatedLatency))
        if unavailableLatency.count > 0 {
            lines.append(latencyRow("503 after", unavailableLatency))
        }
        lines.append(latencyRow("generator lag", lag))
        lines.append("")
        lines.append(
            row(
                "handshakes",
                "\(Decimal.count(handshakes)), \(Decimal.count(resumed)) resumed, \(Decimal.text(rate(handshakes), 0)) per second"
            ))
        lines.append(row("tries", Decimal.count(tries)))
        lines.append(row("received", "\(Decimal.text(Double(bytesReceived) / 1e6)) MB"))
        lines.append(
            row(
                "generator CPU",
                "\(Decimal.text(generatorCPU, 2)) s, "
                    + "\(Decimal.text(generatorCPU / max(Double(tries), 1) * 1e6, 0)) µs per try"))
        lines.append(row("certificate", checkText))
        for note in partNotes.dropFirst() { lines += ["", note] }
        if part != .whole {
            lines += ["", "This is part \(part.text). Add the parts up with `aasa storm merge`."]
        }
        if generatorWasTheLimit {
            lines.append("")
            lines.append(
                "The generator was the limit: it started devices late, or could not start them. To measure the server, use fewer devices per second or a separate machine."
            )
        }
        return InertText.joined(lines) + "\n"
    }

    private func rate(_ count: Int) -> Double { seconds > 0 ? Double(count) / seconds : 0 }

    private func row(_ name: String, _ value: String) -> String {
        name.padded(to: 16) + value
    }

    private func outcomeRow(_ name: String, _ count: Int, _ note: String) -> String {
        let line =
            name.padded(to: 16) + Decimal.count(count).padded(toRight: 10)
            + Percent.text(count, of: devices).padded(toRight: 11)
        return note.isEmpty ? line : line + "   " + note
    }

    private func latencyRow(_ name: String, _ recorder: LatencyRecorder) -> String {
        guard recorder.count > 0 else { return row(name, "–") }
        let shown = [(50.0, "p50"), (90, "p90"), (99, "p99"), (99.9, "p99.9")].map {
            "\($0.1) \(Decimal.duration(recorder.seconds(atPercentile: $0.0)))"
        }
        return row(
            name, (shown + ["max \(Decimal.duration(recorder.largest))"]).joined(separator: ", "))
    }
}
