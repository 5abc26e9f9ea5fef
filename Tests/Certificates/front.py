"""A front before pebble that writes down what is asked, and misbehaves as a test wants."""

import http.client
import http.server
import json
import re
import ssl
import threading
import time

from authority import free_port, unpadded

STEPS = {
    "/dir": "directory", "/nonce-plz": "nonce", "/sign-me-up": "newAccount",
    "/order-plz": "newOrder", "/my-account": "account", "/list-orderz": "orderList",
    "/my-order": "order", "/authZ": "authorization", "/chalZ": "challenge",
    "/finalize-order": "finalize", "/certZ": "certificate", "/renewal-info": "renewalInfo",
}


class Front:
    """`faults`: called with (step, count of that step) for each request; what it returns is done
    instead of (or with) pebble's answer:

    None                    nothing
    ("answer", status, fields, body)   instead of asking pebble
    ("after", status, fields, body)    pebble obeys, and this is answered
    ("cut", bytes)          pebble obeys; its answer ends after so many bytes of the body
    ("drop",)               pebble obeys; the connection is reset
    ("endless",)            a body that never ends
    ("silence",)            no answer at all
    """

    def __init__(self, authority, faults=None, window=None, identities=None):
        self.authority = authority
        self.faults = faults or (lambda step, count: None)
        # Certificate identifier → (start, end) in seconds since 1970, or None.
        self.window = window
        self.identities = identities
        self.requests = []
        self.counts = {}
        self.lock = threading.Lock()
        self.stopped = threading.Event()
        self.port = free_port()
        front = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One request."""
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                front.take(self)

            do_HEAD = do_POST = do_GET

            def log_message(self, *_):
                pass

        while True:
            try:
                self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
                break
            except OSError:
                # Another process of the machine was faster.
                self.port = free_port()
        self.server.daemon_threads = True
        # Clients that are killed or refuse us are what these tests are made of.
        self.server.handle_error = lambda *_: None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(authority.certificate, authority.key)
        self.server.socket = context.wrap_socket(
            self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"https://127.0.0.1:{self.port}/dir"

    def stop(self):
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()

    def count(self, step, status=None):
        with self.lock:
            return sum(
                1 for request in self.requests
                if request["step"] == step and status in (None, request["status"]))

    def made(self, step):
        """Payloads of the requests of a step that pebble obeyed with 201 or 200."""
        with self.lock:
            return [r for r in self.requests if r["step"] == step and r["status"] in (200, 201)]

    def take(self, handler):
        length = int(handler.headers.get("Content-Length") or 0)
        body = handler.rfile.read(length)
        path = handler.path
        step = next((STEPS[start] for start in STEPS if path.startswith(start)), "?")
        entry = {"step": step, "at": time.time(), "status": 0, "path": path}
        if body:
            signed = json.loads(body)
            entry["header"] = json.loads(unpadded(signed["protected"]))
            payload = unpadded(signed["payload"])
            entry["payload"] = json.loads(payload) if payload else None
        with self.lock:
            self.requests.append(entry)
            self.counts[step] = self.counts.get(step, 0) + 1
            count = self.counts[step]
        fault = self.faults(step, count)
        kind = fault[0] if fault else None
        if kind == "silence":
            self.stopped.wait(120)
            return self.end(handler)
        if kind == "endless":
            return self.endless(handler)
        if kind == "answer":
            entry["status"] = fault[1]
            return self.answer(handler, *fault[1:])
        if step == "renewalInfo":
            return self.renewal_info(handler, entry)
        status, fields, answer = self.forward(handler, path, body)
        entry["status"] = status
        entry["location"] = dict(fields).get("Location")
        if step == "directory" and status == 200:
            answer = self.directory(answer)
        if kind == "drop":
            return self.end(handler)
        if kind == "after":
            return self.answer(handler, *fault[1:])
        if kind == "cut":
            return self.answer(handler, status, fields, answer, cut=fault[1])
        return self.answer(handler, status, fields, answer)

    def forward(self, handler, path, body):
        context = ssl.create_default_context(cafile=self.authority.certificate)
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.authority.port, context=context, timeout=60)
        fields = {
            key: value for key, value in handler.headers.items()
            if key.lower() not in ("connection", "content-length")}
        connection.request(handler.command, path, body or None, fields)
        answer = connection.getresponse()
        content = answer.read()
        kept = [
            (key, value) for key, value in answer.getheaders()
            if key.lower() not in ("connection", "content-length", "transfer-encoding")]
        connection.close()
        return answer.status, kept, content

    def directory(self, answer):
        value = json.loads(answer)
        if self.window:
            value["renewalInfo"] = f"https://127.0.0.1:{self.port}/renewal-info"
        if self.identities is not None:
            value.setdefault("meta", {})["caaIdentities"] = self.identities
        return json.dumps(value).encode()

    def renewal_info(self, handler, entry):
        identifier = handler.path.rsplit("/", 1)[1]
        found = self.window(identifier) if self.window else None
        if found is None:
            entry["status"] = 404
            return self.answer(handler, 404, [], b"{}")
        entry["status"] = 200
        text = [time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment)) for moment in found]
        body = json.dumps({"suggestedWindow": {"start": text[0], "end": text[1]}}).encode()
        return self.answer(handler, 200, [("Retry-After", "600")], body)

    @staticmethod
    def end(handler):
        handler.close_connection = True
        try:
            handler.connection.close()
        except OSError:
            pass

    def answer(self, handler, status, fields, body, cut=None):
        try:
            handler.send_response_only(status)
            for key, value in fields:
                handler.send_header(key, value)
            if status != 204:
                handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            if handler.command != "HEAD":
                handler.wfile.write(body if cut is None else body[:cut])
            if cut is not None:
                self.end(handler)
        except OSError:
            handler.close_connection = True

    def endless(self, handler):
        handler.close_connection = True
        try:
            handler.send_response_only(200)
            handler.send_header("Content-Type", "application/json")
            handler.end_headers()
            while not self.stopped.is_set():
                handler.wfile.write(b" " * 65536)
        except OSError:
            pass

    # What was asked, against the rules of the issue.

    def account_keys(self):
        """The account keys that were shown."""
        with self.lock:
            return {
                json.dumps(r["header"]["jwk"], sort_keys=True) for r in self.requests
                if "jwk" in r.get("header", {})}

    def new_orders(self):
        return [r for r in self.made("newOrder") if r["status"] == 201]

    def signing_requests(self):
        """(path of the order, signing request) of each finalize that was obeyed."""
        return [(r["path"], r["payload"]["csr"]) for r in self.made("finalize")]


def problem(kind, status=403, detail="made up", fields=(), **members):
    """The parts of ("answer", …) for an error of RFC 8555."""
    value = {"type": f"urn:ietf:params:acme:error:{kind}", "detail": detail, **members}
    return status, [("Content-Type", "application/problem+json"), *fields], \
        json.dumps(value).encode()


def numbers(text, pattern):
    return [int(found) for found in re.findall(pattern, text)]
