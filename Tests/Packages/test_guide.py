"""The package's whole life on a machine with systemd, as the guide to the first hour begins it:
installed, tried, serving, upgraded under load, purged."""

import json
import os
import re
import shutil

from guides import FOLDER, blocks, commands
from house import read, run, said
from machine import ASK, Machine
from maker import deb, newer

# Answers for apt, so that the guide's own words are run as they stand.
APT = 'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\n'

STORM = """aasa storm https://example.com/ --devices 600 --over 12 --format json --i-own-this-server \\
    --resolve example.com:443:127.0.0.1 --cacert /etc/aasa/certs/local-ca/ca.pem >/root/storm.json &
storm=$!
for package in /root/newer/aasa_*.deb /root/aasa/aasa_*.deb; do
    sleep 3
    apt-get install -q --allow-downgrades "$package"
    aasa --version
done
wait $storm
"""

TRY = """mkdir /root/try
TMPDIR=/root/try AASA_READY_FILE=/root/tried setsid aasa try --port 8443 --admin-port 9443 &
for _ in $(seq 600); do [ -e /root/tried ] && break; sleep 0.1; done
curl -sS --cacert /root/try/*/certs/local-ca/ca.pem --resolve example.com:8443:127.0.0.1 \\
    -o /dev/null -w '%{http_code}\\n' https://example.com:8443/.well-known/apple-app-site-association
curl -sS http://127.0.0.1:9443/readyz
kill -INT $!
wait $! || true
ls -A /root/try
echo left nothing
"""


def first_steps():
    """The guide's commands for root."""
    found = []
    for info, block in blocks(read(FOLDER, "first-hour.md")):
        if info == "sh as root":
            found += [command for command, _ in commands(block)]
    return found


class Guide(Machine):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for folder, file in (("aasa", deb()), ("newer", newer())):
            target = os.path.join(cls.root, "root", folder)
            os.makedirs(target)
            shutil.copy(file, target)
        # adduser is what the package needs beside the libraries that are there.
        done = run("chroot", cls.root, "apt-get", "-q", "-y", "--no-install-recommends", "install",
                   "adduser", env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
                                   "DEBIAN_FRONTEND": "noninteractive"})
        if done.returncode != 0:
            raise RuntimeError(said(done))

    def test_the_package_lives_and_goes(self):
        self.write("etc/apt/apt.conf.d/99test", APT)
        steps = [(f"{10 + number}-guide", "cd /root/aasa\n" + command)
                 for number, command in enumerate(first_steps())]
        self.assertTrue(any("apt install" in text for _, text in steps))
        steps += [
            ("20-try", TRY),
            ("30-site", "cp -r /usr/share/doc/aasa/examples/site/. /etc/aasa/site/\n"
             "aasa certs make --certs /etc/aasa/certs example.com=www.example.com legacy.example shop.example\n"
             "chgrp -R aasa /etc/aasa && chmod -R g+rX,o= /etc/aasa\n"
             "echo AASA_DEFAULT_HOST=example.com >>/etc/aasa/environment\n"
             "systemctl enable --now aasa.socket aasa.service"),
            ("31-serves", ASK + "ask; systemctl is-active aasa.service aasa.socket; aasa status"),
            ("40-upgrade-under-load", STORM),
            ("41-serves", ASK + "ask; cat /etc/aasa/environment"),
            ("50-journal", "journalctl --no-pager -u aasa -n 40"),
            ("60-remove", "apt-get remove -q aasa; ls /etc/aasa/environment; test ! -e /usr/bin/aasa"),
            ("61-purge", "apt-get purge -q aasa; test ! -e /etc/aasa/environment\n"
             "test ! -e /var/lib/aasa; ls /etc/aasa/site/example.com /etc/aasa/certs/example.com"),
        ]
        results = self.boot(steps)
        for name, text in steps:
            with self.subTest(step=name):
                self.assertEqual(results[name][0], 0, f"{text}\n{results[name][1]}\n{results['50-journal'][1]}")
        self.assertRegex(results["20-try"][1], r"(?m)^200$")
        self.assertTrue(results["20-try"][1].endswith("\nleft nothing\n"))
        self.assertNotRegex(results["20-try"][1], r"(?m)^aasa-try-")
        self.assertRegex(results["31-serves"][1], r"\A200\nactive\nactive\n")
        with open(os.path.join(self.root, "root/storm.json"), encoding="utf-8") as file:
            report = json.load(file)
        # The socket stays in systemd: connections wait there while the service restarts.
        self.assertEqual(
            {name: report[name] for name in ("associated", "failed", "denied", "willRetry")},
            {"associated": 600, "failed": 0, "denied": 0, "willRetry": 0})
        self.assertRegex(results["40-upgrade-under-load"][1], re.escape("aasa"))
        self.assertIn("AASA_DEFAULT_HOST=example.com", results["41-serves"][1])


class NextRelease(Guide):
    """The package of Debian 12 on Debian 13."""

    release = "trixie"
