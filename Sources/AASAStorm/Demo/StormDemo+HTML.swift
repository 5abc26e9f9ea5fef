extension StormDemo {
    /// One self-contained page in the style of the storm's report.
    package var html: String {
        StormPage.html(
            title: "When does it answer 503?",
            body: """
                <header class="\(isAsExpected ? "good" : "bad")">
                <p class="eyebrow">When does it answer 503? · aasa storm demo\(HTMLText.dated(startedAt))</p>
                <h1>\(HTMLText.escaped(verdict))</h1>
                <p class="sub">The same storm against a small server on this machine, and against a plain \
                queue in its place.</p>
                </header>
                <main>
                \(acts.map(\.html).joined(separator: "\n"))
                </main>
                <footer>200 associates a device; 503 makes it ask again in three to four hours; a device \
                that was not answered is not associated.</footer>
                """)
    }
}

extension StormDemo.Act {
    fileprivate var html: String {
        """
        <section id="\(shortage.rawValue)"><h2>\(HTMLText.escaped(shortage.title))</h2>
        <p class="hint">\(HTMLText.escaped(setting))</p>
        <p>\(HTMLText.escaped(shortage.lesson))</p>
        \(table)
        </section>
        <div class="pair">
        \(side("aasa", aasa, note: "devices per second"))
        \(side("Plain queue", plain, note: shortage.plainQueue))
        </div>
        """
    }

    private var table: String {
        let body = rows.map { row in
            "<tr><th>\(row.name)</th><td>\(Percent.text(row.aasa, of: aasa.devices))</td>"
                + "<td>\(Percent.text(row.plain, of: plain.devices))</td></tr>"
        }
        return "<div class=\"scroll\"><table><tr><th></th><th>aasa</th><th>plain queue</th></tr>"
            + body.joined(separator: "\n") + "</table></div>"
    }

    private func side(_ name: String, _ report: StormReport, note: String) -> String {
        let seconds = report.timeline.seconds
        let plot = SVGPlot(
            series: [
                .init(
                    name: "arrivals", kind: "arrivals", values: seconds.map { Double($0.arrivals) },
                    isFilled: true),
                .init(name: "200", kind: "ok", values: seconds.map { Double($0.associated) }),
                .init(name: "503", kind: "retry", values: seconds.map { Double($0.unavailable) }),
                .init(
                    name: "left", kind: "failed",
                    values: seconds.map { Double($0.failed + $0.denied) }),
            ], label: "\(name): devices per second over time", size: .narrow)
        return """
            <section><h2>\(name)</h2><p class="hint">\(HTMLText.escaped(note))</p>
            \(report.shareBar)
            \(plot.svg)
            </section>
            """
    }
}
