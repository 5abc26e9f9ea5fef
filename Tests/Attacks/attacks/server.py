"""The server under attack: a site of two hosts, `aasa serve`, and what can be seen of it."""

import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import time
import urllib.request

HOSTS = ("example.com", "big.example")
PATH = "/.well-known/apple-app-site-association"


def document(host):
    """A small document for the first host, one of 120 KB for the second."""
    team = "D3KQX62K1A"
    if host == HOSTS[0]:
        components = [{"/": "/" + host + "/*"}]
    else:
        components = [{"/": "/%s/%05d/*" % (host, n), "comment": "x" * 40} for n in range(1480)]
    details = [{"appIDs": [team + ".org.aasa.attacks"], "components": components}]
    return json.dumps({"applinks": {"details": details}}, separators=(",", ":")).encode()


def held(pid):
    """Resident memory of a process in bytes, without pages of files.

    Code comes and goes with its first use, and the kernel can have it back at any time: the server
    gives back what only its start needed, and what it runs afterwards is no growth."""
    with open(f"/proc/{pid}/status") as file:
        kinds = dict(line.split(":", 1) for line in file)
    return 1024 * sum(int(kinds[kind].split()[0]) for kind in ("RssAnon", "RssShmem"))


class Server:
    """One process. Use as a context manager."""

    # What is found out about it is a verdict.
    is_judged = True

    def __init__(self, binary, *options, descriptors=None, workers=2, core=None,
                 output=None, group=None):
        self.folder = tempfile.TemporaryDirectory(prefix="aasa-attacks-")
        root = self.folder.name
        self.documents = {host: document(host) for host in HOSTS}
        # The well-behaved clients of rows that bring their own.
        self.beside = []
        for host, body in self.documents.items():
            os.makedirs(f"{root}/site/{host}")
            with open(f"{root}/site/{host}/apple-app-site-association", "wb") as file:
                file.write(body)
        subprocess.run(
            [binary, "certs", "make", "--certs", f"{root}/certs", *HOSTS],
            check=True, capture_output=True)
        self.authority = f"{root}/certs/local-ca/ca.pem"
        self.log_path = f"{root}/log"
        ready = f"{root}/ready"

        def limit():
            if core is not None:
                os.sched_setaffinity(0, {core})
            if group:
                group.join()
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                [binary, "serve", "--site", f"{root}/site", "--certs", f"{root}/certs",
                 "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--workers",
                 str(workers),
                 "--default-host", HOSTS[0], "--ready-file", ready, *options],
                stdout=output[0] if output else log, stderr=output[1] if output else log,
                stdin=subprocess.DEVNULL, preexec_fn=limit)
        for _ in range(600):
            if os.path.exists(ready):
                break
            if self.process.poll() is not None:
                raise RuntimeError("aasa serve ended: " + self.log())
            time.sleep(0.05)
        else:
            raise RuntimeError("aasa serve is not ready after 30 s: " + self.log())
        with open(ready) as file:
            lines = dict(line.split(None, 1) for line in file if " " in line)
        self.port = int(lines["listen"].strip().rsplit(":", 1)[1])
        self.admin = lines["admin"].strip()

    def replace(self, host, body):
        """Another document for a host, in one step."""
        path = f"{self.folder.name}/site/{host}/apple-app-site-association"
        with open(path + ".new", "wb") as file:
            file.write(body)
        os.rename(path + ".new", path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # SIGTERM waits for balancers.
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def schedstats(self):
        """Where the kernel tells for how long each thread that serves has waited for a core."""
        found = []
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            folder = f"/proc/{self.process.pid}/task/{task}"
            with open(f"{folder}/comm") as file:
                if file.read().startswith("aasa-worker"):
                    found.append(f"{folder}/schedstat")
        return found

    def log(self):
        with open(self.log_path, "rb") as file:
            return file.read().decode("utf-8", "replace")

    def raw_log(self):
        with open(self.log_path, "rb") as file:
            return file.read()

    @property
    def is_alive(self):
        return self.process.poll() is None

    def closes(self):
        """How many connections have ended, by reason."""
        url = f"http://{self.admin}/metrics"
        text = urllib.request.urlopen(url, timeout=30).read().decode()
        found = re.findall(
            r'^aasa_connections_closed_total\{[^}]*reason="([^"]+)"[^}]*\} ([0-9.e+]+)$', text,
            re.MULTILINE)
        counts = {}
        for reason, count in found:
            counts[reason] = counts.get(reason, 0) + int(float(count))
        return counts

    def metric(self, name):
        """The sum of a metric over its labels, or of the one with exactly these."""
        url = f"http://{self.admin}/metrics"
        text = urllib.request.urlopen(url, timeout=30).read().decode()
        found = [float(value) for key, value in re.findall(
            r"^(aasa_[^ ]+) ([0-9.e+-]+)$", text, re.MULTILINE)
            if key == name or key.partition("{")[0] == name]
        if not found:
            raise KeyError(name)
        return sum(found)

    def resident(self):
        """Resident memory in bytes."""
        return held(self.process.pid)

    def cpu(self):
        """Processor time used, in seconds."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))
