"""Runs the deployment tests and ends with 'N passed, N failed'.

usage: check.py [--folder DIR] [NAME…]

DIR is where the tests lie; a NAME selects those that contain it.
"""

import os
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))


class Result(unittest.TestResult):
    """One line per test, the reason below a failed one."""

    def __init__(self):
        super().__init__()
        self.passed = 0

    def startTest(self, test):
        super().startTest(test)
        self.started = time.monotonic()

    def line(self, word, test):
        seconds = time.monotonic() - self.started
        print(f"{word:<7} {test.id()} ({seconds:.1f} s)", flush=True)

    def addSuccess(self, test):
        self.passed += 1
        self.line("ok", test)

    def report(self, test, error):
        self.line("FAILED", test)
        print("    " + self._exc_info_to_string(error, test).replace("\n", "\n    "), flush=True)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.report(test, error)

    def addError(self, test, error):
        super().addError(test, error)
        if not hasattr(self, "started"):
            self.started = time.monotonic()
        self.report(test, error)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self.report(subtest, error)


def selected(suite, names):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from selected(item, names)
        elif not names or any(name in item.id() for name in names):
            yield item


def main(names):
    folder = HERE
    if names[:1] == ["--folder"]:
        folder, names = os.path.abspath(names[1]), names[2:]
    sys.path.insert(0, HERE)
    suite = unittest.defaultTestLoader.discover(folder, pattern="test_*.py", top_level_dir=folder)
    tests = list(selected(suite, names))
    result = Result()
    # A suite, not single tests: class fixtures (a running server) are shared.
    unittest.TestSuite(tests).run(result)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.passed} passed, {failed} failed")
    return 1 if failed or not result.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
