"""What a page of the guides says to do, and how it is done: its shell blocks, command by command.

A block's info string says who runs it:

  sh              Tests/Deploy/test_guides.py, in an empty folder or beside the sample site
  sh as root      Tests/Packages/test_guide.py, in a clean Debian with the package
  sh with systemd Tests/Packages/test_recipe.py, in a clean Debian under a real systemd
  sh xcode-cloud  Tests/Examples/run
  yaml github, yaml gitlab   Tests/Deploy/test_guides.py, step by step as the runner does

A command may end with `    # exits 1` or `# exits 0 or 1`; without it 0 is wanted. `aasa serve` and
`aasa try` go on in the background until the page ends.
"""

import os
import re
import signal
import subprocess
import time

from house import AASA, free_port, read, run, said

FOLDER = "deploy/guides"
RUN = {"sh", "sh as root", "sh with systemd", "sh xcode-cloud", "yaml github", "yaml gitlab"}
# Shown, not run: files, and what a screen shows.
SHOWN = {"", "nginx", "json", "yaml", "text"}


def pages():
    return sorted(name for name in os.listdir(os.path.join(os.path.dirname(__file__), "../..", FOLDER))
                  if name.endswith(".md"))


def blocks(text):
    """(info string, content) of every fenced block."""
    return re.findall(r"^```([^\n`]*)\n(.*?)^```", text, re.M | re.S)


def commands(block):
    """(command, the exit statuses that are good): continued lines and here-documents are one."""
    lines = iter(block.rstrip("\n").split("\n"))
    for line in lines:
        while line.endswith("\\"):
            line = line[:-1] + next(lines)
        ends = re.search(r"<<'?(\w+)'?", line)
        while ends and line.rsplit("\n", 1)[-1] != ends[1]:
            line += "\n" + next(lines)
        if not line.strip() or line.startswith("#"):
            continue
        remark = re.search(r"\s# exits ([0-9]+(?: or [0-9]+)*)$", line)
        wanted = {int(number) for number in remark[1].split(" or ")} if remark else {0}
        yield line, wanted


class Reader:
    """Somebody who does what a page says, in a folder of his own."""

    PORTS = ("8443", "8444", "9443", "9444")

    def __init__(self, folder, tools=()):
        self.folder = folder
        binaries = os.path.join(folder, "bin")
        os.makedirs(binaries)
        os.symlink(os.path.abspath(AASA), os.path.join(binaries, "aasa"))
        self.work = os.path.join(folder, "work")
        os.makedirs(self.work)
        self.ports = {port: str(free_port()) for port in self.PORTS}
        self.environment = {
            **os.environ, "PATH": ":".join([binaries, *tools, os.environ["PATH"]]),
            "AASA_RUN": os.path.join(folder, "run"), "HOME": folder,
        }
        self.servers = []

    def adapted(self, text):
        for port, free in self.ports.items():
            text = re.sub(rf"\b{port}\b", free, text)
        return text

    def follow(self, name):
        """Does the page; the first command that ends otherwise is what is wrong, or None."""
        for info, block in blocks(read(name)):
            if info != "sh":
                continue
            for command, wanted in commands(self.adapted(block)):
                problem = self.do(command, wanted)
                if problem:
                    return problem
        return None

    def do(self, command, wanted):
        if re.match(r"aasa (serve|try)\b(?!.*--check)", command):
            return self.serve(command)
        done = run("bash", "-c", command, cwd=self.work, env=self.environment)
        if done.returncode in wanted:
            return None
        return f"{command}\nwanted status {sorted(wanted)}\n{said(done)}{self.logs()}"

    def serve(self, command):
        ready = os.path.join(self.folder, f"ready-{len(self.servers)}")
        log = os.path.join(self.folder, f"log-{len(self.servers)}")
        with open(log, "wb") as output:
            process = subprocess.Popen(
                ["bash", "-c", "exec " + command], cwd=self.work, stdin=subprocess.DEVNULL,
                stdout=output, stderr=output, start_new_session=True,
                env={**self.environment, "AASA_READY_FILE": ready})
        self.servers.append((process, log))
        deadline = time.monotonic() + 60
        while not os.path.exists(ready):
            if process.poll() is not None or time.monotonic() > deadline:
                return f"{command}\ndid not become ready{self.logs()}"
            time.sleep(0.05)
        # Of two servers the commands would not know which is meant: the page means the last.
        for older, _ in self.servers[:-1]:
            self.end(older)
        return None

    def logs(self):
        text = ""
        for _, log in self.servers:
            with open(log, encoding="utf-8", errors="replace") as file:
                text += "\n--- a server said:\n" + file.read()[-3000:]
        return text

    @staticmethod
    def end(process):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
        try:
            return process.wait(timeout=100)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return process.wait()

    def leave(self):
        return [self.end(process) for process, _ in self.servers]
