"""Two attacks one after the other, where memory is short: what the first one held has to be back when
the second one begins, and neither may end the process or turn small documents into 503."""

import contextlib
import ssl
import time

from . import wire
from .crowd import Crowd, client_hello, honest
from .edge_attacks import records, replace_extensions
from .reader_attacks import REQUEST, REQUESTS2
from .server import HOSTS
from .table import attack, check

SECONDS = 8
# Answered at all: at 160 MB a flood holds what others need for seconds.
WITHIN = 10


def unread(alpn, octets):
    """200 connections a second that ask for much and read nothing."""

    def play(server):
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
        made.set_alpn_protocols([alpn])
        with contextlib.ExitStack() as held:
            began = time.monotonic()
            opened = 0
            while (elapsed := time.monotonic() - began) < SECONDS:
                if opened >= 200 * elapsed:
                    time.sleep(0.002)
                    continue
                opened += 1
                with contextlib.suppress(OSError):
                    sock = made.wrap_socket(
                        wire.tcp(server, receive_buffer=4096, patience=3),
                        server_hostname=HOSTS[1])
                    held.callback(sock.close)
                    sock.settimeout(0.05)
                    sock.sendall(octets)
    return play


def hellos(size, per_second):
    def play(server):
        octets = records(
            replace_extensions(client_hello(server), [(0x7777, bytes(size))]), 16_384)
        with Crowd(server, octets, addresses=200) as crowd:
            crowd.run(per_second, SECONDS)
    return play


KINDS = {
    "unread pipelines": unread("http/1.1", REQUEST * 1500),
    "unread HTTP/2": unread("h2", REQUESTS2),
    "15 KB ClientHellos": hellos(15_000, 2000),
}
PAIRS = (
    ("unread pipelines", "15 KB ClientHellos"),
    ("unread HTTP/2", "15 KB ClientHellos"),
    ("15 KB ClientHellos", "unread pipelines"),
)


def sequence(first, second, megabytes):
    @attack(f"{first}, then {second}, {megabytes} MB", f"honest answered within {WITHIN} s",
            own=True, megabytes=megabytes // 4, confined=megabytes)
    def row(server):
        answered = 0
        for kind in (first, second):
            with honest(server, burst=WITHIN - 1) as beside:
                KINDS[kind](server)
            check(server.is_alive, f"the server is gone behind {kind}")
            answered += beside.answered
        # The last ones have left: what they held is back.
        time.sleep(3)
        return f"{answered} honest clients"


for pair in PAIRS:
    for limit in (160, 256):
        sequence(*pair, limit)
