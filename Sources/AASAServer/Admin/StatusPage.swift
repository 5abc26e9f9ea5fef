/// The status page: one document with its style and its script inside, nothing from elsewhere.
package enum StatusPage {
    /// The content security policy that lets the page's own style and script run and nothing else.
    ///
    /// - Parameter nonce: fresh for each response (CSP level 3, section 2.3.1).
    package static func contentSecurityPolicy(nonce: String) -> String {
        "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; "
            + "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }

    package static func render(nonce: String) -> [UInt8] {
        var page = ""
        page += head
        page += "<style nonce=\"\(nonce)\">\n\(style)</style>\n"
        page += body
        page += "<script nonce=\"\(nonce)\">\n\(script)</script>\n"
        return Array(page.utf8)
    }

    private static let head = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>aasa</title>
        <link rel="icon" href="data:,">

        """

    private static let body = """
        <header>
          <div id="verdict" class="verdict unknown" role="status">
            <span class="lamp"></span>
            <div><h1 id="headline">Asking the server</h1><p id="summary"></p></div>
          </div>
          <ul id="reasons"></ul>
        </header>
        <main>
          <section class="tiles" id="tiles" aria-label="Now"></section>
          <section>
            <div class="bar"><h2>Last minutes</h2>
              <div class="spans" role="group" aria-label="Time span">
                <button data-span="120">2 min</button>
                <button data-span="300" class="on">5 min</button>
                <button data-span="900">15 min</button>
              </div>
            </div>
            <div class="charts" id="charts"></div>
          </section>
          <section><h2>Last storm</h2><div class="card" id="storm"></div></section>
          <section><h2>Served</h2><div class="hosts" id="hosts"></div></section>
          <section><h2>Certificates</h2><div class="card" id="certificates"></div></section>
        </main>
        <footer><a href="/metrics">metrics</a> <a href="/status.json">status.json</a>
          <span id="version"></span></footer>

        """

    private static let style = """
        :root { --ink:#1c2024; --soft:#646b73; --paper:#f5f6f8; --card:#fff; --line:#dfe2e6;
          --good:#1d7f45; --warn:#a86400; --bad:#c0322b; --one:#1f6feb; --two:#c0322b;
          --three:#8250df; --track:#e8eaed; }
        @media (prefers-color-scheme: dark) { :root { --ink:#e8eaed; --soft:#9aa2ab;
          --paper:#111417; --card:#1a1e22; --line:#2c3237; --good:#4cc38a; --warn:#f0b429;
          --bad:#ff6b63; --one:#6ea8fe; --two:#ff6b63; --three:#b794f6; --track:#2a2f34; } }
        * { box-sizing:border-box }
        body { margin:0 auto; max-width:1200px; padding:16px; color:var(--ink);
          background:var(--paper); font:15px/1.45 system-ui,-apple-system,"Segoe UI",sans-serif }
        h1 { font-size:26px; line-height:1.2; margin:0 } h2 { font-size:17px; margin:0 0 10px }
        h3 { font-size:15px; margin:0; overflow-wrap:anywhere } p { margin:0 }
        section { margin-top:26px } header { margin-top:4px }
        .verdict { display:flex; gap:14px; align-items:center; border:1px solid var(--line);
          border-left:6px solid var(--mark); border-radius:10px; background:var(--card);
          padding:16px }
        .verdict p, .soft { color:var(--soft) }
        .verdict { --mark:var(--soft) } .verdict.well { --mark:var(--good) }
        .verdict.attention { --mark:var(--warn) }
        .verdict.overloaded, .verdict.failing { --mark:var(--bad) }
        .lamp { flex:none; width:22px; height:22px; border-radius:50%; background:var(--mark) }
        #reasons { margin:10px 0 0; padding:0 0 0 20px } #reasons:empty { display:none }
        #reasons li { overflow-wrap:anywhere }
        .tiles { display:grid; gap:10px; grid-template-columns:repeat(auto-fit,minmax(150px,1fr)) }
        .tile, .card, .chart { background:var(--card); border:1px solid var(--line);
          border-radius:10px; padding:12px 14px; min-width:0 }
        .tile b { display:block; font-size:24px; font-weight:600; line-height:1.25;
          font-variant-numeric:tabular-nums }
        .tile.bad b { color:var(--bad) }
        .bar { display:flex; justify-content:space-between; align-items:baseline; gap:10px }
        .spans { display:flex } .spans button { font:inherit; font-size:13px; color:var(--soft);
          background:none; border:1px solid var(--line); padding:4px 10px; cursor:pointer }
        .spans button:first-child { border-radius:8px 0 0 8px }
        .spans button:last-child { border-radius:0 8px 8px 0; border-left:0 }
        .spans button:nth-child(2) { border-left:0 }
        .spans button.on { color:var(--ink); background:var(--card); font-weight:600 }
        .charts { display:grid; gap:10px; grid-template-columns:repeat(2,minmax(0,1fr)) }
        .hosts { display:grid; gap:10px;
          grid-template-columns:repeat(auto-fill,minmax(min(100%,330px),1fr)) }
        .chart header { display:flex; flex-wrap:wrap; justify-content:space-between; margin:0;
          gap:2px 12px } .chart svg { display:block; width:100%; height:130px; margin-top:6px }
        .key { font-size:13px; color:var(--soft); font-variant-numeric:tabular-nums }
        .key span { margin-left:10px; white-space:nowrap }
        .key i { display:inline-block; width:9px; height:9px; border-radius:2px;
          margin-right:4px } .c1 { background:var(--one) } .c2 { background:var(--two) }
        .c3 { background:var(--three) }
        .l1 { stroke:var(--one) } .l2 { stroke:var(--two) } .l3 { stroke:var(--three) }
        path.l1, path.l2, path.l3 { fill:none; stroke-width:1.6; vector-effect:non-scaling-stroke }
        .a1 { fill:var(--one); opacity:.13 } .grid { stroke:var(--line);
          vector-effect:non-scaling-stroke } .cursor { stroke:var(--soft);
          vector-effect:non-scaling-stroke; stroke-dasharray:3 3 }
        .top { display:flex; justify-content:space-between; gap:8px; align-items:baseline }
        .tag { font-size:12px; border:1px solid var(--line); border-radius:20px;
          padding:1px 9px; color:var(--soft); white-space:nowrap }
        .tag.bad { color:var(--bad); border-color:var(--bad) }
        .meter { height:7px; border-radius:4px; background:var(--track); margin:8px 0 4px;
          overflow:hidden } .meter i { display:block; height:100%; background:var(--good) }
        .meter.warn i { background:var(--warn) } .meter.bad i { background:var(--bad) }
        table { width:100%; border-collapse:collapse; font-size:14px; margin-top:6px;
          font-variant-numeric:tabular-nums } th, td { text-align:left; padding:4px 10px 4px 0;
          border-top:1px solid var(--line); vertical-align:top; overflow-wrap:anywhere }
        th { font-weight:500; color:var(--soft); border-top:0 } .n { text-align:right }
        td.n, th.n { padding-right:0; padding-left:10px }
        td.w { overflow-wrap:normal; white-space:nowrap } td.h { overflow-wrap:normal } td .meter { min-width:34px }
        .facts { display:grid; gap:6px 18px;
          grid-template-columns:repeat(auto-fit,minmax(140px,1fr)) }
        .facts b { display:block; font-variant-numeric:tabular-nums }
        .problem { color:var(--bad); margin-top:6px; overflow-wrap:anywhere }
        .problem.mild { color:var(--warn) }
        footer { margin:28px 0 8px; font-size:13px; color:var(--soft) }
        footer a { color:inherit; margin-right:12px }
        @media (max-width:700px) { .charts { grid-template-columns:minmax(0,1fr) }
          body { padding:10px } h1 { font-size:21px }
          .tiles { grid-template-columns:repeat(2,minmax(0,1fr)) } }

        """
}
