"""What machines do to a server: stops, full and read-only disks, wrong clocks, a second server, an
authority that never answers; and what follows a new certificate: signatures, the user."""

import glob
import json
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from authority import BINARY, Authority, eventually, run, said
from front import Front
from server import PATH, Server

IS_ROOT = os.geteuid() == 0


class Machine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.authority = Authority(nonce_reject=5)

    @classmethod
    def tearDownClass(cls):
        cls.authority.stop()

    def make(self, name, folder=None, faults=None):
        front = Front(self.authority, faults)
        self.addCleanup(front.stop)
        server = Server(
            {name: []}, self.authority.place(name), self.authority, folder, url=front.url)
        self.addCleanup(server.remove)
        return server, front

    def is_good(self, server, name):
        return server.entries().get((name, "ecdsa"), {}).get("state") == "good"

    def test_stopped_in_the_middle_of_an_order(self):
        """A process that sleeps for longer than its lease lasts overwrites nothing."""
        name = "stopped.test"
        reached = []

        def faults(step, count):
            if step == "challenge" and count == 1:
                reached.append(1)
                server.kill(signal.SIGSTOP)

        server, front = self.make(name, faults=faults)
        server.start()
        eventually(lambda: reached, 30, server.log)
        time.sleep(3)
        server.kill(signal.SIGCONT)
        server.wait_for(name)
        self.assertEqual(len(front.new_orders()), 1)
        self.assertIsNone(server.pair_fault(name))

    def test_another_takes_over_from_one_that_is_killed_without_a_word(self):
        name = "takeover.test"
        reached = []

        def faults(step, count):
            if step == "finalize" and count == 1:
                server.kill()
                reached.append(1)
                return ("drop",)
            return None

        server, front = self.make(name, faults=faults)
        server.start()
        second = Server(
            {name: []}, self.authority.place("second-takeover.test"), self.authority,
            server.folder, url=front.url)
        second.starts = 10
        eventually(lambda: reached, 30, server.log)
        server.process.wait(20)
        second.start()
        self.addCleanup(lambda: second.kill())
        second.wait_for(name)
        self.assertEqual(len(front.new_orders()), 1)
        self.assertEqual(len(front.account_keys()), 1)
        self.assertEqual(second.loose_files(), [])

    def test_two_servers_on_one_folder_order_once_and_both_answer(self):
        name = "twins.test"
        front = Front(self.authority)
        self.addCleanup(front.stop)
        # pebble looks at the one that does not order as well as at the one that does.
        places = [self.authority.place(name), self.authority.place("other-twin.test")]
        folder = tempfile.mkdtemp(prefix="aasa-twins-")
        servers = []
        for number, address in enumerate(places):
            server = Server({name: []}, address, self.authority, folder, url=front.url)
            server.starts = 20 * number
            self.addCleanup(server.remove)
            servers.append(server)
        self.authority.point(places[1], name)
        servers[0].start()
        # Only the second is looked at: the first orders, the second answers.
        servers[1].start()
        servers[0].wait_for(name)
        for server in servers:
            eventually(
                lambda server=server: server.shown_serial(name) == server.serial(name), 30,
                server.log)
        self.assertEqual(len(front.new_orders()), 1)
        self.assertEqual(len(front.account_keys()), 1)
        self.assertIn("another process is ordering certificates; this one waits", servers[0].log())

    @unittest.skipUnless(IS_ROOT, "mounting needs root")
    def test_a_full_disk_keeps_the_old_and_goes_on_when_there_is_room(self):
        name = "full.test"
        folder = tempfile.mkdtemp(prefix="aasa-full-")
        os.makedirs(f"{folder}/certs")
        if run("mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", f"{folder}/certs").returncode:
            self.skipTest("no tmpfs can be mounted")
        self.addCleanup(run, "umount", "-l", f"{folder}/certs")
        full = []

        def faults(step, count):
            # Full just before the certificate comes.
            if step == "certificate" and not full:
                with open(f"{folder}/certs/ballast", "wb") as file:
                    try:
                        while True:
                            file.write(b"x" * 4096)
                            file.flush()
                    except OSError:
                        full.append(1)

        server, front = self.make(name, folder, faults)
        server.start()
        entry = eventually(
            lambda: (e := server.entries().get((name, "ecdsa"))) and e["lastError"] and e, 60,
            server.log)
        self.assertIn("No space left", entry["lastError"])
        self.assertFalse(server.has(name))
        self.assertEqual(server.loose_files(), [])
        self.assertIsNone(server.process.poll())
        os.unlink(f"{folder}/certs/ballast")
        # The pause is minutes: a restart goes on with the same order.
        server.stop()
        server.forget_pause(name)
        server.start()
        server.wait_for(name)
        self.assertEqual(len(front.new_orders()), 1, "the same order")
        self.assertIsNone(server.pair_fault(name))

    @unittest.skipUnless(IS_ROOT, "mounting needs root")
    def test_a_read_only_folder_is_refused_at_the_start_with_the_remedy(self):
        name = "readonly.test"
        folder = tempfile.mkdtemp(prefix="aasa-readonly-")
        os.makedirs(f"{folder}/certs")
        server, front = self.make(name, folder)
        if run("mount", "-t", "tmpfs", "-o", "ro", "tmpfs", f"{folder}/certs").returncode:
            self.skipTest("no tmpfs can be mounted")
        self.addCleanup(run, "umount", "-l", f"{folder}/certs")
        server.start(waits=False)
        self.assertEqual(server.process.wait(30), 3, server.log())
        self.assertIn("mount it writable", server.log())
        self.assertEqual(front.requests, [], "nothing is asked without a place to keep it")

    @unittest.skipUnless(IS_ROOT, "mounting needs root")
    def test_a_folder_that_becomes_read_only_is_said_and_got_over(self):
        name = "becomes.test"
        folder = tempfile.mkdtemp(prefix="aasa-becomes-")
        os.makedirs(f"{folder}/certs")
        if run("mount", "-t", "tmpfs", "tmpfs", f"{folder}/certs").returncode:
            self.skipTest("no tmpfs can be mounted")
        self.addCleanup(run, "umount", "-l", f"{folder}/certs")

        def faults(step, count):
            if step == "newAccount" and count == 1:
                run("mount", "-o", "remount,ro", f"{folder}/certs")

        server, front = self.make(name, folder, faults)
        server.start()
        status = eventually(
            lambda: (s := server.status()["renewals"]) and s["storeError"] and s, 60, server.log)
        self.assertIn("Read-only", status["storeError"])
        asked = len(front.requests)
        time.sleep(5)
        self.assertLessEqual(len(front.requests), asked + 1, "it asks nothing that it cannot keep")
        run("mount", "-o", "remount,rw", f"{folder}/certs")
        server.stop()
        server.forget_pause(name)
        server.start()
        server.wait_for(name)
        self.assertEqual(front.count("newAccount", 201), 1)
        self.assertEqual(len(front.new_orders()), 1)

    def test_an_authority_that_never_answers_costs_nothing_else(self):
        name = "silent.test"
        server, front = self.make(name, faults=lambda step, count: ("silence",))
        made = run(BINARY, "certs", "make", "--certs", server.certs, "made.test")
        self.assertEqual(made.returncode, 0, said(made))
        server.add("made.test", [])
        server.start()
        root = f"{server.certs}/local-ca/ca.pem"
        for _ in range(5):
            done = server.document("made.test", root)
            self.assertEqual(done.returncode, 0, said(done))
            time.sleep(1)
        start = time.monotonic()
        self.assertEqual(server.stop(), 0, "it ends at once although a request is under way")
        self.assertLess(time.monotonic() - start, 15)

    @staticmethod
    def faked(clock):
        """The words before a command whose clock is off by what stands in the file `clock`.

        With FAKETIME set, the preloaded library changes the environment, where a static binary of
        Swift finds its arguments.
        """
        return ("faketime", "-m", "-f", "+0", "env", "-u", "FAKETIME",
                f"FAKETIME_TIMESTAMP_FILE={clock}", "FAKETIME_NO_CACHE=1",
                "FAKETIME_DONT_FAKE_MONOTONIC=1")

    def test_a_clock_a_day_off(self):
        """Ahead or behind: a certificate comes, or it is said why not; nothing burns."""
        if shutil.which("faketime") is None:
            self.skipTest("faketime is not installed")
        for offset in ("-1d", "+1d"):
            with self.subTest(offset):
                name = f"clock{'ahead' if offset[0] == '+' else 'behind'}.test"
                server, front = self.make(name)
                clock = f"{server.folder}/clock"
                with open(clock, "w", encoding="utf-8") as file:
                    file.write(offset)
                server.start(wrapper=self.faked(clock))
                eventually(
                    lambda: server.has(name)
                    or (server.entries().get((name, "ecdsa")) or {}).get("lastError"), 60,
                    server.log)
                self.assertLess(len(front.requests), 60)
                self.assertLessEqual(len(front.new_orders()), 1)
                # The clock is set right: no second order.
                server.stop()
                server.forget_pause(name)
                server.start()
                server.wait_for(name)
                eventually(lambda: self.is_good(server, name), 20, server.log)
                self.assertLessEqual(len(front.new_orders()), 2)
                print(f"\nclock {offset}: {len(front.requests)} requests, "
                      f"{len(front.new_orders())} orders")

    def test_a_clock_that_steps_while_the_server_runs(self):
        if shutil.which("faketime") is None:
            self.skipTest("faketime is not installed")
        name = "steps.test"
        server, front = self.make(name)
        clock = f"{server.folder}/clock"

        def step(offset):
            with open(f"{clock}.new", "w", encoding="utf-8") as file:
                file.write(offset)
            os.rename(f"{clock}.new", clock)

        step("+0")
        server.start(wrapper=self.faked(clock))
        server.wait_for(name)
        eventually(lambda: self.is_good(server, name), 20, server.log)
        asked = len(front.requests)
        for offset in ("-40d", "+1d", "-1d", "+0"):
            step(offset)
            server.add(name, [])
            os.utime(f"{server.site}/{name}/host.json")
            time.sleep(3)
            self.assertIsNone(server.process.poll(), server.log())
        self.assertLess(len(front.requests) - asked, 15, "steps of the clock burn nothing")
        self.assertEqual(len(front.new_orders()), 1)
        # Where the authority's own certificate has ended: said with the clock as the remedy.
        step("+70d")
        server.add(name, ["www.steps.test"])
        self.authority.point(server.address, "www.steps.test")
        entry = eventually(
            lambda: (e := server.entries()[name, "ecdsa"]) and e["lastError"] and e, 30,
            server.log)
        self.assertIn("Check the clock", entry["remedy"])
        self.assertEqual(len(front.new_orders()), 1)
        # Set right, the pause that ends in two months is no reason to wait.
        step("+0")
        os.utime(f"{server.site}/{name}/host.json")
        eventually(lambda: len(front.new_orders()) == 2, 30, server.log)

    def test_a_name_that_fails_alone_is_left_out_loudly(self):
        name, dead = "alone.test", "dead.alone.test"
        server, front = self.make(name)
        server.add(name, [dead])
        self.authority.point("127.0.99.99", dead)
        for tries in (1, 2):
            server.start("--acme-skip-failing")
            eventually(
                lambda tries=tries: server.entries().get((name, "ecdsa"), {}).get("tries") == tries,
                60, server.log)
            self.assertFalse(server.has(name))
            server.stop()
            server.forget_pause(name)
        server.start("--acme-skip-failing")
        server.wait_for(name)
        self.assertEqual(server.names_in(name), [name])
        self.assertIn(f"the certificate of {name} without {dead}: only these", server.log())
        self.assertEqual(len(front.account_keys()), 1)

    def test_what_cannot_be_read_is_kept_aside(self):
        name = "torn.test"
        server, front = self.make(name)
        server.start()
        server.wait_for(name)
        server.stop()
        account = server.accounts()[0]
        with open(account, "w", encoding="utf-8") as file:
            file.write('{"key": "torn')
        server.add("torn2.test", [])
        self.authority.point(server.address, "torn2.test")
        server.start()
        server.wait_for("torn2.test")
        kept = glob.glob(f"{server.certs}/.acme/unreadable/*")
        self.assertEqual(len(kept), 1, server.log()[-3000:])
        with open(kept[0], encoding="utf-8") as file:
            self.assertEqual(file.read(), '{"key": "torn')
        self.assertIn("cannot be read", server.log())


class Signature(unittest.TestCase):
    def test_the_signed_form_is_signed_again_with_the_new_certificate(self):
        authority = Authority(life=40)
        self.addCleanup(authority.stop)
        name = "signed.test"
        server = Server({name: []}, authority.place(name), authority)
        self.addCleanup(server.remove)
        with open(f"{server.site}/{name}/host.json", "w", encoding="utf-8") as file:
            json.dump({"form": "signed"}, file)
        server.start()
        server.wait_for(name)
        root = authority.root()

        def signer():
            """The serial number of who signed the document; None: nobody yet."""
            body = subprocess.run(
                ["curl", "-sS", "--max-time", "20", "--cacert", root, "--resolve",
                 f"{name}:{server.port}:{server.address}",
                 f"https://{name}:{server.port}{PATH}"], capture_output=True, check=False).stdout
            done = subprocess.run(
                ["openssl", "cms", "-verify", "-inform", "DER", "-noverify", "-signer",
                 "/dev/stdout", "-out", "/dev/null"], input=body, capture_output=True,
                check=False)
            return run(
                "openssl", "x509", "-noout", "-serial", input=done.stdout.decode(),
                stdin=None).stdout.strip() if done.returncode == 0 else None

        first = eventually(signer, 20, server.log)
        second = eventually(
            lambda: (found := signer()) and found != first and found, 60, server.log)
        eventually(
            lambda: signer() == server.serial(name), 20, lambda: f"{second}\n{server.log()}")


@unittest.skipUnless(IS_ROOT, "only root becomes another user")
class User(unittest.TestCase):
    def test_a_server_that_drops_root_renews_as_its_user(self):
        authority = Authority(life=40)
        self.addCleanup(authority.stop)
        name = "user.test"
        server = Server({name: []}, authority.place(name), authority)
        self.addCleanup(server.remove)
        nobody = pwd.getpwnam("nobody")
        os.chmod(server.folder, 0o755)
        os.chmod(authority.folder, 0o755)
        # A folder of certificates that is root's: the error names the remedy.
        os.chown(server.certs, 0, 0)
        os.chmod(server.certs, 0o755)
        server.start("--user", "nobody", waits=False)
        self.assertEqual(server.process.wait(30), 3, server.log())
        self.assertIn(f"chown {nobody.pw_uid} ", server.log())
        os.chown(server.certs, nobody.pw_uid, nobody.pw_gid)
        os.makedirs(f"{server.folder}/run2", exist_ok=True)
        os.chown(server.folder, nobody.pw_uid, nobody.pw_gid)
        server.start("--user", "nobody")
        server.wait_for(name)
        first = server.serial(name)
        eventually(lambda: server.serial(name) != first, 60, server.log)
        eventually(lambda: server.shown_serial(name) == server.serial(name), 20, server.log)
        server.stop()
        for folder, folders, files in os.walk(f"{server.certs}/.acme"):
            for entry in [*folders, *files]:
                owner = os.lstat(os.path.join(folder, entry)).st_uid
                self.assertEqual(owner, nobody.pw_uid, os.path.join(folder, entry))
        self.assertEqual(server.loose_files(), [])


if __name__ == "__main__":
    unittest.main()
