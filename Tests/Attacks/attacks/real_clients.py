"""Clients that people use, through the same server."""

import json
import re
import shutil
import subprocess

import h2  # noqa: F401  httpx needs it for HTTP/2
import httpx

from . import wire
from .server import PATH
from .table import attack, check


def curl(server, *options):
    done = subprocess.run(
        ["curl", "-sS", "--cacert", server.authority, "--resolve",
         f"big.example:{server.port}:127.0.0.1", "-o", "-", "-w",
         "\n%{http_code} %{http_version}", *options, f"https://big.example:{server.port}{PATH}"],
        capture_output=True, timeout=30)
    check(done.returncode == 0, f"curl {str(options)[:80]}: {done.stderr.decode()[:200]}")
    body, _, line = done.stdout.rpartition(b"\n")
    check(body == server.documents["big.example"], f"curl {str(options)[:80]}: another document")
    return line.decode()


@attack("curl, both protocols", "the whole document", ())
def curls(server):
    seen = [curl(server, "--http1.1"), curl(server, "--http2"),
            curl(server, "--http2", "--tls-max", "1.2"),
            curl(server, "--http2", "-X", "POST", "-d", "x" * 1000),
            curl(server, "--http1.1", "-d", "x" * 100_000),
            curl(server, "--http2", "-d", "x" * 100_000, "-H", "Expect: 100-continue")]
    check([line.split()[0] for line in seen] == ["200"] * 6, f"{seen}")
    return ", ".join(seen)


@attack("Python httpx, 50 requests over HTTP/2", "200 each, also across GOAWAY", ())
def httpx_requests(server):
    context = wire.context(server)
    with httpx.Client(http2=True, verify=context) as client:
        versions = set()
        for _ in range(50):
            answer = client.get(
                f"https://127.0.0.1:{server.port}{PATH}", headers={"Host": "big.example"})
            check(answer.status_code == 200, f"{answer.status_code}")
            check(answer.content == server.documents["big.example"], "another document")
            versions.add(answer.http_version)
    check(versions == {"HTTP/2"}, f"{versions}")
    return "50 x 200"


@attack("nghttp", "both documents, no error", ())
def nghttp(server):
    check(shutil.which("nghttp"), "nghttp is missing (apt-get install nghttp2-client)")
    done = subprocess.run(
        ["nghttp", "-nsy", f"https://127.0.0.1:{server.port}{PATH}",
         f"https://127.0.0.1:{server.port}/apple-app-site-association"],
        capture_output=True, timeout=60)
    text = done.stdout.decode()
    check(done.returncode == 0 and len(re.findall(r"\b200\b", text)) >= 2, text[-400:])
    return "2 x 200"


def h2load(server, *options):
    check(shutil.which("h2load"), "h2load is missing (apt-get install nghttp2-client)")
    done = subprocess.run(
        ["h2load", *options, f"https://127.0.0.1:{server.port}{PATH}"],
        capture_output=True, timeout=120)
    text = done.stdout.decode()
    found = re.search(
        r"requests: (\d+) total, \d+ started, (\d+) done, (\d+) succeeded, (\d+) failed, "
        r"(\d+) errored", text)
    check(found, f"h2load {options}: {text[-300:]}{done.stderr.decode()[-300:]}")
    return [int(number) for number in found.groups()], text


def lifted(server, *options):
    (total, _, succeeded, failed, errored), text = h2load(server, *options)
    check(succeeded == total and not failed and not errored,
          f"{succeeded} of {total}, {failed} failed, {errored} errored")
    rate = re.search(r"([0-9.]+) req/s", text)
    return f"{succeeded} answered, {rate.group(1) if rate else '?'}/s"


@attack("h2load -n 100000 -c 100 -m 32", "no error (limit lifted)", (), megabytes=64)
def h2load_many(server):
    return lifted(server, "-n", "100000", "-c", "100", "-m", "32")


@attack("h2load -n 50000 -c 100 -m 100", "no error (limit lifted)", (), megabytes=64)
def h2load_more(server):
    return lifted(server, "-n", "50000", "-c", "100", "-m", "100")


@attack("h2load --h1 -n 100000 -c 100", "no error (limit lifted)", (), megabytes=64)
def h2load_http1(server):
    return lifted(server, "--h1", "-n", "100000", "-c", "100")


LIFTED = ("h2load -n 100000 -c 100 -m 32", "h2load -n 50000 -c 100 -m 100",
          "h2load --h1 -n 100000 -c 100")
