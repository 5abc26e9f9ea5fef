"""Measures aasa beside its peers and prints a table. See `Tests/Bench/run --help`.

Figure: microseconds of server processor time (user and system, all processes) per operation. The
server has core 0 to itself, the clients core 1. Rounds are interleaved: every server is measured in
each round, so that all see the same mix of a shared machine's fast and slow moments. Medians.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import date

import peers
import tried
from peers import NAMES, Peer, WORK

CLIENT = ["taskset", "-c", "1"]


def out(command, timeout=180):
    done = subprocess.run(
        [*CLIENT, *map(str, command)], capture_output=True, text=True, timeout=timeout,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout + done.stderr


AES_128 = "TLS_AES_128_GCM_SHA256"


def handshakes(mode, connections=64, offer=()):
    """offer: groups, then suites, as the client names them."""
    def measure(peer, seconds):
        text = out([f"{WORK}/handshakes", peer.port, peer.path, seconds, connections, mode, *offer])
        result = json.loads(text.strip().split("\n")[-1])
        # The first connections of a run cannot resume.
        if mode == "resume" and result["resumed"] < 0.5 * result["done"]:
            raise RuntimeError(f"only {result['resumed']} of {result['done']} were resumed")
        return result["done"], result["failed"], {"tickets": result["tickets"] / max(1, result["done"])}

    return measure


def wrk(peer, seconds):
    url = f"https://localhost:{peer.port}{peer.path}"
    text = out(["wrk", "-t1", "-c64", f"-d{max(1, round(seconds))}", url])
    failed = sum(map(int, re.findall(r"(?:connect|read|write|timeout) (\d+)", text)))
    other = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    return int(re.search(r"(\d+) requests in", text)[1]), failed + int(other[1] if other else 0), {}


def h2load(connections, streams):
    def measure(peer, seconds):
        url = f"https://localhost:{peer.port}{peer.path}"
        text = out(
            ["h2load", "-t1", f"-c{connections}", f"-m{streams}", "-D", max(1, round(seconds)), url]
        )
        good = int(re.search(r"(\d+) succeeded", text)[1])
        return good, int(re.search(r"(\d+) failed", text)[1]), {}

    return measure


@dataclass
class Row:
    title: str
    measure: object
    # The ratio to the best peer that we want.
    aim: float
    cert: str = "ecdsa"
    document: str = "300"
    # Session tickets: ours, theirs. As shipped we send none and they do.
    tickets: tuple = (False, True)
    flags: tuple = ()
    # All of aasa's key pairs are made ahead before it is measured; making them is not counted.
    is_calm_before: bool = False
    # The row is left out if the clients' OpenSSL does not have this group.
    group: str = ""


HYBRID = "X25519MLKEM768"
FULL = "full handshake + GET, "
NO_KEYS = ("--key-reserve", "0")
EQUAL = (False, False)
ROWS = [
    Row(FULL + "ECDSA, as shipped, after calm", handshakes("full"), 0.68, is_calm_before=True),
    Row(FULL + "ECDSA, as shipped, no key ahead", handshakes("full"), 0.77, flags=NO_KEYS),
    Row(FULL + "ECDSA, P-256 shares", handshakes("full", offer=("P-256",)), 0.75),
    Row(FULL + "ECDSA, no tickets", handshakes("full"), 0.90, tickets=EQUAL, flags=NO_KEYS),
    Row(FULL + "ECDSA, no tickets, AES-128 for all",
        handshakes("full", offer=("X25519", AES_128)), 0.90, tickets=EQUAL, flags=NO_KEYS),
    # As iOS 26 says hello, with a share for each; then a client that insists on the hybrid.
    Row(FULL + "ECDSA, hybrid and X25519 shares",
        handshakes("full", offer=(f"*{HYBRID}:*X25519",)), 0.77, flags=NO_KEYS, group=HYBRID),
    Row(FULL + "ECDSA, hybrid share", handshakes("full", offer=(HYBRID,)), 1.0, flags=NO_KEYS,
        group=HYBRID),
    Row(FULL + "RSA-2048, as shipped, after calm", handshakes("full"), 0.84, "rsa2048",
        is_calm_before=True),
    Row(FULL + "RSA-2048, no tickets", handshakes("full"), 0.95, "rsa2048", tickets=EQUAL,
        flags=NO_KEYS),
    Row("resumed handshake + GET", handshakes("resume"), 1.0, tickets=(True, True)),
    Row("keep-alive HTTP/1.1, 300 B", wrk, 0.75),
    Row("keep-alive HTTP/1.1, 120 KB", wrk, 0.75, document="120k"),
    Row("HTTP/2, 300 B, 64 x 1", h2load(64, 1), 0.90),
    Row("HTTP/2, 300 B, 32 x 32", h2load(32, 32), 1.0),
    Row("HTTP/2, 120 KB, 64 x 1", h2load(64, 1), 0.80, document="120k"),
    Row("HTTP/2, 120 KB, 32 x 32", h2load(32, 32), 0.80, document="120k"),
]


class Table:
    def __init__(self, names):
        self.names = names
        self.rows = []
        self.missed = []

    def add(self, title, values, bound, form="{:.1f}"):
        """values: {server: [measurements]}"""
        medians = {name: statistics.median(all_) for name, all_ in values.items() if all_}
        others = {name: m for name, m in medians.items() if name not in ("aasa", "limit")}
        ratio = medians["aasa"] / min(others.values()) if others and "aasa" in medians else None
        cells = []
        for name in self.names:
            if name not in medians:
                cells.append("–")
                continue
            spread = f" ({form} to {form})".format(min(values[name]), max(values[name]))
            cells.append(form.format(medians[name]) + spread)
        servers = [name for name in medians if name != "limit"]
        lower = min(servers, key=medians.get) if servers else "–"
        judged = "–" if ratio is None else f"{ratio:.2f}"
        aim = "" if bound is None else f"{bound:.2f}"
        met = "" if ratio is None or bound is None else ("yes" if ratio <= bound else "no")
        if ratio is not None and "limit" in medians:
            least = f"{medians['limit'] / min(others.values()):.2f}"
        else:
            least = "–"
        self.rows.append([title, *cells, lower, judged, least, aim, met])
        if met == "no":
            self.missed.append(
                f"* {title}: {judged}, aim {aim}; the least program on the same libraries "
                f"{least}. {tried.TRIED.get(title, 'Nothing was tried.')}")
        print(f"{title}: " + ", ".join(f"{n} {m:.1f}" for n, m in medians.items()), file=sys.stderr)

    def markdown(self):
        head = ["server µs per operation", *self.names, "lowest", "aasa ÷ best peer",
                "limit ÷ best peer", "aim", "met"]
        lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
        return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in self.rows])


def measure_row(row, names, rounds, seconds, table):
    running, values, notes = [], {name: [] for name in names}, {}
    try:
        for name in names:
            wanted = row.tickets[0] if name in ("aasa", "limit") else row.tickets[1]
            running.append(Peer(name, row.cert, row.document, wanted, row.flags))
        for peer in running:
            row.measure(peer, 0.4)
        for _ in range(rounds):
            for peer in running:
                if row.is_calm_before:
                    peer.rest()
                before = peer.cpu_seconds()
                done, failed, more = row.measure(peer, seconds)
                spent = peer.cpu_seconds() - before
                if failed:
                    print(f"  {peer.name}: {failed} of {done + failed} failed", file=sys.stderr)
                if done:
                    values[peer.name].append(spent / done * 1e6)
                notes[peer.name] = more
                if row.is_calm_before:
                    # What it makes now is not to disturb the next one.
                    peer.rest()
    finally:
        for peer in running:
            peer.stop()
    if not row.tickets[1]:
        for name, more in notes.items():
            if more["tickets"] > 0.01:
                raise RuntimeError(f"{name} sends tickets all the same: the row would not be fair")
    table.add(row.title, values, row.aim)


def memory_row(names, rounds, connections, table):
    values = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            peer = Peer(name)
            try:
                handshakes("full", 8)(peer, 0.5)
                time.sleep(0.3)
                before = peer.memory()
                client = subprocess.Popen(
                    [*CLIENT, f"{WORK}/handshakes", str(peer.port), peer.path, "12",
                     str(connections), "idle"],
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                )
                held = int(client.stdout.readline().split()[1])
                time.sleep(0.5)
                values[name].append((peer.memory() - before) / held)
                client.communicate()
            finally:
                peer.stop()
    table.add("memory per idle TLS connection, bytes", values, 1.0, "{:.0f}")


def start_row(names, rounds, table):
    values, resident = ({name: [] for name in names} for _ in range(2))
    for _ in range(rounds):
        for name in names:
            peer = Peer(name)
            values[name].append(peer.start_seconds * 1000)
            handshakes("full", 1)(peer, 0.2)
            resident[name].append(peer.memory() / 1e6)
            peer.stop()
    table.add("start to first connection, ms", values, 1.0, "{:.0f}")
    table.add("memory after start, MB", resident, 1.0, "{:.1f}")


def groups():
    """The groups of the clients' OpenSSL; before 3.5, which has the hybrid, it has no such list."""
    done = subprocess.run(["openssl", "list", "-tls-groups"], capture_output=True, text=True)
    return done.stdout.strip().split(":")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--only", default="", help="rows whose title contains this")
    parser.add_argument("--peers", default=",".join(NAMES))
    options = parser.parse_args()
    rounds = options.rounds or (2 if options.quick else 5)
    seconds = options.seconds or (1.0 if options.quick else 2.0)
    names = options.peers.split(",")
    table = Table(names)
    known = groups()
    for row in ROWS:
        if options.only not in row.title:
            continue
        if row.group and row.group not in known:
            print(f"{row.title}: left out, this OpenSSL has no {row.group}", file=sys.stderr)
        else:
            measure_row(row, names, rounds, seconds, table)
    if options.only in "memory per idle TLS connection":
        memory_row(names, 1 if options.quick else 2, 2000 if options.quick else 5000, table)
    if options.only in "start":
        start_row(names, 2, table)
    text = table.markdown()
    machine = f"{os.cpu_count()} cores, {os.uname().release}, {date.today().isoformat()}"
    library = subprocess.run(["openssl", "version"], capture_output=True, text=True).stdout.strip()
    print(f"{text}\n\n{machine}, {library}; {rounds} interleaved rounds of {seconds:g} s, medians "
          "and the spread of each; lowest: who needed least; limit: the least program on aasa's "
          "libraries (limit.c), no server anybody could run.")
    if table.missed:
        print("\nRows that miss their aim, what was tried, and what it gave:\n")
        print("\n".join(table.missed))
    with open(os.path.join(WORK, "table.md"), "w", encoding="utf-8") as file:
        file.write(text + "\n")


if __name__ == "__main__":
    os.makedirs(peers.RUN, exist_ok=True)
    main()
