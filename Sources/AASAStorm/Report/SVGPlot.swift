/// A line plot as inline SVG: values per second, one line per series.
struct SVGPlot {
    struct Series {
        var name: String
        /// The colour class: arrivals, ok, retry or failed.
        var kind: String
        var values: [Double]
        /// Whether the area below the line is shaded.
        var isFilled = false
    }

    var series: [Series]
    /// The text for screen readers.
    var label: String
    var size = Size.wide

    /// Images are scaled as a whole: on a phone the text of a wide one would be unreadable.
    struct Size {
        var width: Double
        var height: Double
        /// Maximum of points: more than pixels are useless; the maximum of each group is drawn.
        var mostPoints: Int
        /// Maximum of labels on the time axis.
        var mostTicks: Int

        static let wide = Size(width: 1040, height: 260, mostPoints: 480, mostTicks: 12)
        static let narrow = Size(width: 400, height: 250, mostPoints: 180, mostTicks: 5)
    }

    /// Both sizes; the page shows the one that fits.
    var both: String {
        var narrow = self
        narrow.size = .narrow
        return "<div class=\"wide\">\(svg)</div><div class=\"narrow\">\(narrow.svg)</div>"
    }

    private static let left = 62.0
    private static let bottom = 26.0
    private static let top = 10.0

    var svg: String {
        let length = series.map(\.values.count).max() ?? 0
        guard length > 0 else { return "<p class=\"sub\">No data.</p>" }
        let scale = PlotScale(largest: series.flatMap(\.values).max() ?? 0)
        var parts: [String] = []
        for tick in scale.ticks {
            let y = self.y(tick, scale)
            parts.append(
                "<line class=\"grid\" x1=\"\(n(Self.left))\" x2=\"\(n(size.width))\" "
                    + "y1=\"\(n(y))\" y2=\"\(n(y))\"/>")
            parts.append(
                "<text x=\"\(n(Self.left - 8))\" y=\"\(n(y + 4))\" "
                    + "text-anchor=\"end\">\(Decimal.count(Int(tick)))</text>")
        }
        for second in PlotScale.timeTicks(length, atMost: size.mostTicks) {
            parts.append(
                "<text x=\"\(n(x(second, length)))\" y=\"\(n(size.height - 6))\" "
                    + "text-anchor=\"middle\">\(second) s</text>")
        }
        for line in series where line.values.contains(where: { $0 > 0 }) {
            if line.isFilled {
                let floor = n(y(0, scale))
                let end = n(x(max(0, line.values.count - 1), length))
                parts.append(
                    "<polygon class=\"area a-\(line.kind)\" points=\"\(n(x(0, length))),\(floor) "
                        + "\(points(line, length, scale)) \(end),\(floor)\"/>")
            }
            parts.append(
                "<polyline class=\"line l-\(line.kind)\" points=\"\(points(line, length, scale))\"/>"
            )
        }
        let legend = series.map {
            "<span class=\"k-\($0.kind)\"><i></i>\(HTMLText.escaped($0.name))</span>"
        }
        let names = "<p class=\"legend\">\(legend.joined())</p>"
        return "<svg viewBox=\"0 0 \(n(size.width)) \(n(size.height))\" role=\"img\" "
            + "aria-label=\"\(HTMLText.escaped(label))\">\(parts.joined())</svg>"
            + (series.count > 1 ? names : "")
    }

    private func points(_ line: Series, _ length: Int, _ scale: PlotScale) -> String {
        let group = max(1, (length + size.mostPoints - 1) / size.mostPoints)
        return stride(from: 0, to: line.values.count, by: group).map { start in
            let end = min(start + group, line.values.count)
            let value = line.values[start..<end].max() ?? 0
            return "\(n(x(start, length))),\(n(y(value, scale)))"
        }.joined(separator: " ")
    }

    private func x(_ second: Int, _ length: Int) -> Double {
        let inner = size.width - Self.left - 16
        return Self.left + (length > 1 ? Double(second) / Double(length - 1) : 0.5) * inner
    }

    private func y(_ value: Double, _ scale: PlotScale) -> Double {
        let inner = size.height - Self.bottom - Self.top
        return Self.top + inner * (1 - value / scale.limit)
    }

    private func n(_ value: Double) -> String { Decimal.text(value, 1) }
}

/// Bars with their names below, as inline SVG.
struct SVGBars {
    struct Bar {
        var name: String
        var value: Double
    }

    var bars: [Bar]
    var label: String

    private static let rowHeight = 22.0
    private static let left = 86.0
    private static let width = 400.0

    var svg: String {
        // Empty classes before the first and after the last non-empty one are omitted.
        guard let first = bars.firstIndex(where: { $0.value > 0 }),
            let last = bars.lastIndex(where: { $0.value > 0 })
        else { return "<p class=\"sub\">No answers with 200.</p>" }
        let shown = bars[first...last]
        let largest = shown.map(\.value).max() ?? 1
        let height = Double(shown.count) * Self.rowHeight + 4
        var parts: [String] = []
        for (row, bar) in shown.enumerated() {
            let y = Double(row) * Self.rowHeight
            let length = (Self.width - Self.left - 90) * bar.value / largest
            parts.append(
                "<text x=\"\(Decimal.text(Self.left - 8))\" y=\"\(Decimal.text(y + 15))\" "
                    + "text-anchor=\"end\">\(HTMLText.escaped(bar.name))</text>")
            parts.append(
                "<rect class=\"bar\" x=\"\(Decimal.text(Self.left))\" y=\"\(Decimal.text(y + 3))\" "
                    + "width=\"\(Decimal.text(max(length, bar.value > 0 ? 1 : 0)))\" height=\"16\" rx=\"2\"/>"
            )
            parts.append(
                "<text x=\"\(Decimal.text(Self.left + length + 6))\" "
                    + "y=\"\(Decimal.text(y + 15))\">\(Decimal.count(Int(bar.value)))</text>")
        }
        return
            "<svg viewBox=\"0 0 \(Decimal.text(Self.width)) \(Decimal.text(height))\" role=\"img\" "
            + "aria-label=\"\(HTMLText.escaped(label))\">\(parts.joined())</svg>"
    }
}

/// Round ticks for an axis.
struct PlotScale {
    /// The value at the upper end of the axis; at least 1.
    let limit: Double
    let ticks: [Double]

    init(largest: Double) {
        let rough = max(largest, 1) / 4
        var magnitude = 1.0
        while magnitude * 10 <= rough { magnitude *= 10 }
        let step = [1.0, 2, 5, 10].map { $0 * magnitude }.first { $0 >= rough } ?? rough
        let whole = max(1, step.rounded(.up))
        let count = max(1, Int((max(largest, 1) / whole).rounded(.up)))
        limit = whole * Double(count)
        ticks = (0...count).map { Double($0) * whole }
    }

    /// Seconds to label on a time axis of `length` seconds.
    static func timeTicks(_ length: Int, atMost most: Int) -> [Int] {
        let step =
            [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800]
            .first { (length + $0 - 1) / $0 <= most } ?? 3600
        return Array(stride(from: 0, to: length, by: step))
    }
}
