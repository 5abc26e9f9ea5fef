"""One machine of a fleet orders, every machine answers the challenges and loads the certificate:
three servers, a real etcd, and a balancer that sends the authority to another one each time."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import unittest

from authority import BINARY, Authority, eventually, free_port, is_open, run, said
from front import Front
from server import Server

NAME = "fleet.test"


class Store:
    """One member of etcd."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="aasa-etcd-")
        port, peer = free_port(), free_port()
        self.url = f"http://127.0.0.1:{port}"
        with open(f"{self.folder}/log", "wb") as log:
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                ["etcd", "--name", "m1", "--data-dir", f"{self.folder}/data",
                 "--listen-client-urls", self.url, "--advertise-client-urls", self.url,
                 "--listen-peer-urls", f"http://127.0.0.1:{peer}",
                 "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}",
                 "--initial-cluster", f"m1=http://127.0.0.1:{peer}"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        eventually(lambda: is_open(port) and self.ctl("get", "x").returncode == 0, 30, "etcd")

    def ctl(self, *words):
        return run("etcdctl", "--endpoints", self.url, "--command-timeout", "5s", *words,
                   env={**os.environ, "ETCDCTL_API": "3"})

    def value(self, key):
        return self.ctl("get", "--print-value-only", key).stdout.strip()

    def stop(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Deaf:
    """Between a machine and etcd: watches stay open and never say a word, all else passes."""

    def __init__(self, store):
        self.target = int(store.url.rsplit(":", 1)[1])
        self.watches = 0
        self.kept = []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        first = client.recv(65536)
        if b" /v3/watch " in first.split(b"\r\n")[0]:
            self.watches += 1
            self.kept.append(client)
            return
        server = socket.create_connection(("127.0.0.1", self.target), timeout=30)
        server.sendall(first)
        threading.Thread(target=Balancer.copy, args=(client, server), daemon=True).start()
        Balancer.copy(server, client)

    def stop(self):
        self.listener.close()


class Machine(Server):
    """A machine of the fleet. Its certificates are in a folder of its own."""

    def __init__(self, name, address, authority, store, key, url):
        super().__init__({}, address, authority, url=url)
        self.name, self.key_file = name, key
        self.etcd = store.url

    def words(self, *options):
        given = super().words(*options)
        site = given.index("--site")
        return given[:site] + given[site + 2:] + [
            "--fleet", "web", "--etcd", self.etcd, "--fleet-key", self.key_file,
            "--machine", self.name, "--state", f"{self.folder}/state"]


class Balancer:
    """Connections to one address go to the machines in turn."""

    def __init__(self, address, port, targets):
        self.port, self.targets = port, targets
        self.turn = 0
        self.used = set()
        self.listener = socket.create_server((address, port), backlog=64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = self.connect()
            if server is None:
                client.close()
                continue
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self.copy, args=(source, sink), daemon=True).start()

    def connect(self):
        """The next one that is up, as a balancer's health checks see to it."""
        for _ in self.targets:
            target = self.targets[self.turn % len(self.targets)]
            self.turn += 1
            try:
                server = socket.create_connection((target, self.port), timeout=5)
                self.used.add(target)
                return server
            except OSError:
                continue
        return None

    @staticmethod
    def copy(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            source.close()
            sink.close()

    def stop(self):
        self.listener.close()


class Fleet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.authority = Authority(nonce_reject=5)
        cls.addClassCleanup(cls.authority.stop)

    def make(self, name, faults=None):
        """Three machines that are not started yet, before them a balancer, behind them etcd."""
        store = Store()
        self.addCleanup(store.stop)
        front = Front(self.authority, faults)
        self.addCleanup(front.stop)
        folder = tempfile.mkdtemp(prefix="aasa-fleet-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        key = f"{folder}/key"
        self.assertEqual(run(BINARY, "fleet", "key", key).returncode, 0)
        site = Server({name: []}, "127.0.0.1", self.authority, folder).site
        done = run(BINARY, "fleet", "publish", site, "--fleet", "web", "--etcd", store.url)
        self.assertEqual(done.returncode, 0, said(done))
        machines = []
        for number in (1, 2, 3):
            address = self.authority.place(f"machine{number}.{name}")
            machine = Machine(
                f"machine{number}", address, self.authority, store, key, front.url)
            self.addCleanup(machine.remove)
            machines.append(machine)
        balancer = Balancer(
            self.authority.place(name), self.authority.tls, [m.address for m in machines])
        self.addCleanup(balancer.stop)
        return store, front, machines, balancer

    @staticmethod
    def serials(name, machines):
        return {machine.shown_serial(name) for machine in machines}

    def wait_for_all(self, name, machines, seconds=90):
        for machine in machines:
            machine.wait_for(name, seconds=seconds)
        serial = machines[0].serial(name)
        eventually(lambda: self.serials(name, machines) == {serial}, seconds,
                   lambda: "\n".join(machine.log()[-2500:] for machine in machines))
        return serial

    def test_one_orders_and_all_answer_and_load(self):
        name = f"one.{NAME}"
        orderer = []

        def faults(step, count):
            if step == "newOrder" and count == 1:
                for machine in machines:
                    machine.wait_until_ready()
            if step == "challenge" and count == 1:
                # The authority comes to everybody but the one that orders.
                holder = store.value("/aasa/web/acme/lease").split()[0]
                orderer.append(holder)
                balancer.targets = [m.address for m in machines if m.name != holder]

        store, front, machines, balancer = self.make(name, faults)
        for machine in machines:
            machine.start(waits=False)
        self.wait_for_all(name, machines)
        self.assertEqual(len(orderer), 1)
        self.assertGreater(len(balancer.used), 0)
        self.assertEqual(len(front.new_orders()), 1)
        self.assertEqual(len(front.account_keys()), 1)
        for machine in machines:
            self.assertIsNone(machine.pair_fault(name))
        # Nothing in the store is readable without the fleet's key.
        everything = store.ctl("get", "--prefix", "/aasa/web/acme/").stdout
        self.assertIn("/aasa/web/acme/issued/", everything)
        for word in ("PRIVATE", "privateKey", "CERTIFICATE", "keyAuthorization"):
            self.assertNotIn(word, everything)
        # Without etcd everybody serves on, and starts from its own disk.
        store.process.send_signal(signal.SIGSTOP)
        self.addCleanup(store.process.send_signal, signal.SIGCONT)
        serial = machines[1].serial(name)
        machines[1].stop()
        machines[1].start()
        self.assertEqual(machines[1].shown_serial(name), serial)

    def test_a_machine_that_hears_of_nothing_answers(self):
        """Its watch is dead: a validator's question itself makes it read what etcd has."""
        name = f"deaf.{NAME}"
        orderer = []

        def faults(step, count):
            if step == "newOrder" and count == 1:
                for machine in machines:
                    machine.wait_until_ready()
            if step == "challenge" and count == 1:
                holder = store.value("/aasa/web/acme/lease").split()[0]
                orderer.append(holder)
                balancer.targets = [m.address for m in machines if m.name != holder]

        store, front, machines, balancer = self.make(name, faults)
        deaf = Deaf(store)
        self.addCleanup(deaf.stop)
        for machine in machines:
            machine.etcd = deaf.url
            machine.start(waits=False)
        eventually(lambda: any(m.has(name) for m in machines), 60,
                   lambda: "\n".join(machine.log()[-2500:] for machine in machines))
        self.assertEqual(len(orderer), 1)
        self.assertGreater(len(balancer.used), 0)
        self.assertGreater(deaf.watches, 0)
        self.assertEqual(len(front.new_orders()), 1)

    def test_one_that_was_paused_overwrites_nothing(self):
        name = f"paused.{NAME}"
        paused = []

        def faults(step, count):
            if step == "finalize" and count == 1:
                holder, _, lease = store.value("/aasa/web/acme/lease").split()
                machine = next(m for m in machines if m.name == holder)
                machine.kill(signal.SIGSTOP)
                # Its lease ends, as it would after 90 s.
                store.ctl("lease", "revoke", f"{int(lease):x}")
                balancer.targets = [m.address for m in machines if m is not machine]
                paused.append(machine)

        store, front, machines, balancer = self.make(name, faults)
        for machine in machines:
            machine.start()
        eventually(lambda: paused, 60, machines[0].log)
        others = [machine for machine in machines if machine is not paused[0]]
        serial = self.wait_for_all(name, others)
        before = store.ctl("get", "--prefix", "/aasa/web/acme/issued/").stdout
        paused[0].kill(signal.SIGCONT)
        self.assertEqual(self.wait_for_all(name, machines), serial)
        self.assertEqual(store.ctl("get", "--prefix", "/aasa/web/acme/issued/").stdout, before)
        self.assertEqual(len(front.account_keys()), 1)
        self.assertLessEqual(len(front.new_orders()), 2)


if __name__ == "__main__":
    unittest.main()
