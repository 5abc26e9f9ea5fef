"""A front before a real aasa: what the tests of deploy/fronts share."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from house import AASA, Server, free_port, read, run, said

WELL_KNOWN = "/.well-known/apple-app-site-association"


def has_ipv6():
    try:
        with open("/proc/net/if_inet6", encoding="ascii") as file:
            return any(line.split()[-1] == "lo" for line in file)
    except OSError:
        return False


class Front(unittest.TestCase):
    """What every test of a front does; OPTIONS are those of aasa that its configuration names."""

    options = ()
    host = "example.com"

    @classmethod
    def setUpClass(cls):
        cls.logs = tempfile.mkdtemp(prefix="aasa-fronts-log-")
        cls.addClassCleanup(shutil.rmtree, cls.logs, ignore_errors=True)
        cls.access = os.path.join(cls.logs, "access.log")
        cls.server = Server("--access-log", cls.access, *cls.options)
        cls.addClassCleanup(cls.server.stop)
        built = run(AASA, "build", os.path.join(cls.server.site, cls.host))
        cls.document = built.stdout

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="aasa-fronts-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.port = free_port()

    def adapted(self, name):
        """The configuration as it stands, with this test's ports and certificates."""
        certs = os.path.join(self.server.certs, self.host)
        text = read("deploy/fronts", name)
        if not has_ipv6():
            text = re.sub(r"(?m)^ +bind \[::\].*\n", "", text)
        for old, new in (
            ("listen [::]:443 backlog=16384;", ""), ("listen [::]:443 ssl;", ""),
            ("listen 443", f"listen 127.0.0.1:{self.port}"), ("bind :443", f"bind 127.0.0.1:{self.port}"),
            ("bind [::]:443", f"bind [::1]:{self.port}"),
            ("127.0.0.1:8443", f"127.0.0.1:{self.server.port}"),
            ("/etc/aasa/certs/example.com", certs),
            ("/etc/ssl/certs/ca-certificates.crt", self.server.authority),
            ("/var/cache/nginx/aasa", os.path.join(self.folder, "cache")),
            ("maxconn 100000", "maxconn 1000"), ("fronts/aasa-proxy.conf", "aasa-proxy.conf"),
        ):
            text = text.replace(old, new)
        return text

    def write(self, name, text):
        file = os.path.join(self.folder, name)
        with open(file, "w", encoding="utf-8") as opened:
            opened.write(text)
        return file

    def start(self, *command):
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

        def stop():
            process.terminate()
            process.communicate(timeout=30)

        self.addCleanup(stop)
        return process

    def nginx(self, inside):
        text = (f"daemon off; pid {self.folder}/pid; error_log {self.folder}/error.log;\n"
                "worker_processes 1; events { worker_connections 512; }\n" + inside)
        modules = "/usr/lib/nginx/modules/ngx_stream_module.so"
        if "stream {" in inside and os.path.exists(modules):
            text = f"load_module {modules};\n" + text
        self.write("aasa-proxy.conf", self.adapted("aasa-proxy.conf"))
        file = self.write("nginx.conf", text)
        return self.start("nginx", "-p", self.folder, "-c", file)

    def http(self, inside):
        temporary = "".join(
            f"{name}_temp_path {self.folder}/{name}; "
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        return f"http {{ access_log off; {temporary}\n{inside}\n}}\n"

    def get(self, target=WELL_KNOWN, *options):
        return run("curl", "-sS", "--max-time", "10", "--cacert", self.server.authority, "--resolve",
                   f"{self.host}:{self.port}:127.0.0.1", *options,
                   f"https://{self.host}:{self.port}{target}")

    def expect_document(self, process):
        done = None
        for _ in range(100):
            done = self.get()
            if done.returncode == 0 and done.stdout == self.document or process.poll() is not None:
                break
            time.sleep(0.1)
        detail = process.stderr.read() if process.poll() is not None else ""
        self.assertEqual(done.stdout, self.document, said(done) + detail)
        head = self.get(WELL_KNOWN, "-I")
        self.assertIn(" 200", head.stdout.splitlines()[0], said(head))
        self.assertIn("application/json", head.stdout)
        for name in ("etag", "last-modified"):
            self.assertNotIn(name + ":", head.stdout.lower())

    def expect_reloads(self, reload):
        """A storm through the front while the front and aasa take new configurations: no device
        fails."""
        def reloads():
            for turn in range(8):
                time.sleep(0.4)
                if turn % 2:
                    reload()
                else:
                    os.kill(self.server.process.pid, signal.SIGHUP)

        thread = threading.Thread(target=reloads)
        thread.start()
        done = run(AASA, "storm", f"https://{self.host}:{self.port}/", "--devices", "300",
                   "--over", "4", "--format", "json", "--cacert", self.server.authority,
                   "--resolve", f"{self.host}:{self.port}:127.0.0.1")
        thread.join()
        self.assertEqual(done.returncode, 0, said(done))
        report = json.loads(done.stdout)
        self.assertEqual(
            {name: report[name] for name in ("associated", "tries", "failed", "willRetry", "denied")},
            {"associated": 300, "tries": 300, "failed": 0, "willRetry": 0, "denied": 0}, said(done))

    def peer_of(self, agent):
        """The address in the access log line of a user agent, without its port."""
        for _ in range(100):
            with open(self.access, encoding="utf-8") as file:
                lines = [line for line in file if agent in line]
            if lines:
                return re.search(r' peer="?\[?([0-9a-f.:]+?)\]?:[0-9]+"? ', lines[-1])[1]
            time.sleep(0.1)
        return None

    def metric(self, name):
        _, text = self.server.get("/metrics")
        found = re.search("^" + re.escape(name) + r" ([0-9]+)$", text, re.M)
        self.assertTrue(found, name)
        return int(found[1])

    def haproxy(self, name, text=None):
        text = text or self.adapted(name)
        pem = os.path.join(self.folder, "certs")
        os.makedirs(pem)
        certs = os.path.join(self.server.certs, self.host)
        with open(os.path.join(pem, "example.com.pem"), "w", encoding="ascii") as file:
            for part in ("fullchain.pem", "privkey.pem"):
                with open(os.path.join(certs, part), encoding="ascii") as source:
                    file.write(source.read())
        file = self.write("haproxy.cfg", text.replace("/etc/haproxy/certs/", pem))
        # -W: a master that takes SIGUSR2 for a new configuration.
        return self.start("haproxy", "-W", "-q", "-f", file)
