/// The queue of a webhook: in order, with retries, bounded. A value; the clock is a parameter.
package struct WebhookQueue: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let body: [UInt8]
        package let id: String
        var attempts = 0

        package var isFirstAttempt: Bool { attempts == 0 }
    }

    /// The result of an attempt.
    package enum Outcome: Sendable, Equatable {
        case delivered
        /// Temporarily: a 408, 425, 429 or 5xx, or no response; with the seconds of Retry-After.
        case failed(retryAfter: Int64?)
        /// Permanently: any other status. Retries would block the rest.
        case refused
    }

    /// About 1 MB of reports, or a day with one each minute and a half.
    package static let maximum = 1000
    /// Maximum of the wait, which begins with a second and doubles: five minutes.
    static let waitMaximum: Int64 = 300

    package private(set) var entries: [Entry]
    /// Milliseconds of the clock.
    private var notBefore: Int64 = 0
    package private(set) var delivered = 0
    package private(set) var failures = 0
    /// Rejected by the receiver, or dropped in favour of newer ones.
    package private(set) var lost = 0

    package init(restoring entries: [(id: String, body: [UInt8])] = []) {
        self.entries = entries.suffix(Self.maximum).map { Entry(body: $0.body, id: $0.id) }
    }

    /// Appends a report; the oldest is dropped if there are too many.
    package mutating func add(id: String, _ body: [UInt8]) {
        if entries.count == Self.maximum {
            // The first may be in transmission: drop the second.
            entries.remove(at: 1)
            lost += 1
        }
        entries.append(Entry(body: body, id: id))
    }

    /// The entry to send now.
    package func next(now: Int64) -> Entry? { now >= notBefore ? entries.first : nil }

    /// When the next attempt is due; nil if the queue is empty.
    package var nextDue: Int64? { entries.isEmpty ? nil : notBefore }

    /// Processes the result for the first entry.
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
            // `Retry-After` is limited to an hour.
            let wait = max(step, min(retryAfter ?? 0, 3600))
            notBefore = now + wait * 1000
        }
    }

    /// The meaning of a response (RFC 9110 section 15).
    package static func outcome(status: Int?, retryAfter: String? = nil) -> Outcome {
        switch status {
        case .some(200..<300): .delivered
        case nil, 408, 425, 429, .some(500...):
            .failed(retryAfter: retryAfter.flatMap { Int64($0) })
        case .some: .refused
        }
    }
}
