"""Whether `aasa lint` is linear: instructions for each shape of `shapes.py` at two sizes, counted by
valgrind. The growth from n to 2n, start-up taken out, stays below a stated ratio."""
import os
import re
import subprocess
import sys
import tempfile

import shapes

SIZE = 48 << 10
# Twice the bytes may cost twice the work; the rest is room for tables that grow in steps.
RATIO = 2.6
# Below this nothing grows: start-up and the first findings.
FLOOR = 20_000_000


def instructions(binary, path):
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", binary, "lint", path],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if run.returncode not in (0, 1):
        raise SystemExit(f"Guards: lint {path} ended with {run.returncode}\n{run.stderr[-500:]}")
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def main(binary, only):
    folder = tempfile.mkdtemp()
    bad = []

    def measure(file, text):
        path = os.path.join(folder, file)
        with open(path, "wb") as out:
            out.write(shapes.data(text))
        return instructions(binary, path)

    start = measure("apple-app-site-association", "{}")
    for name, file, shape in shapes.every():
        if only and not any(word in name for word in only):
            continue
        small = measure(file, shape(SIZE)) - start
        large = measure(file, shape(2 * SIZE)) - start
        ratio = large / max(small, 1)
        is_bad = large > FLOOR and ratio > RATIO
        print(f"{name:36} {small:14,} {large:14,}  {ratio:5.2f}{'  TOO STEEP' if is_bad else ''}",
              flush=True)
        if is_bad:
            bad.append(name)
    if bad:
        print(f"Guards: not linear: {', '.join(bad)}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
