"""deploy/TEAMS.md, lived through: its commands in its order, in a repository of three teams."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import jsonschema

import guides
from house import AASA, read, run, said

SHOP = os.path.join("site", "example.com", "teams", "D3KQX62K1A.json")


def commands():
    """(command, the exit statuses that the page names) of all shell blocks."""
    for info, block in guides.blocks(read("deploy/TEAMS.md")):
        if info == "sh":
            yield from guides.commands(block)


class Teams(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="aasa-teams-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        binaries = os.path.join(cls.folder, "bin")
        os.makedirs(binaries)
        os.symlink(os.path.abspath(AASA), os.path.join(binaries, "aasa"))
        cls.environment = {**os.environ, "PATH": binaries + ":" + os.environ["PATH"]}
        cls.repository = os.path.join(cls.folder, "repository")
        os.makedirs(os.path.join(cls.repository, "site", "example.com", "teams"))
        cls.run_in("git init -q . && git config user.email a@example.com && git config user.name a")
        cls.outcomes = [(command, wanted, cls.run_in(command)) for command, wanted in commands()]

    @classmethod
    def run_in(cls, command):
        return run("bash", "-c", command, cwd=cls.repository, env=cls.environment)

    def setUp(self):
        copy = os.path.join(self.folder, self.id())
        shutil.copytree(self.repository, copy)
        self.addCleanup(shutil.rmtree, copy, ignore_errors=True)
        self.copy = copy

    def aasa(self, *words):
        return run(AASA, *words, cwd=self.copy)

    def change(self, file, old, new):
        place = os.path.join(self.copy, file)
        with open(place) as source:
            text = source.read()
        self.assertIn(old, text)
        with open(place, "w") as target:
            target.write(text.replace(old, new))

    def test_every_command_ends_as_the_page_says(self):
        self.assertGreater(len(self.outcomes), 30)
        for command, wanted, done in self.outcomes:
            self.assertIn(done.returncode, wanted, f"{command}\n{said(done)}")

    def test_what_they_leave_is_clean(self):
        done = self.aasa("lint", "site", "--fail-on", "note")
        self.assertIn(done.returncode, (0, 1), said(done))
        self.assertNotIn("error:", done.stdout)
        self.assertNotIn("warning:", done.stdout)
        built = json.loads(self.aasa("build", "site/example.com").stdout)
        apps = [app for entry in built["applinks"]["details"] for app in entry["appIDs"]]
        self.assertEqual(apps[0], "D3KQX62K1A.com.example.shop", "the order of host.json")
        self.assertIn("9JA89QQLNQ.com.example.lab", apps)

    def test_a_team_that_takes_links_away_fails_the_other_teams_line(self):
        self.change("site/example.com/host.json", '"D3KQX62K1A", "9JA89QQLNQ"', '"9JA89QQLNQ", "D3KQX62K1A"')
        self.change(os.path.join("site", "example.com", "teams", "9JA89QQLNQ.json"), '"/news/*"', '"/*"')
        done = self.aasa("lint", "site", "--format", "github")
        self.assertEqual(done.returncode, 1, said(done))
        self.assertIn("D3KQX62K1A.links.csv,line=1", done.stdout)
        self.assertIn("link-test-failed", done.stdout)

    def test_link_tests_beyond_the_limit_fail(self):
        entries = [
            {"appIDs": [f"D3KQX62K1A.com.example.a{n}"], "components": [{"/": f"/{n}/*"}]}
            for n in range(2000)
        ]
        many, links = os.path.join(self.folder, "many.json"), os.path.join(self.folder, "many.csv")
        with open(many, "w") as file:
            json.dump({"applinks": {"details": entries}}, file)
        with open(links, "w") as file:
            file.writelines(f"/x/{n},none\n" for n in range(50_000))
        done = run(AASA, "match", many, "--expect", links)
        self.assertEqual(done.returncode, 1, said(done))
        self.assertIn("links-too-many", done.stderr)

    def test_the_editor_sees_a_slip_by_the_schema(self):
        with open(os.path.join(self.copy, "schemas", "association.json")) as file:
            schema = jsonschema.Draft7Validator(json.load(file))
        with open(os.path.join(self.copy, SHOP)) as file:
            fragment = json.load(file)
        self.assertEqual([error.message for error in schema.iter_errors(fragment)], [])
        fragment["applinks"]["details"][0]["componets"] = []
        (error,) = schema.iter_errors(fragment)
        self.assertIn("componets", error.message)

    def test_sarif_is_what_scanners_upload(self):
        with open(os.path.join(self.repository, "findings.sarif")) as file:
            log = json.load(file)
        (scan,) = log["runs"]
        self.assertEqual(log["version"], "2.1.0")
        self.assertTrue(scan["invocations"][0]["executionSuccessful"])

    def test_android_is_answered_beside_apple(self):
        done = self.aasa("match", "site/example.com", "https://example.com/shop/42", "--format", "json")
        (answer,) = json.loads(done.stdout)
        self.assertEqual(answer["android"][0]["package"], "com.example.shop")
        self.assertEqual(answer["android"][0]["decision"], "match")
        self.assertTrue(answer["android"][0]["file"].endswith("D3KQX62K1A.assetlinks.json"))

    def test_a_hook_of_git_stops_a_bad_commit(self):
        """What pre-commit does, without pre-commit: the hook's own command."""
        hook = re.search(r"^  entry: (.*)$", read(".pre-commit-hooks.yaml"), re.M)[1]
        place = os.path.join(self.copy, ".git", "hooks", "pre-commit")
        with open(place, "w") as file:
            file.write(f"#!/bin/sh\nexec {hook} site\n")
        os.chmod(place, 0o755)
        commit = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qam", "a change"]

        def committed():
            subprocess.run(["git", "add", "-A"], cwd=self.copy, check=True)
            return run(*commit, cwd=self.copy, env=self.environment)

        self.assertEqual(committed().returncode, 0)
        self.change(SHOP, '"/shop/*"', '"/shop#x"')
        done = committed()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("path-with-fragment", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
