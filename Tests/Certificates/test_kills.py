"""The server is killed at each step of an order, and at the system calls of one."""

import os
import re
import subprocess
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from authority import IS_FULL, Authority, eventually, run, unpadded
from front import Front
from server import Server

STEPS = ("directory", "nonce", "newAccount", "newOrder", "authorization", "challenge", "order",
         "finalize", "certificate")
# What changes something outside of the process, or asks for it.
CALLS = ("mkdir", "fsync", "rename", "symlink", "unlink", "connect", "write", "sendto", "flock",
         "getrandom")
# Kills at system calls that CI plays; --all plays each.
SAMPLE = 20
SIDE_BY_SIDE = 6


class Kills(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.authority = Authority(nonce_reject=5)
        cls.count = 0
        cls.lock = threading.Lock()

    @classmethod
    def tearDownClass(cls):
        cls.authority.stop()

    def make(self, faults=None):
        with self.lock:
            type(self).count += 1
            name = f"kill{self.count}.test"
        front = Front(self.authority, faults)
        server = Server(
            {name: [f"www.{name}"]}, self.authority.place(name, f"www.{name}"), self.authority,
            url=front.url)
        return name, front, server

    def judge(self, name, front, server):
        """The laws: one account, one order, one key per order, files whole."""
        faults = []
        if len(front.account_keys()) != 1:
            faults.append(f"{len(front.account_keys())} account keys")
        made = front.count("newAccount", 201)
        if made != 1:
            faults.append(f"{made} accounts made")
        # The authority may look while nobody is there: that order is spent, and another follows
        # after the pause of a failure.
        failures = len(re.findall(r"(?:warning|error) +no certificate for ", server.log()))
        orders = len(front.new_orders())
        if orders != 1 + min(failures, 1):
            faults.append(f"{orders} orders and {failures} failures")
        keys = {}
        for path, request in front.signing_requests():
            done = subprocess.run(
                ["openssl", "req", "-inform", "DER", "-noout", "-pubkey"],
                input=unpadded(request), capture_output=True, check=False)
            keys.setdefault(path, set()).add(done.stdout)
        for path, found in keys.items():
            if len(found) != 1:
                faults.append(f"{path} was finalized with {len(found)} keys")
        all_keys = [key for found in keys.values() for key in found]
        if len(set(all_keys)) != len(all_keys):
            faults.append("a key was used for two orders")
        leaf = run("openssl", "x509", "-in", server.chain(name), "-noout", "-pubkey").stdout
        if leaf.encode() not in all_keys:
            faults.append("the certificate is for a key that no order was finalized with")
        fault = server.pair_fault(name)
        if fault:
            faults.append(fault)
        return faults + server.loose_files()

    def finish(self, name, front, server):
        """After the restart all has to go well."""
        try:
            server.start()
            eventually(
                lambda: server.has(name)
                or server.entries().get((name, "ecdsa"), {}).get("lastError"), 60, server.log)
            if not server.has(name):
                next_try = server.entries()[name, "ecdsa"]["next"]
                if next_try < time.time() + 200:
                    return ["a crash must not shorten the pause of a failure"]
                server.stop()
                server.forget_pause(name)
                server.start()
            server.wait_for(name, seconds=60)
            eventually(
                lambda: server.entries().get((name, "ecdsa"), {}).get("state") == "good", 20,
                server.log)
            return self.judge(name, front, server)
        except AssertionError as error:
            return [str(error)[-1500:]]
        finally:
            server.remove()
            front.stop()

    def at_step(self, step, is_obeyed):
        place = f"{step}, {'after' if is_obeyed else 'before'} the authority obeyed"
        killed = threading.Event()

        def kill():
            # Its first request can be here before the thread that started it knows its number.
            eventually(lambda: server.process, 20, server.log)
            server.kill()

        def faults(asked, count):
            if asked != step or count != 1:
                return None
            if not is_obeyed:
                kill()
            killed.set()
            return ("drop",) if is_obeyed else ("answer", 500, [], b"")

        name, front, server = self.make(faults)
        if is_obeyed:
            # Killed when pebble has obeyed and before a byte of its answer is seen.
            original = front.end

            def end(handler):
                kill()
                original(handler)

            front.end = end
        server.start()
        if not killed.wait(30):
            server.remove()
            front.stop()
            return place, ["the step was never reached"]
        server.process.wait(20)
        return place, self.finish(name, front, server)

    def at_call(self, call, number):
        name, front, server = self.make()
        trace = f"{server.folder}/trace"
        server.start(
            waits=False,
            wrapper=("strace", "-f", "-qq", "-o", trace, "-e", f"trace={call}", "-e",
                     f"inject={call}:signal=KILL:when={number}"))
        try:
            eventually(
                lambda: server.process.poll() is not None or server.has(name), 60, server.log)
        except AssertionError as error:
            server.remove()
            front.stop()
            return f"{call} {number}", [str(error)[-1500:]]
        was_killed = server.process.poll() is not None
        if not was_killed:
            # The call was made less often this time.
            server.stop()
        return f"{call} {number}{'' if was_killed else ' (not reached)'}", \
            self.finish(name, front, server)

    def counted(self):
        """How often each call is made by a whole first order, by the thread that makes it most."""
        name, front, server = self.make()
        trace = f"{server.folder}/trace"
        server.start(
            wrapper=("strace", "-f", "-qq", "-o", trace, "-e", f"trace={','.join(CALLS)}"))
        server.wait_for(name)
        server.stop()
        counts = {}
        with open(trace, encoding="utf-8", errors="replace") as file:
            for thread, call in re.findall(r"^(\d+)\s+(\w+)\(", file.read(), re.M):
                counts[call, thread] = counts.get((call, thread), 0) + 1
        server.remove()
        front.stop()
        return {
            call: max([count for (other, _), count in counts.items() if other == call] or [0])
            for call in CALLS}

    def play(self, points):
        with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
            results = list(pool.map(lambda point: point[0](*point[1:]), points))
        broken = [f"{place}: {'; '.join(faults)}" for place, faults in results if faults]
        print(f"\n{len(results)} kills, {len(broken)} broke a law: "
              + ", ".join(place for place, _ in results))
        self.assertEqual(broken, [])

    def test_at_each_step_of_the_order(self):
        self.play([
            (self.at_step, step, is_obeyed) for step in STEPS for is_obeyed in (False, True)])

    def test_at_the_system_calls_of_an_order(self):
        counts = self.counted()
        print(f"\nsystem calls of a first order: {counts}")
        points = [
            (self.at_call, call, number)
            for call in CALLS for number in range(1, counts[call] + 1)]
        self.assertGreater(len(points), 60, counts)
        if not IS_FULL:
            # Spread over all of them, another part with each run.
            first = os.getpid() % (len(points) // SAMPLE)
            points = points[first::len(points) // SAMPLE][:SAMPLE]
        self.play(points)


if __name__ == "__main__":
    unittest.main()
