/// The events of a storm per second.
package struct StormTimeline: Sendable, Equatable {
    /// One second of the storm.
    package struct Second: Sendable, Equatable {
        /// Arrivals, and the tries that ended.
        package var count = DeviceCount()
        /// Retries started.
        package var retries = 0
        /// The largest lag of the generator for a try due in this second, in nanoseconds.
        package var lag: Int64 = 0

        /// The counts by their names in reports.
        static var members: [(name: String, path: WritableKeyPath<Second, Int>)] {
            [
                ("arrivals", \.count.devices), ("retries", \.retries),
                ("associated", \.count.associated), ("unavailable", \.count.willRetry),
                ("denied", \.count.denied), ("failed", \.count.failed),
            ]
        }
    }

    /// The longest timeline kept: `StormConfiguration.longestStorm`.
    package static let mostSeconds = 7200

    package private(set) var seconds: [Second] = []

    package init() {}

    package mutating func arrived(atSecond second: Int) { change(second) { $0.count.devices += 1 } }

    /// Records the lag of the generator with a try, in nanoseconds.
    package mutating func lagged(_ lag: Int64, atSecond second: Int) {
        change(second) { $0.lag = max($0.lag, lag) }
    }

    package mutating func retried(atSecond second: Int) { change(second) { $0.retries += 1 } }

    /// Counts a try that ended.
    package mutating func ended(_ outcome: DeviceOutcome, atSecond second: Int) {
        change(second) { $0.count.ended(outcome) }
    }

    /// A timeline from the report of a part.
    package init(seconds: [Second]) { self.seconds = Array(seconds.prefix(Self.mostSeconds)) }

    /// Adds another generator thread's timeline.
    package mutating func merge(_ other: StormTimeline) {
        for (index, second) in other.seconds.enumerated() {
            change(index) { mine in
                mine.count = mine.count + second.count
                mine.retries += second.retries
                mine.lag = max(mine.lag, second.lag)
            }
        }
    }

    /// Devices with an open try, at the end of each second.
    package var waiting: [Int] {
        var open = 0
        return seconds.map { second in
            open += second.count.devices + second.retries - second.count.ended
            return open
        }
    }

    /// Changes the second at `index`, adding it if needed; beyond the bound, the last one.
    private mutating func change(_ index: Int, _ body: (inout Second) -> Void) {
        let place = min(max(index, 0), Self.mostSeconds - 1)
        while seconds.count <= place { seconds.append(Second()) }
        body(&seconds[place])
    }
}
