"""Counts what one request costs the server: system calls (strace), allocations and
instructions (valgrind). Each figure is the difference between a long and a short run of the same
work, divided by the difference in requests, so that start-up and warm-up fall out.

The bounds stand in BOUNDS with what was measured when they were set. They are no goals: they are
there so that nobody makes the hot path dearer without noticing.
"""
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

PATH = "/.well-known/apple-app-site-association"
HOST = "example.com"
DOCUMENT = (
    '{"applinks":{"details":[{"appIDs":["9JA89QQLNQ.com.example.app"],'
    '"components":[{"/":"/buy/*"},{"#":"no_universal_links","exclude":true}]}]}}'
)
WAIT = 60.0  # seconds: a guard against hanging only

# Key pairs made ahead (--key-reserve): all of them are there before the first handshake, and the
# runs below take less than an eighth, so that none is made meanwhile.
RESERVE = 1024

# scenario: (short, long) runs in requests for strace and for valgrind
RUNS = {"handshake": (20, 120), "key ahead": (20, 120), "keep-alive": (50, 850),
        "http2": (50, 850), "http2 x8": (40, 840)}
# Requests that a connection of HTTP/2 may have under way at once.
AT_ONCE = 8

# (scenario, kind): (bound, measured when it was set)
BOUNDS = {
    # 12 and, on a busy machine, a look at the machine's memory or a Finished that came alone.
    ("handshake", "system calls"): (14, 12.9),
    # OpenSSL does not draw random numbers for the pair, so it asks once less who it is.
    ("key ahead", "system calls"): (13, 11.0),
    ("key ahead", "allocations"): (360, 328.3),
    ("key ahead", "instructions"): (1_740_000, 1_579_738),
    ("handshake", "allocations"): (360, 328.2),
    ("handshake", "instructions"): (2_370_000, 2_156_372),
    ("keep-alive", "system calls"): (3.3, 3.0),
    ("keep-alive", "allocations"): (8, 6),
    ("keep-alive", "instructions"): (23_800, 22_294),
    ("http2", "system calls"): (3.5, 3.0),
    ("http2", "allocations"): (8, 6.1),
    ("http2", "instructions"): (33_000, 31_143),
    ("http2 x8", "system calls"): (0.6, 0.4),
    ("http2 x8", "allocations"): (2, 0.8),
    ("http2 x8", "instructions"): (17_400, 16_272),
}


def request(close):
    return (
        f"GET {PATH} HTTP/1.1\r\nHost: {HOST}\r\nUser-Agent: swcd (unknown version) "
        f"CFNetwork/978.0.7 Darwin/18.7.0\r\nAccept: */*\r\n"
        f"{'Connection: close' + chr(13) + chr(10) if close else ''}\r\n"
    ).encode()


class Client:
    """One connection at a time: the counts then depend on nothing but the work."""

    def __init__(self, port, authority, protocols):
        self.port = port
        self.context = ssl.create_default_context(cafile=authority)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_3
        self.context.set_alpn_protocols(protocols)

    def connect(self):
        raw = socket.create_connection(("127.0.0.1", self.port), timeout=WAIT)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self.context.wrap_socket(raw, server_hostname=HOST)

    def handshakes(self, count):
        for _ in range(count):
            answer = self.one_handshake()
            check(answer.startswith(b"HTTP/1.1 200 ") and answer.endswith(b"}"), answer)

    def one_handshake(self):
        """Finished and GET leave in one segment: whether two of them meet is the kernel's mood,
        and costs a wait, a read and an acknowledgement."""
        came, leaves = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = self.context.wrap_bio(came, leaves, server_hostname=HOST)
        with socket.create_connection(("127.0.0.1", self.port), timeout=WAIT) as raw:
            while True:
                try:
                    session.do_handshake()
                    break
                except ssl.SSLWantReadError:
                    raw.sendall(leaves.read())
                    came.write(raw.recv(65536))
            session.write(request(close=True))
            raw.sendall(leaves.read())
            while part := raw.recv(65536):
                came.write(part)
        return session.read(65536)

    def keep_alive(self, count):
        # The server ends a connection after its limit of requests; then the next one begins.
        connection, answered = None, 0
        while answered < count:
            if connection is None:
                connection = self.connect()
            connection.sendall(request(close=False))
            answer = b""
            while DOCUMENT.encode() not in answer:
                part = connection.recv(65536)
                check(part, answer)
                answer += part
            answered += 1
            if b"Connection: close" in answer:
                connection.close()
                connection = None
        if connection is not None:
            connection.close()

    def http2(self, count, at_once=1):
        # The server's GOAWAY comes behind the last answer of a connection: a request that meets
        # it instead of an answer was not looked at, and goes to a new connection.
        connection, reader, stream, answered = None, None, 1, 0
        while answered < count:
            if connection is None:
                connection, stream = self.connect(), 1
                reader = connection.makefile("rb")
                check(connection.selected_alpn_protocol() == "h2", "no h2")
                # A window for all answers of the connection: 65,535 bytes would end among them.
                window = frame(8, 0, 0, (1 << 30).to_bytes(4, "big"))
                connection.sendall(
                    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b"") + window)
            streams = range(stream, stream + 2 * min(at_once, count - answered), 2)
            connection.sendall(b"".join(frame(1, 5, number, HEADERS) for number in streams))
            answers = self.http2_answers(connection, reader, streams)
            answered += answers
            stream = streams.stop
            if answers < len(streams):
                connection.close()
                connection = None
        if connection is not None:
            connection.close()

    @staticmethod
    def http2_answers(connection, reader, streams):
        """How many of the streams were answered before the server's GOAWAY, if it sent one."""
        waiting = set(streams)
        while waiting:
            kind, flags, number, payload = read_frame(reader)
            if kind == 4 and not flags & 1:
                connection.sendall(frame(4, 1, 0, b""))
            if kind == 7:
                last = int.from_bytes(payload[:4], "big")
                check(payload[4:8] == bytes(4) and last < streams.stop, payload)
                waiting = {stream for stream in waiting if stream <= last}
                if not waiting:
                    return sum(stream <= last for stream in streams)
            check(not (number in waiting and kind == 3), "stream reset")
            if kind in (0, 1) and flags & 1 == 1:
                waiting.discard(number)
        return len(streams)


def frame(kind, flags, stream, payload):
    head = len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big")
    return head + payload


def literal(name, value):
    """HPACK: a literal field without indexing, new name (RFC 7541 section 6.2.2)."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


# :method GET and :scheme https are in the static table (RFC 7541, appendix A).
HEADERS = (
    b"\x82\x87" + literal(b":authority", HOST.encode()) + literal(b":path", PATH.encode())
    + literal(b"user-agent", b"AASA-Bot/1.0.0")
)


def read_exactly(reader, count):
    data = reader.read(count)
    check(len(data) == count, "the connection ended inside a frame")
    return data


def read_frame(reader):
    head = read_exactly(reader, 9)
    payload = read_exactly(reader, int.from_bytes(head[:3], "big"))
    return head[3], head[4], int.from_bytes(head[5:], "big") & 0x7FFFFFFF, payload


def check(good, what):
    if not good:
        raise SystemExit(f"Guards: wrong answer: {what!r}"[:500])


class Server:
    """The real binary with one worker, under a tool."""

    def __init__(self, binary, folder, prefix, reserve):
        ready = os.path.join(folder, "ready")
        if os.path.exists(ready):
            os.unlink(ready)
        log = open(os.path.join(folder, "log"), "w")
        self.process = subprocess.Popen(
            [*prefix, binary, "serve", "--site", f"{folder}/site", "--certs", f"{folder}/certs",
             "--listen", "127.0.0.1:0", "--workers", "1", "--watch", "off", "--key-reserve", str(reserve),
             "--admin", "127.0.0.1:0", "--ready-file", ready],
            stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
        end = time.monotonic() + WAIT
        while not os.path.exists(ready):
            if time.monotonic() > end or self.process.poll() is not None:
                said = open(log.name).read()[-2000:]
                status = self.process.poll()
                raise SystemExit(f"Guards: the server did not start ({status}):\n{said}")
            time.sleep(0.05)
        said = open(ready).read()
        self.port = int(re.search(r"listen 127\.0\.0\.1:(\d+)", said).group(1))
        metrics = re.search(r"admin (127\.0\.0\.1:\d+)", said).group(1) + "/metrics"
        end = time.monotonic() + 10 * WAIT
        while reserve:
            with urllib.request.urlopen(f"http://{metrics}", timeout=WAIT) as page:
                text = page.read().decode()
            if f"aasa_ephemeral_keys_reserved {reserve}\n" in text:
                break
            check(time.monotonic() < end, "the key pairs were not made")
            # Seldom: what the page costs is counted too, and how often it is asked varies.
            time.sleep(2)

    def stop(self):
        # strace and valgrind hand SIGINT of the group to the program; it ends with status 0.
        os.killpg(self.process.pid, signal.SIGINT)
        try:
            self.process.wait(WAIT)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise SystemExit("Guards: the server did not stop")


def run(binary, folder, prefix, scenario, count):
    server = Server(binary, folder, prefix, RESERVE if scenario == "key ahead" else 0)
    try:
        protocols = ["h2"] if scenario.startswith("http2") else ["http/1.1"]
        client = Client(server.port, f"{folder}/certs/local-ca/ca.pem", protocols)
        play = {"handshake": client.handshakes, "key ahead": client.handshakes,
                "keep-alive": client.keep_alive,
                "http2": client.http2,
                "http2 x8": lambda count: client.http2(count, AT_ONCE)}[scenario]
        play(count)
    finally:
        server.stop()


def system_calls(binary, folder, scenario, count):
    out = os.path.join(folder, "strace")
    run(binary, folder, ["strace", "-f", "-qq", "-o", out], scenario, count)
    counts = {}
    for line in open(out, errors="replace"):
        match = re.match(r"\d+ +(\w+)\(", line)
        if match:
            counts[match.group(1)] = counts.get(match.group(1), 0) + 1
    return counts


def instructions(binary, folder, scenario, count):
    log = os.path.join(folder, "callgrind.log")
    run(binary, folder,
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out",
         f"--log-file={log}"], scenario, count)
    return int(re.search(r"Collected : (\d+)", open(log).read()).group(1))


def allocations(binary, folder, scenario, count):
    log = os.path.join(folder, "memcheck.log")
    run(binary, folder,
        ["valgrind", "--tool=memcheck", "--leak-check=no", "--undef-value-errors=no",
         f"--log-file={log}"], scenario, count)
    found = re.search(r"total heap usage: ([\d,]+) allocs", open(log).read())
    return int(found.group(1).replace(",", ""))


def per_request(measure, binary, folder, scenario):
    short, long = RUNS[scenario]
    low, high = (measure(binary, folder, scenario, count) for count in (short, long))
    if isinstance(low, dict):
        names = sorted(set(low) | set(high))
        return {name: (high.get(name, 0) - low.get(name, 0)) / (long - short) for name in names}
    return (high - low) / (long - short)


def main():
    binary, only_measure = sys.argv[1], "--measure" in sys.argv[2:]
    folder = tempfile.mkdtemp(prefix="aasa-guards-")
    passed = failed = 0
    try:
        os.makedirs(f"{folder}/site/{HOST}")
        # Valgrind 3.19 cannot read the compiler's DWARF 5, and gives up on it.
        bare = f"{folder}/aasa"
        subprocess.run(["strip", "--strip-debug", "-o", bare, binary], check=True)
        binary = bare
        with open(f"{folder}/site/{HOST}/apple-app-site-association", "w") as file:
            file.write(DOCUMENT)
        subprocess.run([binary, "certs", "make", "--certs", f"{folder}/certs", HOST], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        print(f"{'per request':12} {'kind':14} {'measured':>10} {'bound':>10}")
        for scenario in RUNS:
            calls = per_request(system_calls, binary, folder, scenario)
            figures = {
                "system calls": sum(calls.values()),
                "allocations": per_request(allocations, binary, folder, scenario),
                "instructions": per_request(instructions, binary, folder, scenario),
            }
            for kind, figure in figures.items():
                bound = BOUNDS.get((scenario, kind), (None, None))[0]
                good = bound is not None and figure <= bound
                passed, failed = passed + good, failed + (not good)
                stated = "-" if bound is None else bound
                verdict = "" if good else "   ABOVE THE BOUND"
                print(f"{scenario:12} {kind:14} {figure:10.1f} {stated:>10}{verdict}", flush=True)
            print("             " + ", ".join(
                f"{name} {count:.2f}" for name, count in sorted(calls.items(), key=lambda c: -c[1])
                if count >= 0.01), flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 0 if only_measure or failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
