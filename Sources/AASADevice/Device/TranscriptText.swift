import AASAClient
import AppSiteAssociation
import OpenSSL

extension Transcript {
    /// The transcript for people.
    package var text: String {
        var lines = ["\(entry)  \(era.rules.title)  \(app)"]
        var index = 0
        while index < events.count {
            let run = repeats(from: index)
            // A request and its wait are one unit: they are repeated together.
            let length = run > 1 ? 2 * run : 1
            let end = events[index + length - 1].time
            lines += text(of: events[index], repeats: run, until: end)
            index += length
        }
        lines.append("  verdict: " + sentence)
        for unknown in standing { lines.append("  " + "not known".padded(to: 12) + unknown) }
        if !notSimulated.isEmpty {
            lines.append(
                "  not simulated, because OpenSSL here does not have it: "
                    + notSimulated.joined(separator: ", "))
        }
        return InertText.joined(lines)
    }

    /// How often the same request, response and wait are repeated from here.
    private func repeats(from start: Int) -> Int {
        guard case .asked(let first, let answer) = events[start].kind else { return 1 }
        var count = 0
        var index = start
        while index + 1 < events.count,
            case .asked(let next, let same) = events[index].kind, same == answer,
            next.isReused == first.isReused,
            next.exchange.request.url == first.exchange.request.url,
            case .rests(.willRetry, _) = events[index + 1].kind
        {
            count += 1
            index += 2
        }
        return max(1, count)
    }

    private func text(of event: Event, repeats: Int, until end: Int) -> [String] {
        let time = "  " + "+\(spanText(event.time))".padded(to: 12)
        switch event.kind {
        case .note(let note): return ["  " + "note".padded(to: 12) + note]
        case .asked(let download, let answer):
            let exchange = download.exchange
            var lines = [time + "GET " + exchange.request.url]
            let indent = String(repeating: " ", count: 16)
            if download.isSimulated {
                lines.append(
                    indent + "(Apple's CDN, simulated here: only this machine knows the host)")
            }
            lines.append(indent + exchange.summary)
            lines.append(indent + answer.sentence)
            if repeats > 1 {
                lines.append(
                    indent
                        + "the same \(repeats == 2 ? "once" : "\(repeats - 1) times") more, until "
                        + "+\(spanText(end))")
            }
            if download.isReused {
                lines.append(
                    indent + "(the outcome is reused and nothing was sent: earlier requests took "
                        + "as long as --timeout allows for one)")
            }
            return lines
        case .rests(.willRetry(_, let seconds), _):
            return [time + "asks again in \(spanText(seconds))"]
        case .rests(_, let seconds):
            let next = seconds.map { "next check in \(spanText($0))" }
            return [time + "decided; " + (next ?? "asks again when the app is updated")]
        }
    }
}

extension ClientExchange {
    /// The response in one line.
    package var summary: String {
        var parts: [String] = []
        if let address { parts.append(address.description) }
        if let tls {
            parts.append("\(tls.version)")
            if !tls.verification.isGood { parts.append("not trusted") }
        }
        if let failure {
            parts.append(failure.description)
        } else if let head {
            parts.append(head.lines.first ?? "")
            parts.append(head.value("Content-Type") ?? "no Content-Type")
            parts.append("\(body.count) bytes")
        }
        return parts.joined(separator: ", ")
    }
}

extension AssociationStateMachine.Answer {
    package var sentence: String {
        switch self {
        case .associated: "the app is listed"
        case .denied(let reason), .temporary(let reason), .failed(let reason): reason.description
        }
    }

    package var name: String {
        switch self {
        case .associated: "associated"
        case .denied: "denied"
        case .temporary: "temporary"
        case .failed: "failed"
        }
    }
}

extension Verdict {
    package var sentence: String {
        switch self {
        case .associated: "associated"
        case .denied(let reason): "denied: \(reason)"
        case .willRetry(let reason, let seconds):
            "not associated; the device asks again in \(spanText(seconds)): \(reason)"
        case .failed(let reason): "failed: \(reason)"
        case .skipped(let reason): "not asked: \(reason)"
        }
    }
}
