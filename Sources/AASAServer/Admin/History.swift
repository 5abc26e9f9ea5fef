/// The last quarter of an hour, second by second, and the last surge: what an operator wants to see
/// who opens the status page after the event. Time is a parameter.
package struct History: Sendable {
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
    }

    /// 900 seconds of 88 bytes: 79 KB.
    package static let secondsMaximum = 900

    package private(set) var points: [Point] = []
    package private(set) var storms = SurgeDetector()
    private var last: (time: Double, traffic: StatusReport.Traffic)?

    /// Takes a sample; call about once a second.
    ///
    /// - Parameter time: seconds since 1970, with fractions. Steps back are ignored.
    package mutating func sample(
        time: Double, traffic: StatusReport.Traffic, connections: StatusReport.Connections
    ) {
        defer { last = (time, traffic) }
        guard let last, time > last.time else { return }
        let elapsed = time - last.time
        func rate(_ path: KeyPath<StatusReport.Traffic, UInt64>) -> UInt64 {
            let now = traffic[keyPath: path]
            let before = last.traffic[keyPath: path]
            return now > before ? UInt64((Double(now - before) / elapsed).rounded()) : 0
        }
        var point = Point(second: Int64(time))
        point.answered = rate(\.answered)
        point.unavailable = rate(\.unavailable)
        point.shed = rate(\.shed)
        point.gaveUp = rate(\.gaveUp)
        point.cut = rate(\.cut)
        point.handshakes = rate(\.handshakes)
        point.accepted = rate(\.accepted)
        point.open = connections.open
        point.waiting = connections.waiting
        point.processors =
            max(0, traffic.processorSeconds - last.traffic.processorSeconds) / elapsed
        if points.count == Self.secondsMaximum { points.removeFirst() }
        points.append(point)
        storms.take(point)
    }

    /// Clients turned away in the last minute.
    package func shedLately(now: Int64) -> UInt64 {
        points.suffix(60).reduce(0) { $0 + ($1.second > now - 60 ? $1.shed : 0) }
    }
}

/// Tells a storm from ordinary traffic and keeps the record of the last one.
///
/// A storm begins when clients are turned away, or when the rate of new connections is at least
/// 50 a second and eight times what it was on average before; it ends after 30 seconds without
/// either.
package struct SurgeDetector: Sendable {
    package struct Storm: Sendable, Equatable {
        /// Seconds since 1970.
        package var began: Int64
        package var lastSeen: Int64
        package var isOver = false
        package var answered: UInt64 = 0
        package var unavailable: UInt64 = 0
        package var shed: UInt64 = 0
        package var gaveUp: UInt64 = 0
        package var cut: UInt64 = 0
        package var peakAnswersPerSecond: UInt64 = 0
        package var peakConnectionsPerSecond: UInt64 = 0
        package var peakOpen: UInt64 = 0
        package var peakWaiting: UInt64 = 0
    }

    package static let floorPerSecond: Double = 50
    package static let factor: Double = 8
    package static let calmSeconds: Int64 = 30
    /// In the first seconds after the start the usual rate is not known.
    package static let warmUpSeconds = 10

    /// The storm that is on, or the last one.
    package private(set) var storm: Storm?
    /// New connections per second in calm times: a moving average over about five minutes.
    package private(set) var usualPerSecond: Double = 0
    private var calmPoints = 0

    mutating func take(_ point: History.Point) {
        let accepted = Double(point.accepted)
        let isWild =
            point.shed > 0
            || calmPoints >= Self.warmUpSeconds
                && accepted >= max(Self.floorPerSecond, usualPerSecond * Self.factor)
        if var current = storm, !current.isOver {
            if isWild { current.lastSeen = point.second }
            if point.second - current.lastSeen > Self.calmSeconds {
                current.isOver = true
                storm = current
                return
            }
            storm = current.adding(point)
        } else if isWild {
            storm = Storm(began: point.second, lastSeen: point.second).adding(point)
        } else {
            calmPoints = min(calmPoints + 1, 300)
            usualPerSecond += (accepted - usualPerSecond) / Double(calmPoints)
        }
    }
}

extension SurgeDetector.Storm {
    fileprivate func adding(_ point: History.Point) -> Self {
        var sum = self
        sum.answered += point.answered
        sum.unavailable += point.unavailable
        sum.shed += point.shed
        sum.gaveUp += point.gaveUp
        sum.cut += point.cut
        sum.peakAnswersPerSecond = max(sum.peakAnswersPerSecond, point.answered)
        sum.peakConnectionsPerSecond = max(sum.peakConnectionsPerSecond, point.accepted)
        sum.peakOpen = max(sum.peakOpen, point.open)
        sum.peakWaiting = max(sum.peakWaiting, point.waiting)
        return sum
    }
}
