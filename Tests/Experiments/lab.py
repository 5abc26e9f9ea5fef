"""What the experiments share: a slow server, storms against it, its counters, and the table."""

import json
import os
import re
import ssl
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Deploy"))
import house  # noqa: E402


class CannotRun(Exception):
    """The machine lacks something; not a verdict on the server."""


class Quota:
    """A share of one core for a process, so that the generator's core can make ten times its rate.

    cgroup v1 or v2, whichever is writable; `None` in its place when neither is.
    """

    def __init__(self, percent):
        name = f"aasa-experiments-{os.getpid()}"
        for base, kind in (("/sys/fs/cgroup/cpu", 1), ("/sys/fs/cgroup", 2)):
            folder = os.path.join(base, name)
            try:
                os.mkdir(folder)
            except OSError:
                continue
            self.folder = folder
            try:
                # 20 ms periods: a throttled server pauses shortly, as a slow one would.
                if kind == 1:
                    self.write("cpu.cfs_period_us", "20000")
                    self.write("cpu.cfs_quota_us", str(200 * percent))
                else:
                    self.write("cpu.max", f"{200 * percent} 20000")
                return
            except OSError:
                self.remove()
        raise CannotRun("no writable cpu cgroup")

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="ascii") as file:
            file.write(text)

    def wrapper(self):
        """Puts itself into the group and becomes the command."""
        procs = os.path.join(self.folder, "cgroup.procs")
        return ("sh", "-c", f'echo $$ > {procs} && exec "$0" "$@"')

    def remove(self):
        for _ in range(50):
            try:
                os.rmdir(self.folder)
                return
            except OSError:
                time.sleep(0.1)


class SlowServer(house.Server):
    """A server with one worker that a storm can overload; `document` replaces the sample site's."""

    percent = 20

    def __init__(self, *options, document=None):
        self.quota = None
        self.document = document
        try:
            self.quota = Quota(self.percent)
        except CannotRun:
            print("no cpu quota: the server is slowed by RSA-4096 instead", file=sys.stderr)
        super().__init__(
            "--workers", "1", *options, wrapper=self.quota.wrapper() if self.quota else ())
        self.host = self.hosts[0]

    def named(self, host):
        """Called for every host before the start: the place to put a document in."""
        if self.document and host == self.hosts[0]:
            folder = os.path.join(self.site, host)
            house.shutil.rmtree(os.path.join(folder, "teams"), ignore_errors=True)
            with open(os.path.join(folder, "apple-app-site-association"), "wb") as file:
                file.write(self.document)
        return super().named(host)

    def wait_until_ready(self):
        super().wait_until_ready()
        if not self.quota:
            self.slow_certificate()

    def slow_certificate(self):
        for host in self.hosts:
            folder = os.path.join(self.certs, host)
            ca = os.path.join(self.certs, "local-ca")
            key = [f for f in os.listdir(ca) if "key" in f]
            if not key:
                raise CannotRun("the authority's key is not where it was expected")
            script = f"""
                openssl req -newkey rsa:4096 -nodes -keyout k.pem -out c.csr -subj /CN={host}
                printf 'subjectAltName=DNS:{host}\\n' > c.ext
                openssl x509 -req -in c.csr -CA {ca}/ca.pem -CAkey {ca}/{key[0]} -days 30 \
                    -CAcreateserial -extfile c.ext -out c.pem
                rm -f *privkey* *fullchain*; mv k.pem privkey.pem; mv c.pem fullchain.pem"""
            done = house.run("sh", "-ec", script, cwd=folder)
            if done.returncode != 0:
                raise CannotRun(house.said(done))
        os.kill(self.pid, house.signal.SIGHUP)
        time.sleep(2)

    @property
    def pid(self):
        return self.process.pid

    def close(self):
        try:
            self.stop()
        finally:
            self.remove()
            if self.quota:
                self.quota.remove()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # What it says of itself

    def counters(self):
        """{metric: sum over its labels}, and {metric{labels}: value}."""
        _, text = self.get("/metrics")
        found = {}
        for line in text.splitlines():
            match = re.match(r"(\w+)(\{[^}]*\})? ([-+.\deEinfNa]+)$", line)
            if match:
                name, labels, value = match.groups()
                found[name] = found.get(name, 0) + float(value)
                if labels:
                    found[name + labels] = float(value)
        return found

    def residue(self):
        """(open descriptors, resident kilobytes)."""
        descriptors = len(os.listdir(f"/proc/{self.pid}/fd"))
        with open(f"/proc/{self.pid}/status", encoding="ascii") as status:
            memory = re.search(r"VmRSS:\s+(\d+)", status.read())
        return descriptors, int(memory.group(1))

    # Storms

    def storm(self, rate, seconds, patience, *options, port=None, meanwhile=None):
        """Runs a storm of `rate` devices per second; `meanwhile(server)` runs beside it."""
        port = port or self.port
        command = [
            house.AASA, "storm", f"https://{self.host}:{port}", "--devices",
            str(max(1, round(rate * seconds))), "--over", str(seconds), "--patience",
            str(patience), "--resolve", f"{self.host}:{port}:127.0.0.1", "--cacert",
            self.authority, "--format", "json", *options,
        ]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
        if meanwhile:
            meanwhile(self)
        output, errors = process.communicate(timeout=900)
        if process.returncode not in (0, 1):
            raise CannotRun(f"the storm ended with {process.returncode}: {errors[-2000:]}")
        report = json.loads(output)
        report["rate"] = rate
        if report["generatorWasTheLimit"]:
            print("  note: the generator was the limit", file=sys.stderr)
        return report

    def peak(self):
        """Handshakes per second at which the server is saturated: answers per second in the middle of a
        storm that it cannot keep up with, all clients waiting long."""
        guess = 400
        while True:
            report = self.storm(guess, 5, 60)
            answers = report["timeline"]["associated"]
            busy = answers[1:5]
            measured = sum(busy) / max(1, len(busy))
            if measured < 0.85 * guess:
                return measured
            if guess > 20_000:
                raise CannotRun("the server cannot be overloaded from this machine")
            guess *= 2

    def client_hello(self):
        """The first flight of a client, to be sent by clients that never go on."""
        context = ssl.create_default_context(cafile=self.authority)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = context.wrap_bio(incoming, outgoing, server_hostname=self.host)
        try:
            client.do_handshake()
        except ssl.SSLWantReadError:
            pass
        return outgoing.read()


def failures(report, *reasons):
    return sum(report["failures"].get(reason, 0) for reason in reasons)


def share(report, what="associated"):
    return report[what] / max(1, report["devices"])


class Table:
    """Rows of expected and measured; printed as they come."""

    def __init__(self):
        self.rows = []
        print(f"{'':4} {'what':52} {'expected':>16} {'measured':>14}")

    def row(self, experiment, what, expected, measured, good):
        mark = "ok" if good else "NOT"
        if good is None:
            mark = ""
        print(f"{experiment:4} {what:52} {expected:>16} {measured:>14} {mark}", flush=True)
        self.rows.append((experiment, what, expected, measured, mark))

    def at_least(self, experiment, what, expected, measured, unit="%"):
        self.row(
            experiment, what, f">= {expected:.1f} {unit}", f"{measured:.1f} {unit}",
            measured >= expected)

    def at_most(self, experiment, what, expected, measured, unit="%"):
        self.row(
            experiment, what, f"<= {expected:g} {unit}", f"{measured:.2f} {unit}",
            measured <= expected)

    @property
    def good(self):
        return all(row[4] != "NOT" for row in self.rows)

    def write(self, file):
        with open(file, "w", encoding="utf-8") as out:
            out.write("experiment\twhat\texpected\tmeasured\tverdict\n")
            for row in self.rows:
                out.write("\t".join(row) + "\n")
