"""The documentation site: built by one command, its pages there, its links whole."""

import json
import os
import re
import shutil
import sys
import tempfile
import unittest

from house import ROOT, path, read, run, said

sys.path.insert(0, path("deploy/lib"))
import docs  # noqa: E402


class Docs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="aasa-docs-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.site = os.path.join(cls.folder, "site")
        # docc treats a link that leads nowhere, and a parameter without a word, as errors here.
        cls.done = run(path("deploy/docs"), "--output", cls.site, "--base", "aasa", cwd=ROOT, timeout=1200)

    def test_it_is_built(self):
        self.assertEqual(self.done.returncode, 0, said(self.done))
        for name in docs.PAGES:
            self.assertTrue(os.path.exists(f"{self.site}/documentation/guides/{name.lower()}/index.html"), name)
        symbols = os.listdir(f"{self.site}/documentation/appsiteassociation")
        for name in ("associationfile", "linter", "merge", "compiledassociation"):
            self.assertIn(name, symbols)

    def test_pages_have_their_commands(self):
        with open(f"{self.site}/data/documentation/guides/first-hour.json", encoding="utf-8") as file:
            page = json.load(file)
        code = [line for section in page["primaryContentSections"] for item in section.get("content", [])
                if item["type"] == "codeListing" for line in item["code"]]
        self.assertIn("aasa lint site", code)
        self.assertIn("apt install ./aasa_*.deb", code)

    def test_every_guide_is_a_page(self):
        folder = "deploy/guides"
        pages = {f"{folder}/{name}" for name in os.listdir(path(folder)) if name.endswith(".md")}
        named = {file for file in docs.PAGES.values() if file in pages}
        self.assertEqual(pages - {docs.INDEX}, named)
        # The index leads to each of them.
        index = read(docs.INDEX)
        for file in docs.PAGES.values():
            if file != "deploy/CHANGELOG.md":
                self.assertIn(os.path.relpath(path(file), path("deploy/guides")), index)

    def test_a_link_that_leads_nowhere_fails_it(self):
        with self.assertRaises(SystemExit):
            docs.converted("deploy/guides/ci.md", "[there](nowhere.md)\n")
        text = docs.converted("deploy/guides/ci.md", "[Teams](../TEAMS.md), [a file](../run)\n```sh as root\n[x](y.md)\n```\n")
        self.assertIn("<doc:Teams>", text)
        self.assertIn("a file (`deploy/run`)", text)
        self.assertIn("```sh\n[x](y.md)\n```", text)
        self.assertFalse(re.search(r"\]\(\.\./", text))


if __name__ == "__main__":
    unittest.main()
