"""A control group with a memory limit, of either version, where this user may make one."""

import itertools
import os
import pathlib
import sys
import time

NUMBERS = itertools.count()
FIRST, SECOND = pathlib.Path("/sys/fs/cgroup/memory"), pathlib.Path("/sys/fs/cgroup")


class Confinement:
    """Use as a context manager: gives a group to start a server in; None without a limit, or where
    no group can be made."""

    def __init__(self, megabytes):
        self.megabytes, self.folder = megabytes, None

    def __enter__(self):
        if not self.megabytes:
            return None
        first = (FIRST / "memory.limit_in_bytes").exists()
        folder = (FIRST if first else SECOND) / f"aasa-attacks-{os.getpid()}-{next(NUMBERS)}"
        try:
            folder.mkdir()
            self.folder = folder
            file = folder / ("memory.limit_in_bytes" if first else "memory.max")
            file.write_text(str(self.megabytes << 20))
        except OSError as error:
            print(f"no limit of {self.megabytes} MB here: {error}", file=sys.stderr)
            return None
        return self

    def join(self):
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def __exit__(self, *_):
        for _ in range(50 if self.folder else 0):
            try:
                return self.folder.rmdir()
            except OSError:
                time.sleep(0.1)
