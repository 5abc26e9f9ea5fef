"""The recipe of the guide Deploy, executed line by line in a clean Debian under a real systemd."""

import os
import re
import shutil

from house import AASA, path, read
from machine import ASK, Machine


def recipe():
    """The commands of the guide's section, one each."""
    block = re.search(r"```sh with systemd\n(deploy/run.*?)```", read("deploy/guides/deploy.md"), re.S)[1]
    return [line for line in block.splitlines() if line.strip()]


class Recipe(Machine):
    def test_the_recipe_ends_in_a_unit_that_serves(self):
        lines = recipe()
        # There is no Swift in this root: the build is what every other test begins with.
        self.assertEqual(lines[0], "deploy/run --build-only")
        checkout = os.path.join(self.root, "root/aasa")
        for name in ("deploy", "site"):
            shutil.copytree(path(name), os.path.join(checkout, name))
        os.makedirs(os.path.join(checkout, ".build/release"))
        shutil.copy(AASA, os.path.join(checkout, ".build/release/aasa"))

        team = "/etc/aasa/site/example.com/teams/D3KQX62K1A.json"
        steps = [(f"{10 + number}-recipe", line) for number, line in enumerate(lines[1:])]
        steps += [
            ("50-serves", ASK + "ask; systemctl is-active aasa.service aasa.socket; aasa status"),
            ("51-runs-as", "ps -o user= -p $(systemctl show -P MainPID aasa)"),
            ("52-reload", "systemctl reload aasa"),
            ("53-broken", f"cp -p {team} /root/kept.json; echo '{{' >{team}"),
            ("54-refused", "systemctl reload aasa"),
            ("55-restart", ASK + "systemctl restart aasa; ask; aasa status || echo status $?"),
            ("56-killed", ASK + "systemctl kill -s KILL aasa; sleep 2; ask"),
            ("57-mended", f"cp -p /root/kept.json {team}; systemctl reload aasa; aasa status"),
            ("58-flights", "python3 /root/flights.py 20"),
            ("59-journal", "systemctl status aasa --no-pager -l || true; journalctl -u aasa --no-pager -n 4000"),
            ("60-stop", "systemctl stop aasa.socket aasa.service; ls -A /run/aasa 2>&1 || true"),
        ]
        shutil.copy(path("Tests/Packages/flights.py"), os.path.join(self.root, "root"))
        results = self.boot(steps)
        for name, text in steps:
            status, output = results[name]
            with self.subTest(step=text):
                wanted = 1 if name == "54-refused" else 0
                self.assertEqual(status, wanted, f"{text}\n{output}\n{results['59-journal'][1]}")
        self.assertRegex(results["50-serves"][1], r"\A200\nactive\nactive\n")
        self.assertEqual(results["51-runs-as"][1].strip(), "aasa")
        # What was served is served, whichever process does it, and the operator knows.
        self.assertIn("200\n", results["55-restart"][1])
        self.assertIn("serving the last good version since", results["55-restart"][1])
        self.assertIn("status 1", results["55-restart"][1])
        self.assertIn("200\n", results["56-killed"][1])
        self.assertIn("D3KQX62K1A.json", results["59-journal"][1])
        # systemd does not wait for such a process when it stops the unit.
        self.assertNotIn("not our child", results["59-journal"][1])
