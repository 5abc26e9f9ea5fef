import AASAClient
package import AppSiteAssociation
import Reactor

extension Transcript {
    /// The verdict for machines, as known as it is.
    package var verdictName: String { doubt == nil ? verdict.name : "not-known" }

    /// The transcript for machines.
    package var json: JSONValue {
        .object([
            ("entry", .text(entry)), ("service", .text(service)), ("host", .text(host)),
            ("app", .text(app)), ("era", .text(era.rawValue)), ("verdict", .text(verdictName)),
            ("reason", .text(verdict.reason?.description)), ("doubt", .text(doubt)),
            ("standing", .list(standing.map { .text($0) })),
            ("notSimulated", .list(notSimulated.map { .text($0) })),
            ("questions", .integer(questions)), ("events", .list(events.map { $0.json })),
        ])
    }
}

extension Transcript.Event {
    fileprivate var json: JSONValue {
        var members: [(String, JSONValue)] = [("seconds", .integer(time))]
        switch kind {
        case .note(let note): members += [("event", .text("note")), ("text", .text(note))]
        case .asked(let download, let answer):
            members += [
                ("event", .text("asked")), ("answer", .text(answer.name)),
                ("text", .text(answer.sentence)), ("playedCDN", .flag(download.isSimulated)),
                ("reused", .flag(download.isReused)), ("exchange", download.exchange.json),
            ]
        case .rests(.willRetry(let reason, let seconds), _):
            members += [
                ("event", .text("waits")), ("forSeconds", .integer(seconds)),
                ("text", .text(reason.description)),
            ]
        case .rests(let verdict, let next):
            members += [
                ("event", .text("settled")), ("text", .text(verdict.sentence)),
                ("recheckSeconds", .integer(next)),
            ]
        }
        return .object(members)
    }
}

extension ClientExchange {
    /// All observations; of the body only the size.
    package var json: JSONValue {
        let fields = request.fields.map { JSONValue.text("\($0.name): \($0.value)") }
        let times = [
            ("connected", timing.connected), ("secured", timing.secured),
            ("firstByte", timing.firstByte), ("ended", timing.ended),
        ].compactMap { name, time in
            time.map { (name, JSONValue.integer($0.inNanoseconds / 1000)) }
        }
        let members: [(String, JSONValue?)] = [
            ("method", .text(request.method)), ("url", .text(request.url)),
            ("version", .text(isHTTP2 ? "HTTP/2" : "HTTP/1.1")), ("requestFields", .list(fields)),
            ("address", .text(address?.description)), ("tls", tls?.json),
            ("head", head.map { .list($0.lines.map { .text($0) }) }),
            ("bodyBytes", .integer(body.count)),
            ("failure", failure.map { .text($0.description) }), ("microseconds", .object(times)),
        ]
        return .object(members.compactMap { name, value in value.map { (name, $0) } })
    }
}

extension TLSFacts {
    fileprivate var json: JSONValue {
        .object([
            ("version", .text(version.description)), ("cipher", .text(cipher)),
            ("group", .text(group)), ("protocol", .text(applicationProtocol?.rawValue)),
            ("verification", .text(verification.text)),
            ("chain", .list(chain.map { .text($0.summary.subject) })),
        ])
    }
}
