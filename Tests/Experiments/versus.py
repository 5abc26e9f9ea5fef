"""The same storms against nginx, nginx with its own 503 limits, and haproxy: one table."""

import concurrent.futures

import lab
import overload
import peers

# At the same time, each with its own share of a core; a storm of ten times the peak takes 30 % of
# one.
AT_ONCE = 2


def compare(run):
    """Runs what `run` remembers of aasa against the peers."""
    lacking = peers.missing()
    if lacking:
        raise lab.CannotRun(f"not installed: {', '.join(lacking)} (apt-get install …)")
    cells = [cell for cell in run.remembered if cell[1] == "aasa"]
    results = {(name, what): report for name, _, what, report in cells}

    def against(peer, name, what):
        return peer, storm(run, peer, name, what, results[name, what])

    print(f"\n{'':30}" + "".join(f"{who:>30}" for who in ("aasa", *peers.NAMES)))
    print(f"{'':30}" + f"{'200 / 503 / failed %  p50/p99':>30}" * 4)
    for name, _, what, mine in cells:
        # Calm is about latency: one after the other.
        with concurrent.futures.ThreadPoolExecutor(1 if name == "E1" else AT_ONCE) as pool:
            found = dict(pool.map(lambda peer: against(peer, name, what), peers.NAMES))
        texts = [cell_text(mine)] + [cell_text(found[peer]) for peer in peers.NAMES]
        run.table.silent(name, what, f"{name:3} {what:26}" + "".join(f"{t:>30}" for t in texts))


def storm(run, peer, name, what, mine):
    """`mine` gives rate, surge and patience."""
    rate = mine["devices"] / mine["surgeSeconds"]
    share = lab.FAST if name in ("E1", "E6") else lab.SLOW
    document = overload.large_document() if name == "E6" else lab.small_document()
    with peers.Peer(peer, share, document, run.peaks.get(share, 70)) as server:
        if name == "E6":
            return overload.e6_storm(run, server, len(document))[0]
        return server.storm(rate, min(30, mine["surgeSeconds"]), mine["patienceSeconds"][0])


def cell_text(report):
    shares = "/".join(
        f"{100 * lab.share(report, part):.1f}" for part in ("associated", "willRetry", "failed"))
    latency = report["latency200"]
    return f"{shares}  {latency['p50']:.2f}/{latency['p99']:.2f}"
