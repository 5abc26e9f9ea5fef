"""The day, and its laws. See `run`."""

import argparse
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time

from cluster import Cluster
from machines import BINARY, Load, Requests, Server, Site, Watch, aasa

# A machine is back within a pause of its ring (8 s) and a read; the issue allows 30 s.
CONVERGENCE = 30


class Day:
    """Everything that runs, and what it is judged by."""

    def __init__(self, folder, seed):
        self.folder = folder
        self.random = random.Random(seed)
        self.passed = 0
        self.failed = 0
        self.published = set()
        self.number = 0
        self.cluster = Cluster(folder)
        self.cluster.authenticate()
        self.key = f"{folder}/fleet.key"
        aasa("fleet", "key", self.key)
        for user in ("publisher", "machine", "reader"):
            with open(f"{folder}/{user}.pw", "w", encoding="utf-8") as file:
                file.write(f"{user}\n")
        self.environment = {
            "AASA_FLEET": "web", "AASA_ETCD": self.cluster.urls,
            "AASA_ETCD_CACERT": self.cluster.ca, "AASA_ETCD_CERT": self.cluster.cert,
            "AASA_ETCD_KEY": self.cluster.key, "AASA_FLEET_KEY": self.key}
        self.site = Site(folder)
        self.servers = [Server(n, folder, self.cluster, self.key) for n in range(1, 9)]

    def law(self, name, holds, detail=""):
        """One verdict."""
        if holds:
            self.passed += 1
            print(f"ok      {name}", flush=True)
        else:
            self.failed += 1
            print(f"FAILED  {name}: {detail}", flush=True)

    def fleet(self, *words, check=False, user="publisher"):
        identity = {"AASA_ETCD_USER": user,
                    "AASA_ETCD_PASSWORD_FILE": f"{self.folder}/{user}.pw"}
        return aasa("fleet", *words, environment={**self.environment, **identity}, check=check,
                    timeout=200)

    def publish(self):
        """The next revision; tries again while the store is away."""
        self.number += 1
        self.site.write(self.number)
        self.published.add(self.site.built())
        end = time.monotonic() + 90
        while True:
            done = self.fleet("publish", self.site.folder, "--certs", self.site.certs)
            if done.returncode == 0:
                return
            if time.monotonic() > end:
                raise RuntimeError(f"publish: {done.stdout}{done.stderr}")
            time.sleep(0.5)

    def settle(self, name, seconds=CONVERGENCE):
        """All eight serve what the channel says, within the bound."""
        began = time.monotonic()
        done = self.fleet("status", "--wait", f"{seconds}s", "--expect", "8")
        took = time.monotonic() - began
        self.law(f"{name}: all eight serve it after {took:.1f} s", done.returncode == 0,
                 done.stdout + done.stderr)

    def roles(self):
        """Who may what: machines and readers look, and publish nothing."""
        self.site.write(0)
        before = str(self.number_before())
        for user in ("machine", "reader"):
            for words in (("publish", self.site.folder, "--certs", self.site.certs, "--note", user),
                          ("rollback", before), ("promote", "stable", "canary"),
                          ("prune", "--keep", "1")):
                done = self.fleet(*words, user=user)
                self.law(f"the role of a {user} does not {words[0]}",
                         done.returncode not in (0, 2), done.stdout + done.stderr)
            for words in (("history",), ("status",), ("verify",)):
                done = self.fleet(*words, user=user)
                self.law(f"the role of a {user} reads: {words[0]}", done.returncode == 0,
                         done.stdout + done.stderr)

    # What happens beside a publication.

    def trouble(self):
        """One thing that goes wrong; what ends it."""
        member = self.random.choice(self.cluster.members)
        server = self.random.choice(self.servers[1:])
        kind = self.random.choice(
            ["nothing", "kill", "pause", "cut", "restart", "crash", "no quorum"])
        if kind == "kill":
            member.kill()
            return kind, lambda: self.cluster.restart(member)
        if kind == "pause":
            member.pause()
            return kind, member.resume
        if kind == "cut":
            member.cut()
            return kind, member.mend
        if kind == "no quorum":
            two = self.random.sample(self.cluster.members, 2)
            for one in two:
                one.pause()
            time.sleep(3)
            for one in two:
                one.resume()
            return kind, lambda: None
        if kind in ("restart", "crash"):
            server.stop(signal.SIGKILL if kind == "crash" else signal.SIGINT)
            server.start()
        return kind, lambda: None

    def bad_hours(self, revisions):
        """Publications while things go wrong, the servers watched all the time."""
        seen = {}
        for index in range(revisions):
            kind, end = self.trouble()
            seen[kind] = seen.get(kind, 0) + 1
            self.publish()
            end()
            if index % 10 == 9:
                self.cluster.wait()
                self.settle(f"after {index + 1} revisions")
        print("troubles: " + ", ".join(f"{n} {k}" for k, n in sorted(seen.items())), flush=True)

    def all_away(self):
        """No member at all: everybody serves, and starts; then all converge."""
        for member in self.cluster.members:
            member.kill()
        for server in self.servers[3:5]:
            server.stop()
            server.start()
        self.law("machines start without any etcd", all(s.ask()[0] == 200 for s in self.servers))
        for member in self.cluster.members:
            self.cluster.restart(member)
        self.cluster.wait()
        self.publish()
        self.settle("after an outage of everything")

    def poison(self):
        """Blob, list and record spoiled in the store: refused by every machine."""
        for what in ("changed", "cut", "gone"):
            before = self.servers[0].ask()[1]
            for server in self.servers:
                server.process.send_signal(19)
            time.sleep(0.1)
            self.publish()
            good = self.site.built()
            self.published.discard(good)
            keys = self.cluster.ctl("get", "--prefix", "/aasa/web/blobs/", "--keys-only").split()
            mark = f"revision-{self.number}/"
            for key in keys:
                value = self.cluster.ctl("get", "--print-value-only", key)
                if mark not in value:
                    continue
                if what == "gone":
                    self.cluster.ctl("del", key)
                else:
                    spoiled = value.replace("/*", "/x") if what == "changed" else value[:40]
                    self.cluster.ctl("put", key, "--", spoiled.strip())
            for server in self.servers:
                server.process.send_signal(18)
            end = time.monotonic() + 60
            refusals = 0
            while refusals < 8 and time.monotonic() < end:
                refusals = self.refusals()
                time.sleep(0.5)
            self.law(f"a blob that is {what} is refused by every machine", refusals == 8,
                     self.fleet("status").stdout)
            self.law(f"a blob that is {what} changes nothing that is served",
                     all(s.ask()[1] == before for s in self.servers))
            self.published.add(good)
            # The same site, published again, mends the store; machines look again.
            done = self.fleet("publish", self.site.folder, "--certs", self.site.certs)
            self.law(f"a blob that is {what} is repaired by publishing again",
                     done.returncode == 0 and "damaged files were repaired" in done.stdout,
                     done.stdout + done.stderr)
            self.publish()
            self.settle(f"after a blob that was {what}")

    def refusals(self):
        """How many machines refuse the revision that the channel names.

        Its number is the store's own: a backup that was put back gives numbers a second time."""
        status = self.fleet("status").stdout
        number = re.search(r": revision (\d+),", status)
        return status.count(f"  rejected {number[1]}: ") if number else 0

    def backup(self):
        """A snapshot is put back: revisions of store and fleet jump back."""
        snapshot = f"{self.folder}/snapshot.db"
        self.cluster.ctl("snapshot", "save", snapshot,
                         endpoints=self.cluster.members[0].client)
        old = self.site.built()
        self.publish()
        self.publish()
        self.settle("before the restore")
        self.cluster.restore(snapshot)
        # The backup holds the machines' records of its day: only what they serve counts.
        began = time.monotonic()
        while time.monotonic() - began < CONVERGENCE:
            if all(s.ask()[1] == old for s in self.servers):
                break
            time.sleep(0.2)
        self.law(f"machines follow a backup that was put back: {time.monotonic() - began:.1f} s",
                 all(s.ask()[1] == old for s in self.servers))
        self.settle("after a backup was put back")
        self.publish()
        self.settle("a number that is given a second time")

    def upkeep(self):
        """History, rollback, prune and verify on the store as it is now."""
        back = self.fleet("rollback", str(self.number_before()))
        self.law("rollback moves the channel", back.returncode == 0, back.stdout + back.stderr)
        self.settle("after a rollback")
        pruned = self.fleet("prune", "--keep", "5")
        self.law("prune removes old revisions", pruned.returncode == 0,
                 pruned.stdout + pruned.stderr)
        verified = self.fleet("verify")
        self.law("what is kept is whole", verified.returncode == 0, verified.stdout)

    def number_before(self):
        """The revision before the one that is served."""
        lines = self.fleet("history", "--limit", "2", check=True).stdout.splitlines()
        return int(lines[1].split()[0])

    def run(self, revisions):
        self.publish()
        for server in self.servers:
            server.start()
        self.settle("the first revision")
        watches = [Watch(self.servers[:4], self.published), Watch(self.servers[4:], self.published)]
        load = Load(self.servers[0], f"{self.site.certs}/local-ca/ca.pem", self.folder)
        requests = Requests(self.servers[0])
        for thread in (*watches, load, requests):
            thread.start()
        self.bad_hours(revisions)
        self.roles()
        self.all_away()
        for thread in (load, requests):
            thread.ends.set()
            thread.join()
        self.backup()
        self.upkeep()
        for watch in watches:
            watch.ends.set()
            watch.join()
        answers = sum(w.answers for w in watches)
        faults = [fault for w in watches for fault in w.faults]
        self.law(f"0 wrong, 0 lost of {answers} answers", not faults,
                 f"{len(faults)}: " + "; ".join(faults[:10]))
        self.law(f"every one of {load.devices} phones was answered", not load.faults,
                 "; ".join(load.faults[:3]))
        self.law(f"every one of {requests.asked} requests of h2load was answered",
                 not requests.faults, "; ".join(requests.faults[:3]))
        # Paused servers answer nobody: nobody watches here.
        self.poison()

    def remove(self):
        for server in self.servers:
            if server.process and server.process.poll() is None:
                server.process.kill()
                server.process.wait()
        self.cluster.remove()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--revisions", type=int, default=50)
    arguments.add_argument("--seed", type=int, default=19)
    options = arguments.parse_args()
    if os.geteuid() != 0:
        print("Tests/Fleet/run: network namespaces need root", file=sys.stderr)
        return 3
    for tool in ("etcd", "etcdctl", "h2load", "ip", "openssl"):
        if not shutil.which(tool):
            print(f"Tests/Fleet/run: there is no {tool}", file=sys.stderr)
            return 3
    if not os.path.exists(BINARY):
        print(f"Tests/Fleet/run: there is no {BINARY}", file=sys.stderr)
        return 3
    folder = tempfile.mkdtemp(prefix="aasa-fleet-")
    day = None
    began = time.monotonic()
    try:
        day = Day(folder, options.seed)
        day.run(options.revisions)
    finally:
        if day:
            if sys.exc_info()[0] or day.failed:
                for server in day.servers[:2]:
                    print(f"--- {server.name}\n{server.log()}", file=sys.stderr)
            day.remove()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{time.monotonic() - began:.0f} s")
    print(f"{day.passed} passed, {day.failed} failed")
    return 1 if day.failed else 0


if __name__ == "__main__":
    sys.exit(main())
