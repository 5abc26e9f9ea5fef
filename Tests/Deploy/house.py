"""What the deployment tests share: the tree, commands, and a running server."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
AASA = os.environ.get("AASA_BINARY") or os.path.join(ROOT, ".build/release/aasa")


def path(*parts):
    return os.path.join(ROOT, *parts)


def read(*parts):
    with open(path(*parts), encoding="utf-8") as file:
        return file.read()


def run(*command, timeout=600, **options):
    """Runs a command and returns it finished; output is text, nothing is raised."""
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run(
        command, capture_output=True, text=True, errors="replace", timeout=timeout, **options
    )


def said(done):
    """Everything a finished command said, for messages."""
    return f"status {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"


def free_port():
    """A port that was free a moment ago, for tools that cannot be asked which they took."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """aasa serve with the sample site and certificates of its own, on free ports.

    `prepare` is called with the folder of the site before the server starts.
    """

    def __init__(
        self, *options, wrapper=(), environment=None, prepare=None, program=(AASA, "serve")
    ):
        self.folder = tempfile.mkdtemp(prefix="aasa-deploy-")
        self.site = os.path.join(self.folder, "site")
        self.certs = os.path.join(self.folder, "certs")
        shutil.copytree(path("site"), self.site)
        if prepare:
            prepare(self.site)
        self.hosts = sorted(entry.name for entry in os.scandir(self.site) if entry.is_dir())
        made = run(AASA, "certs", "make", "--certs", self.certs, *map(self.named, self.hosts))
        if made.returncode != 0:
            raise RuntimeError(said(made))
        self.authority = os.path.join(self.certs, "local-ca", "ca.pem")
        self.ready = os.path.join(self.folder, "ready")
        self.log = os.path.join(self.folder, "log")
        command = [
            *wrapper, *program, "--site", self.site, "--certs", self.certs,
            "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0",
            "--default-host", self.hosts[0], "--ready-file", self.ready, *options,
        ]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **(environment or {})}, start_new_session=True,
            )
        self.wait_until_ready()

    def named(self, host):
        """HOST=ALIAS,ALIAS: certificates cover the aliases."""
        file = os.path.join(self.site, host, "host.json")
        if not os.path.exists(file):
            return host
        aliases = json.load(open(file, encoding="utf-8")).get("aliases", [])
        return "=".join(filter(None, [host, ",".join(aliases)]))

    def wait_until_ready(self):
        deadline = time.monotonic() + 60
        while not os.path.exists(self.ready):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"the server did not become ready:\n{self.output()}")
            time.sleep(0.05)
        # By address.
        self.ports = {}
        for line in open(self.ready, encoding="utf-8"):
            kind, address = line.split()[:2]
            if kind == "listen":
                host, port = address.rsplit(":", 1)
                self.ports[host] = int(port)
            elif kind == "admin":
                self.admin = int(address.rsplit(":", 1)[1])
        self.port = self.ports["127.0.0.1"]

    def output(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read()[-6000:]

    def get(self, page):
        """(status, text) of a page of the admin listener."""
        connection = http.client.HTTPConnection("127.0.0.1", self.admin, timeout=30)
        connection.request("GET", page)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def curl(self, host, page="/.well-known/apple-app-site-association", *options):
        return run(
            "curl", "-sS", "--max-time", "30", "--cacert", self.authority,
            "--resolve", f"{host}:{self.port}:127.0.0.1", *options,
            f"https://{host}:{self.port}{page}",
        )

    def stop(self):
        """Ends the server and its wrapper; returns its exit status."""
        if self.process.poll() is None:
            # SIGTERM waits for balancers.
            os.killpg(self.process.pid, signal.SIGINT)
        try:
            return self.process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)
