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
            f"--certinfo_ca_file={self.server.authority}", f"--sni={self.host}",
            f"127.0.0.1:{self.server.port}",
        )
        text = done.stdout
        # The certificates are of a local authority and live longer than Mozilla's 366 days allow
        # or shorter; what is judged here is the protocol.
        problems = [
            line.strip() for line in text.split("\n")
            if line.strip().startswith("* ") and "ssl" not in line.lower().split(":")[0]
        ]
        verdict = re.search(r"127\.0\.0\.1:\d+: (OK|FAILED) - (.*)", text)
        self.assertIsNotNone(verdict, said(done))
        self.assertEqual(verdict[1], "OK", text[-3000:])
        self.assertEqual(done.returncode, 0, f"{problems}")

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
        self.assertEqual([item.get("supported") for item in tree.iter("compression")], ["0"])
        self.assertEqual([item.get("vulnerable") for item in tree.iter("heartbleed")
                          if item.get("vulnerable") != "0"], [])
        self.assertEqual([item.get("supported") for item in tree.iter("renegotiation")], ["0"])
