"""Runs the test files side by side, shows what each said, and counts."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

NAMES = ("renewals", "misbehaviour", "kills", "machine", "neighbours", "plan", "guide",
         "fleet")
# Beyond this something hangs.
SECONDS = 900


def main(arguments):
    names = [word for word in arguments if not word.startswith("-")] or list(NAMES)
    unknown = [name for name in names if name not in NAMES]
    if unknown or [word for word in arguments if word.startswith("-") and word != "--all"]:
        print(f"there are: {' '.join(NAMES)}, and --all", file=sys.stderr)
        return 2
    for tool in ("pebble", "pebble-challtestsrv", "openssl"):
        if shutil.which(tool) is None:
            print(f"{tool} is not installed: deploy/test installs it", file=sys.stderr)
            return 3
    if "--all" in arguments:
        os.environ["AASA_CERTIFICATES_ALL"] = "1"
    running = []
    for name in names:
        output = tempfile.TemporaryFile("w+")  # pylint: disable=consider-using-with
        running.append((name, output, time.monotonic(), subprocess.Popen(
            [sys.executable, "-B", "-m", "unittest", "-v", f"test_{name}"],
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)))
    passed = failed = 0
    for name, output, start, process in running:
        try:
            process.wait(max(1, SECONDS - (time.monotonic() - start)))
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
        output.seek(0)
        text = output.read()
        print(f"--- {name}, {time.monotonic() - start:.0f} s\n{text}")
        bad = len(re.findall(r"^(?:ERROR|FAIL): ", text, re.M))
        passed += len(re.findall(r"\.\.\. (?:.*\n)*?ok$|\bok$", text, re.M))
        failed += max(bad, 1) if process.returncode != 0 else 0
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
