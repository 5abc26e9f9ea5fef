/// The looks of the report's page.
enum StormReportStyle {
    static let css = """
        :root{color-scheme:light dark;--bg:#f4f6f8;--card:#fff;--ink:#15202b;--dim:#566370;\
        --line:#dfe4ea;--arrivals:#5b7fb8;--ok:#12805c;--retry:#b07300;--failed:#c22f3d}
        @media(prefers-color-scheme:dark){:root{--bg:#0f141a;--card:#182029;--ink:#e8edf2;\
        --dim:#9aa7b5;--line:#2a3542;--arrivals:#86a9e0;--ok:#3fc796;--retry:#e5ac45;\
        --failed:#ff7480}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:72rem;padding:2rem 1.25rem;background:var(--bg);\
        color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
        header{border-left:.4rem solid var(--dim);padding-left:1rem}
        header.good{border-color:var(--ok)}header.mixed{border-color:var(--retry)}
        header.bad{border-color:var(--failed)}
        h1{font-size:clamp(1.35rem,4.5vw,2rem);line-height:1.2;margin:.15rem 0 .45rem;\
        text-wrap:balance}
        h2{font-size:1.05rem;margin:0 0 .2rem}
        .eyebrow,.sub,.hint,footer{color:var(--dim);margin:0}
        .eyebrow,.hint{font-size:.85rem}.hint{margin-bottom:.7rem}
        .share{display:flex;height:1.1rem;border-radius:.55rem;overflow:hidden;margin:1.25rem 0 0;\
        background:var(--line)}
        .share i{display:block;min-width:2px}.share .ok{background:var(--ok)}
        .share .retry{background:var(--retry)}.share .failed{background:var(--failed)}
        .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem;\
        margin:.75rem 0}
        .tile,section{background:var(--card);border:1px solid var(--line);border-radius:.75rem;\
        padding:1rem}
        .tile span{display:block}.tile .name{font-weight:600}
        .tile .note{color:var(--dim);font-size:.85rem}
        .tile .value{font-size:1.75rem;line-height:1.3;font-weight:680;\
        font-variant-numeric:tabular-nums}
        .tile.ok .value{color:var(--ok)}.tile.retry .value{color:var(--retry)}
        .tile.failed .value{color:var(--failed)}.tile.none .value{color:var(--dim)}
        section{margin:0 0 .75rem;min-width:0}
        .pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr));\
        gap:0 .75rem}
        .warning{border-left:.4rem solid var(--retry);padding:.6rem 1rem;background:var(--card);\
        margin:.75rem 0}
        .scroll{overflow-x:auto}
        table{border-collapse:collapse;width:100%;font-size:.9rem;\
        font-variant-numeric:tabular-nums}
        th,td{text-align:right;padding:.4rem .35rem;border-top:1px solid var(--line);\
        white-space:nowrap;vertical-align:top}
        tr:first-child>*{border-top:0}th{font-weight:550}th:first-child{text-align:left}
        td.text{text-align:left;color:var(--dim);white-space:normal;min-width:9rem}
        table.facts th{color:var(--dim);font-weight:400;width:1%;padding-right:1rem}
        table.facts td{text-align:left;white-space:normal;overflow-wrap:anywhere}
        svg{display:block;width:100%;height:auto}svg text{fill:var(--dim);font-size:12px}
        .narrow{display:none}
        @media(max-width:40rem){.wide{display:none}.narrow{display:block}\
        body{padding:1.25rem .75rem}.tiles{grid-template-columns:1fr 1fr;gap:.5rem}\
        .tile,section{padding:.75rem}table{font-size:.8rem}\
        table.notes tr{display:grid;grid-template-columns:1fr auto 5rem}\
        table.notes td.text{grid-column:1/-1;border:0;padding-top:0}}
        .grid{stroke:var(--line)}.l-arrivals{stroke:var(--arrivals)}.l-ok{stroke:var(--ok)}
        .l-retry{stroke:var(--retry)}.l-failed{stroke:var(--failed)}
        .line{fill:none;stroke-width:2;stroke-linejoin:round}
        .area{stroke:none;fill-opacity:.16}.a-arrivals{fill:var(--arrivals)}.a-ok{fill:var(--ok)}
        .bar{fill:var(--ok)}
        .legend{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;font-size:.85rem;color:var(--dim);\
        margin:.5rem 0 0}
        .legend i{display:inline-block;width:1.1rem;border-top:3px solid;margin-right:.4rem;\
        vertical-align:middle}
        .k-arrivals i{color:var(--arrivals)}.k-ok i{color:var(--ok)}.k-retry i{color:var(--retry)}
        .k-failed i{color:var(--failed)}
        footer{margin-top:1.25rem;font-size:.85rem}
        @media print{body{max-width:none;padding:0}section,.tile{break-inside:avoid}}
        """
}
