"""The status page in a real browser: phone and desktop, light and dark, calm and in a storm.

The pictures are left in .build/test-logs/ for people to look at.
"""

import os
import shutil
import signal
import subprocess

from browser import PageCase
from house import Server

WIDEST = "document.documentElement.scrollWidth"


class PageInEveryShape(PageCase):
    """The page at the width of a phone and of a desktop, light and dark."""

    def look(self, moment):
        backgrounds = set()
        for name, width, height in (("phone", 390, 844), ("desktop", 1280, 900)):
            for dark in (False, True):
                self.browser.look(width, height, dark)
                self.browser.open(f"http://127.0.0.1:{self.server.admin}/")
                self.browser.wait_for("document.querySelectorAll('#charts path').length >= 8")
                self.assertLessEqual(self.browser.value(WIDEST), width, f"{name} scrolls sideways")
                backgrounds.add(
                    self.browser.value("getComputedStyle(document.body).backgroundColor")
                )
                shade = "dark" if dark else "light"
                picture = f"page-{moment}-{name}-{shade}.png"
                self.browser.picture(os.path.join(self.pictures, picture))
        self.assertEqual(len(backgrounds), 2, "light and dark differ")
        self.assertEqual(self.browser.complaints, [], "the console is empty")


class StatusPage(PageInEveryShape):
    def test_1_calm(self):
        self.look("calm")
        self.assertEqual(self.browser.value("byId('headline').textContent"), "All is well")
        shown = self.browser.value("byId('hosts').textContent")
        for host in self.server.hosts:
            self.assertIn(host, shown)

    def test_2_in_a_storm(self):
        host = self.server.hosts[0]
        # What is usual has to be known before a storm can be told from it.
        self.browser.open(f"http://127.0.0.1:{self.server.admin}/")
        self.browser.wait_for("latest && latest.history.second.length > 12")
        load = subprocess.Popen(
            [
                "wrk", "-t1", "-c40", "-d25s", "-H", "Connection: close", "-H", f"Host: {host}",
                f"https://127.0.0.1:{self.server.port}/.well-known/apple-app-site-association",
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        try:
            self.browser.wait_for(
                "latest && latest.storm && latest.history.answered.filter(n => n > 20).length > 4"
            )
            self.look("storm")
        finally:
            load.terminate()
            load.wait(timeout=60)
        self.assertIn("in progress since", self.browser.value("byId('storm').textContent"))

    def test_3_after_the_server_has_stopped(self):
        server = Server()
        self.addCleanup(server.remove)
        self.browser.open(f"http://127.0.0.1:{server.admin}/")
        self.browser.wait_for("byId('headline').textContent === 'All is well'")
        server.stop()
        self.browser.wait_for("byId('headline').textContent === 'No answer from the server'")
        # The failed request is what the browser complains about here, rightly.
        self.browser.complaints.clear()

    def test_5_charts_have_a_time_axis(self):
        self.browser.open(f"http://127.0.0.1:{self.server.admin}/")
        self.browser.wait_for("document.querySelectorAll('#charts path').length >= 8")
        axes = self.browser.value(
            "[...document.querySelectorAll('#charts .axis')]"
            ".map(axis => [...axis.children].map(mark => mark.textContent))")
        self.assertGreater(len(axes), 1)
        for marks in axes:
            self.assertEqual((len(marks), marks[-1]), (5, "now"))
            self.assertTrue(all(marks), marks)

    def test_6_a_kept_certificate_is_marked(self):
        server = Server()
        self.addCleanup(server.remove)
        self.addCleanup(server.stop)
        chain = os.path.join(server.certs, server.hosts[0], "fullchain.pem")
        with open(chain, "w", encoding="ascii") as file:
            file.write("broken")
        self.browser.open(f"http://127.0.0.1:{server.admin}/")
        self.browser.wait_for(
            "byId('certificates').textContent.includes('last good version since')")

    def test_4_while_nothing_comes(self):
        """A server that was stopped, or a tunnel that was cut, refuses nothing."""
        server = Server()
        self.addCleanup(server.remove)
        self.addCleanup(server.stop)
        self.addCleanup(server.process.send_signal, signal.SIGCONT)
        self.browser.open(f"http://127.0.0.1:{server.admin}/")
        self.browser.wait_for("byId('headline').textContent === 'All is well'")
        server.process.send_signal(signal.SIGSTOP)
        self.browser.wait_for("byId('headline').textContent === 'No answer from the server'")
        self.assertEqual(self.browser.value("document.title"), "▲ aasa")
        self.browser.complaints.clear()


def forty_hosts(site):
    """Forty hosts; a typing error in one team's fragment, and one fragment that is empty."""
    teams = os.path.join(site, "example.com", "teams")
    for number in range(1, 41):
        host = os.path.join(site, f"shop-{number:02}.example.net")
        shutil.copytree(teams, os.path.join(host, "teams"))
    for number, broken in ((17, '{ "applinks": { "details": [ '), (33, "")):
        folder = os.path.join(site, f"shop-{number:02}.example.net", "teams")
        with open(os.path.join(folder, sorted(os.listdir(folder))[0]), "w") as file:
            file.write(broken)
    for name in os.listdir(site):
        if not name.startswith("shop-"):
            entry = os.path.join(site, name)
            shutil.rmtree(entry) if os.path.isdir(entry) else os.remove(entry)


class PageWithFortyHosts(PageInEveryShape):
    """A table with a filter, the broken hosts first, at the width of a phone and of a desktop."""

    prepare = staticmethod(forty_hosts)

    def rows(self):
        return self.browser.value(
            "[...document.querySelectorAll('#hosts tr')].filter(row => row.querySelector('.tag'))"
            ".map(row => [row.cells[0].textContent, row.cells[1].textContent])")

    def test_broken_hosts_come_first_and_the_filter_finds_one(self):
        self.look("forty")
        self.assertEqual(
            self.browser.value("[...byId('reasons').children].map(item => item.innerText.split(' ')[0])"),
            ["shop-17.example.net", "shop-33.example.net"])
        rows = self.rows()
        self.assertEqual(len(rows), 40)
        self.assertEqual(
            rows[:2],
            [["shop-17.example.net", "answers 503"], ["shop-33.example.net", "answers 503"]])
        self.assertEqual({state for _, state in rows[2:]}, {"served as json"})
        problems = self.browser.value(
            "[...document.querySelectorAll('#hosts .problem')].map(cell => cell.innerText)")
        self.assertEqual(len(problems), 2)
        for text in problems:
            self.assertRegex(text, r"teams/\w+\.json")
            self.assertIn("Fix: ", text)
        self.browser.value(
            "byId('filter').value = 'SHOP-2'; byId('filter').dispatchEvent(new Event('input'))")
        self.assertEqual(
            [name for name, _ in self.rows()], [f"shop-2{n}.example.net" for n in range(10)])
        self.assertEqual(
            self.browser.value("byId('certificates').querySelector('p').textContent"),
            "20 of 80 certificates")
        self.assertEqual(self.browser.complaints, [], "the console is empty")
