import TestSupport
import Testing

@testable import AASAStorm

@Suite struct SVGPlotTests {
    @Test(arguments: [(0.0, 1.0), (1, 1), (7, 8), (100, 100), (101, 150), (3999, 4000)])
    func axisEndsAtARoundValueAbove(largest: Double, limit: Double) {
        let scale = PlotScale(largest: largest)
        expectEqual(scale.limit, limit)
        expectEqual(scale.ticks.last, limit)
        #expect(scale.ticks.count <= 6)
    }

    @Test func drawsOneLinePerSeriesThatHasValues() {
        let plot = SVGPlot(
            series: [
                .init(name: "a<b", kind: "ok", values: [1, 2, 3]),
                .init(name: "none", kind: "failed", values: [0, 0, 0]),
            ], label: "x")
        let svg = plot.svg
        expectEqual(svg.components(of: "<polyline"), 1)
        #expect(svg.contains("a&lt;b"))
    }

    @Test func manySecondsKeepTheirPeak() {
        var values = [Double](repeating: 1, count: 7200)
        values[3333] = 400
        let svg = SVGPlot(series: [.init(name: "a", kind: "ok", values: values)], label: "x").svg
        #expect(svg.components(of: ",") < 700)
        #expect(svg.contains(",10.0"))  // the peak stands at the upper end of the axis
    }

    @Test func aPhoneGetsItsOwnDrawing() {
        let plot = SVGPlot(
            series: [
                .init(
                    name: "a", kind: "ok", values: .init(repeating: 3, count: 60), isFilled: true)
            ], label: "x")
        expectEqual(plot.both.components(of: "<svg"), 2)
        expectEqual(plot.both.components(of: "<polygon"), 2)
    }

    @Test(arguments: [(1, 5), (12, 12), (67, 12), (67, 5), (7200, 12), (7200, 5)])
    func timeIsNamedSparsely(length: Int, most: Int) {
        let ticks = PlotScale.timeTicks(length, atMost: most)
        expectEqual(ticks.first, 0)
        #expect(ticks.count <= most)
    }

    @Test func emptySaysSo() {
        #expect(SVGPlot(series: [], label: "x").svg.contains("No data"))
        #expect(SVGBars(bars: [.init(name: "a", value: 0)], label: "x").svg.contains("No answers"))
    }

    @Test func barsLeaveOutEmptyEnds() {
        let bars = SVGBars(
            bars: [0, 3, 0, 5, 0].enumerated().map {
                .init(name: "c\($0.offset)", value: $0.element)
            },
            label: "x")
        expectEqual(bars.svg.components(of: "<rect"), 3)
    }
}

extension String {
    /// How often `part` occurs.
    fileprivate func components(of part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let found = rest.range(of: part) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }

}

extension Substring {
    fileprivate func range(of part: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) {
                return start..<index(start, offsetBy: part.count)
            }
            formIndex(after: &start)
        }
        return nil
    }
}
