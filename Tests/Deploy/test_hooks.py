"""The renewal hooks, called as certbot, lego and dehydrated call them."""

import os
import shutil
import stat
import tempfile
import unittest

from house import path, run, said


class Hooks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="aasa-hooks-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.live = os.path.join(self.folder, "live", "example.com")
        os.makedirs(self.live)
        self.make("one")
        self.certs = os.path.join(self.folder, "certs")
        os.makedirs(self.certs)
        self.environment = {
            **os.environ,
            "AASA_CERTS": self.certs,
            "AASA_GROUP": "no-such-group",
            "AASA_RENEWED": path("deploy/certificates/renewed"),
        }

    def make(self, name):
        chain, key = (os.path.join(self.live, part) for part in ("fullchain.pem", "privkey.pem"))
        done = run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-keyout", key, "-out", chain, "-subj", f"/CN={name}", "-days", "1",
        )
        self.assertEqual(done.returncode, 0, said(done))
        return chain, key

    def hook(self, name, *arguments, **more):
        return run(
            path("deploy/certificates", name), *arguments, env={**self.environment, **more}
        )

    def placed(self):
        folder = os.path.join(self.certs, "example.com")
        return sorted(os.listdir(folder)) if os.path.exists(folder) else []

    def assert_placed(self, done):
        self.assertEqual(done.returncode, 0, said(done))
        self.assertEqual(self.placed(), ["fullchain.pem", "privkey.pem"])
        for name in self.placed():
            file = os.path.join(self.certs, "example.com", name)
            self.assertEqual(open(file).read(), open(os.path.join(self.live, name)).read())
            self.assertEqual(stat.S_IMODE(os.stat(file).st_mode), 0o640)

    def test_certbot(self):
        self.assert_placed(
            self.hook("certbot-deploy-hook", RENEWED_LINEAGE=self.live, RENEWED_DOMAINS="x")
        )
        # And again, as in two months.
        self.make("two")
        self.assert_placed(
            self.hook("certbot-deploy-hook", RENEWED_LINEAGE=self.live, RENEWED_DOMAINS="x")
        )

    def test_lego(self):
        self.assert_placed(
            self.hook(
                "lego-renew-hook", LEGO_CERT_DOMAIN="example.com",
                LEGO_CERT_PATH=os.path.join(self.live, "fullchain.pem"),
                LEGO_CERT_KEY_PATH=os.path.join(self.live, "privkey.pem"),
            )
        )

    def test_dehydrated(self):
        names = ("privkey.pem", "cert.pem", "fullchain.pem", "chain.pem")
        files = [os.path.join(self.live, name) for name in names]
        self.assert_placed(self.hook("dehydrated-hook", "deploy_cert", "example.com", *files, "0"))

    def test_dehydrated_calls_of_other_events_change_nothing(self):
        done = self.hook("dehydrated-hook", "startup_hook")
        self.assertEqual(done.returncode, 0, said(done))
        self.assertEqual(self.placed(), [])

    def test_a_pair_that_does_not_fit_changes_nothing(self):
        chain, _ = self.make("one")
        keep = open(chain).read()
        _, key = self.make("other")
        with open(chain, "w", encoding="utf-8") as file:
            file.write(keep)
        done = self.hook("renewed", "example.com", chain, key)
        self.assertEqual(done.returncode, 1, said(done))
        self.assertIn("nothing was changed", done.stderr)
        self.assertEqual(self.placed(), [])

    def test_wrong_usage_says_how(self):
        done = self.hook("renewed")
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage: renewed HOST FULLCHAIN PRIVKEY", done.stderr)
