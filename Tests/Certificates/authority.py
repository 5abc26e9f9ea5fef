"""Debian's pebble as the certificate authority, and the names that it looks up."""

import base64
import http.client
import itertools
import json
import os
import random
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time

BINARY = os.environ.get("AASA_BINARY") or os.path.abspath("../../.build/release/aasa")
PATIENCE = 4
IS_FULL = os.environ.get("AASA_CERTIFICATES_ALL") == "1"


# Below the ports that outgoing connections take, as a port is used later than it is chosen. Each of
# the tests that the suite runs side by side has a part of its own: drawn at random by all of them,
# two were the same now and then, and servers share a port without a word (SO_REUSEPORT).
PORTS = range(*map(int, os.environ.get("AASA_TEST_PORTS", "12000-32000").split("-")), 2)
TURN = itertools.count(random.randrange(len(PORTS)))


def free_port():
    """A port that nobody listens on, and that this process has not had lately; the one behind it
    is for a server that is to be looked for in vain."""
    while True:
        port = PORTS[next(TURN) % len(PORTS)]
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def run(*words, timeout=120, **options):
    """Runs a command to its end; nothing is raised."""
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, errors="replace",
        timeout=timeout, check=False, **options)


def said(done):
    return f"status {done.returncode}\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}"


def eventually(condition, seconds, what):
    """Waits until it is true; AssertionError with `what()` where it does not become so.

    `seconds`: on a machine that has nothing else to do. A busy one gets more: what is judged is
    what happens, and not how soon.
    """
    seconds *= PATIENCE
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what() if callable(what) else what}")
        time.sleep(0.1)


def self_signed(folder, name):
    """A certificate for 127.0.0.1 that is its own root: (certificate, key)."""
    certificate, key = f"{folder}/{name}.pem", f"{folder}/{name}-key.pem"
    done = run(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
        "-nodes", "-keyout", key, "-out", certificate, "-subj", f"/CN={name}", "-days", "30",
        "-addext", "subjectAltName=IP:127.0.0.1")
    if done.returncode != 0:
        raise RuntimeError(said(done))
    return certificate, key


class Authority:
    """pebble -strict. Each place is an address of its own, so that servers of many tests share
    the one port that pebble validates at."""

    EAB = ("kid-1", "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W")

    def __init__(self, life=7_776_000, nonce_reject=20, external_account=False, sleeps=False):
        self.folder = tempfile.mkdtemp(prefix="aasa-pebble-")
        self.certificate, self.key = self_signed(self.folder, "pebble")
        ports = [free_port() for _ in range(6)]
        self.port, self.management, self.http, self.tls, self.dns, self.names_port = ports
        configuration = {
            "listenAddress": f"127.0.0.1:{self.port}",
            "managementListenAddress": f"127.0.0.1:{self.management}",
            "certificate": self.certificate, "privateKey": self.key,
            "httpPort": self.http, "tlsPort": self.tls,
            "externalAccountBindingRequired": external_account,
            "externalAccountMACKeys": dict([self.EAB]) if external_account else {},
            "certificateValidityPeriod": life,
        }
        with open(f"{self.folder}/pebble.json", "w", encoding="utf-8") as file:
            json.dump({"pebble": configuration}, file)
        self.children = []
        self.places = 0
        self.lock = threading.Lock()
        self.start("names", [
            "pebble-challtestsrv", "-defaultIPv6", "", "-defaultIPv4", "127.0.0.1", "-http01", "",
            "-https01", "", "-tlsalpn01", "", "-dns01", f"127.0.0.1:{self.dns}", "-management",
            f"127.0.0.1:{self.names_port}"])
        environment = {"PEBBLE_WFE_NONCEREJECT": str(nonce_reject), "PEBBLE_AUTHZREUSE": "0"}
        if sleeps:
            environment["PEBBLE_VA_SLEEPTIME"] = "5"
        else:
            environment["PEBBLE_VA_NOSLEEP"] = "1"
        self.start("pebble", [
            "pebble", "-config", f"{self.folder}/pebble.json", "-dnsserver",
            f"127.0.0.1:{self.dns}", "-strict"], environment)
        for port in (self.port, self.names_port):
            eventually(lambda port=port: is_open(port), 20, lambda: self.log("pebble"))

    @property
    def url(self):
        return f"https://127.0.0.1:{self.port}/dir"

    def start(self, name, words, environment=None):
        with open(f"{self.folder}/{name}.log", "wb") as log:
            self.children.append(subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **(environment or {})}))

    def log(self, name):
        with open(f"{self.folder}/{name}.log", encoding="utf-8", errors="replace") as file:
            return file.read()[-4000:]

    def tell_names(self, path, value):
        """One order to the name server of the tests."""
        connection = http.client.HTTPConnection("127.0.0.1", self.names_port, timeout=10)
        connection.request("POST", path, json.dumps(value))
        answer = connection.getresponse()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {answer.read()!r}")
        connection.close()

    def place(self, *names):
        """An address of its own for these names."""
        with self.lock:
            self.places += 1
            address = f"127.0.{1 + self.places // 250}.{1 + self.places % 250}"
        self.point(address, *names)
        return address

    def point(self, address, *names):
        for name in names:
            self.tell_names("/clear-a", {"host": f"{name}."})
            self.tell_names("/add-a", {"host": f"{name}.", "addresses": [address]})

    def root(self):
        """The file of the root that it issues from."""
        file = f"{self.folder}/root.pem"
        context = ssl.create_default_context(cafile=self.certificate)
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.management, context=context, timeout=10)
        connection.request("GET", "/roots/0")
        with open(file, "wb") as out:
            out.write(connection.getresponse().read())
        connection.close()
        return file

    def stop(self):
        for child in self.children:
            child.terminate()
        for child in self.children:
            child.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def is_open(port, address="127.0.0.1"):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((address, port)) == 0


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
