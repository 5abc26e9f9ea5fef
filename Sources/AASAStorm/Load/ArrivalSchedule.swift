import Glibc

/// The arrival time of each device of a storm: a value that maps the number of an arrival to its
/// time.
///
/// The storm is an *open loop*: arrivals follow this schedule even if the server falls behind,
/// because phones do not wait for each other. (A closed loop would slow down with the server and
/// hide the very collapse to be shown.)
package struct ArrivalSchedule: Sendable {
    /// The shape of the arrival rate over time.
    package enum Shape: String, Sendable, CaseIterable {
        /// The same rate throughout.
        case constant
        /// From zero to twice the mean rate, linearly.
        case ramp
        /// A base rate with one second in the middle at 40 times that rate, as Cookpad reported of
        /// 2014-12-05 ("40× normal within roughly one second").
        case spike
        /// A normal distribution around the middle, cut at three standard deviations.
        case bell
    }

    /// The rate of the spike relative to its base rate.
    package static let spikeFactor = 40.0

    /// Nil: as recorded elsewhere.
    package let shape: Shape?
    /// Arrival times in seconds, ascending.
    private let recorded: [Double]
    /// The total number of devices.
    package let devices: Int
    /// The duration of the arrivals in seconds.
    package let seconds: Double

    /// - Parameters:
    ///   - recorded: without a shape: arrival times in seconds, ascending.
    ///   - devices: the number of devices; a recorded schedule is stretched or thinned to it.
    ///   - seconds: the duration of the surge in seconds; must be above zero.
    package init(shape: Shape?, recorded: [Double] = [], devices: Int, seconds: Double) {
        self.shape = shape
        self.recorded = recorded
        self.devices = max(0, devices)
        self.seconds = max(seconds, 0.001)
    }

    /// The shape as reports name it.
    package var name: String { shape?.rawValue ?? "recorded" }

    /// The time of arrival `index` (0-based) in nanoseconds after the start of the storm.
    /// Times ascend with the index.
    package func time(ofArrival index: Int) -> UInt64 {
        guard devices > 0 else { return 0 }
        let share = (Double(index) + 0.5) / Double(devices)
        let time = position(ofShare: min(max(share, 0), 1)) * seconds
        return UInt64(max(0, time) * 1e9)
    }

    /// The peak arrival rate per second.
    package var peakRate: Double {
        let mean = Double(devices) / seconds
        switch shape {
        case .constant: return mean
        case .ramp: return 2 * mean
        case .spike: return baseRate * Self.spikeFactor
        case .bell:
            // Density of the normal distribution at its centre, over ±3σ of `seconds`.
            return Double(devices) * 6 / seconds / (2 * Double.pi).squareRoot()
        case nil: return Self.peak(of: recorded, scaledTo: devices, over: seconds)
        }
    }

    /// The rate outside the spike: `devices` = base · (seconds − 1) + 40 · base · 1.
    private var baseRate: Double {
        let spike = min(1, seconds / 2)
        return Double(devices) / (seconds - spike + Self.spikeFactor * spike)
    }

    /// The position (0...1 of the surge) at which `share` (0...1) of all devices have arrived.
    private func position(ofShare share: Double) -> Double {
        switch shape {
        case .constant: return share
        case .ramp: return share.squareRoot()
        case .spike: return spikePosition(ofShare: share)
        case .bell: return Self.bellPosition(ofShare: share)
        case nil: return Self.recordedPosition(recorded, share)
        }
    }

    private func spikePosition(ofShare share: Double) -> Double {
        let spike = min(1, seconds / 2)
        // A whole second of the timeline, not two halves.
        let middle = (seconds - spike) / 2
        let before = spike < 1 ? middle : middle.rounded(.down)
        let arrived = share * Double(devices)
        let atStart = baseRate * before
        let inSpike = baseRate * Self.spikeFactor * spike
        let time: Double
        if arrived <= atStart {
            time = arrived / baseRate
        } else if arrived <= atStart + inSpike {
            time = before + (arrived - atStart) / (baseRate * Self.spikeFactor)
        } else {
            time = before + spike + (arrived - atStart - inSpike) / baseRate
        }
        return min(time / seconds, 1)
    }

    /// The inverse of the normal distribution cut at ±3σ, by bisection on `erf`.
    private static func bellPosition(ofShare share: Double) -> Double {
        let edge = 3.0
        let inside = erf(edge / 2.0.squareRoot())
        var low = -edge
        var high = edge
        for _ in 0..<50 {
            let middle = (low + high) / 2
            let reached = (erf(middle / 2.0.squareRoot()) / inside + 1) / 2
            if reached < share { low = middle } else { high = middle }
        }
        return ((low + high) / 2 + edge) / (2 * edge)
    }

    private static func recordedPosition(_ times: [Double], _ share: Double) -> Double {
        guard let first = times.first, let last = times.last, last > first else { return share }
        let exact = share * Double(times.count) - 0.5
        let below = min(max(Int(exact.rounded(.down)), 0), times.count - 1)
        let above = min(below + 1, times.count - 1)
        let part = min(max(exact - Double(below), 0), 1)
        let time = times[below] + (times[above] - times[below]) * part
        return (time - first) / (last - first)
    }

    private static func peak(of times: [Double], scaledTo devices: Int, over seconds: Double)
        -> Double
    {
        guard let first = times.first, let last = times.last, last > first else { return 0 }
        var counts: [Int: Int] = [:]
        for time in times {
            // The share is from 0 to 1 whatever the times are; seconds per share may be infinite.
            counts[Int((time - first) / (last - first) * seconds), default: 0] += 1
        }
        let most = counts.values.max() ?? 0
        return Double(most) * Double(devices) / Double(times.count)
    }
}
