"""E8 and E10 to E12: clients that abort, say nothing or leave early, and changes during a surge."""

import os
import select
import socket
import threading
import time

from lab import SlowServer, house, share
from overload import ANSWERED_OF_BOUND


class Aborting(threading.Thread):
    """Clients that leave after their ClientHello, or once the server has answered it."""

    def __init__(self, server, per_second, waits):
        super().__init__(daemon=True)
        self.address = ("127.0.0.1", server.port)
        self.hello, self.per_second, self.waits = server.client_hello(), per_second, waits
        self.over = threading.Event()
        self.start()

    def run(self):
        waiting = []
        due = time.monotonic()
        while not self.over.is_set():
            due += 1 / self.per_second
            try:
                client = socket.create_connection(self.address, timeout=5)
                client.sendall(self.hello)
            except OSError:
                continue
            if self.waits:
                waiting.append(client)
                for answered in select.select(waiting, [], [], 0)[0]:
                    waiting.remove(answered)
                    answered.close()
                if len(waiting) > 200:
                    waiting.pop(0).close()
            else:
                client.close()
            self.over.wait(max(0, due - time.monotonic()))
        for client in waiting:
            client.close()

    def end(self):
        self.over.set()
        self.join(30)


def e8(run):
    """Clients that abort harm nobody but themselves."""
    with SlowServer() as server:
        mu = run.peak(server)
        aborting = []

        def meanwhile(server):
            aborting.append(Aborting(server, 0.3 * mu, waits=False))
            aborting.append(Aborting(server, 0.1 * mu, waits=True))

        report = server.storm(0.55 * mu, run.surge, 10 / 3, meanwhile=meanwhile)
        for thread in aborting:
            thread.end()
        what = "k=0.55, beside 0.3 and 0.1 that abort"
        run.table.at_least("E8", f"{what}: 200", 99.9, 100 * share(report))
        run.clean("E8", report, what)


def connected(server, count, hello=b""):
    """`count` connections from 200 addresses, none waited for; `hello` is sent where it can be."""
    clients = []
    for number in range(count):
        client = socket.socket()
        client.setblocking(False)
        client.bind((f"127.0.{1 + number % 200}.1", 0))
        client.connect_ex(("127.0.0.1", server.port))
        clients.append(client)
    if hello:
        # Sent from a poller as they connect: a SYN that was dropped comes again after a second.
        poller = select.poll()
        unsent = {client.fileno(): client for client in clients}
        for client in clients:
            poller.register(client, select.POLLOUT)
        deadline = time.monotonic() + 20
        while unsent and time.monotonic() < deadline:
            for descriptor, _ in poller.poll(1000):
                client = unsent.pop(descriptor)
                poller.unregister(descriptor)
                try:
                    client.send(hello)
                except OSError:
                    pass
    return clients


def e10(run):
    """Silent clients cost nothing to the others, waiting ones next to nothing."""
    silent(run)
    waiting(run)


def silent(run):
    count = 2_000 if run.quick else 10_000
    load = 0.5 if run.quick else 0.9
    with SlowServer() as server:
        mu = run.peak(server)
        clients = connected(server, count)
        try:
            calm = server.storm(load * mu, 8, 10)
            run.table.at_least(
                "E10", f"k={load} beside {count} silent clients: 200", 99.9, 100 * share(calm))
            run.clean("E10", calm, f"k={load}")
        finally:
            for client in clients:
                client.close()
        if run.quick:
            return
        clients = connected(server, count)
        try:
            bound = run.bound(2, 10)
            report = server.storm(2 * mu, run.surge, 10)
            run.table.at_least(
                "E10", f"k=2 T=10.0 s beside {count} silent clients: 200",
                bound * ANSWERED_OF_BOUND[2], 100 * share(report))
            run.clean("E10", report, "k=2")
        finally:
            for client in clients:
                client.close()


def waiting(run):
    """Connections with their ClientHello sent, before a server that takes in everybody.

    None of them ever answers: the server starts their handshakes at its own rate and ends each
    after 10 s, so the count is taken at its peak. The kernel's queue is held open: else it is cut
    to two seconds of handshakes, and most of the clients wait there instead.
    """
    count = 4_000 if run.quick else 15_000
    with SlowServer(limits="accepts=60000,backlog=16384") as server:
        hello = server.client_hello()
        clients = connected(server, 400, hello)
        try:
            time.sleep(6)
            _, memory = server.residue()
            before = open_connections(server)
            clients += connected(server, count, hello)
            waits, grown, rose = 0, memory, time.monotonic()
            while waits < 0.95 * count and time.monotonic() - rose < 20:
                now = open_connections(server) - before
                if now > waits:
                    waits, rose = now, time.monotonic()
                    _, grown = server.residue()
                time.sleep(0.2)
        finally:
            for client in clients:
                client.close()
        run.table.at_least("E10", f"{count} clients wait at once", 0.9 * count, waits, "")
        run.table.at_most(
            "E10", "memory of a waiting client in the process", 6,
            (grown - memory) / max(1, waits), "KB")


def open_connections(server):
    return len(os.listdir(f"/proc/{server.pid}/fd"))


def e11(run):
    """Five clients of a hundred leave after 1.1 s: the learned patience is not fooled."""
    patience = 10
    waits = ",".join(["1.1"] + [str(patience)] * 19)
    with SlowServer() as server:
        mu = run.peak(server)
        report = server.storm(2 * mu, run.surge, waits)
        # 45 of 58.3 % in the facts: the share of the bound of the policy that learns nothing.
        run.table.at_least(
            "E11", "k=2 T=10.0 s, 5 % leave after 1.1 s: 200",
            run.bound(2, patience) * 45 / 58.3, 100 * share(report))


def e12(run):
    """Reload, change of certificates and upgrade in the middle of a surge cost nobody anything."""
    with SlowServer(upgrades=True) as server:
        mu = run.peak(server)

        def meanwhile(server):
            for index in range(3):
                time.sleep(run.surge / 5)
                server.slow_certificate()
                if index == 1:
                    done = server.upgrade()
                    run.table.row(
                        "E12", "upgrade during the surge", "done",
                        "done" if done.returncode == 0 else house.said(done)[-200:],
                        done.returncode == 0)

        load = 0.4 if run.quick else 0.7
        calm = server.storm(load * mu, run.surge, 10, meanwhile=meanwhile)
        run.table.at_least(
            "E12", f"k={load} with reloads and an upgrade: 200", 100, 100 * share(calm))
        run.clean("E12", calm, f"k={load}")
        patience = run.patiences[-1]
        bound = run.bound(2, patience)
        report = server.storm(2 * mu, run.surge, patience, meanwhile=meanwhile)
        run.table.at_least(
            "E12", f"k=2 T={patience:.1f} s with the same: 200",
            run.lenient(bound * ANSWERED_OF_BOUND[2]), 100 * share(report))
        run.clean("E12", report, "k=2")
