package import AASAClient
import AppSiteAssociation
import OpenSSL

/// The actions of one device for one entitlement entry, step by step, on the virtual clock.
package struct Transcript: Sendable {
    package struct Event: Sendable {
        package enum Kind: Sendable {
            /// A note on the entry or the era.
            case note(String)
            case asked(Download, AssociationStateMachine.Answer)
            /// Until it asks again, after so many seconds; nil: until the next update.
            case rests(Verdict, next: Int?)
        }

        /// Seconds since the app was installed.
        package let time: Int
        package let kind: Kind
    }

    /// The entry as written: `applinks:example.com`.
    package let entry: String
    package let service: String
    package let host: String
    package let app: String
    package let era: Era
    package var events: [Event] = []
    package var verdict: Verdict

    /// The undocumented behaviour in this transcript (``EraRules/unknowns``). A transcript without
    /// a request has none.
    package var standing: [String] {
        questions == 0 ? [] : era.rules.unknowns
    }

    /// Why the verdict is not known although the document was read; nil if it is known.
    package var doubt: String? {
        guard verdict == .associated, let body = asked.last?.body else { return nil }
        if SignedDocument.looksSigned(body), let doubt = CMSVerifier.encoding(of: body).doubt {
            return doubt
        }
        let document = SourceText(name: "answer", bytes: DocumentComparison.plain(body))
        guard document.hasByteOrderMark else { return nil }
        return
            "whether a document with a byte order mark is read: Apple documents that its JSON "
            + "reader accepts one, and there are no reports of devices"
    }

    /// The verdict as a sentence, and as known as it is.
    package var sentence: String { doubt.map { "not known: " + $0 } ?? verdict.sentence }

    /// What a device of the era offers in TLS and OpenSSL does not have: it is not simulated.
    package var notSimulated: [String] { questions == 0 ? [] : era.rules.offer.unavailable }

    /// The number of requests.
    package var questions: Int { asked.count }

    package var requests: [ClientRequest] { asked.map(\.request) }

    var asked: [ClientExchange] {
        events.compactMap {
            if case .asked(let download, _) = $0.kind { download.exchange } else { nil }
        }
    }
}

/// A time span for people: `3 h 12 min`, `5 d`.
package func spanText(_ seconds: Int) -> String {
    let days = seconds / 86_400
    let hours = seconds % 86_400 / 3600
    let minutes = seconds % 3600 / 60
    var parts: [String] = []
    if days > 0 { parts.append("\(days) d") }
    if hours > 0 { parts.append("\(hours) h") }
    if minutes > 0, days == 0 { parts.append("\(minutes) min") }
    if parts.isEmpty { parts.append("\(seconds) s") }
    return parts.joined(separator: " ")
}
