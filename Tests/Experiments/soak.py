"""A long run at half load, with bounds on what may grow; see `soak`."""

import argparse
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import lab
from lab import CannotRun, house

# Bounds, and where they come from
WARM_UP = 0.2  # of the run: allocators and tables reach their size while the load is new
GROWTH_KB = 4096  # resident memory over the rest: a leak of 100 bytes per device is 36 MB in 15 min
PILED_KB = 24  # for each device more that waited at once: its handshake's state, which the
# allocator keeps for the next pile
DESCRIPTORS = 8  # in calm, against calm before: a log may hold some; a leak is thousands
LIMITED = 0.2  # of the storms at most may have had a late generator: those judge the machine
CHUNK = 30  # seconds of one storm: each is judged, so that a loss is dated


class Leavers(threading.Thread):
    """Clients that leave: after connecting, behind the ClientHello, in the middle of it, with and
    without a reset."""

    def __init__(self, server, per_second):
        super().__init__(daemon=True)
        self.server, self.pause, self.stopped, self.count = server, 1 / per_second, False, 0
        self.hello = server.client_hello()
        self.random = random.Random(7)

    def run(self):
        while not self.stopped:
            try:
                with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as one:
                    sent = self.random.choice((0, 100, len(self.hello)))
                    one.sendall(self.hello[:sent])
                    if self.random.random() < 0.5:  # RST in place of FIN
                        one.setsockopt(
                            socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    if self.random.random() < 0.3:
                        time.sleep(0.02)  # the handshake is under way by now
                self.count += 1
            except OSError:
                pass
            time.sleep(self.pause)


class Changes(threading.Thread):
    """A reload every second, with another document; every fifth with a new certificate."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.stopped, self.reloads, self.renewals = server, False, 0, 0
        self.file = os.path.join(server.site, server.host, "well-known", "soak.txt")
        os.makedirs(os.path.dirname(self.file), exist_ok=True)
        self.spare = os.path.join(server.folder, "spare")
        self.certificates = os.path.join(server.certs, server.host)

    def renew(self):
        """The same authority, a new leaf, put in place as certbot does: renamed over the old."""
        shutil.rmtree(self.spare, ignore_errors=True)
        os.makedirs(self.spare)
        shutil.copytree(
            os.path.join(self.server.certs, "local-ca"), os.path.join(self.spare, "local-ca"))
        made = house.run(house.AASA, "certs", "make", "--certs", self.spare, self.server.host)
        if made.returncode != 0:
            raise CannotRun(house.said(made))
        fresh = os.path.join(self.spare, self.server.host)
        for name in sorted(os.listdir(fresh)):
            os.replace(os.path.join(fresh, name), os.path.join(self.certificates, name))
        self.renewals += 1

    def run(self):
        while not self.stopped:
            with open(self.file + ".new", "w", encoding="ascii") as file:
                file.write(f"{self.reloads}\n")
            os.replace(self.file + ".new", self.file)
            if self.reloads % 5 == 4:
                self.renew()
            os.kill(self.server.pid, signal.SIGHUP)
            self.reloads += 1
            time.sleep(1)


class Soak:
    def __init__(self, minutes, rate):
        self.seconds, self.rate = minutes * 60, rate
        self.passed = self.failed = 0

    def check(self, name, good, words):
        self.passed, self.failed = self.passed + good, self.failed + (not good)
        print(f"{'ok    ' if good else 'FAILED'} {name:22} {words}", flush=True)

    def half_load(self, server):
        """Half of what server and generator reach together on this machine, now."""
        report = server.storm(3000, 2, 30)
        return max(50, int(report["associated"] / report["seconds"] / 2))

    def run(self):
        server = lab.OwnServer("--workers", "2")
        try:
            time.sleep(1)
            calm, _ = server.residue()
            self.rate = self.rate or self.half_load(server)
            print(f"{self.seconds / 60:.1f} minutes at {self.rate} devices per second, HTTP/1.1 "
                  f"and HTTP/2, and {max(5, self.rate // 10)} more that leave", flush=True)
            leavers, changes = Leavers(server, max(5, self.rate // 10)), Changes(server)
            leavers.start()
            changes.start()
            rows = self.load(server)
            for thread in (leavers, changes):
                thread.stopped = True
                thread.join(60)
            self.judge(server, rows, leavers, changes, calm)
        finally:
            server.stop()
            server.remove()
        print(f"{self.passed} passed, {self.failed} failed")
        return 0 if self.failed == 0 else 1

    def load(self, server):
        began, rows, chunk = time.monotonic(), [], 0
        while (left := self.seconds - (time.monotonic() - began)) > 1:
            options = ["--http2"] if chunk % 3 == 2 else []
            report = server.storm(self.rate, min(CHUNK, left), 30, *options)
            descriptors, memory = server.residue()
            row = {"at": time.monotonic() - began, "memory": memory, "descriptors": descriptors,
                   "devices": report["devices"], "associated": report["associated"],
                   "piled": max(report["timeline"]["waiting"], default=0),
                   "failures": report["failures"], "limited": report["generatorWasTheLimit"],
                   "p99": report["latency200"]["p99"]}
            rows.append(row)
            chunk += 1
            print(f"{row['at']:6.0f} s  {row['associated']} of {row['devices']} associated, p99 "
                  f"{row['p99'] * 1000:.0f} ms, {memory} KB, {descriptors} descriptors"
                  + (f"  {json.dumps(row['failures'])}" if row["failures"] else ""), flush=True)
        return rows

    def judge(self, server, rows, leavers, changes, calm):
        judged = [row for row in rows if not row["limited"]]
        self.check("the machine kept up", len(judged) >= (1 - LIMITED) * len(rows),
                   f"{len(judged)} of {len(rows)} storms had a generator in time")
        # A late generator is cut off as any client that stops in its handshake.
        lost = sum(row["devices"] - row["associated"] for row in judged)
        total = sum(row["devices"] for row in judged)
        self.check("no answer is lost", lost == 0 and total > 0, f"{lost} of {total}")
        warm = [row for row in rows if row["at"] >= WARM_UP * rows[-1]["at"]] or rows
        growth = max(row["memory"] for row in warm) - warm[0]["memory"]
        piled = max(row["piled"] for row in warm)
        before = max(row["piled"] for row in rows if row["at"] <= warm[0]["at"])
        bound = GROWTH_KB + PILED_KB * max(0, piled - before)
        self.check("memory", growth <= bound, f"{warm[0]['memory']} KB, then {growth} KB more at "
                   f"most (bound {bound}: {piled} waited at once, {before} in the warm-up)")
        # Who lingers or is silent goes after some seconds.
        for _ in range(40):
            open_now, _ = server.residue()
            if open_now <= calm + DESCRIPTORS:
                break
            time.sleep(1)
        self.check("descriptors", open_now <= calm + DESCRIPTORS,
                   f"{calm} before, {open_now} after (bound {DESCRIPTORS} more)")
        counters = server.counters()
        internal = counters.get('aasa_connections_closed_total{reason="internal_error"}', 0)
        self.check("faults of our own", internal == 0, f"{internal:.0f} connections")
        self.check("those who left", leavers.count > 0, f"{leavers.count}")
        self.check("reloads", changes.is_alive() is False and changes.reloads > 0,
                   f"{changes.reloads}, of them {changes.renewals} with a new certificate")
        self.check("the process", server.process.poll() is None, "is the one that was started")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--rate", type=int, help="devices per second; default: half of the peak")
    words = parser.parse_args()
    if not os.access(house.AASA, os.X_OK):
        print(f"soak: needs {house.AASA}", file=sys.stderr)
        return 3
    try:
        return Soak(words.minutes, words.rate).run()
    except (CannotRun, subprocess.TimeoutExpired) as error:
        print(f"soak: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
