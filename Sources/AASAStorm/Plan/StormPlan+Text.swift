import AppSiteAssociation

extension StormPlan {
    /// The plan for people: the verdict first, then the arithmetic.
    package var text: String {
        func row(_ name: String, _ value: String) -> String { name.padded(to: 26) + value }
        func whole(_ value: Double) -> String {
            Decimal.count(Int(min(value, 9e15).rounded(.down)))
        }
        var lines = [verdict, ""]
        lines.append(
            row(
                "answers with 200",
                "\(whole(answersPerSecond)) per second, limited by "
                    + (limit == .link ? "the link" : "the CPU")))
        lines.append(row("sustained", "\(whole(devicesPerMinute)) devices per minute"))
        lines.append(
            row(
                "the storm",
                "\(whole(devices)) devices in \(Decimal.text(surgeSeconds, 0)) s, patience \(Decimal.text(patienceSeconds, 0)) s"
            ))
        if associated < associatedAtMost {
            lines.append(row("associated by aasa", share(associated)))
            lines.append(row("by any server at most", share(associatedAtMost)))
        } else {
            lines.append(row("associated at most", share(associatedAtMost)))
        }
        lines.append(row("asked to retry (503)", share(willRetry)))
        lines.append(row("failed at least", share(failed)))
        if let rounds = roundsNeeded, rounds > 1 {
            lines.append(row("all associated after", "\(whole(rounds)) rounds of 3 hours"))
        }
        lines.append("")
        lines.append(
            row(
                "machines needed",
                machinesNeeded.map { "\(whole($0)) like this one" }
                    ?? "no number of machines: the link is too narrow"))
        lines.append(row("link needed", "\(Decimal.text(linkNeeded / 1e6, 0)) Mbit/s"))
        lines.append(
            row(
                "or spread the release",
                "over at least \(Decimal.text(safeSurgeSeconds, 0)) s (\(Decimal.text(safeSurgeSeconds / 60)) min)"
            ))
        lines.append("")
        lines.append(
            "The most that any server can answer: answers per second × (surge + patience − 2 s). A 503 costs the same handshake as a 200."
        )
        if associated < associatedAtMost {
            lines.append(
                "On a full link aasa uses surge + \(Decimal.text(linkWindow - surgeSeconds)) s: it cannot know how long a device waits, so it starts no document that would take over \(Decimal.text(Self.fullLinkAnswerSeconds, 0)) s."
            )
        }
        return InertText.joined(lines) + "\n"
    }

    /// The first sentence.
    package var verdict: String {
        if failed < 1 && willRetry < 1 { return "This capacity answers every device." }
        if failed < 1 {
            return "No device fails; \(percent(willRetry)) are asked to retry in three hours."
        }
        return "At least \(percent(failed)) of the devices fail, whatever the server does."
    }

    private func percent(_ part: Double) -> String {
        devices > 0 ? "\(Decimal.text(part / devices * 100)) %" : "–"
    }

    private func share(_ part: Double) -> String {
        "\(Decimal.count(Int(part.rounded()))) (\(percent(part)))"
    }
}
