"""Attacks on TLS and on what stands before it, and the matrix of names."""

import os
import socket
import ssl
import subprocess
import time

from . import wire
from .server import HOSTS, PATH
from .table import attack, check


def client_hello(server):
    """The first flight of a real client."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    machine = wire.context(server, "h2").wrap_bio(
        incoming, outgoing, server_hostname="example.com")
    try:
        machine.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


@attack("renegotiation (TLS 1.2)", "refused (CVE-2011-1473)", ())
def renegotiation(server):
    done = subprocess.run(
        ["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-tls1_2", "-servername",
         "example.com", "-CAfile", server.authority],
        input=b"R\n" + b"", capture_output=True, timeout=30)
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    check("RENEGOTIATING" in text, "s_client did not try")
    check("no renegotiation" in text or "no_renegotiation" in text or "unexpected eof" in text
          or "alert handshake failure" in text, f"not refused: {text[-300:]!r}")
    return "refused"


@attack("handshakes abandoned", "1,000 first flights, then gone", ("handshake_abandoned",
        "left_while_waiting"), megabytes=32)
def abandoned(server):
    hello = client_hello(server)
    for n in range(1000):
        sock = wire.tcp(server)
        sock.sendall(hello if n % 2 else hello[:len(hello) // 2])
        sock.close()
    time.sleep(0.5)
    return "1,000 gone"


@attack("handshakes never finished", "100 held: closed after 10 s", ("handshake_timeout",),
        slow=True, megabytes=32)
def unfinished(server):
    hello = client_hello(server)
    socks = [wire.tcp(server) for _ in range(100)]
    for sock in socks:
        sock.sendall(hello)
    began = time.monotonic()
    for sock in socks:
        _, ended = wire.read_all(sock, max(1.0, 25 - (time.monotonic() - began)))
        check(ended, "still open after 25 s")
        sock.close()
    return f"all closed after {time.monotonic() - began:.0f} s"


@attack("connections that say nothing", "200 held: closed after 12 s or so", ("silent",), slow=True)
def silent(server):
    socks = [wire.tcp(server) for _ in range(200)]
    began = time.monotonic()
    for sock in socks:
        _, ended = wire.read_all(sock, max(1.0, 30 - (time.monotonic() - began)))
        check(ended, "still open after 30 s")
        sock.close()
    return f"all closed after {time.monotonic() - began:.0f} s"


@attack("noise on the TLS port", "closed", ("not_tls", "handshake_failed"))
def noise(server):
    for octets in (b"GET / HTTP/1.1\r\n\r\n", os.urandom(400), b"\x16\x03\x01\xff\xff" + bytes(50),
                   b"\x80\x2e\x01\x00\x02" + bytes(41), b"SSH-2.0-x\r\n", bytes(500)):
        sock = wire.tcp(server)
        sock.sendall(octets)
        sock.shutdown(socket.SHUT_WR)
        _, ended = wire.read_all(sock, 15)
        sock.close()
        check(ended, f"{octets[:20]!r} leaves the connection open")
    return "6 kinds closed"


@attack("KeyUpdate flood", "closed within 5,000 (TLS 1.3)", ("control_flood", "broken_tls"))
def key_updates(server):
    from tlslite.api import HandshakeSettings, TLSConnection
    from tlslite.constants import KeyUpdateMessageType
    from tlslite.errors import TLSError
    settings = HandshakeSettings()
    settings.minVersion = settings.maxVersion = (3, 4)
    sock = wire.tcp(server)
    connection = TLSConnection(sock)
    connection.handshakeClientCert(settings=settings, serverName="example.com")
    sent = 0
    try:
        for sent in range(1, 5001):
            for _ in connection.send_keyupdate_request(KeyUpdateMessageType.update_not_requested):
                pass
            if sent % 4 == 0:
                time.sleep(0.002)
    except (OSError, TLSError):
        pass
    check(sent < 5000, "5,000 were taken")
    sock.close()
    return f"closed after about {sent}"


@attack("old versions and static key exchange", "no handshake", ("handshake_failed",))
def old_versions(server):
    refused = 0
    for options in (["-tls1"], ["-tls1_1"], ["-tls1_2", "-cipher", "AES128-GCM-SHA256"],
                    ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA"],
                    ["-tls1_2", "-cipher", "DHE-RSA-AES128-GCM-SHA256"]):
        done = subprocess.run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-cipher",
             "ALL:@SECLEVEL=0", *options], input=b"", capture_output=True, timeout=30)
        text = done.stdout + done.stderr
        check(b"Cipher is (NONE)" in text or b"Cipher    : 0000" in text or done.returncode,
              f"{options} was accepted")
        refused += 1
    return f"{refused} refused"


@attack("SNI x Host x :authority", "200 with the document of the Host, without one of the SNI; default if unknown", ())
def names(server):
    small, large = HOSTS
    snis = [small, large, "unknown.example", "EXAMPLE.COM", None]
    hosts = {small: small, large: large, "unknown.example": small, "BIG.Example": large,
             f"{large}:443": large, f"{large}:8443": large, "127.0.0.1": small, "[::1]": small,
             "a" * 300: small, "..": small}
    asked = 0
    for sni in snis:
        http1 = wire.context(server, "http/1.1")
        http2 = wire.context(server, "h2")
        # A request that names no host means the one that its handshake named.
        for host, expected in [*hosts.items(), ("", large if sni == large else small)]:
            request = f"GET {PATH} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            answer, _ = wire.http1(server, request.encode(), name=sni, using=http1)
            found, _ = wire.statuses(answer)
            check(found == [200], f"SNI {sni}, Host {host}: {found}")
            check(answer.endswith(server.documents[expected]),
                  f"SNI {sni}, Host {host}: another document")
            asked += 1
        with wire.HTTP2(server, settings=[(4, 1_000_000)], name=sni, using=http2) as c:
            c.send(wire.frame(wire.WINDOW, 0, 0, (8_000_000).to_bytes(4, "big")))
            stream = 1
            for host, expected in hosts.items():
                c.get(stream, authority=host)
                check(c.until(lambda c: c.is_answered(stream), 15),
                      f"SNI {sni}, :authority {host}: no answer, GOAWAY {c.goaway}, "
                      f"{[f for f in c.frames if f[0] == 3]}")
                check(c.body(stream) == server.documents[expected],
                      f"SNI {sni}, :authority {host}: another document")
                asked += 1
                stream += 2
    return f"{asked} combinations"
