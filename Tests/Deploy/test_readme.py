"""The README: one screen, commands that exist; and the commands of all pages."""

import json
import os
import re
import shlex
import unittest

import guides
from house import AASA, path, read, run

PAGES = ["README.md", "deploy/README.md", "deploy/TEAMS.md", "deploy/RELEASE-DAY.md", "deploy/fleet/README.md",
         "deploy/fronts/README.md"] + [f"{guides.FOLDER}/{name}" for name in guides.pages()]


def examples(page):
    """The aasa commands in a page's shell blocks, as lists of words."""
    for info, block in guides.blocks(read(page)):
        if info.split(" ")[0] != "sh":
            continue
        for command, _ in guides.commands(block):
            for line in re.split(r"\n|&&|\|\|", command):
                if line.strip().startswith("aasa "):
                    # What follows may be for the shell: quotes that go on, redirections.
                    try:
                        yield shlex.split(line, comments=True)[1:]
                    except ValueError:
                        continue


class Readme(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = run(AASA, "--experimental-dump-help")
        cls.tool = json.loads(done.stdout)["command"]

    def command(self, words):
        """The nested command that the words name, and the options it knows."""
        command = self.tool
        for word in words:
            nested = [sub for sub in command.get("subcommands", []) if sub["commandName"] == word]
            if not nested:
                break
            command = nested[0]
        defaults = command.get("defaultSubcommand")
        for sub in command.get("subcommands", []):
            if sub["commandName"] == defaults:
                command = sub
        names = {
            "--" + name["name"]
            for argument in command.get("arguments", [])
            for name in argument.get("names", [])
        }
        return command, names

    def test_commands_and_options_exist(self):
        count = 0
        for page in PAGES:
            for words in examples(page):
                command, names = self.command(words)
                if not words[0].startswith("-"):
                    self.assertIsNot(command, self.tool, f"{page}: no command in {words}")
                for word in words:
                    if word.startswith("--") and word != "--":
                        self.assertIn(word.split("=")[0], names | {"--version", "--help"}, f"{page}: {' '.join(words)}")
                count += 1
        self.assertGreater(count, 90)

    def test_every_command_is_named(self):
        text = read(guides.FOLDER, "tools.md")
        for sub in self.tool["subcommands"]:
            if sub["commandName"] != "help":
                self.assertIn(f"`aasa {sub['commandName']}`", text)

    def test_it_is_one_screen(self):
        self.assertLess(read("README.md").count("\n"), 70)

    def test_scripts_exist(self):
        for page in PAGES:
            for name in re.findall(r"^(deploy/\w+)\b|`(deploy/\w+)[` ]", read(page), re.M):
                name = name[0] or name[1]
                if not os.path.isdir(path(name)):
                    self.assertTrue(os.access(path(name), os.X_OK), f"{page}: {name}")

    def test_pictures_are_small(self):
        names = re.findall(r'src="([^"]+)"', read("README.md"))
        self.assertEqual(len(names), 1)
        for name in names:
            self.assertLess(os.path.getsize(path(name)), 60_000, name)


if __name__ == "__main__":
    unittest.main()
