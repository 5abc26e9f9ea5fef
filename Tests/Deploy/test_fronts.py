"""The configurations of deploy/fronts, with the real nginx and haproxy before a real aasa."""

import json
import os
import re
import signal
import time
import unittest

from fronts import Front, WELL_KNOWN, has_ipv6
from house import Server, free_port, path, read, said


class Addresses(unittest.TestCase):
    def test_every_front_listens_on_both_families(self):
        """haproxy's `bind :443` is IPv4 alone: by an AAAA record nobody got in."""
        found = 0
        for name in sorted(os.listdir(path("deploy/fronts"))):
            lines = re.findall(r"(?m)^ +(?:listen|bind) (.*443.*)$", read("deploy/fronts", name))
            if lines:
                found += 1
                self.assertEqual([line.startswith("[::]:443") for line in lines], [False, True], name)
        self.assertGreater(found, 5)


class Surge(unittest.TestCase):
    def test_a_front_in_tcp_holds_all_who_wait(self):
        """nginx closes whom it has no connection for, and Debian's 768 are full with 383."""
        text = read("deploy/fronts/nginx-stream.conf")
        connections = int(re.search(r"worker_connections (\d+);", text)[1])
        files = int(re.search(r"worker_rlimit_nofile (\d+);", text)[1])
        backlog = int(re.search(r"^ +listen 443 backlog=(\d+);", text, re.M)[1])
        self.assertGreaterEqual(connections, 2 * backlog)
        self.assertGreaterEqual(files, connections)


class InTCP(Front):
    """nginx and haproxy pass TLS through, and say whose it is."""

    options = ("--proxy-protocol", "127.0.0.1")

    def expect_clients(self, process):
        """The address in the log is the client's, not the front's."""
        self.expect_document(process)
        done = self.get(WELL_KNOWN, "--interface", "127.0.0.77", "-A", self.id())
        self.assertEqual(done.stdout, self.document, said(done))
        self.assertEqual(self.peer_of(self.id()), "127.0.0.77")

    def test_nginx_passes_tcp(self):
        process = self.nginx(self.adapted("nginx-stream.conf"))
        self.expect_clients(process)
        self.expect_reloads(lambda: process.send_signal(signal.SIGHUP))

    def test_haproxy_passes_tcp(self):
        process = self.haproxy("haproxy-tcp.cfg")
        self.expect_clients(process)
        if has_ipv6():
            resolve = ("--resolve", f"{self.host}:{self.port}:[::1]")
            done = self.get(WELL_KNOWN, *resolve, "-A", "six")
            self.assertEqual(done.stdout, self.document, said(done))
            self.assertEqual(self.peer_of("six"), "::1")
        self.expect_reloads(lambda: process.send_signal(signal.SIGUSR2))
        # haproxy asks every two seconds whether aasa is there.
        for _ in range(60):
            if self.metric('aasa_proxy_headers_total{sender="front"}'):
                break
            time.sleep(0.1)
        self.assertGreater(self.metric('aasa_proxy_headers_total{sender="front"}'), 0)
        self.assertGreater(self.metric('aasa_connections_closed_total{reason="front_check"}'), 0)

    def test_haproxy_speaks_version_1_as_well(self):
        text = self.adapted("haproxy-tcp.cfg")
        self.assertIn("send-proxy-v2", text)
        self.expect_clients(self.haproxy("haproxy-tcp.cfg", text.replace("send-proxy-v2", "send-proxy")))

    def test_haproxy_adds_a_checksum_and_an_identifier(self):
        text = self.adapted("haproxy-tcp.cfg").replace(
            "send-proxy-v2", "send-proxy-v2 proxy-v2-options crc32c,unique-id").replace(
            "default_backend aasa", "unique-id-format %{+X}o%ci-%cp\n    default_backend aasa", 1)
        self.expect_clients(self.haproxy("haproxy-tcp.cfg", text))

    def test_who_forgets_the_header_is_told_apart(self):
        before = self.metric('aasa_connections_closed_total{reason="proxy_header_invalid"}')
        text = self.adapted("nginx-stream.conf").replace("proxy_protocol on;", "")
        self.nginx(text)
        for _ in range(50):
            if self.get().returncode == 35:
                break
            time.sleep(0.1)
        after = self.metric('aasa_connections_closed_total{reason="proxy_header_invalid"}')
        self.assertGreater(after, before)
        self.assertIn("sent no PROXY protocol header", self.server.output())


class EndingTLS(Front):
    """nginx and haproxy end TLS."""

    options = ("--clients", "pools")

    def test_nginx_encrypts_again(self):
        process = self.nginx(self.http(self.adapted("nginx-reencrypt.conf")))
        self.expect_document(process)
        self.expect_reloads(lambda: process.send_signal(signal.SIGHUP))

    def test_nginx_keeps_the_site(self):
        certs = os.path.join(self.server.certs, self.host)
        inside = (f"server {{ listen 127.0.0.1:{self.port} ssl; server_name {self.host};\n"
                  f"ssl_certificate {certs}/fullchain.pem; ssl_certificate_key {certs}/privkey.pem;\n"
                  f"location / {{ return 200 'the site'; }}\n{self.adapted('nginx-path.conf')}\n}}\n")
        process = self.nginx(self.http(self.adapted("aasa-upstream.conf") + inside))
        self.expect_document(process)
        self.expect_reloads(lambda: process.send_signal(signal.SIGHUP))
        self.assertEqual(self.get("/").stdout, "the site")
        # Requests share connections: a handshake for each would cost more than all else.
        before = self.metric("aasa_connections_accepted_total")
        for _ in range(20):
            self.assertEqual(self.get().stdout, self.document)
        self.assertLessEqual(self.metric("aasa_connections_accepted_total") - before, 2)
        sibling = self.get("/.well-known/assetlinks.json")
        with open(os.path.join(self.server.site, self.host, "well-known/assetlinks.json"),
                  encoding="utf-8") as file:
            self.assertEqual(sibling.stdout, file.read())

    def test_haproxy_encrypts_again(self):
        process = self.haproxy("haproxy-reencrypt.cfg")
        self.expect_document(process)
        self.expect_reloads(lambda: process.send_signal(signal.SIGUSR2))

    def test_a_front_says_502_when_aasa_is_away(self):
        text = self.adapted("nginx-reencrypt.conf").replace(str(self.server.port), str(free_port()))
        process = self.nginx(self.http(text))
        status = ""
        for _ in range(50):
            done = self.get(WELL_KNOWN, "-o", "/dev/null", "-w", "%{http_code}")
            status = done.stdout
            if done.returncode == 0 or process.poll() is not None:
                break
            time.sleep(0.1)
        self.assertEqual(status, "502")


class Pulling(Front):
    """A CDN that pulls: what it keeps, and what it never does."""

    options = ("--clients", "pools")

    def head_of(self, *options):
        done = self.get(WELL_KNOWN, "-D", "-", *options)
        head, _, body = done.stdout.replace("\r", "").partition("\n\n")
        fields = {line.split(":")[0].lower(): line.split(":", 1)[1].strip()
                  for line in head.split("\n")[1:]}
        return int(head.split(" ")[1]) if head else 0, fields, body

    def cdn(self, server):
        # nginx's worker is another user, and keeps its cache here.
        os.chmod(self.folder, 0o755)
        text = self.adapted("nginx-cdn.conf").replace(
            f"127.0.0.1:{self.server.port}", f"127.0.0.1:{server.port}")
        return self.nginx(self.http(text.replace(self.server.authority, server.authority)))

    def test_nginx_keeps_a_document_whole(self):
        server = Server("--clients", "pools")
        self.addCleanup(server.stop)
        self.expect_document(self.cdn(server))
        status, fields, body = self.head_of()
        self.assertEqual((status, fields["x-cache-status"], body), (200, "HIT", self.document))
        # Whatever a client adds, it is the whole document.
        for options in (("-H", "Range: bytes=0-9"), ("-H", 'If-None-Match: "x"'),
                        ("-H", "If-Modified-Since: Sun, 22 Nov 2026 12:00:00 GMT"), ("-b", "a=b")):
            status, fields, body = self.head_of(*options)
            self.assertEqual((status, body), (200, self.document), options)
            self.assertNotIn("etag", fields)
            self.assertNotIn("last-modified", fields)
        self.assertEqual(self.get(WELL_KNOWN + "?mode=developer").stdout, self.document)
        # aasa is away: nobody sees it.
        server.stop()
        status, fields, body = self.head_of()
        self.assertEqual((status, body), (200, self.document))

    def test_nginx_never_keeps_a_503(self):
        broken = os.path.join(self.host, "teams", "D3KQX62K1A.json")

        def spoil(site):
            # Broken from the start: there is no last good document to fall back to.
            os.rename(os.path.join(site, broken), os.path.join(site, "..", "kept.json"))
            with open(os.path.join(site, broken), "w", encoding="utf-8") as file:
                file.write("{")

        server = Server("--clients", "pools", prepare=spoil)
        self.addCleanup(server.stop)
        process = self.cdn(server)
        for _ in range(100):
            status, _, _ = self.head_of()
            if status or process.poll() is not None:
                break
            time.sleep(0.1)
        for _ in range(3):
            status, fields, _ = self.head_of()
            self.assertEqual((status, fields["x-cache-status"]), (503, "MISS"))
            self.assertIn("no-store", fields["cache-control"])
        os.replace(os.path.join(server.folder, "kept.json"), os.path.join(server.site, broken))
        os.kill(server.process.pid, signal.SIGHUP)
        for _ in range(100):
            status, _, body = self.head_of()
            if status == 200:
                break
            time.sleep(0.1)
        self.assertEqual((status, body), (200, self.document))

    def test_cloudfronts_configuration_is_what_the_page_says(self):
        from botocore.loaders import Loader
        from botocore.model import ServiceModel
        from botocore.validate import ParamValidator

        given = json.loads(read("deploy/fronts/cloudfront.json"))
        model = ServiceModel(Loader().load_service_model("cloudfront", "service-2"), "cloudfront")
        shape = model.operation_model("CreateDistribution").input_shape
        report = ParamValidator().validate({"DistributionConfig": given}, shape)
        self.assertFalse(report.has_errors(), report.generate_report())
        errors = {entry["ErrorCode"]: entry["ErrorCachingMinTTL"]
                  for entry in given["CustomErrorResponses"]["Items"]}
        self.assertLessEqual({500, 502, 503, 504}, set(errors))
        self.assertEqual(set(errors.values()), {0})
        behaviour = given["DefaultCacheBehavior"]
        self.assertEqual(behaviour["ViewerProtocolPolicy"], "https-only")
        self.assertEqual((behaviour["MinTTL"], behaviour["DefaultTTL"]), (0, 0))
        self.assertFalse(behaviour["ForwardedValues"]["QueryString"])
        self.assertEqual(behaviour["ForwardedValues"]["Headers"]["Items"], ["Host"])
        (origin,) = given["Origins"]["Items"]
        self.assertEqual(origin["CustomOriginConfig"]["OriginProtocolPolicy"], "https-only")
