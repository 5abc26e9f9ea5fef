"""Attacks on HTTP/1.1."""

import ssl
import time

from . import wire
from .server import PATH
from .table import attack, check

LINE = f"GET {PATH} HTTP/1.1\r\n".encode()
HOST = b"Host: example.com\r\n"
HIDDEN = b"GET /hidden HTTP/1.1\r\nHost: example.com\r\n\r\n"

# Fields that leave it open where the message ends, or that two readers may read in two ways. What
# stands behind the head must never be taken for a request.
SMUGGLING = [
    b"Content-Length: 44\r\n",
    b"Content-Length: 0\r\nContent-Length: 44\r\n",
    b"Content-Length: 44\r\nContent-Length: 0\r\n",
    b"Content-Length: 44\r\nContent-Length: 44\r\n",
    b"Content-Length: 0, 44\r\n",
    b"Content-Length: 44, 44\r\n",
    b"Content-Length: +44\r\n",
    b"Content-Length: -1\r\n",
    b"Content-Length: 0x2c\r\n",
    b"Content-Length: 4 4\r\n",
    b"Content-Length: 44abc\r\n",
    b"Content-Length: \x0b44\r\n",
    b"Content-Length:\r\n",
    b"Content-Length: 99999999999999999999999\r\n",
    b"Content-Length : 44\r\n",
    b"Content-Length\t: 44\r\n",
    b"Content-Length\r\n: 44\r\n",
    b" Content-Length: 44\r\n",
    b"X: y\r\n Content-Length: 44\r\n",
    b"X: y\r\n\tContent-Length: 44\r\n",
    b"Content-Length: 4\r\n 4\r\n",
    b"Content-Length: 44\n",
    b"X: y\nContent-Length: 44\r\n",
    b"X: y\rContent-Length: 44\r\n",
    b"X: y\r\rContent-Length: 44\r\n",
    b"X: y\x00\r\nContent-Length: 44\r\n",
    b"\x00Content-Length: 44\r\n",
    b"Content\x00-Length: 44\r\n",
    b"Content-Length\xa0: 44\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: chunked\r\nContent-Length: 44\r\n",
    b"Content-Length: 44\r\nTransfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: identity\r\nContent-Length: 44\r\n",
    b"Transfer-Encoding: xchunked\r\n",
    b"Transfer-Encoding: chunked, identity\r\n",
    b"Transfer-Encoding: identity, chunked\r\n",
    b"Transfer-Encoding: chunked;q=1\r\n",
    b"Transfer-Encoding: \"chunked\"\r\n",
    b"Transfer-Encoding: 'chunked'\r\n",
    b"Transfer-Encoding:\tchunked\r\n",
    b"Transfer-Encoding:\x0bchunked\r\n",
    b"Transfer-Encoding: \x00chunked\r\n",
    b"Transfer-Encoding: CHUNKED\r\n",
    b"Transfer-Encoding : chunked\r\n",
    b" Transfer-Encoding: chunked\r\n",
    b"X: y\r\n Transfer-Encoding: chunked\r\n",
    b"X: y\nTransfer-Encoding: chunked\r\n",
    b"X: y\rTransfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: chunked\n",
    b"Transfer-Encoding\r\n: chunked\r\n",
    b"Transfer-Encoding: \r\n chunked\r\n",
    b"Transfer-\r\n Encoding: chunked\r\n",
    b"Transfer_Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
    b"Content-Encoding: chunked\r\nContent-Length: 44\r\n",
    b"Host: other.example\r\n",
    b"Host : other.example\r\n",
    b"hOST: other.example\r\n",
    b"Expect: 100-continue\r\nContent-Length: 44\r\n",
    b"Connection: Content-Length\r\nContent-Length: 44\r\n",
    b"Connection: close\r\n",
    b": empty name\r\n",
    b"no colon\r\n",
    b"Bad(name): x\r\n",
    b"B\xc3\xa4d: x\r\n",
    b"X: \x7f\r\n",
    b"X: \x1b[2J\r\n",
]

# Whole heads of the same kind.
HEADS = [
    b"GET " + PATH.encode() + b" HTTP/1.1\n" + HOST + b"\r\n",
    b"GET " + PATH.encode() + b"\r\n\r\n",
    b"GET " + PATH.encode() + b" HTTP/0.9\r\n\r\n",
    b"GET " + PATH.encode() + b" HTTP/2.0\r\n" + HOST + b"\r\n",
    b"GET  " + PATH.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET\t" + PATH.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET " + PATH.encode() + b"  HTTP/1.1\r\n" + HOST + b"\r\n",
    b" GET " + PATH.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    b"\x00GET " + PATH.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    b"G\x00ET " + PATH.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET " + PATH.encode() + b"\x00 HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET " + PATH.encode() + b"\r HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET http://u@example.com" + PATH.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    b"\r\n\r\n\r\nGET " + PATH.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
]


@attack("request smuggling", "at most one answer, 200, 503 or none; closed",
        ("request_body", "bad_request"))
def smuggling(server):
    using = wire.context(server, "http/1.1")
    rows = [LINE + HOST + fields + b"\r\n" for fields in SMUGGLING] + HEADS
    answered = closed = 0
    for head in rows:
        answer, ended = wire.http1(server, head + HIDDEN, using=using, patience=15)
        found, rest = wire.statuses(answer)
        check(ended, f"{head!r} leaves the connection open")
        check(rest == b"", f"{head!r}: {rest[:60]!r} behind the answers")
        other = 200 if PATH.encode() in head else 400
        check(found in ([], [other], [503]), f"{head!r} was answered {found}")
        answered += bool(found)
        closed += not found
    return f"{len(rows)} byte strings: {answered} answered once, {closed} closed"


@attack("conditions, ranges, methods, forms", "200 or 503", ())
def allowed_answers(server):
    using = wire.context(server, "http/1.1")
    fields = ["If-None-Match: \"x\"", "If-None-Match: *", "If-Match: \"x\"",
              "If-Modified-Since: Sun, 06 Nov 2044 08:49:37 GMT",
              "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "Range: bytes=0-1",
              "Range: bytes=999999-", "Range: bytes=5-1", "If-Range: \"x\"\r\nRange: bytes=0-0",
              "Expect: 100-continue", "Expect: nonsense", "Accept: text/html;q=0",
              "Accept-Encoding: identity;q=0", "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
              "TE: trailers", "Authorization: Basic !!!", "Max-Forwards: 0",
              "X: " + "y" * 7000, "\r\n".join(f"X-{n}: {'y' * 1000}" for n in range(40)),
              "\r\n".join(f"X-{n}: y" for n in range(200))]
    requests = [f"GET {PATH} HTTP/1.1\r\nHost: example.com\r\n{f}\r\nConnection: close\r\n\r\n"
                for f in fields]
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "PROPFIND", "FOO"):
        requests.append(f"{method} {PATH} HTTP/1.1\r\nHost: example.com\r\n"
                        "Connection: close\r\n\r\n")
    for target in (PATH + "?x=1", PATH + "?", f"https://example.com{PATH}",
                   f"HTTP://EXAMPLE.COM:8443{PATH}", PATH + "?" + "q" * 3000):
        requests.append(f"GET {target} HTTP/1.1\r\nHost: wrong.example\r\n"
                        "Connection: close\r\n\r\n")
    requests.append(f"GET {PATH} HTTP/1.0\r\n\r\n")
    requests.append(f"GET {PATH} HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n")
    for request in requests:
        answer, ended = wire.http1(server, request.encode(), using=using, patience=15)
        found, _ = wire.statuses(answer)
        check(ended, f"{request[:80]!r} leaves the connection open")
        check(found in ([200], [503]), f"{request[:120]!r} was answered {found}")
    return f"{len(requests)} requests, all 200"


def encodings():
    """Ways to write a path that some server would take for another."""
    made = {}
    name = PATH
    for index in range(1, len(name), 2):
        made[name[:index] + f"%{ord(name[index]):02x}" + name[index + 1:]] = None
        made[name[:index] + f"%25{ord(name[index]):02x}" + name[index + 1:]] = None
    for trick in ("/..", "/.", "//", "/%2e%2e", "/%2E", "/..%2f", "/..;", "/.%00", "\\..", "%5c",
                  "/%c0%ae%c0%ae", "/%e0%80%ae", "/..%c0%af", "/%252e%252e", "/....//", "%00",
                  "%0a", "%0d%0a", "%20", "/;x=y", ";x", "/~", "#", "/%2e/", "/%2e%2e%2f", "/.%2e", "/%2e.", "%2f", "/%5c..", "/%uff0e", "/%ff", "\u00e4"):
        made["/.well-known" + trick + "/apple-app-site-association"] = None
        made[name + trick] = None
        made[trick + name] = None
        made["/" + trick.strip("/") + "/apple-app-site-association"] = None
    for depth in range(1, 13):
        made["/" + "../" * depth + "etc/passwd"] = None
        made["/.well-known/" + "../" * depth + "etc/passwd"] = None
        made["/" + "%2e%2e%2f" * depth + "etc/passwd"] = None
        made["/" + "..%5c" * depth + "windows/win.ini"] = None
    for other in ("/", "/.well-known", "/.well-known/", name + "/", name.upper(), name + ".json",
                  "/apple-app-site-association/", "/APPLE-APP-SITE-ASSOCIATION", "/host.json",
                  "/teams/", "/site/example.com/host.json", "/certs/example.com/privkey.pem",
                  "/.git/config", "/.env", "/proc/self/environ", "/well-known/../host.json"):
        made[other] = None
    return [path for path in made if path.startswith("/") or path.startswith("\\")]


@attack("path tricks", "404, 400 or 503 for what is no path, or the document; never a file", ())
def path_tricks(server):
    using = wire.context(server, "http/1.1")
    paths = encodings()
    check(len(paths) >= 200, f"only {len(paths)} paths")
    statuses = {}
    sock = None
    for path in paths:
        request = f"GET {path} HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n"
        answer, ended = wire.http1(server, request.encode("utf-8"), using=using, patience=15)
        found, _ = wire.statuses(answer)
        check(ended, f"{path!r} leaves the connection open")
        # A target that is no path and no URL is malformed (RFC 9112 section 3.2).
        others = ([200],) if path.startswith(("/", "http")) else ([400], [503])
        check(found in ([], [404], *others), f"{path!r} was answered {found}")
        if found == [200]:
            body = answer.partition(b"\r\n\r\n")[2]
            check(body == server.documents["example.com"], f"{path!r} gave {body[:60]!r}")
        check(b"root:" not in answer and b"PRIVATE KEY" not in answer, f"{path!r} gave a file")
        key = found[0] if found else "closed"
        statuses[key] = statuses.get(key, 0) + 1
    return f"{len(paths)} paths: " + ", ".join(f"{n} x {s}" for s, n in statuses.items())


@attack("log injection", "no control octet, no line of the attacker's in the log", ())
def log_injection(server):
    using = wire.context(server, "http/1.1")
    evil = ["/%0aFORGED", "/%0d%0aFORGED", "/\u001b[2JFORGED", "/%1b[31mFORGED", "/FORGED\tx",
            "/\u0085FORGED", "/\u2028FORGED", "/\x7fFORGED", "/" + "A" * 1500]
    for path in evil:
        for agent in ("x", "\x1b]0;FORGED\x07", "a\u2028FORGED"):
            request = (f"GET {path} HTTP/1.1\r\nHost: example.com\r\nUser-Agent: {agent}\r\n"
                       "Connection: close\r\n\r\n")
            wire.http1(server, request.encode("utf-8"), using=using, patience=15)
    for name in ("\u001b[31mFORGED", "FORGED\nFORGED"):
        request = f"GET {PATH} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n"
        wire.http1(server, request.encode("utf-8"), using=using, patience=15)
    log = server.raw_log()
    bad = [octet for octet in log if (octet < 0x20 and octet not in (0x09, 0x0A)) or octet == 0x7F]
    check(not bad, f"control octets in the log: {bad[:10]}")
    check(not any(line.startswith(b"FORGED") for line in log.splitlines()), "a forged line")
    check("\u2028" not in log.decode("utf-8", "replace"), "a line separator in the log")
    return f"{len(evil) * 3 + 2} requests, {len(log.splitlines())} lines of log"


@attack("header flood", "answered 200 and closed, at most 8 KiB kept", ("request_body",))
def header_flood(server):
    sock = wire.tls(server)
    sent = 0
    try:
        sock.sendall(LINE + HOST)
        for n in range(10_000):
            sock.sendall(b"X-%d: " % n + b"v" * 1000 + b"\r\n")
            sent += 1000
    except (ConnectionError, ssl.SSLError, OSError):
        pass
    answer, ended = wire.read_all(sock, 15)
    sock.close()
    found, _ = wire.statuses(answer)
    check(ended, "still open")
    check(found in ([200], []), f"answered {found}")
    check(sent < 5_000_000, f"{sent} bytes were taken")
    return f"{sent // 1000} KB until the close, answer {found}"


@attack("request line without end", "414 and closed at 8 KiB", ("bad_request",))
def endless_line(server):
    answer, ended = wire.http1(server, b"GET /" + b"a" * 100_000, patience=15)
    # The answer is lost where the kernel resets for what was sent behind it.
    found, rest = wire.statuses(answer)
    check(ended and found in ([], [414]) and len(answer) < 512, f"{len(answer)} bytes: {found}")
    return f"closed, {found}"


@attack("pipeline of 2,000 requests", "answered in order, the limit kept", ("request_limit",))
def pipeline(server):
    request = LINE + HOST + b"\r\n"
    answer, ended = wire.http1(server, request * 2000, patience=30)
    found, rest = wire.statuses(answer)
    check(ended and rest == b"", f"{rest[:60]!r} behind the answers")
    check(set(found) == {200} and len(found) == 1000, f"{len(found)} answers, {set(found)}")
    return f"{len(found)} answered"


@attack("slowloris", "200 heads that never end: closed after 5 s (CVE-2007-6750)",
        ("head_timeout",), slow=True)
def slowloris(server):
    using = wire.context(server, "http/1.1")
    socks = [wire.tls(server, using=using) for _ in range(200)]
    began = time.monotonic()
    for sock in socks:
        sock.sendall(LINE)
    open_ones = list(socks)
    while open_ones and time.monotonic() - began < 25:
        still = []
        for sock in open_ones:
            try:
                sock.sendall(b"X: y\r\n")
                still.append(sock)
            except (ConnectionError, ssl.SSLError, OSError):
                pass
        open_ones = still
        time.sleep(1)
    took = time.monotonic() - began
    for sock in socks:
        sock.close()
    check(not open_ones, f"{len(open_ones)} still open after 25 s")
    return f"all closed after {took:.0f} s"


@attack("slow body", "answered at once, closed within the linger time", ("request_body",),
        slow=True)
def slow_body(server):
    sock = wire.tls(server)
    sock.sendall(f"POST {PATH} HTTP/1.1\r\nHost: example.com\r\n"
                 "Content-Length: 1000000\r\n\r\n".encode())
    began = time.monotonic()
    sock.settimeout(10)
    first = sock.recv(65536)
    check(first.startswith(b"HTTP/1.1 200 "), f"answered {first[:40]!r}")
    answered = time.monotonic() - began
    try:
        while time.monotonic() - began < 30:
            sock.sendall(b"x")
            time.sleep(0.5)
    except (ConnectionError, ssl.SSLError, OSError):
        pass
    took = time.monotonic() - began
    sock.close()
    check(took < 29, "still open after 29 s")
    return f"answered after {answered * 1000:.0f} ms, closed after {took:.0f} s"


@attack("slow read", "50 readers that do not read: closed after 20 s or so", ("slow_reader",),
        slow=True, megabytes=32)
def slow_read(server):
    using = wire.context(server, "http/1.1")
    request = (f"GET {PATH} HTTP/1.1\r\nHost: big.example\r\n\r\n").encode() * 20
    socks = []
    for _ in range(50):
        sock = wire.tls(server, using=using, receive_buffer=4096)
        sock.sendall(request)
        socks.append(sock)
    time.sleep(27)
    # What the kernel holds is still readable; then the end has to come.
    for sock in socks:
        _, ended = wire.read_all(sock, 10)
        sock.close()
        check(ended, "still open after 37 s")
    return "50 closed"
