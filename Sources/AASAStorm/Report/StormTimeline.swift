/// What happened second by second.
package struct StormTimeline: Sendable, Equatable {
    /// One second of the storm.
    package struct Second: Sendable, Equatable {
        package var arrivals = 0
        /// Devices that asked again.
        package var retries = 0
        package var associated = 0
        package var unavailable = 0
        package var denied = 0
        package var failed = 0
        /// How late the generator was at most with a try due in this second, in nanoseconds.
        package var lag: Int64 = 0

        package var ended: Int { associated + unavailable + denied + failed }
    }

    /// The longest timeline kept: `StormConfiguration.longestStorm`.
    package static let mostSeconds = 7200

    package private(set) var seconds: [Second] = []

    package init() {}

    package mutating func arrived(atSecond second: Int) { change(second) { $0.arrivals += 1 } }

    /// The generator was so many nanoseconds late with a try.
    package mutating func lagged(_ lag: Int64, atSecond second: Int) {
        change(second) { $0.lag = max($0.lag, lag) }
    }

    package mutating func retried(atSecond second: Int) { change(second) { $0.retries += 1 } }

    /// A try has ended.
    package mutating func ended(_ outcome: DeviceOutcome, atSecond second: Int) {
        change(second) { second in
            switch outcome {
            case .associated: second.associated += 1
            case .willRetry: second.unavailable += 1
            case .denied: second.denied += 1
            case .failed: second.failed += 1
            }
        }
    }

    /// A timeline as a part of a storm reported it.
    package init(seconds: [Second]) { self.seconds = Array(seconds.prefix(Self.mostSeconds)) }

    /// Adds another generator thread's timeline.
    package mutating func merge(_ other: StormTimeline) {
        for (index, second) in other.seconds.enumerated() {
            change(index) { mine in
                mine.arrivals += second.arrivals
                mine.retries += second.retries
                mine.associated += second.associated
                mine.unavailable += second.unavailable
                mine.denied += second.denied
                mine.failed += second.failed
                mine.lag = max(mine.lag, second.lag)
            }
        }
    }

    /// Devices that had asked and not yet got an end of that try, at the end of each second.
    package var waiting: [Int] {
        var open = 0
        return seconds.map { second in
            open += second.arrivals + second.retries - second.ended
            return open
        }
    }

    /// The second at `index`, made if need be; what lies beyond the bound counts into the last.
    private mutating func change(_ index: Int, _ body: (inout Second) -> Void) {
        let place = min(max(index, 0), Self.mostSeconds - 1)
        while seconds.count <= place { seconds.append(Second()) }
        body(&seconds[place])
    }
}
