"""Runs each test in a process of its own, many side by side, shows what it said, and counts.

A test that fails is run once more, alone. If it passes then, it counts as passed, and is listed as
unsteady: eight at a time starve one another of two busy cores, which must be seen and not stop a
release.
"""

import os
import queue
import re
import shutil
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

# What takes longest goes first.
NAMES = ("kills", "misbehaviour", "renewals", "guide", "machine", "neighbours", "plan", "fleet")
# Beyond this a test hangs.
SECONDS = 900
# Most of their time is waiting.
SIDE_BY_SIDE = 8


# A part of the ports for each of them.
SLOTS = queue.SimpleQueue()
for slot in range(SIDE_BY_SIDE):
    SLOTS.put(f"{12_000 + 2_500 * slot}-{12_000 + 2_500 * (slot + 1)}")


def tests(suite):
    """The names of all tests in it."""
    if isinstance(suite, unittest.TestSuite):
        return [name for part in suite for name in tests(part)]
    return [suite.id()]


def play(name):
    """(name, status, seconds, what it said)"""
    start = time.monotonic()
    ports = SLOTS.get()
    try:
        done = subprocess.run(
            [sys.executable, "-B", "-W", "ignore::ResourceWarning", "-m", "unittest", "-v", name],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", timeout=SECONDS, check=False,
            env={**os.environ, "AASA_TEST_PORTS": ports})
        status, text = done.returncode, done.stdout
    except subprocess.TimeoutExpired as error:
        status, text = 1, f"FAIL: {name} hangs\n{error.stdout or ''}"
    finally:
        SLOTS.put(ports)
    return name, status, time.monotonic() - start, text


def main(arguments):
    names = [word for word in arguments if not word.startswith("-")] or list(NAMES)
    unknown = [name for name in names if name.split(".")[0] not in NAMES]
    if unknown or [word for word in arguments if word.startswith("-") and word != "--all"]:
        print(f"there are: {' '.join(NAMES)}, and --all", file=sys.stderr)
        return 2
    for tool in ("pebble", "pebble-challtestsrv", "openssl"):
        if shutil.which(tool) is None:
            print(f"{tool} is not installed: deploy/test installs it", file=sys.stderr)
            return 3
    if "--all" in arguments:
        os.environ["AASA_CERTIFICATES_ALL"] = "1"
    sys.path.insert(0, os.getcwd())
    found = [
        test for name in names
        for test in tests(unittest.defaultTestLoader.loadTestsFromName(f"test_{name}"))]
    passed = failed = 0
    again = []
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        for name, status, seconds, text in pool.map(play, found):
            skipped = re.search(r"\.\.\. skipped ['\"](.*)['\"]", text)
            if status == 0 and skipped:
                print(f"SKIPPED: {name}: {skipped[1]}")
            elif status == 0:
                passed += 1
                print(f"ok     {name}, {seconds:.0f} s")
                # Tables and figures; the rest is unittest's own.
                said = re.split(r"\.\.\. *", text, maxsplit=1)[-1].split("\nok\n")[0].strip()
                if said and said != "ok" and not said.startswith("ok\n"):
                    print(said)
            else:
                again.append(name)
                print(f"FAILED {name}, {seconds:.0f} s\n{text}")
            sys.stdout.flush()
    for name, status, seconds, text in map(play, again):
        if status == 0:
            passed += 1
            print(f"UNSTEADY {name}: failed beside others, passed alone, {seconds:.0f} s")
        else:
            failed += 1
            print(f"FAILED {name}, also alone, {seconds:.0f} s\n{text}")
        sys.stdout.flush()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
