"""Attacks on what a process has: descriptors. Against a server of its own."""

import time

from . import wire
from .server import PATH
from .table import attack, check

DESCRIPTORS = 200


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
