#!/usr/bin/env python3
"""Runs `swift test` with the options given and reports: failing names and messages, then counts.

A test that fails is run once more, alone. If it passes then, it counts as passed, and is listed as
unsteady: two busy cores can starve a test of time, and that must be seen but not stop a release.
A test process that dies is a failure, and is not tried again.
"""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree


def run(options, folder, name):
    """Runs swift test; returns (exit status, {test: [messages]}, output path)."""
    report = os.path.join(folder, f"{name}.xml")
    output = os.path.join(folder, f"{name}.log")
    command = ["swift", "test", "--skip-build", "--xunit-output", report, *options]
    with open(output, "wb") as sink:
        done = subprocess.run(
            command, stdout=sink, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
        )
    sys.stdout.write(open(output, encoding="utf-8", errors="replace").read())
    results = {}
    # Swift Testing writes beside the XCTest report, with a suffix of its own.
    written = report.replace(".xml", "-swift-testing.xml")
    if os.path.exists(written):
        try:
            cases = list(ElementTree.parse(written).iter("testcase"))
        except ElementTree.ParseError:
            # The process died while it wrote.
            cases = []
        for case in cases:
            key = (case.get("classname"), case.get("name"))
            messages = [failure.get("message", "") for failure in case.iter("failure")]
            results.setdefault(key, []).extend(messages)
    return done.returncode, results, output


def pattern(key):
    """The filter that selects one test: Target.Suite/function(labels:)."""
    classname, name = key
    return "^" + re.escape(f"{classname}/{name}")


def without_filter(options):
    """The options that say what to run on, without those that say what to run."""
    kept, skip = [], False
    for option in options:
        if skip:
            skip = False
        elif option in ("--filter", "--skip"):
            skip = True
        elif not option.startswith(("--filter=", "--skip=")):
            kept.append(option)
    return kept


def unfinished(output):
    """Tests that had started but not ended when the process died."""
    text = open(output, encoding="utf-8", errors="replace").read()
    started = set(re.findall(r"◇ Test (.+?) started\.", text))
    ended = set(re.findall(r"[✔✘] Test (.+?)(?: with \d+ test cases)? (?:passed|failed) after", text))
    return sorted(started - ended)


def main(options):
    with tempfile.TemporaryDirectory() as folder:
        status, results, output = run(options, folder, "first")
        if not results:
            print("\nthe test process ended without a report; these tests were running:")
            for name in unfinished(output)[:20]:
                print(f"  {name}")
            print("0 passed, 1 failed")
            return 1
        failed = {key: messages for key, messages in results.items() if messages}
        unsteady = []
        # Many failures are not bad luck: they are shown at once.
        if 0 < len(failed) <= 5:
            for key in list(failed):
                # With the same options: the bundle lies where they say (--scratch-path).
                again, repeated, _ = run(
                    [*without_filter(options), "--filter", pattern(key)], folder, "again"
                )
                if again == 0 and repeated.get(key) == []:
                    unsteady.append(key)
                    del failed[key]
        print()
        for (classname, name), messages in failed.items():
            print(f"FAILED {classname}/{name}")
            for message in messages[:5]:
                print("    " + message[:2000].replace("\n", "\n    "))
        for key in unsteady:
            print(f"UNSTEADY {key[0]}/{key[1]}: failed, then passed alone")
        count = len(failed)
        if status != 0 and not failed and not unsteady:
            print(f"FAILED swift test ended with status {status} although no test failed")
            count = 1
        print(f"{len(results) - len(failed)} passed, {count} failed")
        return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
