"""Attacks by the header of the PROXY protocol: false addresses, and headers that are none."""

import os
import struct
import time

from . import wire
from .server import HOSTS, PATH, Server
from .table import attack, check

SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
LINE = b"PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\n"
ADDRESSES = bytes([192, 0, 2, 7, 198, 51, 100, 1]) + struct.pack(">HH", 56324, 443)


def binary(command=0x21, family=0x11, rest=ADDRESSES, length=None):
    length = len(rest) if length is None else length
    return SIGNATURE + bytes([command, family]) + struct.pack(">H", length) + rest


def closes(server, payload):
    """Whether the server ends a connection that says this, without an answer in plain text."""
    sock = wire.tcp(server)
    try:
        sock.sendall(payload)
        answer, ended = wire.read_all(sock, 15)
    except ConnectionError:
        answer, ended = b"", True
    finally:
        sock.close()
    return ended and b"HTTP/" not in answer


@attack("false addresses by PROXY headers", "6 kinds closed, none believed",
        ("proxy_header_refused",))
def spoofed(server):
    for header in (LINE, b"PROXY UNKNOWN\r\n", binary(), binary(0x20, 0, b""),
                   LINE + LINE, binary(rest=ADDRESSES + b"\x04\0\2\0\0")):
        check(closes(server, header + b"\x16\x03\x01"), f"{header[:20]!r} is not refused")
    believed = server.metric("aasa_proxy_headers_total")
    check(believed == 0, f"{believed:.0f} were believed")
    return "6 kinds closed"


def behind_front(server, header=LINE):
    """The document, asked for as a front passes it on."""
    sock = wire.tcp(server)
    sock.sendall(header)
    with wire.context(server).wrap_socket(sock, server_hostname=HOSTS[0]) as client:
        request = f"GET {PATH} HTTP/1.1\r\nHost: {HOSTS[0]}\r\nConnection: close\r\n\r\n"
        client.sendall(request.encode())
        answer, _ = wire.read_all(client)
    return answer


@attack("a front gone mad (PROXY protocol)", "broken headers closed, dripped ones after 12 s or so",
        slow=True)
def mad(_):
    with Server(os.environ["AASA_BINARY"], "--proxy-protocol", "127.0.0.1") as server:
        before = server.resident()
        broken = (
            b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00", LINE.replace(b"\r\n", b"\n"),
            b"PROXY TCP4 " + b"9" * 200, binary(0x31), binary(0x2F), binary(0x21, 0x44),
            binary(length=65535), binary(rest=ADDRESSES[:5]),
            binary(rest=ADDRESSES + b"\x03\0\4abcd"), binary(rest=ADDRESSES + b"\x05\xff\xff"),
            SIGNATURE + os.urandom(64))
        for header in broken:
            check(closes(server, header), f"{header[:24]!r} leaves the connection open")
        socks = [wire.tcp(server) for _ in range(100)]
        began = time.monotonic()
        gone = 0
        for at in range(len(LINE) - 2):
            for sock in socks:
                try:
                    sock.sendall(LINE[at:at + 1])
                except OSError:
                    gone += 1
            time.sleep(0.3)
        for sock in socks:
            _, ended = wire.read_all(sock, max(1.0, 25 - (time.monotonic() - began)))
            check(ended, "a dripped header keeps its connection")
            sock.close()
        counted = server.closes()
        check(counted.get("proxy_header_invalid", 0) >= len(broken) - 1, f"counted: {counted}")
        check(counted.get("handshake_timeout", 0) >= 100, f"counted: {counted}")
        check(server.resident() - before < 16e6, "memory grew")
        check(server.documents[HOSTS[0]] in behind_front(server), "the front is not served")
        padded = binary(rest=ADDRESSES + b"\x04\0\2\0\0")
        check(b" 200 " in behind_front(server, padded), "version 2 is not served")
        check(server.log().count("--proxy-protocol") <= 2 * 2, "the log is flooded")
    return f"{len(broken)} kinds closed, 100 dripped ended after {time.monotonic() - began:.0f} s"
