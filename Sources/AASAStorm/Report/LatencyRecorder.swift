import Histogram

/// Latencies in an HDR histogram: from the *scheduled* arrival of a device to its complete answer,
/// so that a slow generator does not hide waiting (no coordinated omission).
///
/// Resolution: three significant digits from 1 µs to two hours; about 200 KB each.
package struct LatencyRecorder: Sendable {
    private static let longest: UInt64 = 7_200_000_000

    private var histogram = Histogram<UInt64>(
        lowestDiscernibleValue: 1, highestTrackableValue: longest,
        numberOfSignificantValueDigits: .three)

    package init() {}

    package var count: UInt64 { histogram.totalCount }

    /// - Parameter nanoseconds: the latency; recorded in microseconds.
    package mutating func record(nanoseconds: UInt64) {
        histogram.record(min(nanoseconds / 1000, Self.longest))
    }

    package mutating func merge(_ other: LatencyRecorder) {
        for bucket in other.histogram.recordedValues() {
            histogram.record(bucket.value, count: bucket.count)
        }
    }

    /// The recorded values in microseconds and their counts, ascending: enough to restore the
    /// recorder.
    package var buckets: [(microseconds: UInt64, count: UInt64)] {
        histogram.recordedValues().map { ($0.value, UInt64($0.count)) }
    }

    /// Adds values from ``buckets``.
    package mutating func record(microseconds: UInt64, count: UInt64) {
        histogram.record(min(microseconds, Self.longest), count: count)
    }

    /// The latency in seconds that `percentile` (0...100) of all devices did not exceed.
    package func seconds(atPercentile percentile: Double) -> Double {
        guard count > 0 else { return 0 }
        return Double(histogram.valueAtPercentile(percentile)) / 1e6
    }

    /// In seconds; 0 if nothing was recorded.
    package var mean: Double { count == 0 ? 0 : histogram.mean / 1e6 }

    package var largest: Double { count == 0 ? 0 : Double(histogram.max) / 1e6 }

    /// The number of latencies in each of the given classes (upper bounds in seconds, ascending);
    /// the last element counts values above the last bound.
    package func counts(upTo bounds: [Double]) -> [UInt64] {
        var counts = [UInt64](repeating: 0, count: bounds.count + 1)
        for bucket in histogram.recordedValues() {
            let seconds = Double(bucket.value) / 1e6
            let place = bounds.firstIndex { seconds <= $0 } ?? bounds.count
            counts[place] += UInt64(bucket.count)
        }
        return counts
    }
}
