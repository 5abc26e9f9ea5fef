"""deploy/CERTIFICATES.md: each of its commands is played, and each alert is explained."""

import os
import re
import shlex
import shutil
import unittest

from authority import BINARY, Authority, eventually, run, said
from front import Front
from server import Server

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = f"{ROOT}/deploy/CERTIFICATES.md"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def commands():
    """The commands of the page, as lists of words."""
    found = []
    for block in re.findall(r"^```sh\n(.*?)^```", read(PAGE), re.M | re.S):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words:
                found.append(words)
    return found


class Guide(unittest.TestCase):
    HOST, ALIAS = "example.com", "www.example.com"

    def setUp(self):
        self.authority = Authority(external_account=False)
        self.registered = Authority(external_account=True)
        self.addCleanup(self.authority.stop)
        self.addCleanup(self.registered.stop)
        self.address = self.authority.place(self.HOST, self.ALIAS)
        self.registered.point(self.address, self.HOST, self.ALIAS)

    def server(self, authority):
        server = Server({self.HOST: [self.ALIAS]}, self.address, authority, self.folder)
        server.cwd = self.folder
        self.addCleanup(server.remove)
        return server

    def played(self, words, authority):
        """The same command in this sandbox: its authority, its ports, its binary."""
        places = {
            "aasa": [BINARY], "*:443": [f"{self.address}:{authority.tls}"],
            "*:80": [f"{self.address}:{authority.http}"],
            "--acme-staging": [
                "--acme-directory", authority.url, "--acme-cacert", authority.certificate],
            "https://acme.zerossl.com/v2/DV90": [
                authority.url, "--acme-cacert", authority.certificate],
            "certbot": ["certbot", *self.certbot_folders],
        }
        found = [part for word in words for part in places.get(word, [word])]
        if "--acme" in words and "--acme-directory" not in found:
            # The real one is not asked by tests.
            found += ["--acme-directory", authority.url, "--acme-cacert", authority.certificate]
        if words[:2] == ["aasa", "serve"]:
            found += ["--run", f"{self.folder}/run", "--ready-file", f"{self.folder}/ready",
                      "--workers", "1", "--drain", "1"]
        if words[:2] == ["aasa", "status"]:
            found += ["--run", f"{self.folder}/run"]
        if words[:3] == ["aasa", "certs", "plan"]:
            for name in (self.HOST, self.ALIAS):
                found += ["--resolve", f"{name}:443:{self.address}:{authority.tls}"]
            found += ["--dns-server", f"127.0.0.1:{authority.dns}"]
        return found

    certbot_folders = ()

    def test_every_command_of_the_page(self):
        server = Server({self.HOST: [self.ALIAS]}, self.address, self.authority)
        self.addCleanup(server.remove)
        self.folder = server.folder
        self.certbot_folders = [
            "--config-dir", f"{self.folder}/etc", "--work-dir", f"{self.folder}/work",
            "--logs-dir", f"{self.folder}/certbot-log"]
        running = None
        count = 0
        for words in commands():
            authority = self.registered if "--acme-eab" in words else self.authority
            if words[:2] == ["aasa", "serve"]:
                if running:
                    running.stop()
                    if "--acme-rsa" not in words:
                        # Each serve of the page stands for itself.
                        shutil.rmtree(server.certs)
                        os.makedirs(server.certs)
                running = self.server(authority)
                if "--acme-http" in words:
                    # As the page has it: TLS is ended elsewhere.
                    words = [f"{self.address}:{authority.tls + 1}" if word == "*:443" else word
                             for word in words]
                running.words = lambda *_, words=words, authority=authority: \
                    self.played(words, authority)
                running.start()
                running.wait_for(self.HOST, rsa="--acme-rsa" in words, seconds=120)
                self.assertEqual(
                    running.names_in(self.HOST), sorted([self.HOST, self.ALIAS]))
            elif words[0] == "certbot":
                self.move(running, words)
            elif words[0] == "rm":
                # A server that runs may write there between two steps of it: the second time all
                # is gone but that.
                self.assertIn(words[1], ("-r", "-rf"))
                eventually(
                    lambda words=words: "not empty" not in run(*words, cwd=self.folder).stderr, 20,
                    words)
            else:
                if words[:2] in (["aasa", "certs"], ["aasa", "status"]) and running:
                    # An order leaves its lease half a minute later: a look needs it for a moment.
                    # A certificate lies in its folder a moment before the status tells of it.
                    done = eventually(
                        lambda words=words, authority=authority: (
                            lambda done: None if "it is not proven" in done.stdout
                            or "waits for " in done.stdout
                            or "has no certificate" in done.stdout else done)(
                                run(*self.played(words, authority), cwd=self.folder)), 60,
                        "the lease is given back, and the certificate is loaded")
                else:
                    done = run(*self.played(words, authority), cwd=self.folder)
                self.assertEqual(done.returncode, 0, f"{words}\n{said(done)}")
            count += 1
        self.assertGreater(count, 10)
        print(f"\n{count} commands of the guide played")

    def move(self, running, words):
        """From certbot to us, on certbot's own folder."""
        if shutil.which("certbot") is None:
            return
        running.stop()
        environment = {**os.environ, "REQUESTS_CA_BUNDLE": self.authority.certificate}
        # Of an authority that refuses every fifth nonce: certbot tries a request only twice.
        outcome = []
        eventually(
            lambda: outcome.append(run(
                "certbot", *self.certbot_folders, "certonly", "--standalone", "-n",
                "--preferred-challenges", "http", "--http-01-address", self.address,
                "--http-01-port", str(self.authority.http), "-d", self.HOST, "--server",
                self.authority.url, "--agree-tos", "--register-unsafely-without-email",
                env=environment)) or outcome[-1].returncode == 0,
            60, lambda: said(outcome[-1]))
        running.certs = f"{self.folder}/etc/live"
        front = Front(self.authority)
        self.addCleanup(front.stop)
        running.words = lambda *_: [
            BINARY, "serve", "--site", running.site, "--certs", running.certs, "--listen",
            f"{self.address}:{self.authority.tls}", "--acme", "--acme-directory", front.url,
            "--acme-cacert", self.authority.certificate, "--acme-agree-terms", "--run",
            f"{self.folder}/run", "--ready-file", f"{self.folder}/ready", "--workers", "1",
            "--drain", "1"]
        running.start()
        self.assertEqual(front.count("newOrder"), 0)
        done = run(*self.played(words, self.authority), env=environment)
        self.assertEqual(done.returncode, 0, said(done))
        eventually(lambda: os.path.islink(f"{running.certs}/{self.HOST}"), 60, running.log)
        self.assertEqual(front.count("newOrder", 201), 1)
        # The page goes on with this folder.
        running.stop()
        shutil.rmtree(f"{self.folder}/certs")
        os.rename(running.certs, f"{self.folder}/certs")
        running.certs = f"{self.folder}/certs"
        words = running.words()
        words[words.index("--certs") + 1] = running.certs
        running.words = lambda *_: words
        running.start()

    def test_each_state_file_is_explained(self):
        server = Server({self.HOST: [self.ALIAS]}, self.address, self.authority)
        self.addCleanup(server.remove)
        server.start()
        server.wait_for(self.HOST)
        # A server that runs may be writing a file beside its place at this moment.
        server.stop()
        page = read(PAGE)
        for name in os.listdir(f"{server.certs}/.acme"):
            self.assertIn(f"`.acme/{name}", page)


if __name__ == "__main__":
    unittest.main()
