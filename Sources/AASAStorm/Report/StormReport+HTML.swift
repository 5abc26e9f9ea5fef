import AASADevice
import HTTP

extension StormReport {
    /// The report as one self-contained page: no external resources, no scripts; dark or light as
    /// the reader's system; plots as inline SVG with the figures in tables.
    package var html: String {
        StormPage.html(
            title: "Storm: \(host)",
            body: """
                <header class="\(mood.rawValue)">
                <p class="eyebrow">Simulated install surge · aasa storm\(HTMLText.dated(startedAtMilliseconds / 1000))</p>
                <h1>\(HTMLText.escaped(verdict))</h1>
                <p class="sub">\(HTMLText.breakable(summary))</p>
                </header>
                <main>
                \(shareBar)
                \(tiles)
                \(limitNote)
                <section><h2>Requests and answers</h2>
                <p class="hint">Devices per second, at the moment of their request and of their complete answer.</p>
                \(flowPlot)
                </section>
                <section><h2>Devices waiting for an answer</h2>
                <p class="hint">Phones give up after some seconds. A queue that is longer than that loses every device in it.</p>
                \(waitingPlot)
                </section>
                <div class="pair">
                <section><h2>How long a device waited for its association</h2>
                <p class="hint">From the moment when it was due to ask until it had the whole document.</p>
                \(latencyPlot)
                \(latencyTable)
                </section>
                <div>
                <section><h2>Outcome by device</h2>
                \(outcomeTable)
                </section>
                \(eraSection)
                </div>
                </div>
                <div class="pair">
                <section><h2>Test conditions</h2>
                \(conditionTable)
                </section>
                <section><h2>Can these figures be trusted?</h2>
                <p class="hint">\(HTMLText.escaped(trust))</p>
                \(lagPlot)
                </section>
                </div>
                </main>
                <footer>200 associates a device. After 500–599 it asks again in three to four hours; iOS 12 \
                and earlier try up to eight times. 300–499 denies the association, and only iOS 14 and \
                later ask again. Anything else is a failed association.</footer>
                """)
    }

    private var summary: String {
        "\(Decimal.count(devices)) devices asked \(host) over \(Decimal.text(surgeSeconds, 0)) s"
            + " (\(shape), at most \(Decimal.count(Int(peakRate.rounded()))) in one second). Each made its own TLS handshake and would wait \(patienceText)."
    }

    /// Whether the generator was the limit, in words.
    private var trust: String {
        generatorWasTheLimit
            ? "No: the generator started devices late, or could not start them. Largest delay in each second, in milliseconds:"
            : "Yes: 99 % of the devices started at most \(Decimal.duration(lag.seconds(atPercentile: 99))) late, so any slowness is the server's. Largest delay in each second, in milliseconds:"
    }

    // MARK: - The headline

    /// The outcomes of all devices, as one bar.
    var shareBar: String {
        let parts = [
            ("ok", associated), ("retry", willRetry), ("failed", denied + failed),
        ].filter { $0.1 > 0 }
        let bars = parts.map { "<i class=\"\($0.0)\" style=\"flex:\($0.1)\"></i>" }
        return "<div class=\"share\" role=\"img\" aria-label=\"Shares of all devices\">"
            + bars.joined() + "</div>"
    }

    private var tiles: String {
        func tile(_ kind: String, _ name: String, _ count: Int, _ note: String) -> String {
            """
            <div class="tile \(count == 0 ? "none" : kind)"><span class="name">\(name)</span>\
            <span class="value">\(Percent.text(count, of: devices))</span>\
            <span class="note">\(Decimal.count(count)) · \(note)</span></div>
            """
        }
        return """
            <div class="tiles">
            \(tile("ok", "Associated", associated, "got the document"))
            \(tile("retry", "Will ask again", willRetry, "answered 503"))
            \(tile("failed", "Denied", denied, "the answer is no"))
            \(tile("failed", "Failed", failed, "no valid answer"))
            </div>
            """
    }

    private var limitNote: String {
        guard generatorWasTheLimit else { return "" }
        return """
            <p class="warning">The generator was the limit: it started devices late, or could not \
            start them. These figures describe this machine, not the server.</p>
            """
    }

    // MARK: - Plots

    private var flowPlot: String {
        let seconds = timeline.seconds
        var series: [SVGPlot.Series] = [
            .init(
                name: "arrivals", kind: "arrivals",
                values: seconds.map { Double($0.count.devices + $0.retries) }, isFilled: true),
            .init(name: "200", kind: "ok", values: seconds.map { Double($0.count.associated) }),
            .init(name: "503", kind: "retry", values: seconds.map { Double($0.count.willRetry) }),
            .init(
                name: "failed or denied", kind: "failed",
                values: seconds.map { Double($0.count.failed + $0.count.denied) }),
        ]
        if tries > devices { series[0].name = "arrivals and retries" }
        return SVGPlot(series: series, label: "Devices per second over time").both
    }

    private var waitingPlot: String {
        SVGPlot(
            series: [
                .init(
                    name: "waiting", kind: "arrivals", values: timeline.waiting.map(Double.init),
                    isFilled: true)
            ], label: "Devices waiting for an answer over time"
        ).both
    }

    private var lagPlot: String {
        SVGPlot(
            series: [
                .init(
                    name: "lag", kind: "retry",
                    values: timeline.seconds.map { Double($0.lag) / 1e6 })
            ], label: "Generator lag over time in milliseconds", size: .narrow
        ).svg
    }

    /// Upper bounds of the latency classes in seconds.
    private static let latencyBounds = [
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60,
    ]

    private var latencyPlot: String {
        let counts = associatedLatency.counts(upTo: Self.latencyBounds)
        let names =
            Self.latencyBounds.map { bound in
                bound < 1 ? "≤ \(Int((bound * 1000).rounded())) ms" : "≤ \(Int(bound)) s"
            } + ["more"]
        return SVGBars(
            bars: zip(names, counts).map { .init(name: $0, value: Double($1)) },
            label: "Devices by time to a 200"
        ).svg
    }

    // MARK: - Tables

    private var latencyTable: String {
        // One column per kind of answer: a phone has room for three.
        let columns = [
            ("200", associatedLatency), ("503", unavailableLatency), ("generator lag", lag),
        ].filter { $0.1.count > 0 }
        let points = [
            ("median", 50.0), ("90 %", 90), ("99 %", 99), ("99.9 %", 99.9), ("longest", 100),
        ]
        let rows = points.map { name, point in
            [name]
                + columns.map {
                    Decimal.duration(
                        point == 100 ? $0.1.largest : $0.1.seconds(atPercentile: point))
                }
        }
        return Self.table([[""] + columns.map(\.0)] + rows)
    }

    private var outcomeTable: String {
        var rows = [
            ("Associated", associated, "200, whole document"),
            ("Will ask again", willRetry, "500–599: in 3 to 4 hours"),
        ]
        if denied == 0 { rows.append(("Denied", 0, "")) }
        for denial in denials {
            rows.append(
                ("Denied: \(denial.kind.rawValue)", denial.count, denial.kind.explanation))
        }
        for failure in failures {
            rows.append(
                (
                    "Failed: \(failure.reason.rawValue)", failure.count,
                    failure.reason.explanation
                ))
        }
        return Self.table(
            rows.map { name, count, note in
                [name, Decimal.count(count), Percent.text(count, of: devices), note]
            }, textColumn: 3)
    }

    /// Only if there are several eras.
    private var eraSection: String {
        guard eras.count > 1 else { return "" }
        let head = ["", "devices", "200", "503", "denied", "failed"]
        let rows = erasInOrder.map { era, count in
            [
                era.rules.asksDirectly ? era.rules.title : "\(era.rules.title) (Apple's crawler)",
                Decimal.count(count.devices), Decimal.count(count.associated),
                Decimal.count(count.willRetry), Decimal.count(count.denied),
                Decimal.count(count.failed),
            ]
        }
        return "<section><h2>By iOS version</h2>" + Self.table([head] + rows) + "</section>"
    }

    private var conditionTable: String {
        let asked = path.isEmpty ? "the paths of each era" : path
        let retries =
            triesMaximum == 1
            ? "one try each"
            : "up to \(triesMaximum) tries, each three hours taking one second"
        let rows = [
            ("server", "\(host) at \(address)"), ("path", asked),
            ("devices", "\(Decimal.count(devices)), of \(eraText)"),
            (
                "arrivals",
                "\(shape) over \(Decimal.text(surgeSeconds)) s, "
                    + "\(Decimal.count(Int(peakRate.rounded())))/s at the peak"
            ),
            ("patience", patienceText), ("retries", retries),
            (
                "protocol",
                "\(protocolName); \(Decimal.count(handshakes)) TLS handshakes, \(Decimal.count(resumed)) resumed"
            ),
            ("certificate", checkText),
            (
                "generator",
                "\(threads) thread\(threads == 1 ? "" : "s"), "
                    + "\(Decimal.text(generatorCPU)) s of CPU in \(Decimal.text(seconds)) s"
            ),
            ("received", "\(Decimal.text(Double(bytesReceived) / 1e6)) MB"),
        ]
        let body = rows.map {
            "<tr><th>\($0.0)</th><td>\(HTMLText.breakable($0.1))</td></tr>"
        }
        return "<table class=\"facts\">\(body.joined(separator: "\n"))</table>"
    }

    /// - Parameter textColumn: a text column, aligned to the left.
    private static func table(_ rows: [[String]], textColumn: Int? = nil) -> String {
        let body = rows.map { row in
            row.enumerated().map { column, cell in
                let text = HTMLText.escaped(cell)
                if column == 0 { return "<th>\(text)</th>" }
                return column == textColumn ? "<td class=\"text\">\(text)</td>" : "<td>\(text)</td>"
            }.joined()
        }
        let kind = textColumn == nil ? "" : " class=\"notes\""
        return "<div class=\"scroll\"><table\(kind)>"
            + body.map { "<tr>\($0)</tr>" }.joined(separator: "\n") + "</table></div>"
    }
}

/// Text for HTML.
package enum HTMLText {
    package static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// Escaped, with line break opportunities after dots, slashes and colons: a name broken within
    /// a label looks like two names.
    static func breakable(_ text: String) -> String {
        var result = ""
        var isBehindMark = false
        for scalar in text.unicodeScalars {
            // Not within a number, an address or a weight.
            if isBehindMark, scalar.properties.isAlphabetic { result += "<wbr>" }
            result += escaped(String(scalar))
            isBehindMark = [".", "/", ":"].contains(scalar)
        }
        return result
    }

    /// The date for a page's title; empty if unknown.
    ///
    /// - Parameter seconds: since 1970; 0: unknown.
    static func dated(_ seconds: Int64) -> String {
        guard seconds > 0 else { return "" }
        let date = HTTPDate(unixSeconds: seconds)
        // The object owns the bytes.
        return withExtendedLifetime(date) { " · " + String(decoding: date.bytes, as: UTF8.self) }
    }
}
