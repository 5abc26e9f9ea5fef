"""The packages of deploy/package, each made once for all tests, and the folder of what is."""

import atexit
import functools
import os
import shutil
import tempfile

from house import AASA, path, run, said

FOLDER = tempfile.mkdtemp(prefix="aasa-packages-")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


@functools.cache
def make(kind, *options, into="first"):
    """The files that `deploy/package kind` prints."""
    done = run(path("deploy/package"), kind, "--binary", AASA, "--output",
               os.path.join(FOLDER, into), *options, timeout=1200)
    if done.returncode != 0:
        raise RuntimeError(said(done))
    return done.stdout.split()


def _package(files):
    (file,) = [name for name in files if "/aasa_" in name]
    return file


def deb():
    return _package(make("deb"))


def newer():
    """The same as a rebuild of one's own, which is a later version."""
    return _package(make("deb", "--suffix", "+1", into="newer"))
