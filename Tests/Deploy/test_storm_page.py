"""The report of a storm in a real browser: phone and desktop, light and dark.

The pictures are left in .build/test-logs/ for people to look at.
"""

import os
import unittest

from browser import PageCase
from house import AASA, run, said


class StormPage(PageCase):
    def test_fits_and_says_its_verdict(self):
        host, page = self.server.hosts[0], os.path.join(self.server.folder, "storm.html")
        storm = run(
            AASA, "storm", f"https://{host}:{self.server.port}/", "--devices", "300",
            "--over", "3", "--shape", "spike", "--era", "ios9.3:1,ios13:2,managed:3",
            "--resolve", f"{host}:{self.server.port}:127.0.0.1",
            "--cacert", self.server.authority, "--html", page,
        )
        self.assertEqual(storm.returncode, 0, said(storm))
        backgrounds = set()
        for name, width in (("phone", 390), ("desktop", 1280)):
            for dark in (False, True):
                self.browser.look(width, 900, dark)
                self.browser.open("file://" + page)
                self.browser.wait_for("!!document.querySelector('footer')")
                height = self.browser.value("document.documentElement.scrollHeight")
                widest = self.browser.value("document.documentElement.scrollWidth")
                self.assertLessEqual(widest, width, f"{name} scrolls sideways")
                backgrounds.add(
                    self.browser.value("getComputedStyle(document.body).backgroundColor"))
                self.assertEqual(
                    self.browser.value("document.querySelector('h1').textContent"),
                    "All 300 devices were associated.")
                # No column is cut: what would have to be scrolled is not seen.
                cut = self.browser.value(
                    "[...document.querySelectorAll('.scroll')]"
                    ".filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText).join()")
                self.assertEqual(cut, "", f"{name}: a table is cut")
                # Each plot says its times, and no legend leaves its section.
                silent = self.browser.value(
                    "[...document.querySelectorAll('svg')].filter(e => ![...e.querySelectorAll('text')]"
                    ".some(t => / (s|ms)$/.test(t.textContent))).length")
                self.assertEqual(silent, 0, f"{name}: a plot without times")
                wide = self.browser.value(
                    "[...document.querySelectorAll('.legend')].filter(e => e.getBoundingClientRect()"
                    ".right > e.closest('section').getBoundingClientRect().right).length")
                self.assertEqual(wide, 0, f"{name}: a legend leaves its place")
                # A name is broken at its dots.
                self.assertIn(
                    host.replace(".", ".<wbr>"),
                    self.browser.value("document.querySelector('.facts').innerHTML"))
                # Of the two drawings of a plot, the one that fits is shown.
                shown = self.browser.value(
                    "[...document.querySelectorAll('.wide,.narrow')]"
                    ".filter(e => e.offsetHeight > 0).map(e => e.className).join()")
                self.assertEqual(shown, ",".join(["narrow" if width == 390 else "wide"] * 2))
                self.browser.look(width, height, dark)
                shade = "dark" if dark else "light"
                self.browser.picture(
                    os.path.join(self.pictures, f"storm-{name}-{shade}.png"))
        self.assertEqual(len(backgrounds), 2, "light and dark differ")
        self.assertEqual(self.browser.complaints, [], "the console is empty")


if __name__ == "__main__":
    unittest.main()
