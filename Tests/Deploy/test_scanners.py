"""The public port before other people's scanners."""

import json
import os
import re
import unittest
import xml.etree.ElementTree as ElementTree

from house import Server, run, said


class Scanners(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.host = cls.server.hosts[0]

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.server.remove()

    def test_sslyze_says_mozilla_intermediate(self):
        report = os.path.join(self.server.folder, "sslyze.json")
        done = run(
            "sslyze", "--mozilla_config=intermediate", f"--json_out={report}",
            f"--certinfo_ca_file={self.server.authority}",
            f"{self.host}:{self.server.port}{{127.0.0.1}}",
        )
        text = done.stdout
        verdict = re.search(r":\d+: (OK|FAILED) - .*((?:\n +\* .*)*)", text)
        self.assertIsNotNone(verdict, said(done))
        complaints = set(re.findall(r"\* (\w+):", verdict[2]))
        # The authority is this test's own: nobody else trusts it, and that is all there is to say.
        self.assertLessEqual(complaints, {"certificate_path_validation"}, text[-3000:])

    def test_testssl_finds_nothing(self):
        report = os.path.join(self.server.folder, "testssl.json")
        done = run(
            "testssl", "--quiet", "--color", "0", "--warnings", "batch", "--ip", "127.0.0.1",
            "-p", "-s", "-f", "-U", "--jsonfile", report, f"https://{self.host}:{self.server.port}/",
            timeout=900,
        )
        self.assertTrue(os.path.exists(report), said(done))
        findings = json.load(open(report, encoding="utf-8"))
        self.assertGreater(len(findings), 30, said(done))
        bad = [
            f"{item['id']}: {item['finding']}" for item in findings
            if item["severity"] not in ("OK", "INFO")
            # About the OpenSSL that testssl itself runs with, not about the server.
            and item["id"] != "engine_problem"
        ]
        self.assertEqual(bad, [])

    def test_sslscan_sees_only_what_is_meant(self):
        report = os.path.join(self.server.folder, "sslscan.xml")
        done = run(
            "sslscan", f"--sni-name={self.host}", f"--xml={report}",
            f"127.0.0.1:{self.server.port}",
        )
        self.assertEqual(done.returncode, 0, said(done))
        tree = ElementTree.parse(report)
        enabled = {
            (item.get("type") + item.get("version")) for item in tree.iter("protocol")
            if item.get("enabled") == "1"
        }
        self.assertEqual(enabled, {"tls1.2", "tls1.3"})
        for item in tree.iter("cipher"):
            self.assertRegex(item.get("cipher"), r"GCM|CHACHA20|POLY1305")
            self.assertRegex(item.get("cipher"), r"^(TLS_|ECDHE-)")
        for item in tree.iter("compression"):
            self.assertEqual(item.get("supported"), "0")
        for item in tree.iter("heartbleed"):
            self.assertEqual(item.get("vulnerable"), "0")
        for item in tree.iter("renegotiation"):
            self.assertEqual(item.get("supported"), "0")
