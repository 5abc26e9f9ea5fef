"""nginx (as Debian packs it) in the place of the server under attack: the same documents, the same
certificates, the same number of workers. It is not judged; what the honest clients beside it get
stands in a column of the table."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from .server import HOSTS, document, held

CONFIGURATION = """
user root;
worker_processes {workers};
pid {folder}/nginx.pid;
error_log {folder}/nginx.err crit;
worker_rlimit_nofile 60000;
daemon off;
events {{ worker_connections 29000; }}
http {{
    access_log off;
    keepalive_timeout 65s;
{servers}
}}
"""

SERVER = """
    server {{
        listen 127.0.0.1:{port} ssl http2 backlog=16384{default};
        server_name {host};
        ssl_certificate {folder}/certs/{host}/fullchain.pem;
        ssl_certificate_key {folder}/certs/{host}/privkey.pem;
        ssl_certificate {folder}/certs/{host}/fullchain-rsa.pem;
        ssl_certificate_key {folder}/certs/{host}/privkey-rsa.pem;
        ssl_protocols TLSv1.2 TLSv1.3;
        ssl_session_tickets off;
        location = /.well-known/apple-app-site-association {{
            default_type application/json;
            alias {folder}/{host}.json;
        }}
    }}
"""


def is_there():
    return shutil.which("nginx") is not None


def version():
    said = subprocess.run(["nginx", "-v"], capture_output=True, text=True).stderr
    return re.search(r"nginx/([\d.]+)", said).group(1)


class Nginx:
    """What rows and witnesses use of a server; of counters it has none."""

    is_judged = False

    def __init__(self, binary, workers=2, core=None, group=None):
        self.folder = tempfile.TemporaryDirectory(prefix="aasa-attacks-nginx-")
        root = self.folder.name
        self.documents = {host: document(host) for host in HOSTS}
        self.beside = []
        for host, body in self.documents.items():
            with open(f"{root}/{host}.json", "wb") as file:
                file.write(body)
        subprocess.run([binary, "certs", "make", "--certs", f"{root}/certs", *HOSTS],
                       check=True, capture_output=True)
        self.authority = f"{root}/certs/local-ca/ca.pem"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        servers = "".join(
            SERVER.format(port=self.port, host=host, folder=root,
                          default=" default_server" if host == HOSTS[0] else "")
            .replace(" backlog=16384", " backlog=16384" if host == HOSTS[0] else "")
            for host in HOSTS)
        with open(f"{root}/nginx.conf", "w") as file:
            file.write(CONFIGURATION.format(folder=root, workers=workers, servers=servers))
        os.chmod(root, 0o755)

        def limit():
            if core is not None:
                os.sched_setaffinity(0, {core})
            if group:
                group.join()

        with open(f"{root}/log", "wb") as log:
            self.process = subprocess.Popen(
                ["nginx", "-p", root, "-c", f"{root}/nginx.conf"], stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=limit)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None:
                    with open(f"{root}/log") as log:
                        raise RuntimeError("nginx ended: " + log.read()[-500:]) from None
                time.sleep(0.05)
        raise RuntimeError("nginx is not ready after 10 s")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
                self.process.wait(5)
                break
            except ProcessLookupError:
                break
            except subprocess.TimeoutExpired:
                continue
        self.folder.cleanup()

    def workers(self):
        path = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        with open(path) as file:
            return [int(pid) for pid in file.read().split()]

    def schedstats(self):
        return [f"/proc/{pid}/schedstat" for pid in self.workers()]

    def cpu(self):
        """Processor time used, in seconds."""
        used = 0
        for pid in self.workers():
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            used += int(fields[11]) + int(fields[12])
        return used / os.sysconf("SC_CLK_TCK")

    def resident(self):
        return sum(held(pid) for pid in self.workers())

    @property
    def is_alive(self):
        return self.process.poll() is None

    def closes(self):
        return {}

    def metric(self, _):
        return 0.0

    def log(self):
        return ""
