/// News on the way to a webhook: in order, again after a failure, bounded. A value; the clock is a
/// parameter.
package struct WebhookQueue: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let body: [UInt8]
        package let id: String
        var attempts = 0

        package var isFirstAttempt: Bool { attempts == 0 }
    }

    /// What became of an attempt.
    package enum Outcome: Sendable, Equatable {
        case delivered
        /// Not now: a 408, 425, 429 or 5xx, or no answer; the seconds of Retry-After.
        case failed(retryAfter: Int64?)
        /// Never: any other status. Asking again would hold up the rest.
        case refused
    }

    /// About 1 MB of news, or a day of one each minute and a half.
    package static let maximum = 1000
    /// The first second, then twice as long each time, to five minutes.
    static let waitMaximum: Int64 = 300

    package private(set) var entries: [Entry]
    /// Milliseconds of the clock.
    private var notBefore: Int64 = 0
    package private(set) var delivered = 0
    package private(set) var failures = 0
    /// Refused by the receiver, or pushed out by newer ones.
    package private(set) var lost = 0

    package init(restoring entries: [(id: String, body: [UInt8])] = []) {
        self.entries = entries.suffix(Self.maximum).map { Entry(body: $0.body, id: $0.id) }
    }

    /// Puts news behind the others; the oldest gives way when there are too many.
    package mutating func add(id: String, _ body: [UInt8]) {
        if entries.count == Self.maximum {
            // The first may be on its way just now: the one behind it goes.
            entries.remove(at: 1)
            lost += 1
        }
        entries.append(Entry(body: body, id: id))
    }

    /// What is to be sent now.
    package func next(now: Int64) -> Entry? { now >= notBefore ? entries.first : nil }

    /// When there is something to do; nil when nothing waits.
    package var nextDue: Int64? { entries.isEmpty ? nil : notBefore }

    /// Takes what became of the first.
    package mutating func finish(_ outcome: Outcome, now: Int64) {
        guard !entries.isEmpty else { return }
        switch outcome {
        case .delivered:
            entries.removeFirst()
            delivered += 1
            notBefore = now
        case .refused:
            entries.removeFirst()
            lost += 1
            failures += 1
            notBefore = now
        case .failed(let retryAfter):
            failures += 1
            let step = min(Self.waitMaximum, 1 << Int64(min(entries[0].attempts, 9)))
            entries[0].attempts += 1
            // A receiver that says "tomorrow" is asked in an hour all the same.
            let wait = max(step, min(retryAfter ?? 0, 3600))
            notBefore = now + wait * 1000
        }
    }

    /// What an answer means (RFC 9110 section 15).
    package static func outcome(status: Int?, retryAfter: String? = nil) -> Outcome {
        switch status {
        case .some(200..<300): .delivered
        case nil, 408, 425, 429, .some(500...):
            .failed(retryAfter: retryAfter.flatMap { Int64($0) })
        case .some: .refused
        }
    }
}
