"""The two commands of the README on machines that are not as they should be."""

import os
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time
import unittest

from house import AASA, path, run, said


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="aasa-scripts-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def with_swift(self, script):
        """An environment in which `swift` is this shell script."""
        file = os.path.join(self.folder, "swift")
        with open(file, "w", encoding="ascii") as out:
            out.write("#!/bin/sh\n" + script)
        os.chmod(file, 0o755)
        return {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}

    def test_a_swift_that_cannot_start_is_told_why(self):
        environment = self.with_swift(
            "echo 'swift: error while loading shared libraries: libncurses.so.6: cannot open "
            "shared object file: No such file or directory' >&2\nexit 127\n")
        for script in ("deploy/run", "deploy/test"):
            done = run(path(script), env=environment)
            self.assertEqual(done.returncode, 3, said(done))
            self.assertIn("libncurses.so.6 is missing", done.stderr)
            self.assertIn("apt-get install libncurses6", done.stderr)

    def test_an_old_swift_is_refused(self):
        done = run(path("deploy/run"), env=self.with_swift("echo 'Swift version 5.10 (x)'\n"))
        self.assertEqual(done.returncode, 3, said(done))
        self.assertIn("Swift 5.10 is too old", done.stderr)

    def test_a_port_in_use_is_said_before_the_build(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen(1)
            port = taken.getsockname()[1]
            for option in ("--port", "--admin-port"):
                done = run(path("deploy/run"), option, str(port))
                self.assertEqual(done.returncode, 3, said(done))
                self.assertIn(f"deploy/run {option} {port + 1}", done.stderr)
                self.assertNotIn("building", done.stderr)

    def test_wrong_usage_is_status_2(self):
        for words in (["deploy/run", "--port", "x"], ["deploy/run", "--port", "70000"],
                      ["deploy/run", "--what"], ["deploy/test", "--user"],
                      ["deploy/test", "--only", "nothing"], ["deploy/test", "--what"]):
            done = run(path(words[0]), *words[1:])
            self.assertEqual(done.returncode, 2, said(done))

    def policy(self, script, number):
        """Interrupts a script that has forbidden daemons; returns its policy file and status."""
        file = os.path.join(self.folder, "policy-rc.d")
        process = subprocess.Popen(
            ["bash", "-euc", '. deploy/lib/common.sh; policy=$1; as_root() { "$@"; }; ' + script,
             "bash", file],
            cwd=path(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.assertEqual(process.stdout.readline(), "forbidden\n")
        self.assertTrue(os.stat(file).st_mode & stat.S_IXUSR)
        process.send_signal(number)
        return file, process.wait(timeout=60)

    def test_daemons_may_start_again_after_an_interruption(self):
        for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)):
            file, ended = self.policy(
                "forbid_daemons; echo forbidden; while :; do sleep 0.1; done", number)
            self.assertEqual(ended, status)
            self.assertFalse(os.path.exists(file), "no daemon of this machine would start again")

    def test_a_policy_of_the_machine_stays(self):
        file = os.path.join(self.folder, "policy-rc.d")
        with open(file, "w", encoding="ascii") as out:
            out.write("#!/bin/sh\nexit 101\n")
        os.chmod(file, 0o755)
        self.policy("forbid_daemons; echo forbidden; while :; do sleep 0.1; done", signal.SIGTERM)
        self.assertTrue(os.path.exists(file))

    def test_elsewhere_than_on_debian_it_goes_on(self):
        """Whoever did as told, and installed them by hand, would never have got any further."""
        done = run("bash", "-euc", ". deploy/lib/common.sh; PATH=; need_packages 'the build' a-dev b-dev; "
                   "echo on", cwd=path())
        self.assertEqual((done.returncode, done.stdout), (0, "on\n"), said(done))
        self.assertIn("a-dev b-dev", done.stderr)

    def supervised(self, script, seconds="60"):
        log = os.path.join(self.folder, "supervised.log")
        done = run(path("deploy/lib/supervise.py"), log, seconds, "bash", "-euc", script)
        with open(log, encoding="utf-8") as file:
            return done.returncode, file.read()

    def test_what_a_stage_leaves_running_is_ended_and_fails_it(self):
        """A daemon that forked twice, in a session of its own, with an empty environment."""
        status, log = self.supervised("(setsid env -i sleep 971 &); echo done")
        self.assertEqual(status, 1, log)
        self.assertIn("LEFT RUNNING", log)
        self.assertNotIn(b"sleep\x00971", b"".join(self.command_lines()))

    def test_an_orphan_that_ends_is_gone_while_its_stage_goes_on(self):
        """Its parent is the supervisor: a zombie would look alive to whoever waits for its end."""
        status, log = self.supervised(
            "pid=$(setsid bash -c 'sleep 0.1 >/dev/null & echo $!'); "
            "for _ in $(seq 100); do kill -0 $pid 2>/dev/null || exit 0; sleep 0.05; done; exit 7")
        self.assertEqual(status, 0, log)

    def test_a_stage_has_its_own_status_and_a_time_limit(self):
        self.assertEqual(self.supervised("exit 3")[0], 3)
        status, log = self.supervised("sleep 972", "0.5")
        self.assertEqual(status, 124, log)
        self.assertNotIn(b"sleep\x00972", b"".join(self.command_lines()))

    @staticmethod
    def command_lines():
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    with open(f"/proc/{name}/cmdline", "rb") as file:
                        yield file.read()
                except OSError:
                    pass

    def test_half_a_python_is_made_whole(self):
        """Ctrl-C while the tests' Python is made: no later run could install anything into it."""
        made = run("python3", "-m", "venv", "--without-pip", os.path.join(self.folder, ".build/python"))
        self.assertEqual(made.returncode, 0, said(made))
        done = run(
            "bash", "-euc", 'need_packages() { :; }; python=$PWD/.build/python/bin/python3\n'
            'eval "$(sed -n "/^need_python() {/,/^}/p" "$1")"; need_python; "$python" -m pip --version',
            "bash", path("deploy/lib/stages.sh"), cwd=self.folder)
        self.assertEqual(done.returncode, 0, said(done))

    def test_certificates_cover_the_aliases_of_any_layout(self):
        """A host.json as jq and editors write it, in a tree with a blank in its path."""
        tree = os.path.join(self.folder, "a tree")
        shutil.copytree(path("deploy/lib"), os.path.join(tree, "deploy/lib"))
        shutil.copy(path("deploy/run"), os.path.join(tree, "deploy"))
        os.makedirs(os.path.join(tree, ".build/release"))
        os.symlink(AASA, os.path.join(tree, ".build/release/aasa"))
        for host, text in (("example.com", '{\n  "aliases": [\n    "www.example.com",\n    "m.example.com"\n  ]\n}\n'),
                           ("one.example", '{"aliases": ["a.example"], "form": "auto"}'), ("none.example", None)):
            shutil.copytree(path("site/shop.example"), os.path.join(tree, "site", host))
            file = os.path.join(tree, "site", host, "host.json")
            if os.path.exists(file):
                os.unlink(file)
            if text:
                with open(file, "w", encoding="ascii") as out:
                    out.write(text)
        ports = []
        for _ in range(2):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                ports.append(str(probe.getsockname()[1]))
        log = os.path.join(self.folder, "log")
        # To a file: a pipe would be held by what waits for the server to be ready.
        with open(log, "wb") as out:
            done = subprocess.run(
                [os.path.join(tree, "deploy/run"), "--port", ports[0], "--admin-port", ports[1], "--", "--check"],
                env=self.with_swift('case "$1" in --version) echo "Swift version 6.3 (x)" ;; esac\n'),
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=120)
        with open(log, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("example.com=www.example.com,m.example.com none.example one.example=a.example\n", text)
        self.assertEqual(done.returncode, 0, text)

    def test_run_serves_and_then_says_what_to_try(self):
        """With the release build that is there, on ports of its own."""
        with socket.socket() as one, socket.socket() as two:
            for probe in (one, two):
                probe.bind(("127.0.0.1", 0))
            port, admin = (probe.getsockname()[1] for probe in (one, two))
        log = os.path.join(self.folder, "log")
        with open(log, "wb") as out:
            process = subprocess.Popen(
                [path("deploy/run"), "--port", str(port), "--admin-port", str(admin), "--",
                 "--drain", "0", "--run", os.path.join(self.folder, "run")],
                env=self.with_swift(
                    'case "$1" in --version) echo "Swift version 6.3 (x)" ;; esac\n'),
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
        try:
            deadline = time.monotonic() + 120
            while "status page" not in open(log, encoding="utf-8").read():
                self.assertIsNone(process.poll(), open(log, encoding="utf-8").read())
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.1)
            text = open(log, encoding="utf-8").read()
            # The table of the server first, then what to try.
            self.assertLess(text.index("listening on"), text.index("try it"), text)
            self.assertIn(f"http://127.0.0.1:{admin}/", text)
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=60)
