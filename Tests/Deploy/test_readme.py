"""The README's examples: they exist, and they do what the page says."""

import json
import os
import re
import shlex
import unittest

from house import AASA, Server, path, read, run, said

# What only makes sense beside a server of its own or outside of this machine.
NOT_RUN = {"serve", "reload", "upgrade", "status", "check", "device", "storm"}


def examples():
    """The aasa commands in the README's shell blocks, as lists of words."""
    found = []
    for block in re.findall(r"^```sh\n(.*?)^```", read("README.md"), re.M | re.S):
        for line in block.replace("\\\n", " ").split("\n"):
            words = shlex.split(line, comments=True)
            if words and words[0] == "aasa":
                found.append(words[1:])
    return found


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
        self.assertGreater(len(examples()), 12)
        for words in examples():
            command, names = self.command(words)
            self.assertIsNot(command, self.tool, f"no command in {words}")
            for word in words:
                if word.startswith("--"):
                    self.assertIn(word.split("=")[0], names, " ".join(words))

    def test_every_command_is_in_the_readme(self):
        text = read("README.md")
        for sub in self.tool["subcommands"]:
            if sub["commandName"] != "help":
                self.assertIn(f"`aasa {sub['commandName']}`", text)

    def test_scripts_exist(self):
        for name in re.findall(r"^(deploy/\w+)\b", read("README.md"), re.M):
            self.assertTrue(os.access(path(name), os.X_OK), name)

    def test_examples_run(self):
        server = Server()
        self.addCleanup(server.remove)
        server.stop()
        # "old.json" of the page: the document as it was.
        old = run(AASA, "build", "site/example.com", "--output", "old.json", cwd=server.folder)
        self.assertEqual(old.returncode, 0, said(old))
        for words in examples():
            if words[0] in NOT_RUN and words[:2] != ["storm", "plan"]:
                continue
            done = run(AASA, *words, cwd=server.folder)
            # A difference is a finding by contract.
            wanted = (0, 1) if words[0] == "diff" else (0,)
            self.assertIn(done.returncode, wanted, f"aasa {' '.join(words)}\n{said(done)}")

    def test_a_device_and_a_storm_like_the_server(self):
        server = Server()
        try:
            address = f"example.com:{server.port}:127.0.0.1"
            trust = ("--resolve", address, "--cacert", server.authority)
            storm = run(
                AASA, "storm", f"https://example.com:{server.port}/", "--devices", "200",
                "--over", "2", "--format", "json", *trust,
            )
            self.assertEqual(storm.returncode, 0, said(storm))
            json.loads(storm.stdout)
        finally:
            server.stop()
            server.remove()
