"""What a storm's device costs the generator and the server. See `Tests/Bench/generator --help`."""

import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

AASA = os.environ["AASA_BINARY"]
HOST = "example.com"
DOCUMENT = (
    '{"applinks":{"details":[{"appIDs":["9JA89QQLNQ.com.example.app"],'
    '"components":[{"/":"/buy/*"}]}]}}'
)


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    """One worker, kept on the first core; the storm has the second."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="aasa-generator-")
        os.makedirs(f"{self.folder}/site/{HOST}")
        with open(f"{self.folder}/site/{HOST}/apple-app-site-association", "w") as file:
            file.write(DOCUMENT)
        certs = f"{self.folder}/certs"
        subprocess.run(
            [AASA, "certs", "make", "--certs", certs, HOST], check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.authority = f"{certs}/local-ca/ca.pem"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        ready = f"{self.folder}/ready"
        with open(f"{self.folder}/log", "wb") as log:
            self.process = subprocess.Popen(
                ["taskset", "-c", "0", AASA, "serve", "--site", f"{self.folder}/site", "--certs",
                 certs, "--listen", f"127.0.0.1:{self.port}", "--workers", "1", "--ready-file",
                 ready, "--run", f"{self.folder}/run"], stdout=log, stderr=log)
        end = time.monotonic() + 60
        while not os.path.exists(ready):
            if self.process.poll() is not None or time.monotonic() > end:
                print(f"the server did not start: {self.folder}/log", file=sys.stderr)
                sys.exit(3)
            time.sleep(0.05)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)
        shutil.rmtree(self.folder)

    def storm(self, devices, rate):
        """µs of processor per device: (generator, server), and how late the generator was."""
        before = processor_seconds(self.process.pid)
        done = subprocess.run(
            ["taskset", "-c", "1", AASA, "storm", f"https://{HOST}:{self.port}/", "--devices",
             str(devices), "--over", str(devices / rate), "--threads", "1", "--resolve",
             f"{HOST}:{self.port}:127.0.0.1", "--cacert", self.authority, "--format", "json"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        time.sleep(0.2)
        spent = processor_seconds(self.process.pid) - before
        report = json.loads(done.stdout)
        if report["associated"] != devices:
            print(f"not everybody was answered: {report['verdict']}", file=sys.stderr)
        return (report["generatorCPUSeconds"] / devices * 1e6, spent / devices * 1e6,
                report["generatorWasTheLimit"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", type=int, default=5000)
    parser.add_argument("--rate", type=int, default=500, help="devices per second")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if (os.cpu_count() or 1) < 2:
        print("the server and the storm need a core each", file=sys.stderr)
        sys.exit(3)
    server = Server()
    try:
        rounds = [server.storm(options.devices, options.rate) for _ in range(options.rounds)]
    finally:
        server.stop()
    storm, serving, limited = zip(*rounds)
    # Of each round, as the machine is as busy for both.
    share = statistics.median(a / b for a, b in zip(storm, serving))
    print(f"{options.rounds} rounds of {options.devices} devices, {options.rate} a second; "
          "µs of processor per device, medians (least – most)\n")
    print("| storm | server | of the server's |")
    print("|---|---|---|")
    print(f"| {statistics.median(storm):.0f} ({min(storm):.0f} – {max(storm):.0f}) | "
          f"{statistics.median(serving):.0f} ({min(serving):.0f} – {max(serving):.0f}) | "
          f"{share:.2f}{' (it was late)' if any(limited) else ''} |")
    sys.exit(0 if share <= 1 else 1)


if __name__ == "__main__":
    main()
