"""A clean Debian under a real systemd, for the tests of the recipe and of the package.

systemd is process 1 of namespaces of its own (processes, mounts, network, control groups), in a
root made by debootstrap: no container manager is needed, only root.
"""

import functools
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from house import run, said
from maker import FOLDER

# What is taken for granted: a Debian with systemd, and what aasa is linked with.
PACKAGES = ("systemd", "systemd-sysv", "procps", "curl", "libnghttp2-14", "zlib1g",
            "ca-certificates", "python3")

# The release that packages are built on and the one after it, where OpenSSL's library has another
# name and provides this one.
LIBSSL = {"bookworm": "libssl3", "trixie": "libssl3t64"}

BOOT = """
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount -t tmpfs tmpfs "$1/run"
mount -t tmpfs tmpfs "$1/tmp"
mount --rbind /dev "$1/dev"
mount -t sysfs -o ro sysfs "$1/sys"
mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup"
ip link set lo up
# Not chroot alone: in one, nobody may make a user namespace (PrivateUsers=).
cd "$1"
mkdir -p .before
pivot_root . .before
exec chroot . /bin/sh -c 'umount -l /.before && rmdir /.before && exec env -i "$@"' start \
    container=aasa-test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    /lib/systemd/systemd --system --log-target=console
"""

# Runs as a unit once the system is up; each step's output and status are files.
CONDUCTOR = """#!/bin/bash
cd /root/aasa
for step in /root/steps/*; do
    name=$(basename "$step")
    bash -euo pipefail "$step" >"/root/said/$name" 2>&1 </dev/null
    echo $? >"/root/status/$name"
done
touch /root/over
"""

UNIT = """[Unit]
After=basic.target
[Service]
Type=oneshot
ExecStart=/root/conductor
"""

ASK = """ask() {
    curl -sS -o /dev/null -w '%{http_code}\\n' --cacert /etc/aasa/certs/local-ca/ca.pem \\
        --resolve example.com:443:127.0.0.1 \\
        https://example.com/.well-known/apple-app-site-association
}
"""


@functools.cache
def _bare(release, packages):
    """A minimal Debian from this machine's mirror, made once for all tests, and what was said."""
    root = os.path.join(FOLDER, "-".join((release, *packages)))
    site = run("apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages")
    mirror = next(line for line in site.stdout.splitlines() if "security" not in line)
    more = ["--include=" + ",".join(packages)] if packages else []
    return root, run("debootstrap", "--variant=minbase", *more, release, root, mirror, timeout=1200)


def debootstrap(root, release, packages=()):
    """A minimal Debian in `root`."""
    bare, done = _bare(release, packages)
    return run("cp", "-a", bare, root) if done.returncode == 0 else done


class Machine(unittest.TestCase):
    """A root, and what is done in it once its systemd is up."""

    release = "bookworm"

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="aasa-machine-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.root = os.path.join(cls.folder, "root")
        done = debootstrap(cls.root, cls.release, (*PACKAGES, LIBSSL[cls.release]))
        if done.returncode != 0:
            raise RuntimeError(said(done))

    def write(self, name, text, mode=0o644):
        file = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "w", encoding="utf-8") as opened:
            opened.write(text)
        os.chmod(file, mode)

    def boot(self, steps):
        """Starts systemd, runs the steps in it, and ends it; {name: (status, output)}."""
        for name, text in steps:
            self.write(f"root/steps/{name}", text)
        for name in ("said", "status"):
            os.makedirs(os.path.join(self.root, "root", name), exist_ok=True)
        self.write("root/conductor", CONDUCTOR, 0o755)
        self.write("etc/systemd/system/conductor.service", UNIT)
        wants = os.path.join(self.root, "etc/systemd/system/multi-user.target.wants")
        os.makedirs(wants, exist_ok=True)
        os.symlink("../conductor.service", os.path.join(wants, "conductor.service"))
        os.symlink("/lib/systemd/system/multi-user.target",
                   os.path.join(self.root, "etc/systemd/system/default.target"))
        over = os.path.join(self.root, "root/over")
        machine = subprocess.Popen(
            ["unshare", "--pid", "--fork", "--kill-child", "--mount", "--uts", "--ipc", "--net",
             "--cgroup", "bash", "-euc", BOOT, "boot", self.root],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)
        try:
            deadline = time.monotonic() + 360
            while not os.path.exists(over) and time.monotonic() < deadline:
                if machine.poll() is not None:
                    break
                time.sleep(0.2)
        finally:
            if machine.poll() is None:
                os.killpg(machine.pid, signal.SIGKILL)
            console, _ = machine.communicate(timeout=60)
        if not os.path.exists(over):
            self.fail("systemd did not come so far:\n" + console.decode(errors="replace")[-4000:])
        results = {}
        for name, _ in steps:
            with open(os.path.join(self.root, "root/status", name), encoding="ascii") as file:
                status = int(file.read())
            with open(os.path.join(self.root, "root/said", name), errors="replace") as file:
                results[name] = (status, file.read())
        return results
