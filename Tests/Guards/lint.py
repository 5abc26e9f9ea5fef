"""Whether the document tools are linear, whatever they are given: instructions, counted by
valgrind, for each shape of `shapes.py` at 128 KB (what devices read) and at 4 MiB (what is read at
all).

Without --all some shapes at 128 KB and 1 MiB, one for each way to make a document large, and what
each other command needs for those that cost it most: some three minutes, in CI. With it every shape
at both sizes, and every command. What stands in a host's folder has 1 MiB at most, so that is the
larger size of the commands that read one.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

import shapes

SMALL, MIDDLE, LARGE = 128 << 10, 1 << 20, 4 << 20
# The aim is 0.2 s of processor time at 128 KB and 2 s at 4 MiB: 900 million and 9,000 million of
# these, at the 4.5 per nanosecond that a core does here. At 128 KB and 1 MiB what was measured with
# some room is held (lint of "components-star-first": 398 million; of "teams": 419 and 2,708 million,
# a fifth of it in the rules about apps of one host), at 4 MiB the aim.
BOUND = {SMALL: 440_000_000, MIDDLE: 2_850_000_000, LARGE: 9_000_000_000}
# Shapes that cost more to lint at 128 KB, measured with some room (2026-12-01), within the aim.
COSTLY = {
    "defaults-query": 900_000_000, "components-undefined": 880_000_000, "html": 620_000_000,
    "entries-excluded-first": 600_000_000, "not-utf8": 540_000_000, "entries-equal": 540_000_000,
    "paths-star": 540_000_000, "defaults-of-entries": 520_000_000, "variable-per-rule": 500_000_000,
    "components-variables": 490_000_000,
}
# 8 and 32 times the bytes; the rest is room for tables that grow in steps.
RATIO = {MIDDLE: 10, LARGE: 40}
# Below this nothing grows: the first findings, and what is done once.
FLOOR = 20_000_000
# Matching and comparing go over the rules several times; building reads, merges and reads again,
# and importing takes apart what it compares with afterwards.
COMMANDS = {"match": 2, "explain": 4, "answers": 4, "diff": 3, "build": 3, "app": 1, "import": 5,
            "verify": 1, "signed": 1}
OF_LINKS = {"expect": 2, "links": 3, "rules": 3, "takers": 3}
SIGNED = ("verify", "signed")
OF_FOLDERS = ("build", "app", "links")

QUICK = ("repeated-keys", "entries-many-apps", "components-star-first", "apps", "teams", "variables", "deep-many",
         "long-path-slashes")
QUICK_OTHERS = {
    "build": ("unknown-keys", "apps-bad", "teams"),
    "diff": ("components-defaults", "components-variables", "entries-star"),
    "verify": ("entries-many-apps",),
    "signed": ("entries-many-apps",),
    "expect": ("links-failing",),
    "links": ("links-apps",),
}
DOCUMENT = '{"applinks":{"details":[{"appID":"%s","paths":["/buy/*"]}]}}' % shapes.APP


class Counter:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.empty = os.path.join(folder, "empty.json")
        with open(self.empty, "w") as file:
            file.write('{"applinks":{"details":[]}}')
        self.small = self.document("small.json", DOCUMENT)
        # Tests for links cost tests times rules: a document of 128 KB beside them.
        self.rules = self.document("rules.json", shapes.ASSOCIATION["entries-many-apps"](SMALL))
        self.takers = self.document("takers.json", shapes.ASSOCIATION["entries-star"](SMALL))
        self.certs = os.path.join(folder, "certs")
        subprocess.run([binary, "certs", "make", "--certs", self.certs, "example.com"],
                       check=True, capture_output=True)

    def document(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(shapes.data(text))
        return path

    def sign(self, path):
        """What is verified is signed, whatever its payload is."""
        subprocess.run(
            ["openssl", "cms", "-sign", "-binary", "-nodetach", "-outform", "DER", "-md", "sha256",
             "-signer", f"{self.certs}/example.com/fullchain.pem",
             "-inkey", f"{self.certs}/example.com/privkey.pem", "-in", path, "-out", path + ".cms"],
            check=True, capture_output=True)
        os.replace(path + ".cms", path)

    def instructions(self, command, path):
        folder = os.path.dirname(path)
        arguments = {
            "lint": ["lint", "--all", path],
            "match": ["match", path, "/path/to/17", "https://example.com/a/b?c=d#e"],
            "explain": ["match", "--explain", path, "/path/to/17"],
            "answers": ["match", "--explain", "--format", "json", path, "/path/to/17"],
            "diff": ["diff", "--samples", self.empty, path],
            "signed": ["lint", "--all", path],
            "build": ["build", os.path.dirname(folder)],
            "app": ["app", "list", os.path.dirname(folder)],
            "import": ["import", path, os.path.join(folder, "example.com")],
            "verify": ["verify", path, "--cacert", f"{self.certs}/local-ca/ca.pem"],
            "expect": ["match", self.small, "--expect", path],
            "rules": ["match", self.rules, "--expect", path],
            "takers": ["match", self.takers, "--expect", path],
            "links": ["lint", "--all", folder],
        }[command]
        run = subprocess.run(
            ["valgrind", "--tool=exp-bbv", "--instr-count-only=yes", "--bb-out-file=/dev/null",
             self.binary, *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, errors="replace")
        # 3: no document; match and diff say so of what is not JSON, or has no apps.
        if run.returncode not in (0, 1, 3):
            raise SystemExit(f"Guards: {command} {path} ended with {run.returncode}\n{run.stderr[-800:]}")
        counts = re.findall(r"Total instructions: (\d+)", run.stderr)
        if not counts:
            raise SystemExit(f"Guards: valgrind did not count\n{run.stderr[-800:]}")
        return sum(map(int, counts))

    def measure(self, name, file, shape, command, size):
        folder = os.path.join(self.folder, f"{command}-{size}-{re.sub('[^a-z0-9]', '-', name)}")
        os.makedirs(folder)
        path = os.path.join(folder, file)
        if command in OF_FOLDERS:
            fragment = os.path.join(folder, "example.com", "teams", "9JA89QQLNQ.json")
            os.makedirs(os.path.dirname(fragment))
            path = fragment
            if command == "links":
                shutil.copy(self.small, fragment)
                path = os.path.join(folder, "example.com", "links.csv")
        if command in SIGNED:
            # The signature is in the file, and what is larger than 4 MiB is not read.
            size = max(0, size - (8 << 10))
        with open(path, "wb") as out:
            out.write(shapes.data(shape(size)))
        if command in SIGNED:
            self.sign(path)
        try:
            return self.instructions(command, path)
        finally:
            shutil.rmtree(folder)


def is_for(command, file):
    """Whether the command reads such files."""
    if file == "links":
        return command in OF_LINKS
    return command == "lint" or file == "apple-app-site-association" and command in COMMANDS


def main(binary, arguments):
    everything = "--all" in arguments
    only = [argument for argument in arguments if argument != "--all"]
    large = LARGE if everything else MIDDLE
    commands = ["lint", *COMMANDS, *OF_LINKS]
    weights = {"lint": 1, **COMMANDS, **OF_LINKS}
    folder = tempfile.mkdtemp(prefix="aasa-guards-")
    passed, bad = 0, []
    try:
        # Valgrind 3.19 cannot read the compiler's DWARF 5, and gives up on it.
        bare = os.path.join(folder, "aasa")
        subprocess.run(["strip", "--strip-debug", "-o", bare, binary], check=True)
        counter = Counter(bare, folder)
        start = {
            command: counter.measure(
                "empty", "apple-app-site-association",
                lambda size: "/a,none" if command in OF_LINKS else '{"applinks":{"details":[]}}',
                command, 0)
            for command in commands
        }
        cases = [
            (name, file, shape, command)
            for name, file, shape in shapes.every()
            for command in commands
            if is_for(command, file)
            and (any(word in name for word in only) if only else everything
                 or name in (QUICK if command == "lint" else QUICK_OTHERS.get(command, ())))
        ]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            counts = [
                [
                    pool.submit(counter.measure, *case, size)
                    for size in (SMALL, MIDDLE if case[3] in OF_FOLDERS else large)
                ]
                for case in cases
            ]
            for (name, _, _, command), (first, second) in zip(cases, counts):
                few, many = first.result(), second.result()
                top = MIDDLE if command in OF_FOLDERS else large
                weight = weights[command]
                ratio = (many - start[command]) / max(few - start[command], 1)
                faults = []
                small = COSTLY.get(name, BOUND[SMALL]) if command == "lint" else BOUND[SMALL]
                if few > small * weight:
                    faults.append("TOO MANY AT 128 KB")
                if many > BOUND[top] * weight:
                    faults.append("TOO MANY")
                grows = many - start[command] > FLOOR and few - start[command] > FLOOR / 10
                if grows and ratio > RATIO[top]:
                    faults.append("TOO STEEP")
                print(f"{command:6} {name:36} {few / 1e6:9.1f} M {many / 1e6:9.1f} M {ratio:6.1f}  {' '.join(faults)}",
                      flush=True)
                passed += not faults
                if faults:
                    bad.append(f"{command} {name}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if bad:
        print(f"Guards: not linear, or too slow: {', '.join(bad)}", file=sys.stderr)
    print(f"{passed} passed, {len(bad)} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
