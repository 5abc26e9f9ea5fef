#!/usr/bin/env python3
"""Runs a command, and makes sure that nothing it started outlives it.

usage: supervise.py LOG SECONDS COMMAND…

The output goes to LOG. After SECONDS, or when this process is told to stop (SIGINT, SIGTERM), the
command and everything below it is ended. Orphans stay children of this process (a subreaper,
prctl(2)), so a daemon that forked twice is found as well. Whatever is still alive after the command
has exited is listed in LOG as `LEFT RUNNING …`, killed, and makes the exit status 1.

Exit status: the command's; 1 if something was left running; 124 if the time ran out.
"""
import ctypes
import os
import select
import signal
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
# How long a process may take to end by itself after the command that started it has exited, and
# after SIGTERM: a shell that still reaps, a server that closes its files.
GRACE_SECONDS = 3.0


def descendants():
    """The processes below this one, as {pid: command line}; zombies do not count."""
    parents, names = {}, {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                line = file.read().replace(b"\0", b" ").decode("utf-8", "replace").strip()
        except OSError:
            continue
        if fields[0] not in "ZX":
            parents[int(entry)] = int(fields[1])
            names[int(entry)] = line
    below, found = {os.getpid()}, True
    while found:
        found = {pid for pid, parent in parents.items() if parent in below} - below
        below |= found
    return {pid: names[pid] for pid in below - {os.getpid()}}


def reap(command=None):
    """Collects all children that have ended, orphans among them: a test that waits until a process
    is gone would wait indefinitely for a zombie. Returns the exit status of `command`, or None."""
    ended = None
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            if pid == command:
                ended = os.waitstatus_to_exitcode(status)
    except ChildProcessError:
        pass
    return ended


def wait(command, seconds):
    """Waits for the command's end; returns its exit status, or None when the time is over."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    deadline = time.monotonic() + seconds
    while (status := reap(command)) is None:
        left = deadline - time.monotonic()
        if left <= 0:
            break
        if select.select([reader], [], [], left)[0]:
            os.read(reader, 4096)
    return status


def settle(seconds):
    """Waits until nothing is left below, at most so long; returns what is."""
    deadline = time.monotonic() + seconds
    while True:
        reap()
        left = descendants()
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.05)


def end_all():
    """Ends everything below: asked first, then killed."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for pid in descendants():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        if not settle(GRACE_SECONDS):
            return


class Stopped(Exception):
    """A signal asked this process to stop."""


def stop(number, _frame):
    raise Stopped(number)


def main(log, seconds, command):
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    with open(log, "ab", buffering=0) as sink:
        try:
            # pylint: disable-next=consider-using-with
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink,
                start_new_session=True)
            status = wait(child.pid, seconds)
            child.returncode = status  # it is reaped
            if status is None:
                sink.write(f"\nended: it took more than {seconds:.0f} s\n".encode())
                end_all()
                return 124
        except Stopped as reason:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            end_all()
            return 128 + reason.args[0]
        left = settle(GRACE_SECONDS)
        for pid, name in sorted(left.items()):
            sink.write(f"LEFT RUNNING {pid} {name[:300]}\n".encode())
        if left:
            end_all()
            status = status or 1
        return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))
