import AASADevice
import AASAStorm
import AppSiteAssociation
import OpenSSL

/// The status page of a watcher: one document, made anew for each request, without a script.
enum WatchPage {
    static func render(_ overview: WatchOverview, nonce: String) -> [UInt8] {
        let failing = overview.hostsFailing
        let isWell = failing == 0 && overview.reasons.isEmpty
        let headline =
            failing > 0
            ? "\(failing) of \(overview.hosts.count) hosts fail"
            : isWell ? "All \(overview.hosts.count) hosts are well" : "The watcher needs somebody"
        var page = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="refresh" content="15">
            <title>aasa: \(HTMLText.escaped(headline))</title>
            <link rel="icon" href="data:,">
            <style nonce="\(nonce)">
            \(style)</style>
            <header class="\(isWell ? "well" : failing > 0 ? "failing" : "attention")">
            <h1>\(HTMLText.escaped(headline))</h1>
            <p>as of \(DateText.moment(overview.now)); each host every \
            \(spanText(Int(overview.interval))), since \(DateText.moment(overview.started))</p>
            <ul>\(overview.reasons.map { "<li>\(HTMLText.escaped($0))</li>" }.joined())</ul>
            </header>

            """
        page += "<section><h2>Hosts</h2>\n" + hosts(overview) + "</section>\n"
        page += "<section><h2>Latest changes</h2>\n" + changes(overview) + "</section>\n"
        page += "<footer><a href=\"/metrics\">metrics</a> <a href=\"/status.json\">status.json</a>"
        return Array((page + "</footer>\n").utf8)
    }

    private static func hosts(_ overview: WatchOverview) -> String {
        // Those with trouble first; then by name, as they are looked for.
        let sorted = overview.hosts.sorted {
            ($1.worst ?? .info, $0.name) < ($0.worst ?? .info, $1.name)
        }
        var text = ""
        for host in sorted {
            let look = host.lastLook.map { "\(spanText(Int(max(0, overview.now - $0)))) ago" }
            let end = host.certificateEnds.map { "certificate until \(DateText.day($0))" }
            let facts = [look ?? "not looked at yet", end].compactMap { $0 }
            let mark = host.worst == .error ? "bad" : host.worst == .warning ? "warn" : "good"
            text += "<article class=\"\(mark)\"><h3>\(HTMLText.escaped(host.name))</h3>"
            text += "<p class=\"soft\">\(HTMLText.escaped(facts.joined(separator: "; ")))</p>"
            for watch in host.problems {
                let since = DateText.moment(watch.since)
                let flaps = watch.phase == .flapping ? ", comes and goes" : ""
                text += "<p><b>\(HTMLText.escaped(watch.problem.code))</b>"
                text += " since \(since)\(flaps)<br>"
                text += "\(HTMLText.escaped(watch.problem.message))<br>"
                text += "<span class=\"soft\">\(HTMLText.escaped(watch.problem.remedy))</span></p>"
            }
            text += "</article>\n"
        }
        return "<div class=\"hosts\">\(text)</div>"
    }

    private static func changes(_ overview: WatchOverview) -> String {
        if overview.latest.isEmpty { return "<p class=\"soft\">none since the start</p>" }
        let rows = overview.latest.reversed().map { change in
            "<tr><td>\(DateText.moment(change.time))</td><td>\(change.kind.rawValue)</td>"
                + "<td>\(HTMLText.escaped(change.summary))</td></tr>\n"
        }
        return "<table>\(rows.joined())</table>"
    }

    private static var style: String {
        String(decoding: PackageResources.watch_css, as: UTF8.self)
    }
}
