"""E9: the same server with other settings, side by side. Nothing is expected; what wins is kept."""

import lab
from lab import FAST, SlowServer, difference, share

# (name, options of serve, limits)
SETTINGS = [
    ("as it is", (), ""),
    ("TCP_DEFER_ACCEPT off", (), "defer=0"),
    ("backlog 511", (), "backlog=511"),
    ("backlog 4096 (somaxconn)", (), "backlog=4096"),
    ("one ticket", ("--tickets", "on"), ""),
    ("start batch 4", (), "batch=4"),
    ("start batch 64", (), "batch=64"),
]


def e9(run):
    print(f"E9   {'':28} {'peak':>7} {'k=5 T=10 s: 200':>16} {'p50':>6} {'p99':>6} {'wasted':>7}")
    for name, options, limits in SETTINGS:
        with SlowServer(*options, share=FAST, limits=limits) as fast:
            peak = fast.peak(100)
        with SlowServer(*options, limits=limits) as server:
            report, wasted = measured(server, 5 * run.peaks.get(lab.SLOW, 70), run.surge, 10)
        latency = report["latency200"]
        run.table.silent(
            "E9", name,
            f"E9   {name:28} {peak:>5.0f}/s {100 * share(report):>14.1f} % {latency['p50']:>5.1f}s "
            f"{latency['p99']:>5.1f}s {wasted:>5.1f} %")


def measured(server, rate, seconds, patience):
    """(report, percent of handshakes for clients that had left)."""
    before = server.counters()
    report = server.storm(rate, seconds, patience)
    after = server.counters()
    started = difference(before, after, "handshakes_started")
    return report, 100 * difference(before, after, "handshakes_wasted") / max(1, started)
