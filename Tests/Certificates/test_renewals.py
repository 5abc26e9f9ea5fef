"""Three hosts with aliases by each way, and renewals under load, before pebble -strict."""

import json
import re
import subprocess
import unittest

from authority import BINARY, IS_FULL, Authority, eventually, run, said
from server import PATH, Server

HOSTS = {
    "shop.test": ["www.shop.test", "m.shop.test"], "blog.test": ["www.blog.test"],
    "app.test": ["go.app.test", "link.app.test"],
}


def named(prefix):
    return {
        f"{prefix}-{host}": [f"{prefix}-{alias}" for alias in aliases]
        for host, aliases in HOSTS.items()}


def everything(hosts):
    return [name for host, aliases in hosts.items() for name in [host, *aliases]]


class Ways(unittest.TestCase):
    """pebble sleeps before each validation and refuses a fifth of all nonces."""

    @classmethod
    def setUpClass(cls):
        cls.open = Authority(sleeps=True)
        cls.registered = Authority(sleeps=True, external_account=True)
        cls.servers = []
        for authority in (cls.open, cls.registered):
            for way in ("tls", "http"):
                hosts = named(f"{way}{authority.port}")
                server = Server(hosts, authority.place(*everything(hosts)), authority)
                options = []
                if authority is cls.registered:
                    options += ["--acme-eab", ":".join(Authority.EAB)]
                if way == "http":
                    # As behind a CDN: nobody answers TLS where pebble looks.
                    options += ["--acme-http", f"{server.address}:{authority.http}"]
                    cls.hide(server)
                cls.servers.append((way, authority, server))
                server.start(*options)

    @staticmethod
    def hide(server):
        """pebble finds nobody at its TLS port, so that HTTP-01 is all that is left."""
        port = server.authority.tls + 1
        server.__class__ = type("Hidden", (Server,), {"port": port})

    @classmethod
    def tearDownClass(cls):
        for _, _, server in cls.servers:
            server.remove()
        cls.open.stop()
        cls.registered.stop()

    def test_three_hosts_with_aliases_by_each_way(self):
        for way, authority, server in self.servers:
            with self.subTest(way=way, registered=authority is self.registered):
                server.wait_for(*server.hosts, seconds=120)
                for host, aliases in server.hosts.items():
                    self.assertEqual(server.names_in(host), sorted([host, *aliases]))
                    self.assertIsNone(server.pair_fault(host))
                self.assertEqual(len(server.accounts()), 1)
                self.assertEqual(server.loose_files(), [])
                root = authority.root()
                for name in everything(server.hosts):
                    answer = eventually(
                        lambda name=name, server=server, root=root: (
                            lambda done: done if done.returncode == 0 else None)(
                                server.document(name, root)), 20, name)
                    self.assertIn("applinks", answer.stdout)
                log = server.log()
                print(f"\n{way}, external account {authority is self.registered}: "
                      f"{len(server.hosts)} certificates, {len(everything(server.hosts))} names, "
                      f"{log.count('asking')} requests")

    def test_without_the_key_of_a_customer_it_says_what_is_missing(self):
        server = Server(
            {"eab.test": []}, self.registered.place("eab.test"), self.registered)
        self.addCleanup(server.remove)
        server.start()
        entry = eventually(
            lambda: (e := server.entries().get(("eab.test", "ecdsa"))) and e.get("lastError")
            and e, 30, server.log)
        self.assertIn("--acme-eab", entry["lastError"] + (entry.get("remedy") or ""))


class Load(unittest.TestCase):
    """Certificates of three quarters of a minute: each is renewed every 30 seconds, under load.

    On a busy machine a renewal takes up to ten seconds of the fifteen that are left then.
    """

    LIFE = 45

    @classmethod
    def setUpClass(cls):
        cls.authority = Authority(life=cls.LIFE)
        cls.hosts = named("load")
        cls.server = Server(cls.hosts, cls.authority.place(*everything(cls.hosts)), cls.authority)
        cls.server.start()
        cls.server.wait_for(*cls.hosts)
        cls.root = cls.authority.root()

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()
        cls.authority.stop()

    def test_no_request_fails_while_certificates_change(self):
        server, seconds = self.server, 200 if IS_FULL else 65
        host = "load-shop.test"
        eventually(lambda: server.shown_serial(host) == server.serial(host), 10, server.log)
        seen = {name: {server.serial(name)} for name in self.hosts}
        target = f"{server.address}:{server.port}"
        loads = [
            subprocess.Popen(
                [BINARY, "storm", f"https://{host}:{server.port}", "--resolve",
                 f"{host}:{target.rsplit(':', 1)[1]}:{server.address}", "--cacert", self.root,
                 "--devices", str(20 * seconds), "--over", str(seconds), "--format", "json"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True),
            subprocess.Popen(
                # A connection ends after 1,000 requests, and h2load makes no other: what it has
                # under way then counts as failed.
                ["h2load", "-D", str(seconds), "-c", "4", "-m", "2", "--rps", str(900 // seconds),
                 f"--connect-to={target}", f"https://load-blog.test:{server.port}{PATH}"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True)]
        fresh = 0
        while any(load.poll() is None for load in loads):
            for name in self.hosts:
                seen[name].add(server.serial(name))
            done = run(
                "curl", "-sS", "-o", "/dev/null", "--max-time", "20", "--cacert", self.root,
                "--resolve", f"{host}:{server.port}:{server.address}",
                f"https://{host}:{server.port}{PATH}")
            self.assertEqual(done.returncode, 0, said(done))
            fresh += 1
        storm, h2load = [load.communicate()[0] for load in loads]
        report = json.loads(storm)
        # Without the histograms, which are most of it.
        self.assertEqual(loads[0].returncode, 0,
                         {key: value for key, value in report.items() if len(str(value)) < 400})
        counted = re.search(
            r"requests: (\d+) total, .* (\d+) succeeded, (\d+) failed, (\d+) errored", h2load)
        self.assertIsNotNone(counted, h2load)
        total, _, failed, errored = map(int, counted.groups())
        self.assertGreater(total, 500, h2load)
        self.assertEqual((failed, errored), (0, 0), h2load)
        renewals = {name: len(serials) - 1 for name, serials in seen.items()}
        for name, count in renewals.items():
            self.assertGreaterEqual(count, 1, f"{name}\n{server.log()[-3000:]}")
        counts = {key: report[key] for key in ("devices", "associated", "denied", "failed")}
        self.assertEqual(counts["associated"], counts["devices"], storm[-3000:])
        print(f"\n{seconds} s of load: renewals {renewals}; storm {counts}; "
              f"h2load {total} requests, {failed} failed, {errored} errored; curl {fresh}, "
              "0 failed")

    def test_key_type_changes(self):
        hosts = {"keys.test": ["www.keys.test"]}
        authority = Authority()
        self.addCleanup(authority.stop)
        server = Server(hosts, authority.place(*everything(hosts)), authority)
        self.addCleanup(server.remove)
        server.start()
        server.wait_for("keys.test")
        first = server.serial("keys.test")
        server.stop()
        server.start("--acme-rsa")
        server.wait_for("keys.test", rsa=True)
        self.assertEqual(server.serial("keys.test"), first, "the ECDSA pair is not ordered again")
        self.assertIsNone(server.pair_fault("keys.test"))
        self.assertIsNone(server.pair_fault("keys.test", rsa=True))
        rsa = ["-tls1_2", "-sigalgs", "RSA+SHA256:RSA-PSS+SHA256"]
        eventually(
            lambda: server.shown_serial("www.keys.test", *rsa)
            == server.serial("keys.test", rsa=True), 20, server.log)
        self.assertEqual(server.shown_serial("www.keys.test"), first)
        # RSA goes again: it is not renewed, and leaves with the next renewal.
        server.stop()
        server.add("keys.test", ["www.keys.test", "new.keys.test"])
        authority.point(server.address, "new.keys.test")
        server.start()
        eventually(lambda: server.serial("keys.test") != first, 60, server.log)
        self.assertFalse(server.has("keys.test", rsa=True))
        self.assertIn("new.keys.test", server.names_in("keys.test"))
        self.assertEqual(len(server.accounts()), 1)


if __name__ == "__main__":
    unittest.main()
