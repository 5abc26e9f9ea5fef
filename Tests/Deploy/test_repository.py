"""What a repository of teams uses: the pre-commit hook and the GitHub action, run as far as they can be here."""

import os
import re
import shlex
import shutil
import tempfile
import unittest

import yaml

from house import AASA, read, run, said

GOOD = '{"applinks": {"details": [{"appIDs": ["D3KQX62K1A.com.example.shop"], "components": [{"/": "/buy/*"}]}]}}'
BAD = GOOD.replace("D3KQX62K1A.com", "com")


class Repository(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="aasa-repository-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.file = os.path.join(self.folder, "site", "example.com", "teams", "D3KQX62K1A.json")
        os.makedirs(os.path.dirname(self.file))
        self.write(GOOD)

    def write(self, text):
        with open(self.file, "w") as file:
            file.write(text)

    def action(self, **inputs):
        """Runs the steps as the runner does: bash with the inputs put into the environment."""
        action = yaml.safe_load(read(".github/actions/lint/action.yml"))
        self.assertEqual(action["runs"]["using"], "composite")
        values = {name: entry["default"] for name, entry in action["inputs"].items()}
        values.update({name.replace("_", "-"): value for name, value in inputs.items()})
        done = None
        for step in action["runs"]["steps"]:
            self.assertEqual(step["shell"], "bash")
            self.assertNotIn("${{", step["run"], "an input inside a script is an injection")
            environment = {
                name: re.sub(
                    r"\$\{\{ *inputs\.([a-z-]+) *\}\}", lambda found: values[found[1]], text
                )
                for name, text in step["env"].items()
            }
            done = run(
                "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"],
                cwd=self.folder, env={**os.environ, **environment},
            )
        return done

    def test_action(self):
        good = self.action(aasa=AASA)
        self.assertEqual(good.returncode, 0, said(good))
        self.write(BAD)
        bad = self.action(aasa=AASA)
        self.assertEqual(bad.returncode, 1, said(bad))
        self.assertIn("::error file=site/example.com/teams/D3KQX62K1A.json,line=1", bad.stdout)
        missing = self.action(aasa="/nowhere/aasa")
        self.assertEqual(missing.returncode, 3, said(missing))

    def test_action_runs_the_tests_for_links(self):
        with open(self.file.replace(".json", ".links.csv"), "w") as file:
            file.write("/buy/1,D3KQX62K1A.com.example.shop\n/sell,D3KQX62K1A.com.example.shop\n")
        done = self.action(aasa=AASA)
        self.assertEqual(done.returncode, 1, said(done))
        self.assertIn("D3KQX62K1A.links.csv,line=2", done.stdout)

    def test_hook(self):
        (hook,) = yaml.safe_load(read(".pre-commit-hooks.yaml"))
        self.assertEqual(hook["language"], "system")
        command = shlex.split(hook["entry"]) + hook["args"]
        self.assertEqual(command[0], "aasa")
        command[0] = AASA
        self.assertEqual(run(*command, cwd=self.folder).returncode, 0)
        self.write(BAD)
        self.assertEqual(run(*command, cwd=self.folder).returncode, 1)
        files = re.compile(hook["files"])
        for name in (
            "site/example.com/teams/D3KQX62K1A.json", "site/example.com/teams/A.links.csv",
            "site/example.com/host.json", "public/.well-known/apple-app-site-association",
            "site/example.com/well-known/webauthn", "site/example.com/links.csv",
        ):
            self.assertTrue(files.search(name), name)
        self.assertFalse(files.search("Sources/main.swift"))


if __name__ == "__main__":
    unittest.main()
