"""Whether aasa storm, h2load and wrk say the same of one server; see `agreement`.

All three make a new connection with a full handshake per request. storm and `h2load -r` are open
loops (connections begin on schedule), wrk with `Connection: close` is a closed one. So they are
compared in what both kinds can say: what the server counted, how much it does when saturated, and,
for the open ones, how long a device waits at the same calm rate.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

import lab
from lab import CannotRun, house

PATH = "/.well-known/apple-app-site-association"
# Bounds: what the tools differ by between two runs of the same tool on this kind of machine.
PEAK_NOISE = 0.15  # of the rate at saturation
LATENCY_NOISE = 0.35  # of the mean time to the answer at a calm rate ...
LATENCY_FLOOR = 0.001  # ... or this many seconds: a wake-up of a busy machine
ROUNDS = 3  # interleaved; medians are compared


def seconds(text):
    """7.12ms, 830us, 1.02s"""
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(number) * {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60}[unit]


def h2load(server, rate, length):
    """An open loop: `rate` connections per second with one request each, spread over the second:
    h2load makes all connections of a period at once, 200 of them in each second's first moment."""
    count = round(rate * length)
    done = house.run(
        "h2load", "--h1", "-n", str(count), "-c", str(count), "-r", str(rate // 50),
        "--rate-period", "20ms",
        "--groups", "X25519", f"https://127.0.0.1:{server.port}{PATH}")
    codes = re.search(r"status codes: (\d+) 2xx", done.stdout)
    first = re.search(r"time to 1st byte:\s+\S+\s+\S+\s+(\S+)", done.stdout)
    if not codes or not first:
        raise CannotRun("h2load: " + house.said(done))
    return {"answers": int(codes.group(1)), "mean": seconds(first.group(1))}


def wrk(server, connections, length):
    """A closed loop: as many connections at once, a new one behind each answer."""
    done = house.run(
        "wrk", "-t", "1", "-c", str(connections), "-d", f"{length}s", "--timeout", "30s",
        "-H", "Connection: close",
        f"https://127.0.0.1:{server.port}{PATH}")
    found = re.search(r"(\d+) requests in ([\d.]+)s", done.stdout)
    if not found:
        raise CannotRun("wrk: " + house.said(done))
    return {"answers": int(found.group(1)), "rate": int(found.group(1)) / float(found.group(2))}


class Agreement:
    def __init__(self, length):
        self.length, self.passed, self.failed = length, 0, 0

    def row(self, name, good, *words):
        self.passed, self.failed = self.passed + good, self.failed + (not good)
        print(f"{'ok    ' if good else 'FAILED'} {name:34} " + "  ".join(
            f"{word:<22}" for word in words), flush=True)

    def counted(self, server, measure):
        """What `measure` says, and how many documents and handshakes the server counted."""
        def sums():
            counters = server.counters()
            return [sum(value for name, value in counters.items()
                        if name.startswith(prefix + "{")) or counters.get(prefix, 0)
                    for prefix in ("aasa_answers_total", "aasa_handshakes_total")]
        before = sums()
        said = measure()
        time.sleep(0.5)
        return said, *(int(after - old) for after, old in zip(sums(), before))

    def counts(self, server, rate):
        """Every answer that a tool counts, the server has counted, and no more."""
        for name, measure in (
                ("storm", lambda: server.storm(rate, self.length, 30)),
                ("storm --http2", lambda: server.storm(rate, self.length, 30, "--http2")),
                ("h2load", lambda: h2load(server, rate, self.length))):
            said, answers, handshakes = self.counted(server, measure)
            mine = said.get("associated", said.get("answers"))
            self.row(f"answers, {name}", mine == answers == handshakes, f"the tool {mine}",
                     f"the server {answers}", f"in {handshakes} handshakes")
        said, answers, _ = self.counted(server, lambda: wrk(server, 16, self.length))
        # What is under way when wrk stops was answered and not counted.
        self.row("answers, wrk", 0 <= answers - said["answers"] <= 16 + said["answers"] // 1000,
                 f"the tool {said['answers']}", f"the server {answers}", "16 under way at the end")

    def saturation(self):
        """How much a server that is slower than any of them does at most."""
        with lab.SlowServer(share=lab.FAST) as server:
            peaks, closed = [], []
            for _ in range(ROUNDS):
                peaks.append(server.peak(lab.GUESSES[lab.FAST], self.length))
                closed.append(wrk(server, 64, self.length)["rate"])
        open_loop, closed_loop = statistics.median(peaks), statistics.median(closed)
        apart = abs(open_loop - closed_loop) / closed_loop
        self.row("answers per second, saturated", apart <= PEAK_NOISE,
                 f"storm {open_loop:.0f}", f"wrk {closed_loop:.0f}",
                 f"{apart:.1%} apart (bound {PEAK_NOISE:.0%})")

    def latency(self, server, rate):
        """How long a device waits at a calm rate: mean, connection and handshake included."""
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(server.storm(rate, self.length, 30)["latency200"]["mean"])
            theirs.append(h2load(server, rate, self.length)["mean"])
        ours, theirs = statistics.median(ours), statistics.median(theirs)
        bound = max(LATENCY_NOISE * theirs, LATENCY_FLOOR)
        self.row(f"mean time at {rate} per second", abs(ours - theirs) <= bound,
                 f"storm {ours * 1000:.2f} ms", f"h2load {theirs * 1000:.2f} ms",
                 f"bound {bound * 1000:.2f} ms apart")

    def run(self):
        with lab.OwnServer("--workers", "1") as server:
            self.counts(server, 200)
            self.latency(server, 200)
        self.saturation()
        print(f"{self.passed} passed, {self.failed} failed")
        return 0 if self.failed == 0 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=10, help="length of each run")
    words = parser.parse_args()
    missing = [tool for tool in ("h2load", "wrk") if not shutil.which(tool)]
    if missing or not os.access(house.AASA, os.X_OK):
        print(f"agreement: needs {house.AASA}, h2load and wrk", file=sys.stderr)
        return 3
    try:
        return Agreement(words.seconds).run()
    except (CannotRun, subprocess.TimeoutExpired) as error:
        print(f"agreement: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
