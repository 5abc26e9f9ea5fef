"""The scripts of the packages, in a small root of their own with the system's tools played."""

import os
import re
import shutil
import tempfile
import unittest

from house import path, read, run, said

PLACES = ("etc/aasa", "etc/aasa/site", "etc/aasa/certs", "etc/aasa/environment")


class Root(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="aasa-maintainer-")
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        for folder in ("etc/aasa/site", "etc/aasa/certs", "bin"):
            os.makedirs(os.path.join(self.root, folder))
        self.write("etc/aasa/environment", "")
        self.calls = self.write("calls", "")
        self.write("owners", "")
        for name in ("adduser", "addgroup", "chown", "chmod"):
            self.tool(name, f'echo {name} "$@" >>"{self.calls}"\n')
        self.tool("dpkg-statoverride", "exit 1\n")
        # What a path belongs to stands in a file; all else is root's, as dpkg unpacks it.
        self.tool(
            "stat",
            f'grep -s "^$3 " "{self.root}/owners" | cut -d" " -f2 | grep . || echo root:root\n')
        self.account(passwd=False, group=False)

    def write(self, name, text):
        file = os.path.join(self.root, name)
        with open(file, "w", encoding="ascii") as out:
            out.write(text)
        return file

    def tool(self, name, script):
        os.chmod(self.write(f"bin/{name}", "#!/bin/sh\n" + script), 0o755)

    def account(self, passwd, group):
        self.tool(
            "getent",
            f'case "$1" in passwd) exit {int(not passwd)} ;; *) exit {int(not group)} ;; esac\n')

    def owned(self, owners):
        lines = (f"{self.root}/{place} {owner}\n" for place, owner in owners.items())
        self.write("owners", "".join(lines))

    def script(self, name, *words):
        """Runs the script with its folders below this root; returns what it asked of the tools."""
        self.write("calls", "")
        text = re.sub(
            r"(?<=[ \"])/(etc|var|run|lib)/", rf"{self.root}/\1/", read("deploy/lib/package", name))
        done = run("sh", self.write(name, text), *words,
                   env={"PATH": f"{self.root}/bin:{os.environ['PATH']}", "DPKG_ROOT": self.root,
                        "DPKG_MAINTSCRIPT_PACKAGE": "aasa"})
        self.assertEqual(done.returncode, 0, said(done))
        with open(self.calls, encoding="ascii") as file:
            return file.read().replace(self.root + "/", "").splitlines()


class Owners(Root):
    def given(self, calls):
        return {call.split()[-1] for call in calls if call.startswith("chown ")}

    def test_a_first_installation_gives_its_folders_to_the_group(self):
        calls = self.script("postinst", "configure", "")
        self.assertEqual(self.given(calls), set(PLACES))
        self.assertTrue(calls[0].startswith("adduser --system --group"), calls)
        self.assertEqual(self.given(self.script("postinst", "configure", "1.0.0")), set())

    def test_a_user_without_the_group_gets_it(self):
        """`useradd -N aasa`: chown, and the unit, want the group all the same."""
        self.account(passwd=True, group=False)
        calls = self.script("postinst", "configure", "")
        self.assertEqual(calls[0], "addgroup --system --quiet aasa")
        self.account(passwd=True, group=True)
        calls = self.script("postinst", "configure", "")
        self.assertFalse([call for call in calls if call.startswith("add")])

    def test_what_a_purge_left_keeps_its_owner(self):
        """`chown aasa /etc/aasa/certs && chmod 700` for --acme; root's, nobody could read it."""
        self.owned({"etc/aasa/certs": "aasa:aasa", "etc/aasa/site": "root:deploy"})
        self.assertEqual(self.given(self.script("postinst", "configure", "")),
                         {"etc/aasa", "etc/aasa/environment"})

    def test_what_a_link_leads_to_is_not_touched(self):
        site = os.path.join(self.root, "etc/aasa/site")
        os.rmdir(site)
        os.symlink(tempfile.gettempdir(), site)
        calls = self.script("postinst", "configure", "")
        self.assertNotIn("etc/aasa/site", {call.split()[-1] for call in calls})


@unittest.skipUnless(shutil.which("deb-systemd-helper"), "Debian's own tool")
class Links(Root):
    def test_links_of_enable_go_with_the_package(self):
        for name in ("aasa.service", "aasa.socket", "aasa-watch.service"):
            target = os.path.join(self.root, "lib/systemd/system", name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(path("deploy/systemd", name), target)
        for gone in ("remove", "purge"):
            with self.subTest(gone):
                self.script("postinst", "configure", "")
                links = []
                for wants, name in (("multi-user.target.wants", "aasa.service"),
                                    ("sockets.target.wants", "aasa.socket")):
                    folder = os.path.join(self.root, "etc/systemd/system", wants)
                    os.makedirs(folder, exist_ok=True)
                    links.append(os.path.join(folder, name))
                    os.symlink("/lib/systemd/system/" + name, links[-1])
                kept = os.path.join(self.root, "lib/systemd/system")
                os.rename(kept, kept + ".gone")
                self.script("postrm", gone)
                os.rename(kept + ".gone", kept)
                self.assertEqual([link for link in links if os.path.islink(link)], [])


class Tarball(Root):
    """install.sh, with a tree of a few files."""

    def setUp(self):
        super().setUp()
        for name, text in (("environment", "# none\n"), ("site/", ""), ("certs/", "")):
            file = os.path.join(self.root, "t/tree/etc/aasa", name)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            if text:
                self.write(os.path.relpath(file, self.root), text)
        for name in ("usr/bin", "usr/lib/sysusers.d", "usr/share/doc/aasa", "lib/systemd/system"):
            os.makedirs(os.path.join(self.root, "t/tree", name))
        self.tool("../t/tree/usr/bin/aasa", "echo 1.0.0\n")
        units = os.path.join(self.root, "t/tree/lib/systemd/system")
        shutil.copy(path("deploy/systemd/aasa.service"), units)
        self.prefix = os.path.join(self.root, "a prefix")
        self.script_file = os.path.join(self.root, "t/install.sh")
        shutil.copy(path("deploy/lib/package/install.sh"), self.script_file)
        for tool in os.listdir(os.path.join(self.root, "bin")):
            os.unlink(os.path.join(self.root, "bin", tool))

    def install(self, *words):
        done = run("sh", self.script_file, "--prefix", self.prefix, *words,
                   env={"PATH": f"{self.root}/bin:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, 0, said(done))

    def test_an_upgrade_leaves_an_administrators_folders_alone(self):
        self.install()
        site = os.path.join(self.prefix, "etc/aasa/site")
        elsewhere = os.path.join(self.prefix, "elsewhere")
        os.rename(site, elsewhere)
        os.chmod(elsewhere, 0o755)
        os.symlink("../../elsewhere", site)
        certs = os.path.join(self.prefix, "etc/aasa/certs")
        os.chmod(certs, 0o755)
        root = os.geteuid() == 0
        if root:
            os.chown(certs, 0, 4711)
        self.install()
        self.assertEqual(os.stat(elsewhere).st_mode & 0o777, 0o755)
        self.assertEqual(os.stat(certs).st_mode & 0o777, 0o755 if root else 0o750)
        self.assertEqual(os.stat(os.path.join(self.prefix, "etc/aasa")).st_mode & 0o777, 0o750)

    def test_uninstalling_ends_the_service_before_its_unit_goes(self):
        """What is done in / alone, played below a prefix."""
        with open(self.script_file, encoding="utf-8") as file:
            text = file.read().replace('[ -z "$prefix" ]', "true")
        text = text.replace("/run/systemd/system", self.root)
        self.write("t/install.sh", text)
        unit = os.path.join(self.prefix, "lib/systemd/system/aasa.service")
        self.tool("systemctl", f'test -e "{unit}" && echo there "$@" >>"{self.calls}" || '
                               f'echo gone "$@" >>"{self.calls}"\n')
        self.tool("systemd-sysusers", "")
        self.tool("getent", "exit 1\n")
        self.install()
        self.write("calls", "")
        self.install("--uninstall")
        with open(self.calls, encoding="ascii") as file:
            self.assertEqual(file.read().splitlines(), [
                "there disable --now aasa.socket aasa.service aasa-watch.service",
                "gone daemon-reload"])
