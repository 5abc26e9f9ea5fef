"""The guides, lived through: every command of every page, in its order."""

import json
import os
import re
import shutil
import tempfile
import unittest

import yaml

import app_build
import guides
from house import AASA, path, read, run, said

# Pages whose commands work on the sample site.
ON_THE_SAMPLE = {"tools.md", "serving.md", "security.md", "when-503.md", "monitoring.md", "safari.md"}


class Guides(unittest.TestCase):
    def reader(self):
        folder = tempfile.mkdtemp(prefix="aasa-guide-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        reader = guides.Reader(folder, [path(".build/tools/usr/bin")])
        reader.environment["EXAMPLES"] = path("deploy")
        self.addCleanup(reader.leave)
        return reader

    def follow(self, page):
        reader = self.reader()
        if page in ON_THE_SAMPLE:
            shutil.copytree(path("site"), os.path.join(reader.work, "site"))
            app_build.write(os.path.join(reader.work, "Shop.ipa"), ["applinks:example.com"])
        problem = reader.follow(os.path.join(guides.FOLDER, page))
        if problem:
            self.fail(problem)
        return reader

    def test_every_block_has_somebody_who_runs_it(self):
        for page in guides.pages():
            for info, block in guides.blocks(read(guides.FOLDER, page)):
                self.assertIn(info, guides.RUN | guides.SHOWN, f"{page}: {block[:60]}")
                if info in guides.SHOWN:
                    self.assertNotRegex(block, r"(?m)^(\$ |aasa |curl )", page)

    def test_every_page_can_be_followed(self):
        for page in guides.pages():
            with self.subTest(page=page):
                self.follow(page)

    def test_the_alert_that_the_page_tries_is_installed(self):
        self.assertIn("aasa_site_broken 1", read(guides.FOLDER, "monitoring.md"))
        self.assertIn("expr: aasa_site_broken == 1", read("deploy/prometheus/alerts.yml"))

    def test_the_trial_of_the_first_hour_leaves_nothing_behind(self):
        reader = self.reader()
        before = set(os.listdir(tempfile.gettempdir()))
        problem = reader.serve(reader.adapted("aasa try --port 8443 --admin-port 9443"))
        self.assertIsNone(problem)
        self.assertEqual(reader.leave(), [0])
        left = {name for name in set(os.listdir(tempfile.gettempdir())) - before if "try" in name}
        self.assertEqual(left, set())


class Pipelines(unittest.TestCase):
    """The recipes for CI, step by step as their runners do."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="aasa-ci-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        # The layout of `deploy/package tar`, which Tests/Packages holds.
        binaries = os.path.join(cls.folder, "aasa-1.0.0", "tree", "usr", "bin")
        os.makedirs(binaries)
        for command in (["strip", "-o", f"{binaries}/aasa", AASA],
                        ["tar", "-C", cls.folder, "--use-compress-program=xz -0", "-cf",
                         f"{cls.folder}/aasa.tar.xz", "aasa-1.0.0"]):
            done = run(*command)
            assert done.returncode == 0, said(done)

    def setUp(self):
        self.clone = os.path.join(self.folder, self.id())
        origin = self.clone + "-origin"
        os.makedirs(os.path.join(origin, "site/example.com/teams"))
        self.shell(origin, "git init -q -b main . && git config user.email a@example.com && git config user.name a")
        self.shell(origin, "aasa app add site/example.com D3KQX62K1A.com.example.shop --new-team --path '/shop/*'")
        self.shell(origin, "git add . && git commit -qm base")
        self.shell(self.folder, f"git clone -q {origin} {self.clone}")
        self.base = self.shell(self.clone, "git rev-parse HEAD").stdout.strip()

    def shell(self, folder, script, environment=None, wanted=(0,)):
        binaries = os.path.join(self.folder, "tools")
        if not os.path.exists(binaries):
            os.makedirs(binaries)
            os.symlink(os.path.abspath(AASA), os.path.join(binaries, "aasa"))
        environment = environment or {**os.environ, "PATH": binaries + ":" + os.environ["PATH"]}
        done = run("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script, cwd=folder, env=environment)
        if wanted is not None:
            self.assertIn(done.returncode, wanted, script + "\n" + said(done))
        return done

    def recipe(self, kind):
        (block,) = [block for info, block in guides.blocks(read(guides.FOLDER, "ci.md")) if info == f"yaml {kind}"]
        return yaml.safe_load(block)

    def plain_environment(self):
        """Without an aasa on the PATH but the one that the recipe fetches."""
        return {"PATH": os.environ["PATH"], "HOME": self.folder,
                "AASA_TARBALL": f"file://{self.folder}/aasa.tar.xz"}

    def github(self):
        workflow = self.recipe("github")
        # YAML 1.1 reads the key "on" as true.
        self.assertEqual(workflow[True], ["pull_request"])
        self.assertEqual(workflow["permissions"], {"contents": "read"})
        (job,) = workflow["jobs"].values()
        values = {"vars.AASA_TARBALL": f"file://{self.folder}/aasa.tar.xz", "github.base_ref": "main"}
        environment = {**self.plain_environment(), "RUNNER_TEMP": self.clone + "-temp",
                       "GITHUB_PATH": self.clone + ".path", "GITHUB_STEP_SUMMARY": self.clone + ".summary"}
        for name, text in job["env"].items():
            environment[name] = re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda found: values[found[1]], text)
        os.makedirs(environment["RUNNER_TEMP"])
        done = None
        for step in job["steps"]:
            if "uses" in step:
                self.assertEqual(step["uses"].split("@")[0], "actions/checkout")
                continue
            self.assertNotIn("${{", step["run"], "an input inside a script is an injection")
            done = self.shell(self.clone, step["run"], environment, wanted=None)
            if done.returncode:
                return done, environment
            if os.path.exists(environment["GITHUB_PATH"]):
                with open(environment["GITHUB_PATH"], encoding="utf-8") as file:
                    environment["PATH"] = ":".join([*file.read().split(), os.environ["PATH"]])
        return done, environment

    def test_github_shows_the_difference(self):
        self.shell(self.clone, "aasa app add site/example.com D3KQX62K1A.com.example.shop --path '/gifts/*'")
        self.assertIn("/gifts/*", self.summary())

    def summary(self):
        done, environment = self.github()
        self.assertEqual(done.returncode, 0, said(done))
        with open(environment["GITHUB_STEP_SUMMARY"], encoding="utf-8") as file:
            return file.read()

    def exchange_hosts(self):
        self.shell(self.clone, "git rm -qr site/example.com")
        self.shell(self.clone, "mkdir -p site/new.example/teams")
        self.shell(self.clone, "aasa app add site/new.example D3KQX62K1A.com.example.new --path '/new/*'")

    def break_base(self):
        """The change mends what is broken on its base."""
        origin = self.clone + "-origin"
        file = "site/example.com/teams/D3KQX62K1A.json"
        self.shell(origin, f"printf '{{' > {file} && git commit -qam broken")
        self.shell(self.clone, "git fetch -q")
        self.base = self.shell(self.clone, "git rev-parse origin/main").stdout.strip()

    def test_github_names_hosts_that_are_new_or_gone(self):
        self.exchange_hosts()
        self.assertEqual(self.summary(), "### example.com\nhost removed\n### new.example\nnew host\n")

    def test_github_accepts_a_base_that_is_broken(self):
        self.break_base()
        self.assertIn("not compared", self.summary())

    def test_github_fails_at_the_line(self):
        file = os.path.join(self.clone, "site/example.com/teams/D3KQX62K1A.json")
        self.shell(self.clone, f"sed -i 's,D3KQX62K1A.com,com,' {file}")
        done, _ = self.github()
        self.assertEqual(done.returncode, 1, said(done))
        self.assertRegex(done.stdout, r"::error file=site/example\.com/teams/D3KQX62K1A\.json,line=[0-9]+")

    def gitlab(self):
        (job,) = self.recipe("gitlab").values()
        environment = {**self.plain_environment(), "CI_MERGE_REQUEST_DIFF_BASE_SHA": self.base}
        script = "\n".join(job["before_script"] + job["script"])
        done = self.shell(self.clone, script, environment, wanted=None)
        self.shell(self.clone, "\n".join(job["after_script"]), environment)
        return done, job["artifacts"]["paths"]

    def test_gitlab(self):
        self.shell(self.clone, "aasa app add site/example.com D3KQX62K1A.com.example.shop --path '/gifts/*'")
        done, artifacts = self.gitlab()
        self.assertEqual(done.returncode, 0, said(done))
        self.assertIn("/gifts/*", done.stdout)
        for name in artifacts:
            with open(os.path.join(self.clone, name), encoding="utf-8") as file:
                self.assertEqual(json.load(file)["version"], "2.1.0")

    def test_gitlab_names_hosts_that_are_new_or_gone(self):
        self.exchange_hosts()
        done, _ = self.gitlab()
        self.assertEqual(done.returncode, 0, said(done))
        self.assertIn("### example.com\nhost removed\n### new.example\nnew host\n", done.stdout)

    def test_gitlab_accepts_a_base_that_is_broken(self):
        self.break_base()
        done, _ = self.gitlab()
        self.assertEqual(done.returncode, 0, said(done))
        self.assertIn("not compared", done.stdout)

    def test_gitlab_has_the_base_of_a_long_branch(self):
        """A new project clones 20 commits deep, and the base of a longer branch is not among them."""
        (job,) = self.recipe("gitlab").values()
        depth = int(job.get("variables", {}).get("GIT_DEPTH", 20))
        origin = self.clone + "-origin"
        self.shell(origin, "git checkout -qb change; for n in {1..30}; do git commit -q --allow-empty -m $n; done")
        self.clone += "-shallow"
        deep = f"--depth {depth}" if depth else ""
        self.shell(self.folder, f"git clone -q {deep} -b change file://{origin} {self.clone}")
        done, _ = self.gitlab()
        self.assertEqual(done.returncode, 0, said(done))

    def test_gitlab_fails(self):
        file = os.path.join(self.clone, "site/example.com/teams/D3KQX62K1A.json")
        self.shell(self.clone, f"sed -i 's,D3KQX62K1A.com,com,' {file}")
        done, _ = self.gitlab()
        self.assertEqual(done.returncode, 1, said(done))


if __name__ == "__main__":
    unittest.main()
