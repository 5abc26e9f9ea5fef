"""Well-behaved clients beside the attacker: every one of them has to be answered 200.

They run in a process of their own: in the attacker's they would wait for its interpreter. And what
they wait for is told apart. The machine may have more to do than cores; the time in which a thread
of theirs or of the server could have run and was given no core is known to the kernel
(`/proc/PID/task/TID/schedstat`, run delay), and is no fault of the server's. What is left of the
slowest answer is judged, so that a bound on it holds on a machine that is busy as well.

Some are neighbours of the attacker: attackers come from 127.0.0.1 or from the addresses of
`address`, and so do they. Some send their ClientHello in two or three parts.
"""

import json
import os
import subprocess
import sys
import threading
import time
import types

from . import wire
from .server import PATH


def run_delay(path):
    """Seconds in which this thread waited for a core; 0 where the kernel does not count it."""
    try:
        with open(path) as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


class Witnesses:
    """The parent's side: starts them, and has what they saw when they have stopped."""

    def __init__(self, server, pause=0.03, host="example.com", patience=wire.PATIENCE):
        self.order = {
            "port": server.port, "authority": server.authority, "host": host, "pause": pause,
            "document": server.documents[host].decode(), "threads": server.schedstats(),
            "patience": patience}
        self.answered = 0
        self.failures = []
        # Seconds, without those in which there was no core; and on the clock.
        self.slowest = self.slowest_on_clock = 0.0
        self.process = None

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-B", "-m", "attacks.witness"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            cwd=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        # The document is too long for an argument.
        self.process.stdin.write(json.dumps(self.order).encode() + b"\n")
        self.process.stdin.flush()
        # It says that it has begun.
        self.process.stdout.readline()
        return self

    def __exit__(self, *_):
        seen, _ = self.process.communicate(timeout=180)
        for name, value in json.loads(seen or '{"failures": ["they died"]}').items():
            setattr(self, name, value)


# Protocol, parts of the ClientHello, address.
KINDS = (
    ("http/1.1", 1, "127.0.0.1"), ("h2", 2, "127.0.0.1"),
    ("h2", 1, "127.7.0.1"), ("http/1.1", 3, "127.7.0.1"),
)


class Client:
    """A thread that asks again and again, each time over a connection of its own, as phones do."""

    def __init__(self, order, alpn, parts, source):
        self.server = types.SimpleNamespace(
            port=order["port"], authority=order["authority"])
        self.host, self.document = order["host"], order["document"].encode()
        self.pause, self.patience = order["pause"], order["patience"]
        self.threads = order["threads"]
        self.ask = self.http2 if alpn == "h2" else self.http1
        self.using = wire.Parts(wire.context(self.server, alpn), parts, source)
        self.answered = 0
        self.failures = []
        self.slowest = self.slowest_on_clock = 0.0

    def starved(self, own):
        """Of several threads of the server one serves us, and it is not known which."""
        return [run_delay(own), *(run_delay(thread) for thread in self.threads)]

    def run(self, stop):
        own = f"/proc/self/task/{threading.get_native_id()}/schedstat"
        while not stop.is_set():
            before, began = self.starved(own), time.monotonic()
            try:
                problem = self.ask()
            except Exception as error:  # whatever it is, this client was not answered
                problem = repr(error)
            took = time.monotonic() - began - self.using.pauses
            waited = [now - then for now, then in zip(self.starved(own), before)]
            if took > self.patience and not problem:
                problem = f"answered after {took:.1f} s"
            if problem:
                self.failures.append(
                    f"{self.using.source}, ClientHello in {self.using.parts}: {problem}")
            else:
                self.answered += 1
            self.slowest_on_clock = max(self.slowest_on_clock, took)
            self.slowest = max(
                self.slowest, took - waited[0] - max(waited[1:], default=0.0))
            stop.wait(self.pause)

    def http1(self):
        request = f"GET {PATH} HTTP/1.1\r\nHost: {self.host}\r\nConnection: close\r\n\r\n"
        answer, ended = wire.http1(
            self.server, request.encode(), using=self.using, patience=self.patience)
        found, _ = wire.statuses(answer)
        if found != [200] or not ended or not answer.endswith(self.document):
            return f"HTTP/1.1: {found} {'ended' if ended else 'open'} {answer[:80]!r}"
        return None

    def http2(self):
        with wire.HTTP2(
                self.server, settings=[(4, 1 << 20)], using=self.using,
                patience=self.patience) as connection:
            connection.send(wire.frame(wire.WINDOW, 0, 0, (1 << 20).to_bytes(4, "big")))
            connection.get(authority=self.host)
            if not connection.until(lambda c: c.is_answered(), self.patience):
                return f"HTTP/2: no answer, {connection.frames!r}"[:300]
            if connection.body() != self.document:
                return "HTTP/2: another document"
            connection.send(wire.frame(wire.GOAWAY, 0, 0, bytes(8)))
        return None


def main(order):
    stop = threading.Event()
    clients = [Client(order, *kind) for kind in KINDS]
    threads = [threading.Thread(target=client.run, args=(stop,)) for client in clients]
    for thread in threads:
        thread.start()
    print("begun", flush=True)
    sys.stdin.read()
    stop.set()
    for thread in threads:
        thread.join()
    print(json.dumps({
        "answered": sum(client.answered for client in clients),
        "failures": [failure for client in clients for failure in client.failures],
        "slowest": max(client.slowest for client in clients),
        "slowest_on_clock": max(client.slowest_on_clock for client in clients)}))


if __name__ == "__main__":
    main(json.loads(sys.stdin.readline()))
