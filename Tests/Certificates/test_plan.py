"""`aasa certs plan` and `aasa serve --check --acme`: what an order would meet, without one."""

import json
import os
import shutil
import signal
import subprocess
import unittest

from authority import BINARY, Authority, eventually, free_port, is_open, run, said
from front import Front
from server import Server


class Plan(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.authority = Authority(nonce_reject=20)

    @classmethod
    def tearDownClass(cls):
        cls.authority.stop()

    def make(self, name, aliases=(), **front):
        self.front = Front(self.authority, **front)
        self.addCleanup(self.front.stop)
        server = Server(
            {name: list(aliases)}, self.authority.place(name, *aliases), self.authority,
            url=self.front.url)
        self.addCleanup(server.remove)
        return server

    def plan(self, server, *options, places=None, status=0, wrapper=()):
        """The plan as JSON; `places`: where the names lead, instead of to the server."""
        words = []
        for host, aliases in server.hosts.items():
            for name in [host, *aliases]:
                for place in places or [f"{server.address}:{server.port}"]:
                    words += ["--resolve", f"{name}:443:{place}"]
        done = run(
            *wrapper, BINARY, "certs", "plan", "--site", server.site, "--certs", server.certs,
            "--listen", f"{server.address}:{server.port}", "--acme-directory", server.url,
            "--acme-cacert", server.cacert, "--acme-agree-terms", "--dns-server",
            f"127.0.0.1:{self.authority.dns}", "--format", "json", *words, *options)
        self.assertEqual(done.returncode, status, said(done))
        self.assertEqual(self.front.count("newOrder", 201), self.orders, "nothing is ordered")
        return json.loads(done.stdout)

    orders = 0

    @staticmethod
    def faults(seen):
        return " ".join(
            f"{error['message']} {error['remedy']}"
            for part in ("authorities", "names", "caa") for entry in seen[part]
            for error in entry["errors"])

    def test_before_the_first_start_all_is_well(self):
        server = self.make("first.test", ["www.first.test"])
        seen = self.plan(server)
        self.assertTrue(seen["ok"])
        self.assertEqual([name["proven"] for name in seen["names"]], [True, True])
        self.assertEqual(seen["authorities"][0]["account"], "none")
        self.assertEqual(seen["certificates"][0]["state"], "due")
        self.assertEqual(self.front.account_keys(), set(), "no account is made")
        self.assertEqual(os.listdir(server.certs), [], "nothing is written")

    def test_beside_a_running_server(self):
        server = self.make("running.test")
        server.start()
        server.wait_for("running.test")
        eventually(
            lambda: server.entries()["running.test", "ecdsa"]["state"] == "good", 20, server.log)
        # The lease is given back half a minute after the last order.
        self.orders = 1
        done = eventually(
            lambda: (seen := self.plan(server)) and seen["unproven"] is None and seen, 60,
            server.log)
        self.assertEqual(done["authorities"][0]["account"], "valid")
        self.assertEqual(done["certificates"][0]["state"], "good")
        self.assertTrue(done["names"][0]["proven"])
        with open(f"{server.certs}/.acme/challenges.json", encoding="utf-8") as file:
            self.assertEqual(json.load(file), [], "the challenge is taken back")
        self.assertEqual(self.front.count("newAccount", 201), 1)

    def test_a_wrong_ipv6_address(self):
        server = self.make("aaaa.test")
        seen = self.plan(
            server, places=[f"[::1]:{free_port()}", f"{server.address}:{server.port}"], status=1)
        self.assertIn("AAAA", self.faults(seen))
        outcomes = {look["address"].startswith("["): look["outcome"]
                    for look in seen["names"][0]["looks"]}
        self.assertEqual(outcomes, {True: "failed", False: "ours"})

    def test_a_closed_port(self):
        server = self.make("closed.test")
        seen = self.plan(server, places=[f"127.0.0.1:{free_port()}"], status=1)
        self.assertIn("port 443 is open", self.faults(seen))

    def test_a_port_that_swallows(self):
        server = self.make("swallow.test")
        with subprocess.Popen(
                ["python3", "-c", "import socket,time; s=socket.create_server(('127.0.0.1',0)); "
                 "print(s.getsockname()[1],flush=True); time.sleep(60)"],
                stdout=subprocess.PIPE, text=True) as child:
            port = child.stdout.readline().strip()
            seen = self.plan(server, places=[f"127.0.0.1:{port}"], status=1)
            child.kill()
        self.assertIn("port 443 is open", self.faults(seen))

    def test_something_else_ends_tls(self):
        server = self.make("cdn.test")
        port = free_port()
        made = run(BINARY, "certs", "make", "--certs", f"{server.folder}/cdn", "cdn.test")
        self.assertEqual(made.returncode, 0, said(made))
        with subprocess.Popen(
                ["openssl", "s_server", "-accept", str(port), "-www", "-quiet", "-cert",
                 f"{server.folder}/cdn/cdn.test/fullchain.pem", "-key",
                 f"{server.folder}/cdn/cdn.test/privkey.pem"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL) as child:
            eventually(lambda: is_open(port), 10, "openssl s_server")
            seen = self.plan(server, places=[f"127.0.0.1:{port}"], status=1)
            child.send_signal(signal.SIGTERM)
        self.assertIn("CDN", self.faults(seen))

    def test_http_is_enough_behind_what_ends_tls(self):
        server = self.make("plain.test")
        plain = f"{server.address}:{self.authority.http}"
        seen = self.plan(
            server, "--acme-http", plain, "--resolve", f"plain.test:80:{plain}",
            places=[f"127.0.0.1:{free_port()}"])
        kinds = {look["challenge"]: look["outcome"] for look in seen["names"][0]["looks"]}
        self.assertEqual(kinds, {"http-01": "ours"})

    def test_a_name_without_an_address(self):
        server = self.make("nowhere.invalid")
        done = run(
            BINARY, "certs", "plan", "--site", server.site, "--certs", server.certs, "--listen",
            f"{server.address}:{server.port}", "--acme-directory", server.url, "--acme-cacert",
            server.cacert, "--acme-agree-terms", "--dns-server",
            f"127.0.0.1:{self.authority.dns}")
        self.assertEqual(done.returncode, 1, said(done))
        self.assertIn("has an A or AAAA record", done.stdout)

    def test_records_that_allow_another_authority_alone(self):
        server = self.make("caa.test", identities=["ca.test"])

        def say(host, *policies):
            self.authority.tell_names("/clear-caa", {"host": f"{host}."})
            self.authority.tell_names("/add-caa", {
                "host": f"{host}.",
                "policies": [{"tag": tag, "value": value} for tag, value in policies]})

        # That parents are asked is tested in Tests/ACMETests: this name server answers for names
        # without records as one that knows nothing, which glibc does not take.
        say("caa.test", ("issue", "other.example"))
        seen = self.plan(server, status=1)
        self.assertIn("caa.test allows other.example, not ca.test", self.faults(seen))
        self.assertIn("CAA records", self.faults(seen))
        say("caa.test", ("issue", "ca.test; validationmethods=http-01"))
        self.assertIn("allows only http-01", self.faults(self.plan(server, status=1)))
        say("caa.test", ("issue", "other.example"), ("issue", "CA.test"))
        seen = self.plan(server)
        self.assertEqual(seen["caa"][0]["domain"], "caa.test")
        say("caa.test", ("issue", ";"))
        self.assertIn("no authority", self.faults(self.plan(server, status=1)))

    @unittest.skipIf(shutil.which("faketime") is None, "faketime is not installed")
    def test_a_clock_that_is_off(self):
        server = self.make("clock.test")
        for offset, word in (("-1d", "behind"), ("+1d", "ahead of")):
            seen = self.plan(server, status=1, wrapper=("faketime", "-m", "-f", offset))
            text = str(seen["authorities"][0]["clock"]) + self.faults(seen)
            self.assertTrue(word in text or "Check the clock" in text, text)

    def test_an_authority_that_is_not_there_and_one_that_wants_a_customer(self):
        server = self.make("gone.test")
        server.url = f"https://127.0.0.1:{free_port()}/dir"
        self.assertIn("gave no answer", self.faults(self.plan(server, status=1)))

    def test_check_of_serve_looks_as_well(self):
        server = self.make("checked.invalid")
        done = run(*server.words("--check"))
        self.assertEqual(done.returncode, 1, said(done))
        self.assertIn("authority https://127.0.0.1", done.stdout)
        self.assertIn("has an A or AAAA record", done.stdout)
        self.assertEqual(self.front.count("newOrder"), 0)
        self.assertEqual(self.front.count("newAccount"), 0)

    def test_text_names_each_certificate_and_what_is_to_be_done(self):
        server = self.make("text.test")
        done = run(
            BINARY, "certs", "plan", "--site", server.site, "--certs", server.certs, "--listen",
            f"{server.address}:{server.port}", "--acme-directory", server.url, "--acme-cacert",
            server.cacert, "--acme-agree-terms", "--dns-server",
            f"127.0.0.1:{self.authority.dns}", "--resolve",
            f"text.test:443:{server.address}:{server.port}")
        self.assertEqual(done.returncode, 0, said(done))
        for words in ("certificate text.test (ecdsa)", "answers our challenge", "no account yet"):
            self.assertIn(words, done.stdout)


if __name__ == "__main__":
    unittest.main()
