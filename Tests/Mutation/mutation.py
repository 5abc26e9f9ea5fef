"""The run: changes one thing in a copy, builds the tests of that module, and runs them."""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import time

import mutants

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.dirname(os.path.abspath(__file__))
COPY = os.path.join(ROOT, ".build/mutation")
# One survivor in twenty.
SURVIVORS = 20
# How many times as long as the unchanged tests a change may take.
PATIENCE = 4


def files():
    """The files that decide or read: `files` names them, a folder stands for all in it."""
    with open(os.path.join(HERE, "files"), encoding="utf-8") as listed:
        entries = [line.strip() for line in listed if line.strip() and not line.startswith("#")]
    found = []
    for entry in entries:
        place = os.path.join(ROOT, entry)
        if os.path.isdir(place):
            for folder, _, names in os.walk(place):
                found += [os.path.join(folder, name) for name in names if name.endswith(".swift")]
        elif os.path.exists(place):
            found.append(place)
        else:
            sys.exit(f"Tests/Mutation/files: there is no {entry}")
    return sorted(os.path.relpath(file, ROOT) for file in found)


def module(name):
    """The target that a file belongs to."""
    return name.split("/")[1]


def command(*words, environment=None, timeout):
    """(status, output); status None: it did not end in time."""
    process = subprocess.Popen(
        words, cwd=COPY, env=os.environ | (environment or {}), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        start_new_session=True)
    try:
        output, _ = process.communicate(timeout=timeout)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return None, ""


def copy():
    """A copy of the tree with a build folder of its own, kept between runs."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
        stdout=subprocess.PIPE, text=True).stdout.split("\n")
    wanted = {name for name in listed if name and os.path.isfile(os.path.join(ROOT, name))}
    for name in wanted:
        target = os.path.join(COPY, name)
        source = os.path.join(ROOT, name)
        if os.path.exists(target) and open(target, "rb").read() == open(source, "rb").read():
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(source, target)
    for folder, folders, names in os.walk(COPY):
        if folder == COPY and ".build" in folders:
            folders.remove(".build")
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), COPY)
            if path not in wanted and name != "Package.resolved":
                os.unlink(os.path.join(folder, name))


class Bundle:
    """The tests of one module, built without those of the others: each change builds what the
    module needs, and links no more than that. The modules share a build folder, so the sources are
    built once."""

    def __init__(self, module):
        self.module = module
        self.patience = 900

    def build(self):
        # See the end of Package.swift.
        return command(
            "swift", "build", "--product", "aasaPackageTests", "--disable-index-store",
            "-debug-info-format", "none",
            environment={"AASA_TEST_TARGETS": f"{self.module}Tests"}, timeout=3600)

    def test(self):
        status, output = command(
            os.path.join(COPY, ".build/debug/aasaPackageTests.xctest"),
            "--testing-library", "swift-testing", timeout=self.patience)
        if status == 0 and not re.search(r"Test run with [1-9]\d* test", output):
            sys.exit(f"the tests of {self.module} did not run:\n{output[-2000:]}")
        return status, output

    def prepare(self):
        """Whether the tests pass without a change: if not, every change would count as noticed.
        A change that takes PATIENCE times as long as none has been noticed."""
        status, output = self.build()
        if status == 0:
            start = time.monotonic()
            status, output = self.test()
            self.patience = PATIENCE * (time.monotonic() - start) + 10
        if status != 0:
            wrong = re.findall(r".*(?:error:|recorded an issue).*", output)
            print(f"the tests of {self.module} fail without a change:",
                  *(wrong or [output[-4000:]]), sep="\n", file=sys.stderr)
        return status == 0


class Run:
    """Counts."""

    def __init__(self):
        self.noticed, self.survivors, self.refused = 0, [], 0

    def mutant(self, bundle, name, mutant):
        path = os.path.join(COPY, name)
        with open(path, encoding="utf-8") as file:
            source = file.read()
        lines = source.split("\n")
        changed = mutant.apply(lines)
        where = f"{name}:{mutant.line + 1}"
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(changed))
            if bundle.build()[0] != 0:
                self.refused += 1
                return
            status, _ = bundle.test()
        finally:
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)
        if status == 0:
            self.survivors.append(where)
            print(f"survived  {where}: {mutant.kind}: {changed[mutant.line].strip()}", flush=True)
        else:
            self.noticed += 1
            print(f"noticed   {where}: {mutant.kind}", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--sample", type=int, default=30)
    options.add_argument("--seed", type=int, default=int(time.time() // 86_400))
    options.add_argument("--file", nargs="+")
    options.add_argument("--list", action="store_true")
    options = options.parse_args()
    names = options.file or files()
    every = []
    for name in names:
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            every += [(name, mutant) for mutant in mutants.of(file.read())]
    if options.list:
        for name, mutant in every:
            print(f"{name}:{mutant.line + 1}: {mutant.kind}")
        print(f"{len(every)} mutants in {len(names)} files")
        return 0
    chosen = random.Random(options.seed).sample(every, min(options.sample, len(every)))
    print(f"{len(chosen)} of {len(every)} mutants in {len(names)} files, seed {options.seed}")
    copy()
    run = Run()
    for family in sorted({module(name) for name, _ in chosen}):
        bundle = Bundle(family)
        if not bundle.prepare():
            return 3
        for name, mutant in chosen:
            if module(name) == family:
                run.mutant(bundle, name, mutant)
    tried = run.noticed + len(run.survivors)
    print(f"{tried} mutants, {len(run.survivors)} survived; {run.refused} were not Swift")
    good = len(run.survivors) * SURVIVORS <= tried
    print(f"{run.noticed} passed, {0 if good else len(run.survivors)} failed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
