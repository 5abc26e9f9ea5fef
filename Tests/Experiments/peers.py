"""nginx, nginx with its own 503 limits, and haproxy in the place of aasa: same kind of certificate,
same share of a core, one worker, same devices per second. Configurations are in peers/."""

import os
import shutil
import socket
import subprocess
import tempfile
import time

import lab
from lab import house

CONFIGURATIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers")
NAMES = ("nginx", "nginx-503", "haproxy")
HOST = "example.com"


class Peer(lab.Target):
    """A running peer. `rate` is aasa's peak, which the limits of nginx-503 are set to."""

    def __init__(self, name, share, document, rate):
        self.name, self.host, self.port = name, HOST, house.free_port()
        self.folder = tempfile.mkdtemp(prefix="aasa-peer-")
        certs = os.path.join(self.folder, "certs")
        made = house.run(house.AASA, "certs", "make", "--certs", certs, HOST)
        if made.returncode != 0:
            raise lab.CannotRun(house.said(made))
        self.authority = os.path.join(certs, "local-ca", "ca.pem")
        pair = os.path.join(certs, HOST)
        lab.slow_certificate(os.path.join(certs, "local-ca"), pair, HOST)
        with open(os.path.join(pair, "bundle.pem"), "wb") as bundle:
            for part in ("fullchain.pem", "privkey.pem"):
                with open(os.path.join(pair, part), "rb") as file:
                    bundle.write(file.read())
        file = os.path.join(self.folder, "document.json")
        with open(file, "wb") as out:
            out.write(document)
        self.values = {
            "PORT": self.port, "HOST": HOST, "FOLDER": self.folder, "CERTS": pair, "DOCUMENT": file,
            # The requests of a second at once, and the connections of two.
            "RATE": max(1, round(rate)), "CONNECTIONS": max(1, round(2 * rate)),
        }
        self.quota = lab.Quota(*share)
        self.process = None
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    def filled(self, template):
        with open(os.path.join(CONFIGURATIONS, template), encoding="utf-8") as file:
            text = file.read()
        for name, value in self.values.items():
            text = text.replace(f"@{name}@", str(value))
        return text

    def start(self):
        limited = self.name == "nginx-503"
        self.values["ZONES"] = self.filled("nginx-503-zones.conf") if limited else ""
        self.values["LIMITS"] = self.filled("nginx-503-limits.conf") if limited else ""
        template = "haproxy.cfg" if self.name == "haproxy" else "nginx.conf"
        configuration = os.path.join(self.folder, template)
        with open(configuration, "w", encoding="utf-8") as out:
            out.write(self.filled(template))
        command = {
            "haproxy.cfg": ["haproxy", "-db", "-f"], "nginx.conf": ["nginx", "-c"]}[template]
        log = os.path.join(self.folder, "log")
        with open(log, "wb") as sink:
            self.process = subprocess.Popen(
                [*self.quota.wrapper(), *command, configuration], stdin=subprocess.DEVNULL,
                stdout=sink, stderr=sink, cwd=self.folder, start_new_session=True)
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    with open(log, encoding="utf-8", errors="replace") as file:
                        raise lab.CannotRun(f"{self.name}: {file.read()[-800:]}") from None
                time.sleep(0.05)

    def close(self):
        if self.process:
            # The whole group: nginx has a worker of its own.
            for signal in (house.signal.SIGTERM, house.signal.SIGKILL):
                try:
                    os.killpg(self.process.pid, signal)
                    self.process.wait(timeout=5)
                except ProcessLookupError:
                    break
                except subprocess.TimeoutExpired:
                    continue
            self.process.wait()
        self.quota.remove()
        shutil.rmtree(self.folder, ignore_errors=True)


def missing():
    return [tool for tool in ("nginx", "haproxy") if not shutil.which(tool)]
