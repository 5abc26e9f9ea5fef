import TestSupport
import Testing

@testable import AASAStorm

@Suite struct DecimalTests {
    @Test(arguments: [
        (0.0, 1, "0.0"), (1.25, 1, "1.3"), (-0.04, 1, "0.0"), (-2.5, 0, "-3"),
        (12.3456, 3, "12.346"),
        (0.05, 2, "0.05"), (999.96, 1, "1000.0"),
    ])
    func text(value: Double, places: Int, expected: String) {
        expectEqual(Decimal.text(value, places), expected)
    }

    @Test func unusableNumbers() {
        expectEqual(Decimal.text(.infinity), "–")
        expectEqual(Decimal.text(.nan), "–")
    }

    @Test(arguments: [(0.0000123, "12 µs"), (0.0456, "45.6 ms"), (1.5, "1.50 s")])
    func durations(seconds: Double, expected: String) {
        expectEqual(Decimal.duration(seconds), expected)
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
    func counts(value: Int, expected: String) {
        expectEqual(Decimal.count(value), expected)
    }
}
