"""Three etcd members, each in a network namespace of its own, with TLS and authentication."""

import json
import os
import signal
import subprocess
import time

NETWORK = "10.77.19"
BRIDGE = "aasafleet0"


def sh(*words, check=True, **options):
    """Runs a command; its output as text."""
    done = subprocess.run(
        [str(word) for word in words], check=False, text=True, errors="replace",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        timeout=120, **options)
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(str(w) for w in words)}: {done.stdout[-2000:]}")
    return done.stdout


class Authority:
    """Certificates of the members and of their clients."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        self.ca = f"{folder}/ca.pem"
        sh("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
           "-nodes", "-keyout", f"{folder}/ca.key", "-out", self.ca, "-days", "2",
           "-subj", "/CN=fleet test CA")

    def issue(self, name, addresses=()):
        """Key and certificate for a name; the paths."""
        base = f"{self.folder}/{name}"
        names = ",".join([f"DNS:{name}"] + [f"IP:{a}" for a in addresses])
        with open(f"{base}.ext", "w", encoding="utf-8") as file:
            file.write(f"subjectAltName={names}\nextendedKeyUsage=serverAuth,clientAuth\n")
        # No common name: etcd would take it for a user, which its gateway does not allow.
        sh("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
           "-keyout", f"{base}.key", "-out", f"{base}.csr", "-subj", "/O=aasa test")
        sh("openssl", "x509", "-req", "-in", f"{base}.csr", "-CA", self.ca, "-CAkey",
           f"{self.folder}/ca.key", "-CAcreateserial", "-out", f"{base}.pem", "-days", "2",
           "-extfile", f"{base}.ext")
        return f"{base}.pem", f"{base}.key"


class Member:
    """One etcd, in a namespace that can be cut off."""

    def __init__(self, number, folder, authority):
        self.number = number
        self.name = f"m{number}"
        self.folder = folder
        self.address = f"{NETWORK}.{10 + number}"
        self.space = f"aasafleet{number}"
        self.link = f"aasafl{number}"
        self.client = f"https://{self.address}:2379"
        self.peer = f"https://{self.address}:2380"
        self.ca = authority.ca
        self.cert, self.key = authority.issue(self.name, [self.address, "127.0.0.1"])
        self.data = f"{folder}/{self.name}"
        self.process = None
        sh("ip", "netns", "del", self.space, check=False)
        sh("ip", "netns", "add", self.space)
        sh("ip", "link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns",
           self.space)
        sh("ip", "link", "set", self.link, "master", BRIDGE, "up")
        inside = ("ip", "-n", self.space)
        sh(*inside, "addr", "add", f"{self.address}/24", "dev", "eth0")
        sh(*inside, "link", "set", "eth0", "up")
        sh(*inside, "link", "set", "lo", "up")

    def start(self, cluster, state="new"):
        log = open(f"{self.folder}/{self.name}.log", "ab")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            ["ip", "netns", "exec", self.space, "etcd", "--name", self.name,
             "--data-dir", self.data, "--listen-client-urls", self.client,
             "--advertise-client-urls", self.client, "--listen-peer-urls", self.peer,
             "--initial-advertise-peer-urls", self.peer, "--initial-cluster", cluster,
             "--initial-cluster-state", state, "--log-level", "error",
             "--cert-file", self.cert, "--key-file", self.key, "--client-cert-auth",
             "--trusted-ca-file", self.ca, "--peer-cert-file", self.cert,
             "--peer-key-file", self.key, "--peer-client-cert-auth",
             "--peer-trusted-ca-file", self.ca, "--auto-compaction-retention", "1",
             "--auto-compaction-mode", "revision"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        log.close()

    def kill(self):
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def cut(self):
        sh("ip", "link", "set", self.link, "down")

    def mend(self):
        sh("ip", "link", "set", self.link, "up")

    def remove(self):
        self.kill()
        sh("ip", "netns", "del", self.space, check=False)
        sh("ip", "link", "del", self.link, check=False)


class Cluster:
    """All members, and etcdctl."""

    def __init__(self, folder):
        self.folder = folder
        sh("ip", "link", "del", BRIDGE, check=False)
        sh("ip", "link", "add", BRIDGE, "type", "bridge")
        sh("ip", "addr", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        sh("ip", "link", "set", BRIDGE, "up")
        sh("ip", "link", "set", "lo", "up")
        authority = Authority(f"{folder}/tls")
        self.ca = authority.ca
        self.cert, self.key = authority.issue("client")
        self.members = [Member(n, folder, authority) for n in (1, 2, 3)]
        self.urls = ",".join(m.client for m in self.members)
        self.line = ",".join(f"{m.name}={m.peer}" for m in self.members)
        self.user = None
        for member in self.members:
            member.start(self.line)
        self.wait()

    def ctl(self, *words, check=True, endpoints=None):
        user = ["--user", self.user] if self.user else []
        return sh("etcdctl", "--endpoints", endpoints or self.urls, "--cacert", self.ca, "--cert",
                  self.cert, "--key", self.key, "--command-timeout", "10s", *user, *words,
                  check=check, env={**os.environ, "ETCDCTL_API": "3"})

    def wait(self, seconds=60):
        """Until the cluster has a leader and answers."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                self.ctl("get", "x")
                return
            except (RuntimeError, subprocess.TimeoutExpired):
                time.sleep(0.2)
        raise RuntimeError("the cluster does not answer")

    def restart(self, member):
        member.start(self.line, "existing")

    def authenticate(self):
        """The roles of deploy/fleet/README.md."""
        for words in (
            ("user", "add", "root:root"), ("user", "grant-role", "root", "root"),
            ("role", "add", "machine"),
            ("role", "grant-permission", "machine", "--prefix=true", "read", "/aasa/web/"),
            ("role", "grant-permission", "machine", "--prefix=true", "readwrite",
             "/aasa/web/machines/"),
            ("user", "add", "machine:machine"), ("user", "grant-role", "machine", "machine"),
            ("role", "add", "publisher"),
            ("role", "grant-permission", "publisher", "--prefix=true", "readwrite",
             "/aasa/web/"),
            ("user", "add", "publisher:publisher"),
            ("user", "grant-role", "publisher", "publisher"),
            ("role", "add", "reader"),
            ("role", "grant-permission", "reader", "--prefix=true", "read", "/aasa/web/"),
            ("user", "add", "reader:reader"), ("user", "grant-role", "reader", "reader"),
            ("auth", "enable"),
        ):
            self.ctl(*words)
        self.user = "root:root"

    def revision(self):
        out = json.loads(self.ctl("get", "x", "-w", "json"))
        return int(out["header"]["revision"])

    def restore(self, snapshot):
        """Puts a backup back, as an operator would: every member from the same snapshot."""
        for member in self.members:
            member.kill()
        for member in self.members:
            sh("rm", "-rf", member.data)
            sh("etcdctl", "snapshot", "restore", snapshot, "--name", member.name,
               "--data-dir", member.data, "--initial-cluster", self.line,
               "--initial-cluster-token", "restored",
               "--initial-advertise-peer-urls", member.peer,
               env={**os.environ, "ETCDCTL_API": "3"})
            member.start(self.line)
        self.wait()

    def remove(self):
        for member in self.members:
            member.remove()
        sh("ip", "link", "del", BRIDGE, check=False)
