"""Attacks on what a process has: descriptors. Against a server of its own."""

import fcntl
import os
import signal
import time

from . import wire
from .crowd import Crowd
from .front_attacks import behind_front
from .server import HOSTS, PATH, Server
from .table import Beyond, attack, check
from .witness import Witnesses

DESCRIPTORS = 200
# Of <fcntl.h>; Python's module has it from 3.10 on.
F_SETPIPE_SZ = 1031
# A record that is no ClientHello, whole: it costs an alert.
BROKEN_HELLO = b"\x16\x03\x01\x00\x10\x01\x00\x00\x0c" + b"\xff" * 12


@attack("connections that linger", "1024 descriptors, 900 broken ClientHellos/s: honest answered",
        own=True, megabytes=64, beside_nginx=False)
def lingering(_):
    with Server(os.environ["AASA_BINARY"], descriptors=1024) as server:
        with Witnesses(server, patience=5) as beside:
            time.sleep(0.5)
            with Crowd(server, BROKEN_HELLO) as crowd:
                rate = crowd.run(900, 15)
    check(not beside.failures, f"{len(beside.failures)} not answered: {beside.failures[:1]}")
    check(beside.slowest <= 1, f"the slowest waited {beside.slowest:.2f} s")
    return (f"{rate:.0f}/s; {beside.answered} honest clients, "
            f"slowest {beside.slowest:.2f} s")


@attack("a log that nobody reads", "documents are replaced, SIGTERM ends the process", own=True,
        beside_nginx=False)
def unread_log(_):
    """stderr and stdout are full pipes: a stopped collector, `| tee` in SIGSTOP."""
    ends = [os.pipe(), os.pipe()]
    for _, writing in ends:
        fcntl.fcntl(writing, F_SETPIPE_SZ, 4096)
    with Server(os.environ["AASA_BINARY"], "--access-log", "-", "--proxy-protocol", "127.0.0.1",
                output=[writing for _, writing in ends]) as server:
        for reading, writing in ends:
            os.close(writing)
        for number in range(40):
            with wire.tcp(server) as sock:
                sock.sendall(b"GET / HTTP/1.1\r\n\r\n")
                wire.read_all(sock)
            server.process.send_signal(signal.SIGUSR1)
            server.replace(HOSTS[0], b'{"webcredentials":{"apps":["D3KQX62K1A.org.aasa.n%d"]}}'
                           % number)
            time.sleep(0.05)
        last = b"org.aasa.n39"
        for _ in range(200):
            if last in behind_front(server):
                break
            time.sleep(0.1)
        else:
            raise Beyond("the last document is not served after 20 s")
        for _ in range(200):
            behind_front(server)
        # The first one drains, the second ends at once; two at a time would be one (signal(7)).
        server.process.send_signal(signal.SIGTERM)
        time.sleep(1)
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(30)
        for reading, _ in ends:
            os.close(reading)
    return "40 documents replaced, ended"


@attack("descriptor exhaustion", "200 descriptors, 400 idle clients: others are served",
        ("descriptor_pressure", "idle_timeout"), slow=True, megabytes=64)
def descriptors(server):
    using = wire.context(server, "http/1.1")
    request = f"GET {PATH} HTTP/1.1\r\nHost: example.com\r\n\r\n".encode()
    socks = []
    answered = 0
    for _ in range(400):
        sock = wire.tls(server, using=using)
        socks.append(sock)
        sock.sendall(request)
        answered += sock.recv(65536).startswith(b"HTTP/1.1 200 ")
    held = server.descriptors()
    time.sleep(1)
    for sock in socks:
        sock.close()
    check(answered == 400, f"{answered} of 400 answered")
    check(held < DESCRIPTORS, f"{held} descriptors")
    return f"400 answered, {held} descriptors"
