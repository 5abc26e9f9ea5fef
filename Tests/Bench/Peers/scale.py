"""How the cost of an operation depends on workers and hosts. See `Tests/Bench/scale --help`."""

import argparse
import os
import re
import shutil
import signal
import socket
import ssl
import statistics
import subprocess
import tempfile
import threading
import time

import peers
from peers import AASA, ASSOCIATION, WORK

DOCUMENT = (
    '{"applinks":{"details":[{"appIDs":["9JA89QQLNQ.com.example.app"],'
    '"components":[{"/":"/buy/*"}]}]}}'
)


class Farm:
    """A folder with a site and a certificate for each of `count` hosts."""

    def __init__(self, count):
        self.folder = tempfile.mkdtemp(prefix="aasa-scale-")
        self.hosts = [f"host{number:04}.example" for number in range(count)]
        self.sign(self.hosts)
        for host in self.hosts:
            os.makedirs(f"{self.folder}/site/{host}")
            self.write(host, DOCUMENT)

    def write(self, host, text):
        file = f"{self.folder}/site/{host}/apple-app-site-association"
        with open(file + ".new", "w", encoding="utf-8") as out:
            out.write(text)
        os.rename(file + ".new", file)

    def sign(self, hosts):
        script = """
            cd "$1"; shift; umask 077; mkdir -p certs
            [ -e ca.pem ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
                -keyout ca.key -out ca.pem -subj /CN=scale -days 30
            for host; do
                mkdir -p certs/$host
                printf 'subjectAltName=DNS:%s\\n' $host > ext
                openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=$host \
                    -keyout certs/$host/privkey.new -out csr
                openssl x509 -req -in csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 \
                    -extfile ext -out certs/$host/fullchain.pem
                mv certs/$host/privkey.new certs/$host/privkey.pem
            done"""
        subprocess.run(
            ["sh", "-ec", script, "sh", self.folder, *hosts], check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def remove(self):
        shutil.rmtree(self.folder)


class Server:
    """aasa on the farm's hosts, on the given cores."""

    def __init__(self, farm, workers, cores):
        self.farm = farm
        ready = f"{farm.folder}/ready"
        if os.path.exists(ready):
            os.unlink(ready)
        started = time.monotonic()
        with open(f"{farm.folder}/log", "wb") as log:
            self.process = subprocess.Popen(
                ["taskset", "-c", cores, AASA, "serve", "--site", f"{farm.folder}/site",
                 "--certs", f"{farm.folder}/certs", "--listen", "127.0.0.1:0",
                 "--admin", "127.0.0.1:0", "--workers", str(workers), "--watch", "off",
                 "--clients", "pools", "--ready-file", ready,
                 "--default-host", farm.hosts[0]],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        while not os.path.exists(ready):
            if self.process.poll() is not None or time.monotonic() - started > 120:
                with open(f"{farm.folder}/log", encoding="utf-8", errors="replace") as log:
                    raise SystemExit(f"the server did not start: {log.read()[-2000:]}")
            time.sleep(0.002)
        self.start_seconds = time.monotonic() - started
        with open(ready, encoding="utf-8") as lines:
            ports = dict(re.findall(r"(listen|admin) \S+:(\d+)", lines.read()))
        self.port, self.admin = int(ports["listen"]), int(ports["admin"])

    def cpu_seconds(self):
        return peers.cpu_seconds([self.process.pid])

    def metric(self, name):
        with socket.create_connection(("127.0.0.1", self.admin), timeout=30) as admin:
            admin.sendall(b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            text = b""
            while part := admin.recv(65536):
                text += part
        return sum(float(v) for v in re.findall(rf"^{name}(?:{{.*?}})? (\S+)$", text.decode(), re.M))

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)


def handshakes(server, seconds):
    done = subprocess.run(
        [f"{WORK}/handshakes", str(server.port), ASSOCIATION, str(seconds), "64", "full"],
        capture_output=True, text=True, check=True)
    return int(re.search(r'"done": (\d+)', done.stdout)[1])


def keep_alive(server, seconds):
    url = f"https://127.0.0.1:{server.port}{ASSOCIATION}"
    done = subprocess.run(
        ["wrk", "-t1", "-c64", f"-d{seconds}", "-H", f"Host: {server.farm.hosts[-1]}",
         url], capture_output=True, text=True)
    found = re.search(r"(\d+) requests in", done.stdout)
    if not found:
        raise SystemExit(f"wrk at {url} said: {done.stdout}{done.stderr}")
    return int(found[1])


def cost(server, load, seconds):
    """Microseconds of server processor time per operation."""
    before = server.cpu_seconds()
    done = load(server, seconds)
    return (server.cpu_seconds() - before) / done * 1e6


def compare(title, names, servers, rounds):
    """Interleaved rounds; prints the medians and their ratio."""
    for load in (handshakes, keep_alive):
        values = [[] for _ in servers]
        for server in servers:
            load(server, 1)
        for _ in range(rounds):
            for server, found in zip(servers, values):
                found.append(cost(server, load, 2))
        medians = [statistics.median(found) for found in values]
        parts = ", ".join(f"{name}: {m:.1f} µs" for name, m in zip(names, medians))
        print(f"{title}, {load.__name__.replace('_', '-')}: {parts}; "
              f"ratio {medians[1] / medians[0]:.2f}", flush=True)


def workers(rounds):
    """One worker against two, both free to use both cores: only contention makes a difference."""
    farm = Farm(1)
    servers = [Server(farm, count, "0,1") for count in (1, 2)]
    try:
        compare("CPU per operation", ["1 worker", "2 workers"], servers, rounds)
    finally:
        for server in servers:
            server.stop()
        farm.remove()


class Asker(threading.Thread):
    """Asks one host again and again over one connection and keeps how long each answer took."""

    def __init__(self, server, host):
        super().__init__()
        self.times, self.failed, self.ends = [], 0, False
        self.server, self.host = server, host

    def run(self):
        context = ssl.create_default_context(cafile=f"{self.server.farm.folder}/ca.pem")
        request = f"GET {ASSOCIATION} HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode()
        connection = None
        while not self.ends:
            began = time.monotonic()
            try:
                if connection is None:
                    raw = socket.create_connection(("127.0.0.1", self.server.port), timeout=30)
                    connection = context.wrap_socket(raw, server_hostname=self.host)
                connection.sendall(request)
                answer = b""
                while not answer.endswith(b"}}"):
                    answer += connection.recv(65536) or self.lost()
            except OSError:
                self.failed += 1
                connection = None
                continue
            self.times.append(time.monotonic() - began)
            if b"Connection: close" in answer:
                connection.close()
                connection = None
            time.sleep(0.001)

    @staticmethod
    def lost():
        raise OSError("the connection ended")


def reload(server):
    """Seconds from the signal until the new generation is served."""
    before = server.metric("aasa_snapshot_generation")
    began = time.monotonic()
    server.process.send_signal(signal.SIGHUP)
    while server.metric("aasa_snapshot_generation") == before:
        if time.monotonic() - began > 60:
            raise SystemExit("the reload has not taken effect")
        time.sleep(0.005)
    return time.monotonic() - began


def hosts(count, rounds):
    print(f"making {count} certificates", flush=True)
    one, many = Farm(1), Farm(count)
    servers = []
    try:
        for farm in (one, many):
            servers.append(Server(farm, 1, "0"))
        print(f"start to ready: 1 host {servers[0].start_seconds * 1000:.0f} ms, "
              f"{count} hosts {servers[1].start_seconds * 1000:.0f} ms", flush=True)
        compare("CPU per operation", ["1 host", f"{count} hosts"], servers, rounds)
        servers.pop().stop()
        servers.append(Server(many, 2, "0,1"))
        pauses(servers[1], many)
    finally:
        for server in servers:
            server.stop()
        one.remove()
        many.remove()


def pauses(server, farm):
    """The slowest answer while nothing happens, and while documents and certificates change."""
    def edit_all(text):
        for host in farm.hosts:
            farm.write(host, text)

    changes = {
        "nothing changed": lambda: None,
        "one document changed": lambda: farm.write(farm.hosts[-1], DOCUMENT.replace("buy", "a")),
        "all documents changed": lambda: edit_all(DOCUMENT.replace("buy", "sell")),
        "100 certificates changed": lambda: farm.sign(farm.hosts[:100]),
    }
    askers = [Asker(server, farm.hosts[number]) for number in (0, len(farm.hosts) - 1)]
    for asker in askers:
        asker.start()
    try:
        time.sleep(2)
        print(f"slowest of {sum(len(a.times) for a in askers)} answers while calm: "
              f"{1000 * max(max(a.times) for a in askers):.1f} ms", flush=True)
        for what, change in changes.items():
            taken = []
            change()
            for asker in askers:
                asker.times = []
            for _ in range(3):
                taken.append(reload(server))
                time.sleep(0.3)
            times = [t for asker in askers for t in asker.times]
            print(f"reload, {what}: {1000 * max(taken):.0f} ms at most; slowest of "
                  f"{len(times)} answers meanwhile {1000 * max(times):.1f} ms", flush=True)
    finally:
        for asker in askers:
            asker.ends = True
        for asker in askers:
            asker.join()
    print(f"failed: {sum(asker.failed for asker in askers)}")


def main():
    parser = argparse.ArgumentParser(prog="Tests/Bench/scale")
    parser.add_argument("what", nargs="?", choices=["workers", "hosts"])
    parser.add_argument("--hosts", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=4)
    options = parser.parse_args()
    if options.what != "hosts":
        workers(options.rounds)
    if options.what != "workers":
        hosts(options.hosts, options.rounds)


if __name__ == "__main__":
    main()
