"""A year of an operator's changes in two minutes, under load: reloads, certificate renewals, broken
edits, upgrades in place and socket-activated restarts, while `aasa storm` (a new connection and a
full handshake per request, over HTTP/1.1 and over HTTP/2) and h2load (HTTP/1.1, connections that
stay) ask all the while at half of what the machine can do. Every request has to be answered 200
with the right bytes.

h2load is not used over HTTP/2 here: it counts a request that crosses the GOAWAY of a draining
process as failed, where RFC 9113 section 6.8 has the client send it again.

usage: Tests/Experiments/operations [--quick]

Prints one row per kind of change and the closing line `N passed, N failed`. Loopback only. Exit
status: 0 nothing was lost, 1 something was, 3 could not run.
"""
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

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = os.environ.get("AASA_BINARY", f"{ROOT}/.build/release/aasa")
QUICK = "--quick" in sys.argv
HOST = "example.com"
PATH = "/.well-known/apple-app-site-association"
WAIT = 60.0  # seconds: a guard against hanging
# kind: how often, whole and quick
TIMES = {"reload": (50, 10), "renewal": (10, 2), "broken edit": (10, 2), "upgrade": (5, 1),
         "activated restart": (5, 2)}


def times(kind):
    return TIMES[kind][QUICK]


def fragment(rule):
    return json.dumps({"applinks": {"details": [
        {"appIDs": ["9JA89QQLNQ.com.example.app"], "components": [{"/": f"/buy/{rule}/*"}]}]}})


class Site:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="aasa-operations-")
        self.certs, self.spare = f"{self.folder}/certs", f"{self.folder}/spare"
        self.file = f"{self.folder}/site/{HOST}/teams/9JA89QQLNQ.json"
        os.makedirs(os.path.dirname(self.file))
        self.write(fragment(0))
        for folder in (self.certs, self.spare):
            subprocess.run([BINARY, "certs", "make", "--certs", folder, HOST], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def write(self, text):
        with open(self.file + ".new", "w") as file:
            file.write(text)
        os.replace(self.file + ".new", self.file)

    def renew(self, index):
        """The pair of the other authority, as a renewal hook installs it: key first, then chain."""
        source = (self.spare, f"{self.folder}/first")[index % 2]
        for name in sorted(os.listdir(f"{source}/{HOST}"), reverse=True):
            target = f"{self.certs}/{HOST}/{name}"
            shutil.copy(f"{source}/{HOST}/{name}", target + ".new")
            os.replace(target + ".new", target)

    def options(self):
        return ["--site", f"{self.folder}/site", "--certs", self.certs, "--clients", "pools",
                "--poll", "2", "--default-host", HOST]


class Server:
    def __init__(self, site):
        self.site, self.pid_file = site, f"{site.folder}/pid"
        ready = f"{site.folder}/ready"
        self.log = open(f"{site.folder}/log", "a+")
        self.process = subprocess.Popen(
            [BINARY, "serve", *site.options(), "--listen", "127.0.0.1:0", "--admin",
             f"unix:{site.folder}/admin", "--pid-file", self.pid_file, "--ready-file", ready],
            stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL)
        end = time.monotonic() + WAIT
        while not os.path.exists(ready):
            if self.process.poll() is not None or time.monotonic() > end:
                self.log.seek(0)
                sys.exit("operations: the server did not start:\n" + self.log.read()[-2000:])
            time.sleep(0.05)
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", open(ready).read()).group(1))

    def pid(self):
        return int(open(self.pid_file).read())

    def metrics(self):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(WAIT)
        client.connect(f"{self.site.folder}/admin")
        client.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        data = b""
        while part := client.recv(65536):
            data += part
        return dict(re.findall(r"^(aasa_reloads_total\S*) (\S+)$", data.decode(), re.M))


class Load:
    """storm and h2load against one port for `seconds`; what went wrong is kept."""

    def __init__(self, port, seconds, rate, keeping=True):
        target = ["--resolve", f"{HOST}:{port}:127.0.0.1", "--format", "json", "--patience", "30"]
        storm = [BINARY, "storm", f"https://{HOST}:{port}{PATH}", "--over", str(seconds), *target]
        self.storms = [self.start(storm + ["--devices", str(int(rate * seconds * share)), *more])
                       for share, more in ((0.8, []), (0.2, ["--http2"]))]
        self.keeping = [self.start(
            ["h2load", "--h1", "-D", str(seconds), "-c", "8", "--rps", "25",
             f"https://127.0.0.1:{port}{PATH}"])] if keeping else []
        self.seconds = seconds

    @staticmethod
    def start(command):
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def result(self):
        """(name, answered, lost, words) of each."""
        rows = []
        for storm in self.storms:
            report = json.loads(storm.communicate(timeout=self.seconds + 2 * WAIT)[0])
            lost = report["devices"] - report["associated"]
            rows.append((f"storm {report['protocol']}", report["associated"], lost,
                         json.dumps(report["failures"])))
        for command in self.keeping:
            text = command.communicate(timeout=self.seconds + 2 * WAIT)[0]
            done = re.search(r"(\d+) done, (\d+) succeeded, (\d+) failed", text)
            good = int(re.search(r"status codes: (\d+) 2xx", text).group(1))
            rows.append(("h2load HTTP/1.1", good, int(done.group(1)) - good, done.group(0)))
        return rows


class WrongBytes(threading.Thread):
    """Asks once in a while on a fresh connection and compares the whole body with the documents
    that were ever meant to be served."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.stopped, self.checked, self.wrong = port, False, 0, []
        self.context = ssl.create_default_context()
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE

    def run(self):
        while not self.stopped:
            try:
                plain = socket.create_connection(("127.0.0.1", self.port), timeout=WAIT)
                with self.context.wrap_socket(plain, server_hostname=HOST) as secure:
                    secure.sendall(f"GET {PATH} HTTP/1.1\r\nHost: {HOST}\r\n"
                                   "Connection: close\r\n\r\n".encode())
                    data = b""
                    while part := secure.recv(65536):
                        data += part
                head, _, body = data.partition(b"\r\n\r\n")
                if not re.search(rb"^HTTP/1.1 200 ", head) or not re.fullmatch(
                        rb'\{"applinks":\{"details":\[\{"appIDs":'
                        rb'\["9JA89QQLNQ\.com\.example\.app"\],'
                        rb'"components":\[\{"/":"/buy/\d+/\*"\}\]\}\]\}\}', body):
                    self.wrong.append(data[:300])
                self.checked += 1
            except Exception as error:  # whatever it was, this request has failed
                self.wrong.append(repr(error))
            time.sleep(0.02)


def peak(port):
    """New connections per second that storm gets through, with everything on this machine."""
    report = json.loads(subprocess.run(
        [BINARY, "storm", f"https://{HOST}:{port}{PATH}", "--devices", "3000", "--over", "1",
         "--resolve", f"{HOST}:{port}:127.0.0.1", "--format", "json"],
        capture_output=True, text=True, timeout=2 * WAIT).stdout)
    return report["associated"] / report["seconds"]


def changes(site, server):
    """All kinds of change, mixed, at even steps; yields what each is."""
    plan = ["reload"] * times("reload") + ["renewal"] * times("renewal")
    plan += ["broken edit"] * times("broken edit") + ["upgrade"] * times("upgrade")
    # Evenly mixed: by the share of its kind that has been done.
    seen, keyed = {}, []
    for kind in plan:
        seen[kind] = seen.get(kind, 0) + 1
        keyed.append((seen[kind] / plan.count(kind), kind))
    for index, (_, kind) in enumerate(sorted(keyed)):
        if kind == "reload":
            site.write(fragment(index))
            os.kill(server.pid(), signal.SIGHUP)
        elif kind == "renewal":
            site.renew(index)
            os.kill(server.pid(), signal.SIGHUP)
        elif kind == "broken edit":
            good = open(site.file).read()
            site.write(good[: len(good) // 2])
            os.kill(server.pid(), signal.SIGHUP)
            time.sleep(0.5)
            site.write(good)
        else:
            done = subprocess.run([BINARY, "upgrade", "--pid-file", server.pid_file],
                                  capture_output=True, text=True, timeout=2 * WAIT)
            if done.returncode != 0:
                sys.exit("operations: upgrade failed:\n" + done.stderr)
        yield kind
        time.sleep(0.5)


def activated(site, rate):
    """Restarts behind a socket that this process holds, as systemd does (LISTEN_FDS)."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(4096)
    log = os.open(f"{site.folder}/log", os.O_WRONLY | os.O_APPEND)

    def start():
        pid = os.fork()
        if pid == 0:
            os.dup2(listener.fileno(), 3)
            os.set_inheritable(3, True)
            os.dup2(log, 1)
            os.dup2(log, 2)
            os.environ.update(LISTEN_FDS="1", LISTEN_FDNAMES="https", LISTEN_PID=str(os.getpid()))
            os.execv(BINARY, [BINARY, "serve", *site.options()])
        return pid

    server, count = start(), times("activated restart")
    load = Load(listener.getsockname()[1], 3 * (count + 1), rate, keeping=False)
    for _ in range(count):
        time.sleep(2.5)
        os.kill(server, signal.SIGTERM)
        successor = start()  # systemd starts it as soon as the unit is told to restart
        os.waitpid(server, 0)
        server = successor
    rows = load.result()
    os.kill(server, signal.SIGTERM)
    os.waitpid(server, 0)
    return rows


def main():
    if not os.access(BINARY, os.X_OK) or not shutil.which("h2load"):
        print(f"operations: needs {BINARY} and h2load (apt-get install nghttp2-client)")
        return 3
    site = Site()
    shutil.copytree(site.certs, f"{site.folder}/first")
    passed = failed = 0

    def row(name, good, words):
        nonlocal passed, failed
        passed, failed = passed + good, failed + (not good)
        print(f"{'ok    ' if good else 'FAILED'} {name:20} {words}", flush=True)

    server = Server(site)
    try:
        rate = max(50, int(peak(server.port) / 2))
        print(f"half load: {rate} new connections per second, and 200 requests on kept ones")
        seconds = int(sum(times(kind) * 0.8 for kind in TIMES) + 10)
        watcher = WrongBytes(server.port)
        load = Load(server.port, seconds, rate)
        watcher.start()
        done, ok, refused = {}, 0, 0
        for kind in changes(site, server):
            done[kind] = done.get(kind, 0) + 1
            if kind == "upgrade":  # the successor counts from zero
                time.sleep(0.2)
        reloads = server.metrics()
        rows = load.result()
        watcher.stopped = True
        watcher.join(2 * WAIT)
        log = open(f"{site.folder}/log").read()
        for kind, count in done.items():
            row(kind, count == times(kind), f"{count} times")
        row("wrong bytes", not watcher.wrong and watcher.checked > 0,
            f"{len(watcher.wrong)} of {watcher.checked} answers compared {watcher.wrong[:2]}")
        for name, answered, lost, words in rows:
            row(name, lost == 0 and answered > 0, f"{answered} answered, {lost} lost, {words}")
        row("metrics", any("ok" in name for name in reloads), f"since the last upgrade: {reloads}")
        row("log", log.count("error") > 0, f"{log.count(chr(10))} lines, of them "
            f"{sum(' error ' in line for line in log.splitlines())} errors (the broken edits)")
        os.kill(server.pid(), signal.SIGINT)
        for name, answered, lost, words in activated(site, rate):
            row(f"activated, {name}", lost == 0 and answered > 0,
                f"{times('activated restart')} times: {answered} answered, {lost} lost, {words}")
    finally:
        for pid in [server.process.pid, server.pid() if os.path.exists(server.pid_file) else 0]:
            if pid:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        server.process.wait()
        if failed == 0:
            shutil.rmtree(site.folder, ignore_errors=True)
        else:
            print(f"kept: {site.folder}/log")
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
