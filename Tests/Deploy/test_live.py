"""A running server, looked at as systemd, Prometheus and an operator look at it."""

import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import unittest

from house import AASA, Server, free_port, path, read, run, said


class Admin(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.server.remove()

    def test_the_document_is_the_built_one(self):
        for host in self.server.hosts:
            built = run(AASA, "build", os.path.join(self.server.site, host))
            self.assertEqual(built.returncode, 0, said(built))
            for page in ("/.well-known/apple-app-site-association", "/apple-app-site-association"):
                answer = self.server.curl(host, page)
                self.assertEqual(answer.returncode, 0, said(answer))
                self.assertEqual(answer.stdout, built.stdout)

    def test_promtool_accepts_the_metrics(self):
        self.server.curl(self.server.hosts[0])
        status, text = self.server.get("/metrics")
        self.assertEqual(status, 200)
        done = run("promtool", "check", "metrics", input=text, stdin=None)
        self.assertEqual(done.returncode, 0, said(done))
        self.assertEqual(done.stdout + done.stderr, "", "a hint of promtool is a finding")
        for name in re.findall(r"aasa_[a-z_]+", read("deploy/prometheus/alerts.yml")):
            # A server that asks no authority and is in no fleet has nothing to say of them.
            known, wanted = text, name
            if name.startswith("aasa_acme_"):
                known = read("Sources/aasa/Certs/RenewalStatus+Section.swift")
            elif name.startswith("aasa_fleet_"):
                known = read("Sources/aasa/Fleet/FleetSection.swift")
                wanted = '"' + name.removeprefix("aasa_fleet_") + '"'
            elif name.startswith("aasa_watch_"):
                known, wanted = read("Sources/aasa/Check/WatchMetrics.swift"), f'"{name}"'
            self.assertIn(wanted, known, "an alert on a metric that does not exist never fires")

    def test_metrics_count_what_happened(self):
        def answered():
            text = self.server.get("/metrics")[1]
            return float(re.search(r'^aasa_answers_total\{kind="document"\} (\S+)$', text, re.M)[1])

        before = answered()
        for _ in range(7):
            self.assertEqual(self.server.curl(self.server.hosts[0]).returncode, 0)
        self.assertEqual(answered() - before, 7)

    def test_the_status_says_what_is_served(self):
        status = json.loads(self.server.get("/status.json")[1])
        self.assertEqual(status["health"], "well", status["reasons"])
        self.assertEqual(sorted(host["name"] for host in status["hosts"]), self.server.hosts)
        for host in status["hosts"]:
            built = run(AASA, "build", os.path.join(self.server.site, host["name"]))
            self.assertEqual(host["bytes"], len(built.stdout.encode()))
        self.assertGreaterEqual(len(status["certificates"]), len(self.server.hosts))

    def test_the_container_health_check_works(self):
        script = path("deploy/container/healthcheck")
        good = run(script, env={**os.environ, "AASA_ADMIN": f"127.0.0.1:{self.server.admin}"})
        self.assertEqual(good.returncode, 0, said(good))
        bad = run(script, env={**os.environ, "AASA_ADMIN": f"127.0.0.1:{free_port()}"})
        self.assertNotEqual(bad.returncode, 0)

    def test_keys_are_nowhere_on_the_admin_side(self):
        keys = []
        for folder, _, names in os.walk(self.server.certs):
            keys += [os.path.join(folder, name) for name in names if "key" in name]
        self.assertGreater(len(keys), 1)
        secrets = ["".join(open(key).read().split("\n")[1:2]) for key in keys]
        pages = ["/", "/metrics", "/status.json", "/readyz", "/certs/", "/../certs/local-ca/ca.key"]
        for page in pages:
            text = self.server.get(page)[1]
            for secret in secrets:
                self.assertNotIn(secret, text)
        for secret in secrets:
            self.assertNotIn(secret, self.server.output())

    def test_admin_pages_are_not_on_the_public_port(self):
        for page in ("/metrics", "/status.json", "/healthz", "/readyz", "/"):
            answer = self.server.curl(
                self.server.hosts[0], page, "-o", "/dev/null", "-w", "%{http_code}"
            )
            self.assertEqual(answer.stdout, "404", page)


class Systemd(unittest.TestCase):
    def test_system_calls_fit_the_unit(self):
        """What the server really calls, beside what the unit's filter lets through."""
        folder = tempfile.mkdtemp(prefix="aasa-strace-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        trace = os.path.join(folder, "trace")
        server = Server(wrapper=("strace", "-f", "-qq", "-o", trace))
        self.addCleanup(server.remove)
        try:
            for host in server.hosts:
                self.assertEqual(server.curl(host).returncode, 0)
            started = os.path.getsize(trace)
            children = run("pgrep", "-P", str(server.process.pid)).stdout.split()
            for child in children:
                os.kill(int(child), signal.SIGHUP)
            server.get("/metrics")
            time.sleep(2)
            self.assertGreater(os.path.getsize(trace), started)
        finally:
            server.stop()
        pattern = r"^\d+\s+(?:<\.\.\. )?(\w+)(?:\(| resumed)"
        called = set(re.findall(pattern, open(trace).read(), re.M))
        self.assertGreater(len(called), 20)
        allowed = self.allowed()
        # strace starts the program and the program's threads are ended by its exit.
        self.assertEqual(sorted(called - allowed), [], "calls that the unit would refuse")

    def allowed(self):
        groups = {}
        name = None
        for line in run("systemd-analyze", "syscall-filter", "--no-pager").stdout.split("\n"):
            line = re.sub(r"\x1b\[[0-9;]*m", "", line)
            if line.startswith("@"):
                name = line.strip()
                groups[name] = set()
            elif name and line.startswith("    ") and not line.strip().startswith("#"):
                groups[name].add(line.strip())

        def expand(item):
            if not item.startswith("@"):
                return {item}
            return set().union(*(expand(part) for part in groups[item]))

        allowed = set()
        unit = read("deploy/systemd/aasa.service")
        for line in re.findall(r"^SystemCallFilter=(.*)$", unit, re.M):
            items = set().union(*(expand(item) for item in line.lstrip("~").split()))
            allowed = allowed - items if line.startswith("~") else allowed | items
        # systemd always lets these through: it needs them itself to start the service.
        return allowed | expand("@default") | {"execve"}

    def fetch(self, port, authority, host):
        context = ssl.create_default_context(cafile=authority)
        with socket.create_connection(("127.0.0.1", port), timeout=60) as raw:
            with context.wrap_socket(raw, server_hostname=host) as tls:
                request = f"GET /apple-app-site-association HTTP/1.0\r\nHost: {host}\r\n\r\n"
                tls.sendall(request.encode())
                answer = b""
                while piece := tls.recv(65536):
                    answer += piece
        return answer

    def test_activated_sockets_are_served(self):
        """systemd's own activator passes the socket, as aasa.socket does."""
        server = Server()
        try:
            port = free_port()
            ready = os.path.join(server.folder, "ready-activated")
            name = re.search(r"FileDescriptorName=(\S+)", read("deploy/systemd/aasa.socket"))[1]
            process = subprocess.Popen(
                [
                    "systemd-socket-activate", "-l", f"127.0.0.1:{port}", f"--fdname={name}",
                    AASA, "serve", "--site", server.site, "--certs", server.certs,
                    "--default-host", server.hosts[0], "--ready-file", ready,
                ],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )
            try:
                # The first connection starts the service and waits in the queue meanwhile.
                deadline = time.monotonic() + 60
                answer = b""
                while not answer and time.monotonic() < deadline:
                    try:
                        answer = self.fetch(port, server.authority, server.hosts[0])
                    except ConnectionRefusedError:
                        time.sleep(0.05)
                self.assertTrue(answer.startswith(b"HTTP/1.1 200 "), answer[:200])
            finally:
                process.send_signal(signal.SIGTERM)
                output = process.communicate(timeout=120)[0]
            self.assertEqual(process.returncode, 0, output[-2000:])
        finally:
            server.stop()
            server.remove()

    def test_readiness_and_watchdog_are_told(self):
        folder = tempfile.mkdtemp(prefix="aasa-notify-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
            name = os.path.join(folder, "notify")
            told.bind(name)
            told.settimeout(60)
            server = Server(environment={"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "2000000"})
            self.addCleanup(server.remove)
            messages = ""
            try:
                while "READY=1" not in messages or "WATCHDOG=1" not in messages:
                    messages += told.recv(4096).decode() + "\n"
            finally:
                server.stop()
            told.settimeout(5)
            try:
                while "STOPPING=1" not in messages:
                    messages += told.recv(4096).decode() + "\n"
            except TimeoutError:
                self.fail(f"no STOPPING=1 among: {messages}")

    def test_the_check_of_reload_accepts_and_refuses(self):
        server = Server()
        self.addCleanup(server.remove)
        server.stop()
        check = ("serve", "--check", "--site", server.site, "--certs", server.certs,
                 "--default-host", server.hosts[0])
        good = run(AASA, *check)
        self.assertEqual(good.returncode, 0, said(good))
        teams = os.path.join(server.site, server.hosts[0], "teams")
        with open(os.path.join(teams, sorted(os.listdir(teams))[0]), "a", encoding="utf-8") as file:
            file.write("}")
        bad = run(AASA, *check)
        self.assertNotEqual(bad.returncode, 0, said(bad))
        self.assertRegex(bad.stderr + bad.stdout, r"\.json:\d+:\d+")
