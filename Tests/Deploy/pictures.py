"""Takes the README's pictures; called by deploy/pictures."""

import base64
import os
import subprocess
import sys

from browser import Browser
from house import AASA, Server

# A picture is looked at in a README's column of about 900 points; WebP keeps each below 60 KB.
SIZES = {"status": (1000, 985), "storm": (1000, 690)}


def save(browser, folder, name):
    width, height = SIZES[name]
    done = browser.call(
        "Page.captureScreenshot", format="webp", quality=60,
        clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
    file = os.path.join(folder, name + ".webp")
    with open(file, "wb") as out:
        out.write(base64.b64decode(done["data"]))
    return file


def take(folder, devices=600, seconds=30):
    """Writes status.webp and storm.webp; the files' names."""
    os.makedirs(folder, exist_ok=True)
    server, browser = Server(), Browser()
    try:
        host, report = server.hosts[0], os.path.join(server.folder, "storm.html")
        browser.call("Emulation.setScrollbarsHidden", hidden=True)
        browser.look(*SIZES["status"], dark=False)
        browser.open(f"http://127.0.0.1:{server.admin}/")
        browser.wait_for("latest && latest.history.second.length > 12")
        storm = subprocess.Popen(
            [AASA, "storm", f"https://{host}:{server.port}/", "--devices", str(devices), "--over",
             str(seconds), "--shape", "bell", "--era", "ios9.3:1,ios13:5,developer:4", "--resolve",
             f"{host}:{server.port}:127.0.0.1", "--cacert", server.authority, "--html", report],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        browser.wait_for(
            f"latest && latest.history.answered.filter(n => n > 0).length > {seconds * 3 // 4}")
        browser.value("[...document.querySelectorAll('button')]"
                      ".find(button => button.textContent.trim() === '2 min').click()")
        browser.wait_for("document.querySelectorAll('#charts path').length >= 8")
        files = [save(browser, folder, "status")]
        verdict, _ = storm.communicate(timeout=120)
        if storm.returncode != 0:
            raise RuntimeError("the storm did not go well: take the pictures on an idle machine\n" + verdict)
        browser.look(*SIZES["storm"], dark=False)
        browser.open("file://" + report)
        browser.wait_for("!!document.querySelector('footer')")
        return [*files, save(browser, folder, "storm")]
    finally:
        browser.close()
        server.stop()
        server.remove()


if __name__ == "__main__":
    for made in take(sys.argv[1]):
        print(f"{made}: {os.path.getsize(made)} bytes")
