"""nginx and haproxy end TLS on this machine and ask aasa without it (deploy/fronts)."""

import os
import re
import shutil
import signal
import tempfile
import threading
import unittest

from fronts import Front, WELL_KNOWN
from house import AASA, Server, read, run, said


class EndingTLSHere(Front):
    """nginx and haproxy end TLS on this machine, and ask without it."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.mkdtemp(prefix="aasa-plain-")
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        # nginx's worker is another user.
        os.chmod(folder, 0o755)
        cls.socket = os.path.join(folder, "s")
        cls.options = ("--listen-plain", f"unix:{cls.socket}", "--listen-plain", "127.0.0.1:0")
        super().setUpClass()

    def adapted(self, name):
        text = super().adapted(name).replace("/run/aasa/plain.sock", self.socket)
        if name == "aasa-proxy.conf":
            text = text.replace("proxy_pass https://aasa;", "proxy_pass http://aasa;")
        return text

    def expect_all(self, process, number):
        self.expect_document(process)
        before = self.metric("aasa_connections_accepted_total")
        self.expect_reloads(lambda: process.send_signal(number))
        # Nothing of it came over TLS.
        self.assertEqual(self.metric("aasa_connections_accepted_total"), before)
        sibling = self.get("/.well-known/assetlinks.json")
        with open(os.path.join(self.server.site, self.host, "well-known/assetlinks.json"),
                  encoding="utf-8") as file:
            self.assertEqual(sibling.stdout, file.read())
        # A query, content and an odd method change nothing.
        for options in (("-X", "POST", "-d", "x=1"), ("-H", "If-None-Match: *"),
                        ("-H", "Range: bytes=0-9")):
            self.assertEqual(self.get(WELL_KNOWN + "?x=1", *options).stdout, self.document)

    def test_nginx_asks_without_tls(self):
        process = self.nginx(self.http(self.adapted("nginx-plain.conf")))
        self.expect_all(process, signal.SIGHUP)

    def test_nginx_keeps_the_site_and_asks_without_tls(self):
        """As the page says: one line in each of the two files of the path route."""
        certs = os.path.join(self.server.certs, self.host)
        inside = (f"server {{ listen 127.0.0.1:{self.port} ssl; server_name {self.host};\n"
                  f"ssl_certificate {certs}/fullchain.pem; ssl_certificate_key {certs}/privkey.pem;\n"
                  f"location / {{ return 200 'the site'; }}\n{self.adapted('nginx-path.conf')}\n}}\n")
        upstream = self.adapted("aasa-upstream.conf").replace(
            f"server 127.0.0.1:{self.server.port};", f"server unix:{self.socket};")
        process = self.nginx(self.http(upstream + inside))
        self.expect_all(process, signal.SIGHUP)
        self.assertEqual(self.get("/").stdout, "the site")

    def test_haproxy_asks_without_tls(self):
        process = self.haproxy("haproxy-plain.cfg")
        self.expect_all(process, signal.SIGUSR2)

    def test_loopback_is_told_and_answers(self):
        ready = read(self.server.ready)
        self.assertIn(f"plain unix:{self.socket}\n", ready)
        address = re.search(r"^plain (127\.0\.0\.1:\d+)$", ready, re.M)[1]
        done = run("curl", "-sS", "--max-time", "10", "-H", f"Host: {self.host}",
                   f"http://{address}{WELL_KNOWN}")
        self.assertEqual(done.stdout, self.document, said(done))

    def test_an_upgrade_takes_the_socket_over(self):
        """Six upgrades under load: no request fails, and the name is there afterwards."""
        self.expect_document(self.nginx(self.http(self.adapted("nginx-plain.conf"))))
        folder = tempfile.mkdtemp(prefix="aasa-plain-upgrade-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        os.chmod(folder, 0o755)
        place = os.path.join(folder, "s")
        run_folder = os.path.join(folder, "run")
        server = Server("--listen-plain", f"unix:{place}", "--run", run_folder, "--drain", "1")
        # The successors are of its group.
        self.addCleanup(os.killpg, server.process.pid, signal.SIGINT)
        failed, asked, ended = [], [], threading.Event()

        def ask():
            while not ended.is_set():
                done = run("curl", "-sS", "--max-time", "10", "--unix-socket", place,
                           f"http://{self.host}{WELL_KNOWN}", f"http://{self.host}{WELL_KNOWN}")
                asked.append(done)
                if done.stdout != self.document * 2:
                    failed.append(said(done))

        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(6):
                done = run(AASA, "upgrade", "--run", run_folder)
                self.assertEqual(done.returncode, 0, said(done))
        finally:
            ended.set()
            for thread in threads:
                thread.join()
        self.assertEqual(failed, [])
        self.assertGreater(len(asked), 20)
