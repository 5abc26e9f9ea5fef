"""aasa serve --acme, as an operator would start it, and what can be seen of it."""

import glob
import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

from authority import BINARY, eventually, run, said

DOCUMENT = {"applinks": {"details": [{
    "appIDs": ["D3KQX62K1A.com.example.shop"], "components": [{"/": "/a/*"}]}]}}
PATH = "/.well-known/apple-app-site-association"


class Server:
    """One server with a folder of its own. `hosts`: name → aliases."""

    def __init__(self, hosts, address, authority, folder=None, url=None, cacert=None):
        self.folder = folder or tempfile.mkdtemp(prefix="aasa-acme-")
        self.hosts = hosts
        self.address = address
        self.authority = authority
        self.url = url or authority.url
        self.cacert = cacert or authority.certificate
        self.site, self.certs = f"{self.folder}/site", f"{self.folder}/certs"
        for host, aliases in hosts.items():
            self.add(host, aliases)
        os.makedirs(self.certs, exist_ok=True)
        self.process = None
        self.options = []
        self.cwd = None
        self.starts = 0

    def add(self, host, aliases):
        os.makedirs(f"{self.site}/{host}", exist_ok=True)
        with open(f"{self.site}/{host}/apple-app-site-association", "w", encoding="utf-8") as file:
            json.dump(DOCUMENT, file)
        with open(f"{self.site}/{host}/host.json", "w", encoding="utf-8") as file:
            json.dump({"aliases": aliases}, file)

    @property
    def port(self):
        return self.authority.tls

    def words(self, *options):
        return [
            BINARY, "serve", "--site", self.site, "--certs", self.certs, "--listen",
            f"{self.address}:{self.port}", "--admin", "127.0.0.1:0", "--workers", "1", "--drain",
            "1", "--acme", "--acme-directory", self.url, "--acme-cacert", self.cacert,
            # Keys made ahead cost seconds of processor time a server, and here are a hundred.
            "--key-reserve", "0",
            "--acme-agree-terms", "--run", f"{self.folder}/run{self.starts}", "--ready-file",
            f"{self.folder}/ready", "--log-level", "debug", *options]

    def start(self, *options, wrapper=(), environment=None, waits=True):
        self.options = options
        self.starts += 1
        if os.path.exists(f"{self.folder}/ready"):
            os.unlink(f"{self.folder}/ready")
        with open(f"{self.folder}/log", "ab") as log:
            self.process = subprocess.Popen(
                [*wrapper, *self.words(*options)], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, cwd=self.cwd, env={**os.environ, **(environment or {})},
                start_new_session=True)
        if waits:
            self.wait_until_ready()
        return self

    def wait_until_ready(self, seconds=60):
        eventually(
            lambda: os.path.exists(f"{self.folder}/ready") or self.process.poll() is not None,
            seconds, self.log)
        if not os.path.exists(f"{self.folder}/ready"):
            raise AssertionError(f"it ended with {self.process.returncode}:\n{self.log()}")

    @property
    def admin(self):
        for line in lines(f"{self.folder}/ready"):
            kind, address = line.split()[:2]
            if kind == "admin":
                return int(address.rsplit(":", 1)[1])
        raise AssertionError("it has no admin listener")

    def get(self, page):
        connection = http.client.HTTPConnection("127.0.0.1", self.admin, timeout=30)
        connection.request("GET", page)
        answer = connection.getresponse().read().decode()
        connection.close()
        return answer

    def status(self):
        return json.loads(self.get("/status.json"))

    def entries(self):
        """Renewals by (folder, kind of key)."""
        found = self.status().get("renewals") or {}
        return {(entry["host"], entry["key"]): entry for entry in found.get("entries", [])}

    def log(self):
        try:
            with open(f"{self.folder}/log", encoding="utf-8", errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def kill(self, number=signal.SIGKILL):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, number)

    def stop(self):
        self.kill(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()
            self.process.wait()
            raise
        # A wrapper ends before the server does.
        eventually(self.has_left, 30, "it ends")
        return self.process.returncode

    def has_left(self):
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return True
        return False

    def forget_pause(self, name):
        """The pause after a failure is minutes: it is over."""
        file = f"{self.certs}/.acme/certificates/{name}.json"
        if not os.path.exists(file):
            return
        with open(file, encoding="utf-8") as old:
            record = json.load(old)
        record["nextTry"] = 0
        with open(file, "w", encoding="utf-8") as new:
            json.dump(record, new)

    def remove(self):
        if self.process and self.process.poll() is None:
            self.kill(signal.SIGCONT)
            self.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    # What it has, and what it shows.

    def chain(self, host, rsa=False):
        return f"{self.certs}/{host}/fullchain{'-rsa' if rsa else ''}.pem"

    def has(self, host, rsa=False):
        return os.path.exists(self.chain(host, rsa))

    def wait_for(self, *hosts, rsa=False, seconds=60):
        eventually(
            lambda: all(self.has(host, rsa) for host in hosts), seconds,
            lambda: self.log()[-5000:])

    def names_in(self, host, rsa=False):
        done = run("openssl", "x509", "-in", self.chain(host, rsa), "-noout", "-ext",
                   "subjectAltName")
        return sorted(
            word.split("DNS:")[1].strip() for word in done.stdout.split(",") if "DNS:" in word)

    def serial(self, host, rsa=False):
        done = run("openssl", "x509", "-in", self.chain(host, rsa), "-noout", "-serial")
        return done.stdout.strip()

    def pair_fault(self, host, rsa=False):
        """Why key and chain do not fit together; None: they do."""
        end = "-rsa" if rsa else ""
        keys = [
            run("openssl", "x509", "-in", self.chain(host, rsa), "-noout", "-pubkey"),
            run("openssl", "pkey", "-in", f"{self.certs}/{host}/privkey{end}.pem", "-pubout")]
        if any(done.returncode != 0 for done in keys):
            return "\n".join(map(said, keys))
        return None if keys[0].stdout == keys[1].stdout else "the key is another certificate's"

    def shown_serial(self, name, *options):
        """The serial number of the certificate that clients see."""
        done = run(
            "openssl", "s_client", "-connect", f"{self.address}:{self.port}", "-servername", name,
            *options, timeout=20)
        return run("openssl", "x509", "-noout", "-serial", input=done.stdout,
                   stdin=None).stdout.strip()

    def document(self, name, cafile):
        return run(
            "curl", "-sS", "--max-time", "20", "--cacert", cafile, "--resolve",
            f"{name}:{self.port}:{self.address}", f"https://{name}:{self.port}{PATH}")

    def loose_files(self):
        """State that others could read, or that is not whole."""
        faults = []
        for folder, _, files in os.walk(f"{self.certs}/.acme"):
            for name in files:
                file = os.path.join(folder, name)
                if name.endswith(".tmp"):
                    # It may be being written at this moment.
                    time.sleep(0.5)
                try:
                    mode = os.stat(file).st_mode
                except FileNotFoundError:
                    continue
                if mode & 0o077 and not name.startswith("fullchain"):
                    faults.append(f"{file} has mode {oct(mode)}")
                if name.endswith(".tmp"):
                    faults.append(f"{file} was left behind")
                if name.endswith(".json"):
                    try:
                        json.loads("".join(lines(file)))
                    except FileNotFoundError:
                        continue
                    except ValueError as error:
                        faults.append(f"{file}: {error}")
        return faults

    def accounts(self):
        return sorted(glob.glob(f"{self.certs}/.acme/accounts/*.json"))


def lines(path):
    with open(path, encoding="utf-8") as file:
        return file.readlines()
