/// The result of `aasa storm demo`: the same storm against aasa and against a plain queue, once for
/// each scarce resource.
package struct StormDemo: Sendable {
    /// The scarce resource.
    package enum Shortage: String, Sendable, CaseIterable {
        /// Handshakes: nearly all of the work.
        case processor
        /// The outgoing link, for large documents.
        case link
        /// The operator's own limit (`aasa serve --budget`).
        case budget
    }

    /// One storm, run twice.
    package struct Act: Sendable {
        package let shortage: Shortage
        /// The most devices per second that the server can answer.
        package let capacity: Double
        package let aasa: StormReport
        package let plain: StormReport

        package init(
            shortage: Shortage, capacity: Double, aasa: StormReport, plain: StormReport
        ) {
            self.shortage = shortage
            self.capacity = capacity
            self.aasa = aasa
            self.plain = plain
        }
    }

    package var acts: [Act]
    /// The start in seconds since 1970; 0: unknown.
    package var startedAt: Int64 = 0

    package init(acts: [Act]) { self.acts = acts }

    /// Whether every storm that ran in time shows the expected result.
    package var isAsExpected: Bool { acts.allSatisfy { $0.isAsExpected || !$0.hadTime } }
    /// Whether this machine was fast enough for all storms.
    package var hadTime: Bool { acts.allSatisfy(\.hadTime) }

    /// The first sentence.
    package var verdict: String {
        let odd = acts.filter { !$0.isAsExpected && $0.hadTime }.map(\.shortage.rawValue)
        if !odd.isEmpty { return "Not as expected: \(odd.joined(separator: ", "))." }
        let late = acts.filter { !$0.hadTime }.map(\.shortage.rawValue)
        if !late.isEmpty {
            return "Not to be told: \(late.joined(separator: ", ")). This machine was too busy to "
                + "play the devices in time; try again when it is not."
        }
        return "Too many devices for the server: nobody is refused who could be answered, and a "
            + "503 is sent where it costs less than the document."
    }
}

extension StormDemo.Shortage {
    package var title: String {
        switch self {
        case .processor: "The processor is short"
        case .link: "The link is short"
        case .budget: "A budget is set"
        }
    }

    /// The plain queue that this storm compares with.
    package var plainQueue: String {
        switch self {
        case .processor: "handshakes in the order of arrival, whether or not the device still waits"
        case .link: "every device gets the document, however full the link is"
        case .budget: "a queue before the same budget, in the order of arrival"
        }
    }

    /// The reason for aasa's behaviour in this storm.
    package var lesson: String {
        switch self {
        case .processor:
            "No 503: it costs the same handshake as the document, and the handshake is nearly all "
                + "of the work. Everyone whose handshake is paid for gets the document; the "
                + "others wait in TCP, and nothing is spent on those that have left."
        case .link:
            "503 for those whose document could not arrive within five seconds: it takes 200 bytes "
                + "of the link in place of the document, so that what is sent arrives whole."
        case .budget:
            "503 for all above the budget: these devices ask again in three to four hours, in "
                + "place of waiting until they give up."
        }
    }
}

extension StormDemo.Act {
    /// The expected result. The generator's own failures do not count against the server.
    package var isAsExpected: Bool {
        switch shortage {
        case .processor: aasa.willRetry == 0 && aasa.associated > plain.associated
        case .link, .budget:
            aasa.willRetry > 0 && aasa.associated > 0 && aasa.failed < plain.failed
        }
    }

    /// Whether the generator was in time; otherwise the figures say more about this machine.
    package var hadTime: Bool { !aasa.generatorWasTheLimit && !plain.generatorWasTheLimit }

    /// The storm in one line.
    package var setting: String {
        let rate = Double(aasa.devices) / max(aasa.surgeSeconds, 0.001)
        let unit =
            switch shortage {
            case .processor: "handshakes it has processor for"
            case .link: "documents the link carries"
            case .budget: "documents of the budget"
            }
        return "\(Decimal.text(rate, 0)) devices a second for "
            + "\(Decimal.text(aasa.surgeSeconds, 0)) s, against \(Decimal.text(capacity, 0)) "
            + "\(unit) a second; patience "
            + aasa.patience.map { "\(Decimal.text($0, 0)) s" }.joined(separator: ", ")
    }

    /// Counts of both, as table rows.
    package var rows: [(name: String, aasa: Int, plain: Int)] {
        [
            ("associated (200)", aasa.associated, plain.associated),
            ("told to ask again (503)", aasa.willRetry, plain.willRetry),
            ("left without an answer", aasa.failed + aasa.denied, plain.failed + plain.denied),
        ]
    }
}
