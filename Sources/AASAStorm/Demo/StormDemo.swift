/// What `aasa storm demo` played: the same storm against aasa and against a plain queue, once for
/// each thing that can be short.
package struct StormDemo: Sendable {
    /// What there is too little of.
    package enum Shortage: String, Sendable, CaseIterable {
        /// Handshakes: nearly all of the work.
        case processor
        /// The way out, for large documents.
        case link
        /// The operator's own bound (`aasa serve --budget`).
        case budget
    }

    /// One storm, twice.
    package struct Act: Sendable {
        package let shortage: Shortage
        /// Devices per second that the server can answer at most.
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
    /// When it began, in seconds since 1970; 0: not said.
    package var startedAt: Int64 = 0

    package init(acts: [Act]) { self.acts = acts }

    /// What had time to be played shows what it is to show.
    package var isAsExpected: Bool { acts.allSatisfy { $0.isAsExpected || !$0.hadTime } }
    /// Whether this machine had the time to play all of it.
    package var hadTime: Bool { acts.allSatisfy(\.hadTime) }

    /// The sentence that stands first.
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

    /// What the plain queue is, in this storm.
    package var plainQueue: String {
        switch self {
        case .processor: "handshakes in the order of arrival, whether or not the device still waits"
        case .link: "every device gets the document, however full the link is"
        case .budget: "a queue before the same budget, in the order of arrival"
        }
    }

    /// Why aasa does what the figures show.
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
    /// What the act is to show. The generator's own trouble is none of the server's.
    package var isAsExpected: Bool {
        switch shortage {
        case .processor: aasa.willRetry == 0 && aasa.associated > plain.associated
        case .link, .budget:
            aasa.willRetry > 0 && aasa.associated > 0 && aasa.failed < plain.failed
        }
    }

    /// Whether the devices were played in time: else the figures judge this machine.
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

    /// Counts of both, as rows of a table.
    package var rows: [(name: String, aasa: Int, plain: Int)] {
        [
            ("associated (200)", aasa.associated, plain.associated),
            ("told to ask again (503)", aasa.willRetry, plain.willRetry),
            ("left without an answer", aasa.failed + aasa.denied, plain.failed + plain.denied),
        ]
    }
}
