#!/usr/bin/env python3
"""Runs tests of the built test bundle in several processes, then reports failures and counts.

usage: swift_tests.py [--bundle FILE] [--processes N] [--filter REGEX] [--skip REGEX]…

Most tests wait for a process, a timer or a socket, and one process runs as many tests at once as
there are cores. So --processes run at once, and each takes the next share of the suites when it has
ended. `swift test` is not used: it holds a lock on the build folder, so a second one would wait for
the first.

A test that fails runs once more, alone. If it passes then, it counts as passed and is listed as
UNSTEADY. A process that dies is a failure and does not run again.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import threading
import xml.etree.ElementTree as ElementTree
from pathlib import Path

BUNDLE = ".build/debug/aasaPackageTests.xctest"
# More failures than this are not bad luck: they are shown at once.
RETRIES_MAXIMUM = 5
# Shares of the suites for each process that runs at once: a share takes from seconds to a minute,
# and with few of them the last process runs alone for minutes.
SHARES_PER_PROCESS = 6


class Run:
    """One process of the bundle: its output line by line, then what its report says."""

    def __init__(self, bundle, patterns, folder, name):
        self.report = os.path.join(folder, f"{name}.xml")
        self.lines = []
        command = [bundle, "--testing-library", "swift-testing", "--xunit-output", self.report]
        for pattern in patterns:
            command += ["--filter", pattern]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            text = line.decode("utf-8", "replace")
            self.lines.append(text)
            sys.stdout.write(text)
            sys.stdout.flush()

    def wait(self):
        """Returns (exit status, {(suite, test): [messages]})."""
        status = self.process.wait()
        self.reader.join()
        results = {}
        try:
            cases = list(ElementTree.parse(self.report).iter("testcase"))
        except (OSError, ElementTree.ParseError):
            cases = []  # the process died before it wrote its report, or while it did
        for case in cases:
            messages = [failure.get("message", "") for failure in case.iter("failure")]
            results.setdefault((case.get("classname"), case.get("name")), []).extend(messages)
        return status, results

    def unfinished(self):
        """Tests that had started but not ended when the process died."""
        text = "".join(self.lines)
        started = set(re.findall(r"◇ Test (.+?) started\.", text))
        ended = re.findall(r"[✔✘] Test (.+?)(?: with \d+ test cases)? (?:passed|failed) after", text)
        return sorted(started - set(ended))


def listed(bundle):
    """The tests of the bundle by suite: {Target.Suite: [Target.Suite/function(labels:)]}."""
    command = [bundle, "--testing-library", "swift-testing", "--list-tests"]
    names = subprocess.run(
        command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
    ).stdout.splitlines()
    suites = {}
    for name in names:
        suites.setdefault(name.partition("/")[0], []).append(name)
    return suites


def selected(suites, filters, skips):
    """The patterns of what is to run and how many tests each selects: [(count, [pattern])]."""
    chosen = []
    for suite, names in sorted(suites.items()):
        wanted = [
            name for name in names
            if (not filters or any(re.search(one, name) for one in filters))
            and not any(re.search(one, name) for one in skips)
        ]
        patterns = [suite + "/"] if wanted == names else wanted
        if wanted:
            chosen.append((len(wanted), ["^" + re.escape(one) for one in patterns]))
    return chosen


def shares(chosen, count):
    """The patterns in at most `count` groups with about as many tests each."""
    groups = [[0, []] for _ in range(count)]
    for tests, patterns in sorted(chosen, reverse=True):
        smallest = min(groups, key=lambda group: group[0])
        smallest[0] += tests
        smallest[1] += patterns
    return [patterns for _, patterns in groups if patterns]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bundle", default=BUNDLE)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--skip", action="append", default=[])
    options = parser.parse_args()
    bundle = str(Path(options.bundle).resolve())

    chosen = selected(listed(bundle), options.filter, options.skip)
    if not chosen:
        print("no test has such a name")
        print("0 passed, 1 failed")
        return 1
    results, problems = {}, []
    with tempfile.TemporaryDirectory() as folder:
        def finish(number, patterns):
            run = Run(bundle, patterns, folder, str(number))
            return run, *run.wait()

        groups = shares(chosen, options.processes * SHARES_PER_PROCESS)
        pool = concurrent.futures.ThreadPoolExecutor(options.processes)
        try:
            ended = list(pool.map(finish, range(len(groups)), groups))
        finally:
            pool.shutdown(cancel_futures=True)
        for run, status, some in ended:
            results.update(some)
            failed = any(some.values())
            if not some:
                problems.append("a test process ended without a report; these tests were running: "
                                + ", ".join(run.unfinished()[:20]))
            elif status != 0 and not failed:
                problems.append(f"a test process exited with status {status}, and no test failed")

        failures = {key: messages for key, messages in results.items() if messages}
        unsteady = []
        for key in list(failures) if len(failures) <= RETRIES_MAXIMUM else ():
            again = Run(bundle, ["^" + re.escape(f"{key[0]}/{key[1]}")], folder, "again")
            status, repeated = again.wait()
            if status == 0 and repeated.get(key) == []:
                unsteady.append(key)
                del failures[key]

    print()
    for (suite, test), messages in failures.items():
        print(f"FAILED {suite}/{test}")
        for message in messages[:5]:
            print("    " + message[:2000].replace("\n", "\n    "))
    for suite, test in unsteady:
        print(f"UNSTEADY {suite}/{test}: failed, then passed alone")
    for problem in problems:
        print(f"FAILED {problem}")
    count = len(failures) + len(problems)
    print(f"{len(results) - len(failures)} passed, {count} failed")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
