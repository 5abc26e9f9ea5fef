import AASAServer
import Reactor

/// An old defect that a run can put back, to show that the laws find it.
package enum Hole: String, CaseIterable, Sendable {
    /// Handshakes that wait for their peer hold the places of those that work, for as long as a
    /// handshake may take, and the loop sleeps while nobody else may begin.
    case silentPeersHoldPlaces = "silent-peers-hold-places"
    /// HTTP/1.1 input is read, and kept, while an answer is under way.
    case readsBehindAnswers = "reads-behind-answers"

    var inTheServer: FaultInjection.Defect {
        switch self {
        case .silentPeersHoldPlaces: .silentPeersHoldPlaces
        case .readsBehindAnswers: .readsBehindAnswers
        }
    }
}

/// One run: a machine, its clients, and what happens to it. Its text is a fixture's form; times are
/// in seconds.
package struct Scenario: Sendable, Equatable {
    /// What things cost, and what there is.
    package struct Machine: Sendable, Equatable {
        /// Microseconds of processor time for the start of a handshake: the key's signature.
        package var startMicroseconds = 210.0
        /// The same for its end: the client's Finished, and the answer behind it.
        package var completionMicroseconds = 45.0
        /// All other costs are multiplied by this.
        package var slowness = 1.0
        /// Bytes per second of the link towards the clients.
        package var linkBytes = 125_000_000.0
        package var memoryBytes = 4e9
        package var documentBytes = 2048
        /// Connections of the worker at most.
        package var slots = 100_000
        /// The operator's budget of answers per second; 0: none.
        package var budget = 0.0

        package init() {}
    }

    /// Clients of one kind.
    package struct Population: Sendable, Equatable {
        package var kind: PeerKind
        /// New ones per second.
        package var rate = 0.0
        /// So many at once, at the beginning.
        package var burst = 0
        package var from = 0.0
        package var lasts = 10.0
        /// Addresses that they come from; 0: each from its own.
        package var addresses = 0
        package var patience = 20.0
        package var roundTrip = 0.05

        package init(kind: PeerKind) { self.kind = kind }
    }

    /// A time in which the process does not run.
    package struct Pause: Sendable, Equatable {
        package var at: Double
        package var lasts: Double
    }

    package var seed: UInt64 = 1
    package var machine = Machine()
    package var populations: [Population] = []
    package var pauses: [Pause] = []
    /// A drain, and how long it may take.
    package var drain: Pause?
    package var holes: Set<Hole> = []
    /// Laws that a fixture is known to break: those of a hole that is put back.
    package var expected: Set<Law> = []

    package init() {}

    /// When the last client has come.
    package var lastArrival: Double {
        populations.map { $0.from + $0.lasts }.max() ?? 0
    }

    var limits: ServerLimits {
        var limits = ServerLimits()
        limits.connectionsMaximum = machine.slots
        // What this process itself has and does is no part of the machine.
        limits.keyReservePairs = 0
        limits.memoryShareReturned = 2
        if machine.budget > 0 { limits.shedding.answersPerSecond = machine.budget }
        if holes.contains(.silentPeersHoldPlaces) {
            limits.admission.silenceTolerated = limits.handshakeTime
            // The old defect had no bound on them.
            limits.admission.handshakesMaximum = .max / 2
        }
        return limits
    }
}

// MARK: - Text

extension Scenario: CustomStringConvertible {
    /// A line that could not be understood.
    package struct BadLine: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Throws: ``BadLine`` with the line's number and what is wrong with it.
    package init(text: String) throws(BadLine) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
            guard let first = words.first else { continue }
            do throws(BadLine) {
                try read(first, Fields(words.dropFirst()))
            } catch {
                throw BadLine(description: "line \(index + 1): \(error)")
            }
        }
    }

    private struct Fields {
        private var values: [String: String] = [:]

        init(_ words: ArraySlice<String>) throws(BadLine) {
            for word in words {
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2 else {
                    throw BadLine(description: "'\(word)' is not NAME=VALUE")
                }
                values[parts[0]] = parts[1]
            }
        }

        mutating func take(_ name: String, _ target: inout Double) throws(BadLine) {
            guard let text = values.removeValue(forKey: name) else { return }
            guard let value = Double(text), value >= 0, value.isFinite else {
                throw BadLine(description: "\(name): '\(text)' is no number")
            }
            target = value
        }

        mutating func take(_ name: String, _ target: inout Int) throws(BadLine) {
            var value = Double(target)
            try take(name, &value)
            guard value < 1e15 else { throw BadLine(description: "\(name): too large") }
            target = Int(value)
        }

        /// `NAME=1` for each of `cases` that is meant.
        mutating func takeAll<Name: RawRepresentable<String> & Hashable>(
            _ cases: [Name]
        ) throws(BadLine) -> Set<Name> {
            var taken: Set<Name> = []
            for name in cases {
                var isPresent = 0
                try take(name.rawValue, &isPresent)
                if isPresent != 0 { taken.insert(name) }
            }
            return taken
        }

        func end() throws(BadLine) {
            if let name = values.keys.min() {
                throw BadLine(description: "'\(name)' is not supported")
            }
        }
    }

    private mutating func read(_ word: String, _ given: Fields) throws(BadLine) {
        var fields = given
        switch word {
        case "seed":
            var value = 0
            try fields.take("is", &value)
            seed = UInt64(value)
        case "machine":
            try fields.take("start-us", &machine.startMicroseconds)
            try fields.take("completion-us", &machine.completionMicroseconds)
            try fields.take("slowness", &machine.slowness)
            try fields.take("link-bytes", &machine.linkBytes)
            try fields.take("memory-bytes", &machine.memoryBytes)
            try fields.take("document-bytes", &machine.documentBytes)
            try fields.take("slots", &machine.slots)
            try fields.take("budget", &machine.budget)
            guard machine.slowness > 0, machine.linkBytes > 0, machine.slots > 0 else {
                throw BadLine(description: "slowness, link-bytes and slots are above zero")
            }
        case "pause", "drain":
            var pause = Pause(at: 0, lasts: 1)
            try fields.take("at", &pause.at)
            try fields.take("lasts", &pause.lasts)
            if word == "drain" { drain = pause } else { pauses.append(pause) }
        case "hole": holes.formUnion(try fields.takeAll(Hole.allCases))
        case "expect": expected.formUnion(try fields.takeAll(Law.allCases))
        default:
            guard let kind = PeerKind(rawValue: word) else {
                throw BadLine(description: "'\(word)' is neither a kind of client nor a setting")
            }
            var population = Population(kind: kind)
            try fields.take("rate", &population.rate)
            try fields.take("burst", &population.burst)
            try fields.take("from", &population.from)
            try fields.take("lasts", &population.lasts)
            try fields.take("addresses", &population.addresses)
            try fields.take("patience", &population.patience)
            try fields.take("round-trip", &population.roundTrip)
            populations.append(population)
        }
        try fields.end()
    }

    package var description: String {
        var lines = ["seed is=\(seed)"]
        let m = machine
        lines.append(
            "machine start-us=\(m.startMicroseconds) completion-us=\(m.completionMicroseconds)"
                + " slowness=\(m.slowness) link-bytes=\(m.linkBytes)"
                + " memory-bytes=\(m.memoryBytes) document-bytes=\(m.documentBytes)"
                + " slots=\(m.slots) budget=\(m.budget)")
        for p in populations {
            lines.append(
                "\(p.kind.rawValue) rate=\(p.rate) burst=\(p.burst) from=\(p.from)"
                    + " lasts=\(p.lasts) addresses=\(p.addresses) patience=\(p.patience)"
                    + " round-trip=\(p.roundTrip)")
        }
        for pause in pauses { lines.append("pause at=\(pause.at) lasts=\(pause.lasts)") }
        if let drain { lines.append("drain at=\(drain.at) lasts=\(drain.lasts)") }
        for hole in holes.sorted(by: { $0.rawValue < $1.rawValue }) {
            lines.append("hole \(hole.rawValue)=1")
        }
        for law in expected.sorted(by: { $0.rawValue < $1.rawValue }) {
            lines.append("expect \(law.rawValue)=1")
        }
        return lines.joined(separator: "\n")
    }
}
