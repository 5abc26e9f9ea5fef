"""The run: builds a copy once, then changes one thing, builds what depends on it, and tests."""

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


def modules(names):
    """The targets that the files belong to."""
    return sorted({name.split("/")[1] for name in names})


# See the end of Package.swift.
ENVIRONMENT = os.environ | {
    "AASA_TEST_TARGETS": " ".join(f"{module}Tests" for module in modules(files()))}


def command(*words, timeout):
    """(status, output); status None: it did not end in time."""
    process = subprocess.Popen(
        words, cwd=COPY, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
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


def build():
    return command("swift", "build", "--product", "aasaPackageTests", timeout=3600)


def test(module):
    """Whether the module's own tests notice."""
    return command(
        "swift", "test", "--skip-build", "--filter", f"^{module}Tests\\.", timeout=300)


class Run:
    """Counts."""

    def __init__(self):
        self.noticed, self.survivors, self.refused = 0, [], 0

    def mutant(self, name, mutant):
        path = os.path.join(COPY, name)
        with open(path, encoding="utf-8") as file:
            source = file.read()
        lines = source.split("\n")
        changed = mutant.apply(lines)
        where = f"{name}:{mutant.line + 1}"
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(changed))
            status, output = build()
            if status != 0:
                self.refused += 1
                return
            status, output = test(name.split("/")[1])
        finally:
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)
        if status == 0 and not re.search(r"Test run with [1-9]\d* test", output):
            sys.exit(f"the tests of {name} did not run:\n{output[-2000:]}")
        if status == 0:
            self.survivors.append(where)
            print(f"survived  {where}: {mutant.kind}: {changed[mutant.line].strip()}", flush=True)
        else:
            self.noticed += 1
            print(f"noticed   {where}: {mutant.kind}", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--sample", type=int, default=60)
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
    status, output = build()
    if status != 0:
        print(output[-4000:], file=sys.stderr)
        return 3
    # What fails without a change would count every mutant as noticed.
    for module in modules(name for name, _ in chosen):
        status, output = test(module)
        if status != 0:
            print(f"the tests of {module} fail without a change:\n{output[-4000:]}",
                  file=sys.stderr)
            return 3
    run = Run()
    for name, mutant in chosen:
        run.mutant(name, mutant)
    tried = run.noticed + len(run.survivors)
    print(f"{tried} mutants, {len(run.survivors)} survived; {run.refused} were not Swift")
    good = len(run.survivors) * SURVIVORS <= tried
    print(f"{run.noticed} passed, {0 if good else len(run.survivors)} failed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
