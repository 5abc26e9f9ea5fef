"""certbot and lego, as Debian packages them, on the folders that we keep certificates in."""

import os
import shutil
import tempfile
import time
import unittest

from authority import Authority, eventually, run, said
from front import Front
from server import Server


def contents(folder):
    """Everything below a folder that is not ours: path → (inode, bytes or target)."""
    found = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != ".acme"]
        for name in files + [f for f in folders if os.path.islink(os.path.join(place, f))]:
            path = os.path.join(place, name)
            if os.path.islink(path):
                if os.readlink(path).startswith(".acme/"):
                    continue
                found[path] = os.readlink(path)
            else:
                with open(path, "rb") as file:
                    found[path] = (os.stat(path).st_ino, file.read())
    return found


class Neighbour(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.authority = Authority(nonce_reject=0)

    @classmethod
    def tearDownClass(cls):
        cls.authority.stop()

    def begin(self, prefix):
        """A server for two hosts: theirs and ours."""
        self.theirs, self.ours = f"{prefix}-theirs.test", f"{prefix}-ours.test"
        self.folder = tempfile.mkdtemp(prefix=f"aasa-{prefix}-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.front = Front(self.authority)
        self.addCleanup(self.front.stop)
        self.address = self.authority.place(self.theirs, self.ours)

    def serve(self, certs):
        server = Server(
            {self.theirs: [], self.ours: []}, self.address, self.authority, url=self.front.url)
        self.addCleanup(server.remove)
        server.certs = certs
        server.start()
        return server

    def sees(self, server, name, serial):
        eventually(lambda: server.shown_serial(name) == serial(), 30, server.log)


@unittest.skipIf(shutil.which("certbot") is None, "certbot is not installed")
class Certbot(Neighbour):
    def certbot(self, *words):
        done = run(
            "certbot", *words, "--config-dir", f"{self.folder}/etc", "--work-dir",
            f"{self.folder}/work", "--logs-dir", f"{self.folder}/log", "-n",
            env={**os.environ, "REQUESTS_CA_BUNDLE": self.authority.certificate})
        self.assertEqual(done.returncode, 0, said(done))
        return done.stdout + done.stderr

    def order(self, name, *words):
        return self.certbot(
            "certonly", "--standalone", "--preferred-challenges", "http", "--http-01-address",
            self.address, "--http-01-port", str(self.authority.http), "-d", name, "--server",
            self.authority.url, "--agree-tos", "--register-unsafely-without-email", *words)

    def test_certbot_beside_us(self):
        self.begin("certbot")
        self.order(self.theirs)
        live = f"{self.folder}/etc/live"
        before = contents(f"{self.folder}/etc")
        server = self.serve(live)
        server.wait_for(self.ours)
        self.sees(server, self.theirs, lambda: server.serial(self.theirs))
        self.sees(server, self.ours, lambda: server.serial(self.ours))
        self.assertEqual(server.entries()[self.theirs, "ecdsa"]["state"], "foreign")
        self.assertEqual(contents(f"{self.folder}/etc"), before, "not a byte of certbot's")
        names = [r["payload"]["identifiers"] for r in self.front.new_orders()]
        self.assertEqual(names, [[{"type": "dns", "value": self.ours}]])

        # certbot renews, beside our links, and the server takes what it wrote.
        first = server.serial(self.theirs)
        said_by = self.certbot("renew", "--force-renewal", "--no-random-sleep-on-renew")
        self.assertIn("all renewals succeeded", said_by)
        self.assertNotEqual(server.serial(self.theirs), first)
        self.sees(server, self.theirs, lambda: server.serial(self.theirs))
        listed = self.certbot("certificates")
        self.assertIn(f"Certificate Name: {self.theirs}", listed)
        self.assertNotIn("invalid", listed)

        # certbot asks for a name that is ours: under a name of its own it gets one, ours stays.
        mine = os.readlink(f"{live}/{self.ours}")
        self.order(self.ours, "--cert-name", "mine")
        self.assertEqual(os.readlink(f"{live}/{self.ours}"), mine)

        # Moving: what certbot gives up comes by itself.
        self.certbot("delete", "--cert-name", self.theirs)
        eventually(
            lambda: os.path.islink(f"{live}/{self.theirs}"), 60, lambda: server.log()[-3000:])
        self.sees(server, self.theirs, lambda: server.serial(self.theirs))
        self.assertEqual(len(self.front.new_orders()), 2)
        self.assertEqual(server.loose_files(), [])
        print(f"\n{run('certbot', '--version').stdout.strip()}: issue, renew, certificates, a "
              "name of ours, delete; 0 bytes of its files touched")


@unittest.skipIf(shutil.which("lego") is None, "lego is not installed")
class Lego(Neighbour):
    def lego(self, *words):
        done = run(
            "lego", "--server", self.authority.url, "--path", f"{self.folder}/lego", "--email",
            "ops@lego.test", "--accept-tos", "--domains", self.theirs, "--http", "--http.port",
            f"{self.address}:{self.authority.http}", *words,
            env={**os.environ, "LEGO_CA_CERTIFICATES": self.authority.certificate})
        self.assertEqual(done.returncode, 0, said(done))

    def test_lego_beside_us(self):
        self.begin("lego")
        self.lego("run")
        certs = f"{self.folder}/lego/certificates"
        before = contents(certs)
        server = self.serve(certs)

        def serial():
            return run("openssl", "x509", "-noout", "-serial", "-in",
                       f"{certs}/{self.theirs}.crt").stdout.strip()

        server.wait_for(self.ours)
        self.sees(server, self.theirs, serial)
        self.assertEqual(server.entries()[self.theirs, "ecdsa"]["state"], "foreign")
        self.assertEqual(contents(certs), before, "not a byte of lego's")
        first = serial()
        self.lego("renew", "--days", "99999", "--no-random-sleep")
        self.assertNotEqual(serial(), first)
        self.sees(server, self.theirs, serial)
        time.sleep(2)
        self.assertEqual(len(self.front.new_orders()), 1, "ours alone")
        self.sees(server, self.ours, lambda: server.serial(self.ours))
        self.assertEqual(server.loose_files(), [])
        print(f"\n{run('lego', '--version').stdout.strip()}: run, renew; 0 bytes touched")


if __name__ == "__main__":
    unittest.main()
