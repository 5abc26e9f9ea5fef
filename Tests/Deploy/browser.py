"""Headless Chromium over its own debugging protocol: pictures, console, sizes."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest
import urllib.request

from websockets.sync.client import connect

from house import Server, path


class Browser:
    def __init__(self):
        program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
        if program is None:
            raise RuntimeError("chromium is not installed")
        self.folder = tempfile.mkdtemp(prefix="aasa-chromium-")
        self.process = subprocess.Popen(
            [
                program, "--headless=new", "--no-sandbox", "--disable-gpu",
                "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync", "--remote-debugging-port=0",
                f"--user-data-dir={self.folder}", "about:blank",
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        port_file = os.path.join(self.folder, "DevToolsActivePort")
        deadline = time.monotonic() + 90
        while not (os.path.exists(port_file) and open(port_file).read().count("\n")):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("chromium did not start")
            time.sleep(0.1)
        port = open(port_file).read().split("\n")[0]
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=60))
        page = next(item for item in pages if item["type"] == "page")
        # Nobody reads for as long as a test waits for something else: no pings.
        self.socket = connect(
            page["webSocketDebuggerUrl"], max_size=None, open_timeout=60, ping_interval=None)
        self.number = 0
        self.complaints = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(
            json.dumps({"id": self.number, "method": method, "params": parameters})
        )
        while True:
            message = json.loads(self.socket.recv(timeout=90))
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.notice(message)

    def notice(self, message):
        method, detail = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(detail["exceptionDetails"])[:500])
        elif method == "Runtime.consoleAPICalled" and detail["type"] in ("error", "warning"):
            self.complaints.append(json.dumps(detail["args"])[:500])
        elif method == "Log.entryAdded" and detail["entry"]["level"] in ("error", "warning"):
            self.complaints.append(detail["entry"]["text"])

    def look(self, width, height, dark):
        scheme = "dark" if dark else "light"
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height,
            deviceScaleFactor=1, mobile=width < 700,
        )
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )

    def open(self, address):
        self.call("Page.navigate", url=address)

    def value(self, expression):
        done = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return done["result"].get("value")

    def wait_for(self, expression, seconds=60):
        deadline = time.monotonic() + seconds
        while not self.value(expression):
            if time.monotonic() > deadline:
                raise AssertionError(f"never true: {expression}")
            time.sleep(0.2)

    def picture(self, file):
        done = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        with open(file, "wb") as out:
            out.write(base64.b64decode(done["data"]))

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(timeout=60)
        shutil.rmtree(self.folder, ignore_errors=True)


class PageCase(unittest.TestCase):
    """A server, a browser, and a folder for pictures. `prepare` changes the sample site."""

    prepare = None

    @classmethod
    def setUpClass(cls):
        cls.server = Server(prepare=cls.prepare)
        cls.browser = Browser()
        cls.pictures = path(".build/test-logs")
        os.makedirs(cls.pictures, exist_ok=True)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.stop()
        cls.server.remove()
