/// The last quarter of an hour and the last storm: what an operator wants to see who opens the
/// status page after the event.
extension LoadMonitor {
    /// One second.
    package struct Point: Sendable, Equatable {
        /// Seconds since 1970.
        package var second: Int64
        package var answered: UInt64 = 0
        package var unavailable: UInt64 = 0
        package var shed: UInt64 = 0
        package var gaveUp: UInt64 = 0
        package var cut: UInt64 = 0
        package var handshakes: UInt64 = 0
        package var accepted: UInt64 = 0
        package var open: UInt64 = 0
        package var waiting: UInt64 = 0
        /// Processor time used per second: 1 is one core.
        package var processors: Double = 0

        /// The rates between two samples.
        init(from first: LoadSample, to last: LoadSample, second: Int64) {
            let elapsed = max(0.001, last.time - first.time)
            func rate(_ sum: (LoadSample) -> UInt64) -> UInt64 {
                let (before, now) = (sum(first), sum(last))
                return now > before ? UInt64((Double(now - before) / elapsed).rounded()) : 0
            }
            self.second = second
            answered = rate(\.traffic.answered)
            unavailable = rate(\.traffic.unavailable)
            shed = rate(\.traffic.shed)
            gaveUp = rate(\.traffic.gaveUp)
            cut = rate(\.traffic.cut)
            handshakes = rate(\.traffic.handshakes)
            accepted = rate(\.traffic.accepted)
            open = last.connections.open
            waiting = last.connections.waiting
            processors =
                max(0, last.traffic.processorSeconds - first.traffic.processorSeconds) / elapsed
        }
    }

    /// What happened while a resource ran out, clients were turned away, or many more came than
    /// usual: at least 50 a second, and eight times as many as on average before.
    package struct Storm: Sendable, Equatable {
        /// Seconds since 1970.
        package let began: Int64
        package var lastSeen: Int64
        package var isOver = false
        /// All its seconds together, and the most of one second.
        package var sum: Point
        package var peak: Point

        mutating func add(_ point: Point) {
            sum.answered += point.answered
            sum.unavailable += point.unavailable
            sum.shed += point.shed
            sum.gaveUp += point.gaveUp
            sum.cut += point.cut
            peak.answered = max(peak.answered, point.answered)
            peak.accepted = max(peak.accepted, point.accepted)
            peak.open = max(peak.open, point.open)
            peak.waiting = max(peak.waiting, point.waiting)
        }
    }

    /// 900 seconds of 88 bytes: 79 KB.
    package static let pointsMaximum = 900
    package static let stormPerSecond: Double = 50
    package static let stormFactor: Double = 8
    /// A storm is over after so long without a sign of one.
    package static let stormCalmSeconds: Int64 = 30
    /// In the first seconds after the start the usual rate is not known.
    package static let warmUpSeconds = 10
}
