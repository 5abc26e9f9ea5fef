"""The servers of the fleet, the site they serve, and who watches them."""

import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import threading
import time

BINARY = os.environ.get("AASA_BINARY") or os.path.abspath("../../.build/release/aasa")
HOST = "example.com"
TEAMS = ("7QX9T2M4LB", "D3KQX62K1A", "9JA89QQLNQ")
PATH = "/.well-known/apple-app-site-association"


def aasa(*words, environment=None, check=True, timeout=120):
    """Runs a command of aasa."""
    done = subprocess.run(
        [BINARY, *[str(word) for word in words]], check=False, text=True,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout,
        env={**os.environ, **(environment or {})})
    if check and done.returncode != 0:
        raise RuntimeError(f"aasa {' '.join(str(w) for w in words)}: status {done.returncode}\n"
                           f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


class Site:
    """Every revision carries its number in all three teams' files: half of it shows."""

    def __init__(self, folder):
        self.folder = f"{folder}/site"
        self.certs = f"{folder}/certs"
        os.makedirs(f"{self.folder}/{HOST}/teams")
        aasa("certs", "make", "--certs", self.certs, HOST)

    def write(self, number):
        for team in TEAMS:
            document = {"applinks": {"details": [{
                "appIDs": [f"{team}.com.example.app"],
                "components": [{"/": f"/revision-{number}/{team}/*"}]}]}}
            with open(f"{self.folder}/{HOST}/teams/{team}.json", "w", encoding="utf-8") as file:
                json.dump(document, file)

    def built(self):
        """The bytes that a machine has to serve."""
        return aasa("build", f"{self.folder}/{HOST}").stdout


class Server:
    """One machine."""

    def __init__(self, number, folder, cluster, key):
        self.name = f"machine{number}"
        self.folder = f"{folder}/{self.name}"
        os.makedirs(self.folder)
        self.port = 18440 + number
        password = f"{folder}/machine.pw"
        with open(password, "w", encoding="utf-8") as file:
            file.write("machine\n")
        self.words = [
            BINARY, "serve", "--fleet", "web", "--etcd", cluster.urls, "--etcd-cacert",
            cluster.ca, "--etcd-cert", cluster.cert, "--etcd-key", cluster.key, "--etcd-user",
            "machine", "--etcd-password-file", password, "--fleet-key", key, "--machine",
            self.name, "--state", f"{self.folder}/state", "--listen", f"127.0.0.1:{self.port}",
            "--workers", "1", "--drain", "2", "--run", f"{self.folder}/run", "--ready-file",
            f"{self.folder}/ready", "--log-file", f"{self.folder}/log"]
        self.process = None
        # While it is restarted on purpose nobody counts on it.
        self.is_up = False

    def start(self, seconds=90):
        if os.path.exists(f"{self.folder}/ready"):
            os.unlink(f"{self.folder}/ready")
        log = open(f"{self.folder}/out", "ab")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            self.words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        log.close()
        end = time.monotonic() + seconds
        while not os.path.exists(f"{self.folder}/ready"):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{self.name} did not start:\n{self.log()}")
            time.sleep(0.02)
        self.is_up = True

    def stop(self, number=signal.SIGINT):
        self.is_up = False
        # A question that is under way may still be answered.
        time.sleep(0.2)
        self.process.send_signal(number)
        self.process.wait(timeout=60)

    def log(self):
        text = ""
        for name in ("out", "log"):
            path = f"{self.folder}/{name}"
            if os.path.exists(path):
                with open(path, encoding="utf-8", errors="replace") as file:
                    text += file.read()
        return text[-6000:]

    def ask(self):
        """The document, over a new connection as a phone would."""
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.port, timeout=20, context=context)
        try:
            connection.request("GET", PATH, headers={"Host": HOST})
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()


class Watch(threading.Thread):
    """Asks every machine all the time; every answer has to be one that was published, whole."""

    def __init__(self, servers, published):
        super().__init__(daemon=True)
        self.servers = servers
        self.published = published
        self.answers = 0
        self.faults = []
        self.ends = threading.Event()

    def run(self):
        while not self.ends.is_set():
            for server in self.servers:
                if not server.is_up:
                    continue
                try:
                    status, body = server.ask()
                except (OSError, http.client.HTTPException, socket.timeout) as error:
                    if server.is_up:
                        self.faults.append(f"{server.name}: lost: {error!r}")
                    continue
                self.answers += 1
                if status != 200:
                    self.faults.append(f"{server.name}: status {status}")
                elif body not in self.published:
                    found = sorted(set(re.findall(r"revision-\d+", body)))
                    self.faults.append(f"{server.name}: never published: {found} {body[:200]}")
            time.sleep(0.01)


class Load(threading.Thread):
    """Phones that install the app, beside everything else."""

    def __init__(self, server, cacert, folder):
        super().__init__(daemon=True)
        self.server = server
        self.cacert = cacert
        self.folder = folder
        self.devices = 0
        self.faults = []
        self.ends = threading.Event()

    def run(self):
        while not self.ends.is_set():
            done = aasa(
                "storm", f"https://{HOST}:{self.server.port}/", "--devices", "300", "--over", "5",
                "--resolve", f"{HOST}:{self.server.port}:127.0.0.1", "--cacert", self.cacert,
                "--format", "json", check=False)
            self.devices += 300
            if done.returncode != 0:
                self.faults.append(f"storm: status {done.returncode}: {done.stderr[-400:]}")


class Requests(threading.Thread):
    """Clients that keep their connections, beside everything else: h2load."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server = server
        self.asked = 0
        self.faults = []
        self.ends = threading.Event()

    def run(self):
        while not self.ends.is_set():
            done = subprocess.run(
                ["h2load", "-n", "2000", "-c", "20", "-m", "5", "--connect-to",
                 f"127.0.0.1:{self.server.port}", f"https://{HOST}{PATH}"],
                check=False, text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
            self.asked += 2000
            if "2000 succeeded, 0 failed, 0 errored, 0 timeout" not in done.stdout:
                self.faults.append(f"h2load: {done.stdout[-600:]}{done.stderr[-200:]}")
            self.ends.wait(1)
