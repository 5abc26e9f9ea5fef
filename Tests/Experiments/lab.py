"""What the experiments share: a slow server, storms against it, its counters, and the table."""

import itertools
import json
import os
import re
import ssl
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Deploy"))
import house  # noqa: E402

# swift build -c release --product experiment-server
EXPERIMENT_SERVER = house.path(".build/release/experiment-server")


class CannotRun(Exception):
    """The machine lacks something; not a verdict on the server."""


class Quota:
    """A share of one core for a process, so that the generator's core can make ten times its rate.

    cgroup v1 or v2, whichever is writable. A throttled server pauses for the rest of the period, as
    one on a slow machine would be slow: so periods are short. The kernel looks every 4 ms (HZ=250),
    and what is overrun is owed.
    """

    numbers = itertools.count()

    def __init__(self, microseconds, period):
        name = f"aasa-experiments-{os.getpid()}-{next(self.numbers)}"
        for base, kind in (("/sys/fs/cgroup/cpu", 1), ("/sys/fs/cgroup", 2)):
            folder = os.path.join(base, name)
            try:
                os.mkdir(folder)
            except OSError:
                continue
            self.folder = folder
            try:
                if kind == 1:
                    self.write("cpu.cfs_period_us", str(period))
                    self.write("cpu.cfs_quota_us", str(microseconds))
                else:
                    self.write("cpu.max", f"{microseconds} {period}")
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


class Target:
    """What storms can be run against: has `host`, `port`, `authority` and `close()`."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def storm(self, rate, seconds, patience, *options, port=None, link=None, meanwhile=None):
        """Runs a storm of `rate` devices per second; `meanwhile(server)` runs beside it."""
        process = self.start_storm(rate, seconds, patience, *options, port=port, link=link)
        if meanwhile:
            meanwhile(self)
        return self.end_storm(process)

    def start_storm(self, rate, seconds, patience, *options, port=None, link=None):
        """`link` (shaper.Link) is the way to the server; without one, loopback."""
        address = link.ADDRESS if link else "127.0.0.1"
        port = port or (self.ports[address] if link else self.port)
        command = [
            *(link.wrapper if link else ()),
            house.AASA, "storm", f"https://{self.host}:{port}", "--devices",
            str(max(1, round(rate * seconds))), "--over", str(seconds), "--patience",
            str(patience), "--resolve", f"{self.host}:{port}:{address}", "--cacert",
            self.authority, "--format", "json", *options,
            # Not an address of the clients' namespace.
            *(["--i-own-this-server"] if link else ()),
        ]
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)

    def end_storm(self, process):
        output, errors = process.communicate(timeout=900)
        if process.returncode not in (0, 1):
            raise CannotRun(f"the storm ended with {process.returncode}: {errors[-2000:]}")
        report = json.loads(output)
        if report["generatorWasTheLimit"]:
            print("  note: the generator was the limit", file=sys.stderr)
        return report

    def peak(self, guess, seconds=10):
        """Answers per second of a saturated server: in a storm of three times the `guess` in which
        nobody gives up, without its first second."""
        while True:
            report = self.storm(3 * guess, seconds, seconds + 2)
            answers = report["timeline"]["associated"][1:seconds]
            measured = sum(answers) / len(answers)
            if measured < 2.5 * guess:
                return measured
            if guess > 20_000:
                raise CannotRun("the server cannot be overloaded from this machine")
            guess *= 2


# Microseconds of a core in each period of so many. With an RSA-4096 certificate FAST makes about
# 100 handshakes per second, for latency. SLOW makes about 70: ten times that for 20 s of patience
# are 14,000 open sockets of the generator, and one process may have 20,000. LIGHT is for the ECDSA
# certificate: 85 per second, but noisy, as after each pause the caches are cold.
FAST = (8_000, 20_000)
SLOW = (6_000, 20_000)
LIGHT = (1_000, 40_000)
# Where the search for the peak begins.
GUESSES = {FAST: 100, SLOW: 70, LIGHT: 85}


def slow_certificate(authority, folder, host):
    """Replaces the certificates of a host by one whose signature costs 2.5 ms.

    Its names are those of the certificate before, and it stands in the place of both: a server
    refuses one that lacks an alias, and keeps a pair that was taken away.
    """
    script = f"""
        openssl req -newkey rsa:4096 -nodes -keyout key.new -out request.new -subj /CN={host}
        names=$(openssl x509 -in fullchain.pem -noout -ext subjectAltName | tail -n 1)
        printf 'subjectAltName=%s\\nextendedKeyUsage=serverAuth\\n' "$names" > extensions.new
        openssl x509 -req -in request.new -CA {authority}/ca.pem -CAkey {authority}/privkey.pem \
            -days 30 -CAcreateserial -extfile extensions.new -out chain.new
        rm -f request.new extensions.new
        cp key.new key-rsa.new; cp chain.new chain-rsa.new
        mv key-rsa.new privkey-rsa.pem; mv chain-rsa.new fullchain-rsa.pem
        mv key.new privkey.pem; mv chain.new fullchain.pem"""
    done = house.run("sh", "-ec", script, cwd=folder)
    if done.returncode != 0:
        raise CannotRun(house.said(done))


class OwnServer(Target, house.Server):
    """aasa with the options given; says of itself what the experiments ask."""

    def __init__(self, *options, **more):
        super().__init__(*options, **more)
        self.host = self.hosts[0]

    @property
    def pid(self):
        return self.process.pid

    def close(self):
        self.stop()
        self.remove()

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


class SlowServer(OwnServer):
    """A server with one worker that a storm can overload; `document` replaces the sample site's.

    `limits` (NAME=NUMBER,…: Server/LimitSettings.swift) are those of a server for measurements.
    """

    def __init__(self, *options, share=SLOW, document=None, limits="", upgrades=False):
        self.quota = None
        self.share = share
        self.document = document
        self.pid_file = None
        if upgrades:
            self.pid_file = tempfile.mkstemp(prefix="aasa-pid-")[1]
            options += ("--pid-file", self.pid_file)
        try:
            self.quota = Quota(*share)
        except CannotRun:
            print("no cpu quota: the server is slowed by RSA-4096 alone", file=sys.stderr)
        super().__init__(
            "--workers", "1", *options, wrapper=self.quota.wrapper() if self.quota else (),
            program=(EXPERIMENT_SERVER, limits) if limits else (house.AASA, "serve"))

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
        if self.share != LIGHT:
            self.slow_certificate()

    def slow_certificate(self):
        for host in self.hosts:
            slow_certificate(
                os.path.join(self.certs, "local-ca"), os.path.join(self.certs, host), host)
        os.kill(self.pid, house.signal.SIGHUP)
        time.sleep(2)

    @property
    def pid(self):
        if self.pid_file:
            with open(self.pid_file, encoding="ascii") as file:
                return int(file.read())
        return super().pid

    def upgrade(self):
        """Replaces the server by a new process of the same binary; returns the finished command."""
        return house.run(house.AASA, "upgrade", "--pid-file", self.pid_file)

    def close(self):
        try:
            if self.pid_file and self.pid != self.process.pid:
                os.kill(self.pid, house.signal.SIGINT)
            super().close()
        finally:
            if self.pid_file and os.path.exists(self.pid_file):
                os.remove(self.pid_file)
            if self.quota:
                self.quota.remove()


def small_document():
    """What most sites serve."""
    return json.dumps({"applinks": {"details": [{
        "appIDs": ["9JA89QQLNQ.com.example.shop"],
        "components": [{"/": "/buy/*"}, {"/": "/help/*", "exclude": True}]}]}}).encode()


def difference(before, after, part):
    """How far the counters whose names hold `part` went up."""
    return sum(
        after[name] - before.get(name, 0) for name in after if part in name and "{" not in name)


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

    def silent(self, experiment, what, line):
        """A line of another form, kept with the rows; no verdict."""
        print(line, flush=True)
        self.rows.append((experiment, what, "", line.strip(), ""))

    def count(self, mark):
        return sum(row[4] == mark for row in self.rows)

    @property
    def good(self):
        return self.count("NOT") == 0

    def write(self, file):
        with open(file, "w", encoding="utf-8") as out:
            out.write("experiment\twhat\texpected\tmeasured\tverdict\n")
            for row in self.rows:
                out.write("\t".join(row) + "\n")


class Run:
    """One call of the script: how strict, how long, the table, and the peaks that were found."""

    def __init__(self, quick):
        self.quick = quick
        self.table = Table()
        # A third of life.
        self.surge = 6 if quick else 20
        self.patiences = [6] if quick else [20 / 6, 10, 20]
        self.peaks = {}
        # (experiment, server, what, report) of the storms that the peers are compared in.
        self.remembered = []

    def peak(self, server, share=SLOW):
        """The peak of a server with that share, as it was last measured."""
        if share not in self.peaks:
            self.peaks[share] = server.peak(GUESSES[share], 5 if self.quick else 12)
        return self.peaks[share]

    def between_peaks(self, server, k, storm, share=SLOW):
        """(what `storm(rate)` returned for a rate of `k` peaks, the peak it ran at, how many of
        those its rate was).

        Neighbours of the machine change the peak by a tenth within minutes, and with it the bound:
        so it is measured right before and right after, and the storm ran at the mean of both.
        """
        before = self.peak(server, share)
        result = storm(k * before)
        if self.quick:
            return result, before, k
        del self.peaks[share]
        mean = (before + self.peak(server, share)) / 2
        return result, mean, k * before / mean

    def bound(self, k, patience):
        """Percent of the devices that any policy can answer at most: the fluid bound."""
        return min(100, 100 * (self.surge + patience) / (k * self.surge))

    def lenient(self, percent):
        """--quick runs beside whatever else the machine does."""
        return percent * 0.5 if self.quick else percent

    def lenient_time(self, seconds):
        return 5 * seconds if self.quick else seconds

    def clean(self, name, report, what):
        """What must hold in every storm: no connection that could have been an answer is cut."""
        cut = failures(report, "reset", "refused", "cut", "tls", "bad-answer", "no-document")
        others = sum(n for status, n in report["statuses"].items() if status not in ("200", "503"))
        self.table.at_most(name, f"{what}: resets, refusals, cut or other answers", 0, cut + others,
                           "devices")

    def remember(self, name, who, what, report):
        self.remembered.append((name, who, what, report))
