"""Upgrades, restarts and stops the unit under load, and asserts that every request is answered.

Runs in the machine (machine.py), as root. Each round: requests in flight at the old process, `aasa
upgrade`, requests in flight at the new one, then `systemctl restart` (with clients that go on
connecting) or `systemctl stop`.

usage: flights.py ROUNDS
"""
import socket
import ssl
import subprocess
import sys
import threading
import time

CONTEXT = ssl.create_default_context(cafile="/etc/aasa/certs/local-ca/ca.pem")
HEAD = b"GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: example.com\r\n"


def begin():
    """A request without its end: the process waits 5 s for it."""
    plain = socket.create_connection(("127.0.0.1", 443), timeout=60)
    secure = CONTEXT.wrap_socket(plain, server_hostname="example.com")
    secure.sendall(HEAD)
    return secure


def finish(flight):
    flight.sendall(b"Connection: close\r\n\r\n")
    data = b""
    while piece := flight.recv(65536):
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head or "no answer"
    assert f"content-length: {len(body)}".encode() in head.lower(), head
    flight.close()


class Load(threading.Thread):
    """A client after the other, until it is told to end."""

    def __init__(self):
        super().__init__()
        self.over, self.answered = False, 0
        self.failed = []

    def run(self):
        while not self.over:
            try:
                finish(begin())
                self.answered += 1
            except Exception as error:  # whatever it was, the client has failed
                self.failed.append(repr(error))


def shown(name):
    return subprocess.run(["systemctl", "show", "-P", name, "aasa.service"], capture_output=True,
                          text=True, check=True).stdout.strip()


def round_of(command):
    load = Load()
    old = [begin() for _ in range(10)]
    subprocess.run(["aasa", "upgrade"], check=True)
    new = [begin() for _ in range(10)]
    if command == "restart":
        load.start()
    ending = subprocess.Popen(["systemctl", command, "aasa.service"])
    time.sleep(1)
    for flight in old + new:
        finish(flight)
    assert ending.wait() == 0
    if command == "restart":
        load.over = True
        load.join()
        assert not load.failed and load.answered > 0, load.failed
    state = (shown("ActiveState"), shown("Result"))
    assert state == ("active" if command == "restart" else "inactive", "success"), state
    # So many starts in a row are more than systemd's limit, which is against loops.
    subprocess.run(["systemctl", "reset-failed", "aasa.service"], check=True)
    subprocess.run(["systemctl", "start", "aasa.service"], check=True)


for number in range(int(sys.argv[1])):
    round_of(("restart", "stop")[number % 2])
print("every request was answered")
