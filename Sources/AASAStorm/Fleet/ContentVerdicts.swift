import AASADevice
import HTTP

/// Whether the content of an answer with 200 associates a device, as `aasa device` decides it.
///
/// Each distinct content is read once per generator thread: a storm receives the same few contents
/// a million times.
final class ContentVerdicts {
    /// What the verdict about a content depends on.
    struct Question: Hashable {
        let era: Era
        /// The values of Content-Type and Content-Encoding.
        let type: String?
        let codings: [String]
    }

    private struct Known {
        let content: [UInt8]
        var outcomes: [Question: DeviceOutcome] = [:]
    }

    /// A server with more contents than this gives each device one of its own.
    private static let contentsMaximum = 16

    private let host: String
    private let signatures: SignedDocument.Reader
    /// The most recent first.
    private var contents: [Known] = []

    init(host: String, signatures: @escaping SignedDocument.Reader) {
        self.host = host
        self.signatures = signatures
    }

    /// The content that the next answer will probably have.
    var expected: [UInt8] { contents.first?.content ?? [] }

    func outcome(of content: [UInt8], _ question: Question) -> DeviceOutcome {
        if let index = contents.firstIndex(where: { $0.content == content }) {
            if index > 0 { contents.swapAt(0, index) }
        } else {
            if contents.count == Self.contentsMaximum { contents.removeLast() }
            contents.insert(Known(content: content), at: 0)
        }
        if let known = contents[0].outcomes[question] { return known }
        let outcome = evaluate(content, question)
        contents[0].outcomes[question] = outcome
        return outcome
    }

    private func evaluate(_ content: [UInt8], _ question: Question) -> DeviceOutcome {
        let names = ContentDecoder.names(question.codings)
        guard
            let body = try? ContentDecoder.decode(
                content, codings: names, maximum: StormContent.bytesMaximum)
        else { return .failed(.noDocument) }
        let phone = Device.Settings(app: nil, era: question.era, signatures: signatures)
        let evaluator = AnswerEvaluator(phone, service: nil, host: host)
        switch evaluator.content(body, type: question.type) {
        case .associated: return .associated
        case .denied(.nothingListed): return .denied(.nothingListed)
        case .denied(.unsigned), .denied(.contentType): return .denied(.unsigned)
        case .denied(.unreadable): return .failed(.noDocument)
        case .denied: return .denied(.badSignature)
        case .temporary, .failed: return .failed(.noDocument)
        }
    }
}
