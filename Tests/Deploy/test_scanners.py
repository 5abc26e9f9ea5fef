"""The public port before other people's scanners, and before the ClientHellos that real systems sent."""

import json
import os
import re
import socket
import unittest
import xml.etree.ElementTree as ElementTree

from house import Server, run, said


# Serves the signed form as well ("form": "auto"), so iOS 8 has to reach it; and one that does not.
SIGNED, JSON = "example.com", "legacy.example"
# All that the first offers beyond the second.
SUITES_OF_IOS8 = {"ECDHE-ECDSA-AES128-SHA256", "ECDHE-RSA-AES128-SHA256"}


class Scanners(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.server.remove()

    def sslyze(self, host):
        """What keeps the host from Mozilla's "intermediate"."""
        report = os.path.join(self.server.folder, "sslyze.json")
        done = run(
            "sslyze", "--mozilla_config=intermediate", f"--json_out={report}",
            f"--certinfo_ca_file={self.server.authority}",
            f"{host}:{self.server.port}{{127.0.0.1}}",
        )
        verdict = re.search(r":\d+: (OK|FAILED) - .*((?:\n +\* .*)*)", done.stdout)
        self.assertIsNotNone(verdict, said(done))
        # The authority is this test's own: nobody else trusts it.
        return {
            line for line in re.findall(r"\* (.*)", verdict[2])
            if not line.startswith("certificate_path_validation:")
        }

    def test_sslyze_says_mozilla_intermediate(self):
        self.assertEqual(self.sslyze(JSON), set())

    def test_sslyze_names_the_suites_of_ios8_and_nothing_else(self):
        complaints = self.sslyze(SIGNED)
        self.assertEqual(len(complaints), 1, complaints)
        text = complaints.pop()
        self.assertTrue(text.startswith("ciphers:"), text)
        self.assertEqual(
            set(re.findall(r"TLS_\w+", text)),
            {f"TLS_ECDHE_{key}_WITH_AES_128_CBC_SHA256" for key in ("ECDSA", "RSA")}, text)

    def objections(self, host):
        """What it finds to object to: {id: finding}."""
        report = os.path.join(self.server.folder, f"testssl-{host}.json")
        done = run(
            "testssl", "--quiet", "--color", "0", "--warnings", "batch", "--ip", "127.0.0.1",
            "-p", "-s", "-f", "-U", "--jsonfile", report, f"https://{host}:{self.server.port}/",
            timeout=900,
        )
        self.assertTrue(os.path.exists(report), said(done))
        findings = json.load(open(report, encoding="utf-8"))
        self.assertGreater(len(findings), 30, said(done))
        return {
            item["id"]: item["finding"] for item in findings
            if item["severity"] not in ("OK", "INFO")
            # About the OpenSSL that testssl itself runs with, not about the server.
            and item["id"] != "engine_problem"
        }

    def test_testssl_finds_nothing(self):
        self.assertEqual(self.objections(JSON), {})

    def test_testssl_finds_the_suites_of_ios8_and_nothing_else(self):
        self.assertEqual(set(self.objections(SIGNED)), {"cipherlist_AVERAGE", "LUCKY13"})

    def sslscan(self, host):
        """The suites, in the server's order."""
        report = os.path.join(self.server.folder, "sslscan.xml")
        done = run(
            "sslscan", f"--sni-name={host}", f"--xml={report}", f"127.0.0.1:{self.server.port}")
        self.assertEqual(done.returncode, 0, said(done))
        tree = ElementTree.parse(report)
        enabled = {
            (item.get("type") + item.get("version")) for item in tree.iter("protocol")
            if item.get("enabled") == "1"
        }
        self.assertEqual(enabled, {"tls1.2", "tls1.3"})
        for item in tree.iter("compression"):
            self.assertEqual(item.get("supported"), "0")
        for item in tree.iter("heartbleed"):
            self.assertEqual(item.get("vulnerable"), "0")
        for item in tree.iter("renegotiation"):
            self.assertEqual(item.get("supported"), "0")
        return [item.get("cipher") for item in tree.iter("cipher")]

    def test_sslscan_sees_only_what_is_meant(self):
        for host in (SIGNED, JSON):
            suites = self.sslscan(host)
            if host == SIGNED:
                # Last, so that no client with a better one gets them.
                self.assertEqual(set(suites[-2:]), SUITES_OF_IOS8)
                suites = suites[:-2]
            self.assertGreater(len(suites), 6)
            for suite in suites:
                self.assertRegex(suite, r"GCM|CHACHA20|POLY1305")
                self.assertRegex(suite, r"^(TLS_|ECDHE-)")

    def test_what_ios_sent_is_answered_from_ios8_on(self):
        hellos = stored_hellos()
        self.assertLessEqual({8, 9, 10, 12}, {version for version, _ in hellos.values()})
        for name, (version, hello) in sorted(hellos.items()):
            for host in (SIGNED, JSON):
                with self.subTest(f"{name} asks for {host}"):
                    with socket.create_connection(("127.0.0.1", self.server.port), 10) as client:
                        client.sendall(asking_for(host, hello))
                        answer = client.recv(6)
                    # A ServerHello in a handshake record, or an alert.
                    isServed = answer[:1] + answer[5:6] == b"\x16\x02"
                    if version >= 9 or version == 8 and host == SIGNED:
                        self.assertTrue(isServed, answer)
                    elif version == 8:
                        self.assertFalse(isServed, answer)

    def test_a_client_with_the_suites_of_ios8_gets_the_signed_form(self):
        suites = next(
            suites for name, suites in stored("ciphers").items() if name.endswith("iOS 8.4"))
        answer = self.server.curl(
            SIGNED, "/.well-known/apple-app-site-association", "--tls-max", "1.2", "--http1.1",
            "--ciphers", suites, "-A", "swcd (unknown version) CFNetwork/711.4.6 Darwin/14.0.0",
            "-o", "/dev/null", "-w", "%{http_code} %{content_type}")
        self.assertEqual(answer.stdout, "200 application/pkcs7-mime", said(answer))
        refused = self.server.curl(
            JSON, "/.well-known/apple-app-site-association", "--tls-max", "1.2", "--http1.1",
            "--ciphers", suites)
        self.assertEqual(refused.returncode, 35, said(refused))


def stored(field):
    """{client: value} of a field of testssl.sh's records of clients, read where it is installed."""
    with open("/etc/testssl/client-simulation.txt", encoding="utf-8") as file:
        records = re.split(r"\n\s*names\+=", file.read())[1:]
    values = {}
    for record in records:
        name = re.match(r'\("([^"]*)"', record)[1]
        value = re.search(rf'\b{field}\+=\("([^"]*)"', record)
        if value:
            values[name] = value[1]
    return values


def stored_hellos():
    """{client: (version of iOS, ClientHello)}."""
    return {
        name: (int(re.search(r"iOS (\d+)", name)[1]), bytes.fromhex(hello))
        for name, hello in stored("handshakebytes").items() if "iOS" in name
    }


def asking_for(host, hello):
    """The ClientHello with another server name."""
    def number(at):
        return int.from_bytes(hello[at:at + 2], "big")

    def vector(width, content):
        return len(content).to_bytes(width, "big") + content

    at = 5 + 4 + 34                 # record, message, version and random
    at += 1 + hello[at]             # session
    at += 2 + number(at)            # suites
    at += 1 + hello[at]             # compression
    start, at = at, at + 2
    name = vector(2, b"\0" + vector(2, host.encode()))
    extensions = b"\0\0" + vector(2, name)
    while at < len(hello):
        end = at + 4 + number(at + 2)
        if number(at) != 0:
            extensions += hello[at:end]
        at = end
    message = b"\x01" + vector(3, hello[9:start] + vector(2, extensions))
    return hello[:3] + vector(2, message)
