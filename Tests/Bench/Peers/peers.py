"""The servers that are compared: how each is configured, started on core 0, and measured."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
WORK = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(HERE))), ".build", "bench")
RUN, WWW, CERTS = (os.path.join(WORK, name) for name in ("run", "www", "certs"))
AASA = os.environ.get("AASA_BINARY", "aasa")
ASSOCIATION = "/.well-known/apple-app-site-association"
PEERS = ["nginx", "haproxy", "h2o", "lighttpd", "caddy"]
# A peer that this system does not have is left out.
NAMES = ["aasa", *filter(shutil.which, PEERS), "limit"]


def render(template, port, cert, document, tickets):
    """Fills a configuration in; returns its path."""
    values = {
        "PORT": port,
        "CERT": f"{CERTS}/{cert}.pem",
        "KEY": f"{CERTS}/{cert}.key",
        "BUNDLE": f"{CERTS}/{cert}.bundle.pem",
        "RUN": RUN,
        "WWW": WWW,
        "DOC": document,
        "BUFSIZE": 262144 if document == "120k" else 16384,
        "ONOFF": "on" if tickets else "off",
        # Without "off", nginx hands out tickets for a cache that it does not have.
        "NGINXCACHE": "none" if tickets else "off",
        "HAPROXYTICKETS": "" if tickets else "no-tls-tickets",
        "H2OTICKETS": "ticket" if tickets else "off",
        "LIGHTTPDTICKETS": "SessionTicket" if tickets else "-SessionTicket",
    }
    with open(os.path.join(HERE, "conf", template), encoding="utf-8") as file:
        text = file.read()
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    path = os.path.join(RUN, f"{port}-{template}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def caddy(port, cert, document, tickets):
    """Tickets can be switched off in Caddy's JSON form only."""
    source = render("Caddyfile", port, cert, document, tickets)
    adapted = subprocess.run(
        ["caddy", "adapt", "--adapter", "caddyfile", "--config", source],
        capture_output=True, check=True, env=caddy_environment(),
    )
    configuration = json.loads(adapted.stdout)
    if not tickets:
        tls = configuration["apps"].setdefault("tls", {})
        tls["session_tickets"] = {"disabled": True}
    path = os.path.join(RUN, f"{port}-caddy.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(configuration, file)
    return ["caddy", "run", "--config", path]


def caddy_environment():
    return {
        **os.environ, "GOMAXPROCS": "1", "HOME": RUN, "XDG_DATA_HOME": RUN, "XDG_CONFIG_HOME": RUN,
    }


def aasa(port, cert, document, tickets, more):
    base = os.path.join(RUN, f"aasa-{port}")
    shutil.rmtree(base, ignore_errors=True)
    site, certs = (os.path.join(base, name, "localhost") for name in ("site", "certs"))
    os.makedirs(site)
    os.makedirs(certs)
    shutil.copy(f"{WWW}/{document}.json", f"{site}/apple-app-site-association")
    shutil.copy(f"{CERTS}/{cert}.pem", f"{certs}/fullchain.pem")
    shutil.copy(f"{CERTS}/{cert}.key", f"{certs}/privkey.pem")
    command = [
        AASA, "serve", "--site", f"{base}/site", "--certs", f"{base}/certs",
        "--listen", f"127.0.0.1:{port}", "--workers", "1",
        # As the peers' own settings: for phones, which ask once, a connection ends after 1,000
        # requests (16 with HTTP/2).
        "--clients", "pools",
    ]
    return command + (["--tickets", "on"] if tickets else []) + list(more) + flags()


def flags():
    """More options for aasa, for example a lifted limit of requests per connection."""
    return os.environ.get("AASA_FLAGS", "").split()


def command(name, port, cert, document, tickets, more):
    if name == "limit":
        return [f"{WORK}/limit", str(port), f"{CERTS}/{cert}.pem", f"{CERTS}/{cert}.key",
                f"{WWW}/{document}.json", "2" if tickets else "0"]
    if name == "aasa":
        return aasa(port, cert, document, tickets, more)
    if name == "caddy":
        return caddy(port, cert, document, tickets)
    template = {
        "nginx": "nginx.conf", "haproxy": "haproxy.cfg", "h2o": "h2o.conf",
        "lighttpd": "lighttpd.conf",
    }[name]
    path = render(template, port, cert, document, tickets)
    return {
        "nginx": ["nginx", "-c", path], "haproxy": ["haproxy", "-db", "-f", path],
        "h2o": ["h2o", "-c", path], "lighttpd": ["lighttpd", "-D", "-f", path],
    }[name]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def cpu_seconds(processes):
    """User and system time of all their threads, in nanoseconds' resolution."""
    total = 0
    for pid in processes:
        try:
            for thread in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="utf-8") as file:
                    total += int(file.read().split()[0])
        except OSError:
            continue
    return total / 1e9


class Peer:
    """A running server on core 0; "limit" is the least one on aasa's libraries (limit.c)."""

    def __init__(self, name, cert="ecdsa", document="300", tickets=True, more=()):
        self.name = name
        # aasa serves the document as its association document, the others as a file.
        self.path = ASSOCIATION if name == "aasa" else f"/{document}.json"
        self.port = free_port()
        self.admin = free_port()
        if name == "aasa":
            more = (*more, "--admin", f"127.0.0.1:{self.admin}")
        log = os.path.join(RUN, f"{name}-{self.port}.log")
        environment = caddy_environment() if name == "caddy" else dict(os.environ)
        if not tickets and name not in ("aasa", "caddy", "limit"):
            environment["LD_PRELOAD"] = os.path.join(WORK, "notickets.so")
        started = time.monotonic()
        with open(log, "wb") as sink:
            self.process = subprocess.Popen(
                ["taskset", "-c", "0", *command(
                    name, self.port, cert, document, tickets, more)],
                stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, cwd=RUN, env=environment,
            )
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() - started > 30:
                    self.stop()
                    with open(log, encoding="utf-8", errors="replace") as file:
                        raise RuntimeError(f"{name} did not start: {file.read()[-800:]}")
                time.sleep(0.01)
        self.start_seconds = time.monotonic() - started

    def rest(self):
        """Until aasa has made all the key pairs that it makes ahead in calm times."""
        if self.name != "aasa":
            return
        reserved, end = None, time.monotonic() + 60
        while time.monotonic() < end:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.admin}/metrics") as page:
                text = page.read().decode()
            now = re.search(r"^aasa_ephemeral_keys_reserved (\d+)", text, re.M)
            if now is None or now[1] == reserved:
                return
            reserved = now[1]
            time.sleep(0.5)

    def processes(self):
        """The server's process and all below it."""
        children = {}
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    with open(f"/proc/{entry}/stat", encoding="utf-8") as file:
                        parent = int(file.read().rsplit(")", 1)[1].split()[1])
                    children.setdefault(parent, []).append(int(entry))
                except OSError:
                    continue
        found, waiting = [], [self.process.pid]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            waiting += children.get(pid, [])
        return found

    def cpu_seconds(self):
        return cpu_seconds(self.processes())

    def memory(self):
        """Proportional set size in bytes."""
        total = 0
        for pid in self.processes():
            try:
                with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as file:
                    total += sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
            except OSError:
                continue
        return total * 1024

    def stop(self):
        processes = self.processes()
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            # Only what this object started.
            for pid in processes:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            self.process.wait()
