extension StormReport {
    /// The report as one self-contained page: no external resource, no script; dark and light by
    /// the reader's system; plots as inline SVG with the figures in tables beside them.
    package var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>Storm: \(HTMLText.escaped(host))</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <header>
        <p class="eyebrow">aasa storm · install surge rehearsal</p>
        <h1>\(HTMLText.escaped(verdict))</h1>
        <p class="sub">\(HTMLText.escaped(summary))</p>
        </header>
        <main>
        \(tiles)
        \(limitNote)
        <section><h2>Devices per second</h2>
        \(flowPlot)
        </section>
        <section><h2>Waiting for an answer</h2>
        \(waitingPlot)
        </section>
        <div class="pair">
        <section><h2>Time to the association</h2>
        \(latencyPlot)
        \(latencyTable)
        </section>
        <section><h2>How each device ended</h2>
        \(outcomeTable)
        </section>
        </div>
        </main>
        <footer>\(HTMLText.escaped(footer))</footer>
        </body>
        </html>

        """
    }

    private var summary: String {
        let patience = patience.map { "\(Decimal.text($0, 0)) s" }.joined(separator: " / ")
        return "\(Decimal.count(devices)) devices, \(shape) over \(Decimal.text(surgeSeconds)) s, "
            + "patience \(patience), \(protocolName), against https://\(host)\(path) at \(address)."
    }

    private var footer: String {
        "\(Decimal.count(handshakes)) TLS handshakes, \(Decimal.count(resumed)) resumed, in "
            + "\(Decimal.text(seconds)) s. Generator: "
            + "\(Decimal.text(generatorCPU, 1)) s of CPU, started 99 % of its devices within "
            + "\(Decimal.duration(lag.seconds(atPercentile: 99))) of their time."
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
            \(tile("ok", "Associated", associated, "answered 200"))
            \(tile("retry", "Will ask again", willRetry, "answered 503"))
            \(tile("denied", "Denied", denied, "300–499, for good"))
            \(tile("failed", "Failed", failed, "no valid answer"))
            </div>
            """
    }

    private var limitNote: String {
        guard generatorWasTheLimit else { return "" }
        return """
            <p class="warning">The generator was the limit: it started devices late or not at \
            all. These figures judge this machine, not the server.</p>
            """
    }

    private var flowPlot: String {
        let seconds = timeline.seconds
        return SVGPlot(
            series: [
                .init(
                    name: "arrivals", kind: "arrivals", values: seconds.map { Double($0.arrivals) }),
                .init(name: "200", kind: "ok", values: seconds.map { Double($0.associated) }),
                .init(name: "503", kind: "retry", values: seconds.map { Double($0.unavailable) }),
                .init(
                    name: "failed or denied", kind: "failed",
                    values: seconds.map { Double($0.failed + $0.denied) }),
            ], label: "Devices per second over time"
        ).svg
    }

    private var waitingPlot: String {
        SVGPlot(
            series: [
                .init(name: "waiting", kind: "arrivals", values: timeline.waiting.map(Double.init))
            ], label: "Devices waiting for an answer over time"
        ).svg
    }

    /// Upper bounds of the latency classes in seconds.
    private static let latencyBounds = [
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60,
    ]

    private var latencyPlot: String {
        let counts = associatedLatency.counts(upTo: Self.latencyBounds)
        let names = Self.latencyBounds.map { "≤ \(Decimal.duration($0))" } + ["more"]
        return SVGBars(
            bars: zip(names, counts).map { .init(name: $0, value: Double($1)) },
            label: "Devices by time to a 200"
        ).svg
    }

    private var latencyTable: String {
        let points = [50.0, 90, 99, 99.9, 100]
        func row(_ name: String, _ recorder: LatencyRecorder) -> String {
            guard recorder.count > 0 else { return "" }
            let cells = points.map {
                let value = $0 == 100 ? recorder.largest : recorder.seconds(atPercentile: $0)
                return "<td>\(Decimal.duration(value))</td>"
            }
            return "<tr><th>\(name)</th>\(cells.joined())</tr>"
        }
        return """
            <div class="scroll"><table><tr><th></th><th>median</th><th>90 %</th><th>99 %</th>\
            <th>99.9 %</th><th>longest</th></tr>
            \(row("200", associatedLatency))\(row("503", unavailableLatency))\
            \(row("generator lag", lag))</table></div>
            """
    }

    private var outcomeTable: String {
        var rows = [
            ("Associated", associated, "200, whole document"),
            ("Will ask again", willRetry, "500–599: in 3 hours, up to 8 tries"),
            ("Denied for good", denied, "300–499"),
        ]
        for failure in failures {
            rows.append(
                (
                    "Failed: \(failure.reason.rawValue)", failure.count,
                    failure.reason.explanation
                ))
        }
        let body = rows.map {
            "<tr><th>\(HTMLText.escaped($0.0))</th><td>\(Decimal.count($0.1))</td>"
                + "<td>\(Percent.text($0.1, of: devices))</td>"
                + "<td class=\"text\">\(HTMLText.escaped($0.2))</td></tr>"
        }
        return "<div class=\"scroll\"><table>\(body.joined(separator: "\n"))</table></div>"
    }

    private static let style = """
        :root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#16202c;--dim:#5b6776;\
        --line:#dde2e8;--arrivals:#7a8796;--ok:#12805c;--retry:#a86b00;--failed:#c22f3d}
        @media(prefers-color-scheme:dark){:root{--bg:#0f141a;--card:#182029;--ink:#e8edf2;\
        --dim:#98a5b3;--line:#2a3542;--arrivals:#8fa0b2;--ok:#3fc796;--retry:#e5ac45;--failed:#ff7480}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:72rem;padding:2rem 1.25rem;background:var(--bg);color:var(--ink);\
        font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
        h1{font-size:1.6rem;line-height:1.25;margin:.2rem 0 .5rem;text-wrap:balance}
        h2{font-size:1rem;margin:0 0 .75rem}
        .eyebrow,.sub,footer{color:var(--dim);margin:0}.eyebrow{font-size:.85rem}
        .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.75rem;margin:1.25rem 0}
        .tile,section{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1rem}
        .tile span{display:block}.tile .name,.tile .note{color:var(--dim);font-size:.85rem}
        .tile .value{font-size:1.7rem;font-weight:650;font-variant-numeric:tabular-nums}
        .ok .value{color:var(--ok)}.retry .value{color:var(--retry)}
        .denied .value,.failed .value{color:var(--failed)}.none .value{color:var(--dim)}
        section{margin:0 0 .75rem;min-width:0}
        .pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr));gap:.75rem}
        .warning{border-left:.3rem solid var(--retry);padding:.5rem .9rem;background:var(--card)}
        .scroll{overflow-x:auto}
        table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
        th,td{text-align:right;padding:.35rem .3rem;border-top:1px solid var(--line);white-space:nowrap}
        tr:first-child>*{border-top:0}th:first-child{text-align:left;font-weight:550}
        td.text{text-align:left;color:var(--dim);white-space:normal}
        svg{display:block;width:100%;height:auto}
        svg text{fill:var(--dim);font-size:12px}
        .grid{stroke:var(--line)}.l-arrivals{stroke:var(--arrivals)}.l-ok{stroke:var(--ok)}
        .l-retry{stroke:var(--retry)}.l-failed{stroke:var(--failed)}
        .line{fill:none;stroke-width:2;stroke-linejoin:round}.l-arrivals.line{stroke-dasharray:5 4}
        .bar{fill:var(--ok)}
        .legend{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;font-size:.85rem;color:var(--dim);margin:.5rem 0 0}
        .legend i{display:inline-block;width:1.1rem;border-top:3px solid;margin-right:.4rem;vertical-align:middle}
        .k-arrivals i{color:var(--arrivals)}.k-ok i{color:var(--ok)}.k-retry i{color:var(--retry)}\
        .k-failed i{color:var(--failed)}
        footer{margin-top:1.25rem;font-size:.85rem}
        @media print{body{max-width:none}}
        """
}

/// Text inside HTML.
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
}
