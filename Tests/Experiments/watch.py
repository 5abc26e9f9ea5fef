"""What watching costs: `aasa check --watch` over many hosts, with its release binary.

Every host is a name of its own, with a certificate, a document and a copy at a CDN, behind one
`aasa serve` on loopback; twenty of them are dead: ten refuse connections, ten take them and say
nothing. Printed are the share of one core, memory, sockets and threads at most, the time of the
first round and how late checks begin. The bounds: one core, and every host in its turn.
"""

import argparse
import http.server
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
AASA = os.environ.get("AASA_BINARY") or os.path.join(ROOT, ".build/release/aasa")
NAMES_OF_A_CERTIFICATE = 20
DOCUMENT = {
    "applinks": {
        "details": [
            {
                "appIDs": ["D3KQX62K1A.com.example.app"],
                "components": [{"/": f"/part/{part}/*"} for part in range(40)],
            }
        ]
    },
    "webcredentials": {"apps": ["D3KQX62K1A.com.example.app"]},
}


def listener():
    """A socket that takes connections and says nothing, and a port that refuses them."""
    silent = socket.create_server(("127.0.0.1", 0), backlog=512)
    refusing = socket.create_server(("127.0.0.1", 0))
    port = refusing.getsockname()[1]
    refusing.close()
    return silent, port


def make_site(folder, groups):
    certs, site = os.path.join(folder, "certs"), os.path.join(folder, "site")
    for names in groups:
        teams = os.path.join(site, names[0], "teams")
        os.makedirs(teams)
        with open(os.path.join(site, names[0], "host.json"), "w") as file:
            json.dump({"aliases": names[1:]}, file)
        with open(os.path.join(teams, "D3KQX62K1A.json"), "w") as file:
            json.dump(DOCUMENT, file)
    wanted = [f"{names[0]}={','.join(names[1:])}" for names in groups] + ["cdn.test"]
    subprocess.run([AASA, "certs", "make", "--certs", certs, *wanted], check=True,
                   stdout=subprocess.DEVNULL)
    return site, certs


class Copies(http.server.BaseHTTPRequestHandler):
    """Apple's CDN: the same document for every host."""

    protocol_version = "HTTP/1.1"
    body = json.dumps(DOCUMENT).encode()

    def do_GET(self):
        self.send_response(200)
        for name, value in (("Content-Type", "application/json"), ("Age", "60"),
                            ("Cache-Control", "max-age=21600"),
                            ("Content-Length", str(len(self.body))), ("Connection", "close")):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.body)
        self.close_connection = True

    def log_message(self, *arguments):
        pass


class CDN(http.server.ThreadingHTTPServer):
    """The handshake belongs to the connection's own thread: one slow peer must not hold the rest."""

    request_queue_size = 256

    def __init__(self, certs):
        super().__init__(("127.0.0.1", 0), Copies)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        for name in os.listdir(os.path.join(certs, "cdn.test")):
            if name.endswith("fullchain.pem") or name == "fullchain.pem":
                base = os.path.join(certs, "cdn.test", name)
                self.context.load_cert_chain(base, base.replace("fullchain", "privkey"))

    def finish_request(self, request, address):
        try:
            with self.context.wrap_socket(request, server_side=True) as wrapped:
                super().finish_request(wrapped, address)
        except OSError:
            pass

    def handle_error(self, request, address):
        pass


class Watched:
    """One process, as /proc shows it."""

    def __init__(self, pid):
        self.pid, self.sockets, self.threads = pid, 0, 0

    def processor(self):
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        with open(f"/proc/{self.pid}/status") as file:
            text = file.read()
        return {name: int(re.search(rf"{name}:\s+(\d+)", text)[1]) / 1024
                for name in ("VmHWM", "VmRSS")}

    def look(self):
        count = 0
        folder = f"/proc/{self.pid}/fd"
        for name in os.listdir(folder):
            try:
                count += os.readlink(os.path.join(folder, name)).startswith("socket:")
            except OSError:
                pass
        self.sockets = max(self.sockets, count)
        self.threads = max(self.threads, len(os.listdir(f"/proc/{self.pid}/task")))


def metrics(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return answer.read().decode()


def value(text, name):
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.M)
    return float(found[1]) if found else 0.0


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=1000)
    parser.add_argument("--interval", type=int, default=300, help="seconds between two looks")
    parser.add_argument("--rounds", type=float, default=1.5, help="how long to watch")
    options = parser.parse_args()
    names = [f"h{number}.test" for number in range(options.hosts)]
    dead = names[5::max(10, options.hosts // 20)][:20]
    living = [name for name in names if name not in dead]
    groups = [living[start:start + NAMES_OF_A_CERTIFICATE]
              for start in range(0, len(living), NAMES_OF_A_CERTIFICATE)]
    folder = tempfile.mkdtemp(prefix="aasa-watch-")
    started = []
    try:
        site, certs = make_site(folder, groups)
        port, admin = free_port(), free_port()
        silent, refusing = listener()
        cdn = CDN(certs)
        threading.Thread(target=cdn.serve_forever, daemon=True).start()
        log = open(os.path.join(folder, "log"), "w")
        started.append(subprocess.Popen(
            [AASA, "serve", "--site", site, "--certs", certs, "--listen", f"127.0.0.1:{port}",
             "--workers", "1", "--ready-file", os.path.join(folder, "ready"),
             "--run", os.path.join(folder, "run")], stdout=log, stderr=log))
        end = time.monotonic() + 60
        while not os.path.exists(os.path.join(folder, "ready")):
            if time.monotonic() > end or started[0].poll() is not None:
                raise SystemExit("watch: the server did not start; see " + folder)
            time.sleep(0.1)
        with open(os.path.join(folder, "hosts"), "w") as file:
            file.write("\n".join(names) + "\n")
        where = [f"{name}:443:127.0.0.1:{port}" for name in living]
        for index, name in enumerate(dead):
            to = refusing if index % 2 else silent.getsockname()[1]
            where.append(f"{name}:443:127.0.0.1:{to}")
        where.append(f"cdn.test:443:127.0.0.1:{cdn.server_address[1]}")
        out = open(os.path.join(folder, "changes"), "w")
        watcher = subprocess.Popen(
            [AASA, "check", "--watch", str(options.interval),
             "--hosts-file", os.path.join(folder, "hosts"), "--format", "json",
             "--cdn", "https://cdn.test", "--cacert", os.path.join(certs, "local-ca", "ca.pem"),
             "--admin", f"127.0.0.1:{admin}"]
            + [part for item in where for part in ("--resolve", item)], stdout=out, stderr=log)
        started.append(watcher)
        return measure(options, Watched(watcher.pid), admin, folder, dead)
    finally:
        for process in reversed(started):
            process.send_signal(signal.SIGTERM)
        for process in started:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
        shutil.rmtree(folder, ignore_errors=True)


def measure(options, watched, admin, folder, dead):
    """The table; `dead`: the hosts that have to be told as failing, and no other."""
    begin = time.monotonic()
    first = None
    late = 0.0
    text = ""
    while time.monotonic() - begin < options.interval * options.rounds:
        time.sleep(1)
        watched.look()
        try:
            text = metrics(admin)
        except OSError:
            continue
        late = max(late, value(text, "aasa_watch_lateness_seconds"))
        seen = len(re.findall(r"^aasa_watch_last_look_timestamp_seconds\{", text, re.M))
        if first is None and seen == options.hosts:
            first = (time.monotonic() - begin, watched.processor())
    elapsed, processor = time.monotonic() - begin, watched.processor()
    with open(os.path.join(folder, "changes")) as file:
        changes = [json.loads(line) for line in file]
    failing = {change["host"] for change in changes if change["change"] == "problem"}
    looks = value(text, "aasa_watch_looks_total")
    memory = watched.memory()
    if first is None:
        print(f"{options.hosts} hosts were not all looked at within {elapsed:.0f} s")
        return 1
    round_time, first_processor = first
    share = first_processor / round_time
    later = (processor - first_processor) / max(elapsed - round_time, 1)
    rows = [
        ("hosts", f"{options.hosts}, each every {options.interval} s, {len(dead)} of them dead"),
        ("first round", f"{round_time:.0f} s, {100 * share:.1f} % of a core"),
        ("then", f"{elapsed - round_time:.0f} s, {100 * later:.1f} % of a core"),
        ("checks", f"{looks:.0f}; {1000 * processor / max(looks, 1):.1f} ms of processor each"),
        ("sockets at most", f"{watched.sockets}, {watched.threads} threads"),
        ("memory", f"{memory['VmHWM']:.0f} MB at most, {memory['VmRSS']:.0f} MB at the end"),
        ("looks began too late by", f"{late:.1f} s at most"),
        ("told as failing", f"{len(failing)} hosts, {len(changes)} changes"),
    ]
    for name, text in rows:
        print(f"{name:34} {text}")
    faults = []
    if max(share, later) > 1:
        faults.append("more than one core")
    if late > options.interval / 2:
        faults.append("looks begin too late")
    if missed := set(dead) - failing:
        faults.append(f"{len(missed)} dead hosts were not told")
    for change in changes:
        if change["change"] == "problem" and change["host"] not in dead:
            faults.append(f"a host that lives was told: {json.dumps(change)}")
    if watched.sockets > 160:
        faults.append("more sockets than 32 hosts with two requests and the listener need")
    print("passed" if not faults else "failed: " + "; ".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
