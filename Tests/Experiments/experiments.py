"""E1 to E12 (facts: overload, section 6.5). Times are a third of life: surge 20 s, patience 3.3, 10, 20 s."""

import argparse
import json
import os
import signal
import socket
import ssl
import sys
import threading
import time

import lab
from lab import SlowServer, Table, failures, house, share
from shaper import Link

ANSWERED_OF_BOUND = {2: 0.85, 5: 0.70, 10: 0.60}
RATE_OF_PEAK = {2: 0.90, 5: 0.80, 10: 0.60}


class Run:
    def __init__(self, quick):
        self.quick = quick
        self.table = Table()
        self.surge = 6 if quick else 20
        self.patiences = [6] if quick else [20 / 6, 10, 20]

    def bound(self, k, patience):
        """Percent of the devices that any policy can answer at most: the fluid bound."""
        return min(100, 100 * (self.surge + patience) / (k * self.surge))

    def clean(self, name, report, k):
        """What must hold in every storm: no connection that could have been an answer is cut."""
        cut = failures(report, "reset", "refused", "cut", "tls", "bad-answer")
        self.table.at_most(name, f"k={k}: resets, refusals, cut answers", 0, cut, "devices")
        others = sum(n for status, n in report["statuses"].items() if status not in ("200", "503"))
        self.table.at_most(name, f"k={k}: answers other than 200 and 503", 0, others, "answers")

    def overload(self, name, server, mu, k, patience):
        before = server.counters()
        report = server.storm(k * mu, self.surge, patience)
        after = server.counters()
        bound = self.bound(k, patience)
        what = f"k={k} T={patience:.1f} s"
        self.table.at_least(
            name, f"{what}: 200, of a bound of {bound:.0f} %", bound * ANSWERED_OF_BOUND[k],
            100 * share(report))
        answers = report["timeline"]["associated"][1:self.surge]
        self.table.at_least(
            name, f"{what}: rate, of the peak of {mu:.0f}/s", 100 * RATE_OF_PEAK[k],
            100 * sum(answers) / max(1, len(answers)) / mu)
        self.clean(name, report, k)
        started = difference(before, after, "handshakes_started")
        wasted = difference(before, after, "handshakes_wasted")
        if started:
            self.table.at_most(
                "E4", f"{what}: handshakes for clients that had left", 3, 100 * wasted / started,
                "%")
        return report


def difference(before, after, part):
    """How far the counters whose names hold `part` went up."""
    return sum(
        after[name] - before.get(name, 0) for name in after if part in name and "{" not in name)


def e1(run):
    """Calm: nearly full load harms nobody."""
    with SlowServer() as server:
        mu = server.peak()
        report = server.storm(0.95 * mu, run.surge, 10 / 3)
        run.table.at_least("E1", f"k=0.95 of {mu:.0f}/s: 200", 100, 100 * share(report))
        run.table.at_most("E1", "k=0.95: p99", 0.3, report["latency200"]["p99"], "s")
        run.clean("E1", report, 0.95)


def e2(run):
    """Twice the peak."""
    with SlowServer() as server:
        mu = server.peak()
        for patience in run.patiences:
            run.overload("E2", server, mu, 2, patience)


def e3(run):
    """Five and ten times the peak."""
    with SlowServer() as server:
        mu = server.peak()
        for k in (5, 10):
            for patience in run.patiences:
                run.overload("E3", server, mu, k, patience)


def e5(run):
    """After the surge everything is as before."""
    with SlowServer() as server:
        mu = server.peak()
        time.sleep(3)
        descriptors, memory = server.residue()
        patience = run.patiences[0]
        server.storm(5 * mu, run.surge, patience)
        time.sleep(2)
        calm = server.storm(0.3 * mu, 3, 10 / 3)
        run.table.at_least("E5", "2 s after a surge of 5x: 200", 100, 100 * share(calm))
        run.table.at_most("E5", "2 s after: p99", 0.3, calm["latency200"]["p99"], "s")
        time.sleep(3)
        later, grown = server.residue()
        run.table.at_most("E5", "descriptors left over", 0, later - descriptors, "")
        run.table.row(
            "E5", "memory, before and after", "", f"{memory} {grown} KB", None)


def e6(run):
    """The link is the limit: 503 keeps everybody, and never comes without need."""
    document = {"applinks": {"details": [{
        "appIDs": ["9JA89QQLNQ.com.example.shop"],
        "components": [{"/": f"/shop/section-{i}/item-{i * 7919}/*"} for i in range(2600)]}]}}
    text = json.dumps(document, separators=(",", ":")).encode()
    with SlowServer(document=text) as server:
        demand, rate = 60, 60 * (len(text) + 4200) / 5
        link = Link(server.port, rate)
        try:
            report = server.storm(demand, run.surge, 20, port=link.port)
        finally:
            link.close()
        run.table.at_most("E6", "link at a fifth: failed", 0, 100 * share(report, "failed"), "%")
        served = 100 * share(report)
        unavailable = 100 * share(report, "willRetry")
        run.table.row("E6", "link at a fifth: 200 and 503", "all", f"{served:.0f} + {unavailable:.0f} %",
                      served + unavailable >= 99.9)
        free = server.storm(demand, 5, 20)
        run.table.at_most(
            "E6", "the same without the link: 503", 0, 100 * share(free, "willRetry"), "%")


def e7(run):
    """Finish first: who has begun its handshake gets its answer at once, however many wait."""
    times = []

    def probe(server):
        time.sleep(2)
        context = ssl.create_default_context(cafile=server.authority)
        for _ in range(40):
            try:
                times.append(answer_time(server, context))
            except OSError:
                continue

    with SlowServer() as server:
        mu = server.peak()
        thread = []

        def meanwhile(server):
            thread.append(threading.Thread(target=probe, args=(server,)))
            thread[0].start()

        server.storm(10 * mu, run.surge, run.patiences[-1], meanwhile=meanwhile)
        thread[0].join(120)
    times.sort()
    if not times:
        run.table.row("E7", "k=10: first server byte to answer", "some", "none", False)
        return
    run.table.at_most(
        "E7", f"k=10: ServerHello to answer, p90 of {len(times)}", 0.05 + 0.04,
        times[int(0.9 * (len(times) - 1))], "s")


def answer_time(server, context):
    """Seconds from the first byte of the server's flight to the last of its answer."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as raw:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = context.wrap_bio(incoming, outgoing, server_hostname=server.host)
        first = None
        request = (
            f"GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: {server.host}\r\n"
            "Connection: close\r\n\r\n").encode()
        sent = False
        while True:
            try:
                if not sent:
                    client.do_handshake()
                    client.write(request)
                    sent = True
                if not client.read(65536):
                    return time.monotonic() - first
                if outgoing.pending:
                    raw.sendall(outgoing.read())
                continue
            except ssl.SSLWantReadError:
                if outgoing.pending:
                    raw.sendall(outgoing.read())
            except ssl.SSLZeroReturnError:
                return time.monotonic() - first
            data = raw.recv(65536)
            first = first or time.monotonic()
            if not data:
                return time.monotonic() - first
            incoming.write(data)


def e8(run):
    """Clients that abort harm nobody but themselves."""
    with SlowServer() as server:
        mu = server.peak()
        hello = server.client_hello()
        stop = threading.Event()

        def abort():
            # A third as many again: after the ClientHello, without a word.
            pause = 1 / max(1, 0.3 * mu)
            while not stop.is_set():
                try:
                    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as raw:
                        raw.sendall(hello)
                except OSError:
                    pass
                time.sleep(pause)

        thread = threading.Thread(target=abort)

        def meanwhile(_):
            thread.start()

        report = server.storm(0.65 * mu, run.surge, 10 / 3, meanwhile=meanwhile)
        stop.set()
        thread.join(30)
        run.table.at_least(
            "E8", "k=0.65 and 0.3 that abort: 200", 99.9, 100 * share(report))
        run.clean("E8", report, 0.65)


def e9(run):
    """What can be set, side by side; nothing is expected, what wins is kept."""
    for options in ((), ("--tickets",), ("--max-connections", "2000")):
        try:
            with SlowServer(*options) as server:
                mu = server.peak()
                report = server.storm(2 * mu, run.surge, run.patiences[-1])
        except RuntimeError:
            continue
        run.table.row(
            "E9", f"serve {' '.join(options) or '(as it is)'}: peak, 200 at k=2", "",
            f"{mu:.0f}/s {100 * share(report):.0f} %", None)


def e10(run):
    """Silent clients cost nothing to the others."""
    count = 2000 if run.quick else 8000
    with SlowServer() as server:
        mu = server.peak()
        _, memory = server.residue()
        silent = []
        try:
            for number in range(count):
                client = socket.socket()
                client.bind((f"127.0.{1 + number % 8}.1", 0))
                client.connect(("127.0.0.1", server.port))
                silent.append(client)
            time.sleep(1)
            _, grown = server.residue()
            report = server.storm(0.9 * mu, 8, 10 / 3)
        finally:
            for client in silent:
                client.close()
        run.table.at_least("E10", f"beside {count} silent clients: 200", 99.9, 100 * share(report))
        run.table.at_most(
            "E10", "memory of a silent client in the process", 6, (grown - memory) / count, "KB")


def e11(run):
    """Five clients of a hundred leave after 1.1 s: the learned patience is not fooled."""
    patience = 10
    waits = ",".join(["1.1"] + [str(patience)] * 19)
    with SlowServer() as server:
        mu = server.peak()
        report = server.storm(2 * mu, run.surge, waits)
        # 45 of 58.3 % in the facts: the share of the bound of the policy that learns nothing.
        run.table.at_least(
            "E11", "k=2, 5 % leave after 1.1 s: 200", run.bound(2, patience) * 45 / 58.3,
            100 * share(report))


def e12(run):
    """Reload and change of certificates in the middle of a surge cost nobody anything."""
    with SlowServer() as server:
        mu = server.peak()

        def meanwhile(server):
            for _ in range(3):
                time.sleep(run.surge / 5)
                os.kill(server.pid, signal.SIGHUP)
                house.run(house.AASA, "certs", "make", "--certs", server.certs,
                          *map(server.named, server.hosts))

        calm = server.storm(0.7 * mu, run.surge, 10 / 3, meanwhile=meanwhile)
        run.table.at_least("E12", "k=0.7 with three reloads: 200", 100, 100 * share(calm))
        run.clean("E12", calm, 0.7)
        report = server.storm(2 * mu, run.surge, run.patiences[-1], meanwhile=meanwhile)
        bound = run.bound(2, run.patiences[-1])
        run.table.at_least(
            "E12", "k=2 with three reloads: 200", bound * ANSWERED_OF_BOUND[2], 100 * share(report))
        run.clean("E12", report, 2)


# E4 is measured in every storm of E2 and E3.
EXPERIMENTS = {
    "E1": e1, "E2": e2, "E3": e3, "E5": e5, "E6": e6, "E7": e7, "E8": e8, "E9": e9, "E10": e10,
    "E11": e11, "E12": e12,
}
QUICK = ["E1", "E2", "E5", "E12"]


def main():
    parser = argparse.ArgumentParser(prog="Tests/Experiments/run", description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--csv", metavar="FILE")
    parser.add_argument("names", nargs="*", metavar="E1")
    arguments = parser.parse_args()
    names = arguments.names or (QUICK if arguments.quick else list(EXPERIMENTS))
    unknown = [name for name in names if name not in EXPERIMENTS and name != "E4"]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}")
    if not os.access(house.AASA, os.X_OK):
        print(f"{house.AASA} is not there: swift build -c release", file=sys.stderr)
        return 3
    run = Run(arguments.quick)
    try:
        for name in names:
            EXPERIMENTS["E2" if name == "E4" else name](run)
    except (lab.CannotRun, RuntimeError) as problem:
        print(f"cannot run: {problem}", file=sys.stderr)
        return 3
    if arguments.csv:
        run.table.write(arguments.csv)
    return 0 if run.table.good else 1


if __name__ == "__main__":
    sys.exit(main())
