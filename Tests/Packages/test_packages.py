"""The packages of deploy/package, tried as their users will."""

import gzip
import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time
import unittest

from house import AASA, free_port, path, run, said
from machine import debootstrap
from maker import deb, make, newer


def digest(file):
    with open(file, "rb") as opened:
        return hashlib.sha256(opened.read()).hexdigest()


class Maker(unittest.TestCase):
    """A folder."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="aasa-packages-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)


class Packages(Maker):
    def test_debian_policy(self):
        for file in make("deb"):
            done = run("lintian", "--tag-display-limit", "0", "--allow-root", file)
            tags = [line for line in done.stdout.splitlines() if line[:2] in ("E:", "W:")]
            self.assertEqual(tags, [], said(done))

    def test_security_updates_reach_it(self):
        depends = run("dpkg-deb", "-f", deb(), "Depends").stdout
        for library in ("libssl3", "libnghttp2-14"):
            self.assertIn(library, depends)

    def test_it_is_small(self):
        self.assertLess(os.path.getsize(deb()), 12 << 20)

    def test_two_builds_are_equal(self):
        first = make("oci") + make("deb") + make("tar")
        second = (make("oci", into="second") + make("deb", into="second")
                  + make("tar", into="second"))
        for one, two in zip(first, second):
            self.assertEqual(digest(one), digest(two), os.path.basename(one))

    def test_tarball_undoes_itself(self):
        (archive,) = make("tar")
        folder = tempfile.mkdtemp(dir=self.folder)
        run("tar", "-xf", archive, "-C", folder)
        (name,) = os.listdir(folder)
        root = os.path.join(folder, "root")
        os.mkdir(root)
        install = os.path.join(folder, name, "install.sh")
        done = run(install, "--prefix", root)
        self.assertEqual(done.returncode, 0, said(done))
        version = run(os.path.join(root, "usr/bin/aasa"), "--version")
        self.assertEqual(version.returncode, 0, said(version))
        with open(os.path.join(root, "etc/aasa/environment"), "a", encoding="ascii") as file:
            file.write("AASA_DEFAULT_HOST=mine.example\n")
        again = run(install, "--prefix", root)
        self.assertEqual(again.returncode, 0, said(again))
        with open(os.path.join(root, "etc/aasa/environment"), encoding="ascii") as file:
            self.assertIn("mine.example", file.read(), "a changed configuration was overwritten")
        done = run(install, "--prefix", root, "--uninstall")
        self.assertEqual(done.returncode, 0, said(done))
        left = [os.path.join(where, name) for where, _, names in os.walk(root) for name in names]
        # The configuration that somebody changed, and nothing else.
        self.assertEqual([os.path.relpath(name, root) for name in left],
                         ["etc/aasa/environment", "etc/aasa/environment.new"][: len(left)])

    def image_root(self):
        archive = next(name for name in make("oci") if name.endswith(".oci.tar"))
        root = tempfile.mkdtemp(dir=self.folder)
        with tarfile.open(archive) as tar:
            def blob(name):
                return tar.extractfile("blobs/sha256/" + name.removeprefix("sha256:")).read()

            index = json.load(tar.extractfile("index.json"))
            manifest = json.loads(blob(index["manifests"][0]["digest"]))
            config = json.loads(blob(manifest["config"]["digest"]))
            for layer in manifest["layers"]:
                data = gzip.decompress(blob(layer["digest"]))
                with tarfile.open(fileobj=io.BytesIO(data)) as layers:
                    layers.extractall(root)
        # A user of the image has to get into it; mkdtemp's folders are their maker's alone.
        os.chmod(root, 0o755)
        return root, config

    def test_image_runs_without_a_shell(self):
        root, config = self.image_root()
        user = config["config"]["User"]
        self.assertEqual(user, "10001:10001")
        done = run("chroot", "--userspec", user, root, "/usr/bin/aasa", "--version")
        self.assertEqual(done.returncode, 0, said(done))
        self.assertIn("OpenSSL 3", done.stdout)
        programs = [name for folder in ("bin", "usr/bin", "sbin", "usr/sbin")
                    if os.path.isdir(os.path.join(root, folder))
                    for name in os.listdir(os.path.join(root, folder))]
        self.assertEqual(programs, ["aasa"])

    def test_image_serves(self):
        root, config = self.image_root()
        shutil.copytree(path("site/example.com"), os.path.join(root, "etc/aasa/site/example.com"))
        certs = os.path.join(root, "etc/aasa/certs")
        made = run(AASA, "certs", "make", "--certs", certs, "example.com")
        self.assertEqual(made.returncode, 0, said(made))
        run("chown", "-R", "10001:10001", os.path.join(root, "etc/aasa"))
        port = free_port()
        environment = dict(one.split("=", 1) for one in config["config"]["Env"])
        environment.update(AASA_LISTEN=f"127.0.0.1:{port}", AASA_ADMIN="unix:/run/aasa/admin")
        server = subprocess.Popen(
            [shutil.which("chroot"), "--userspec", config["config"]["User"], root,
             *config["config"]["Entrypoint"], *config["config"]["Cmd"]],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            answer = None
            for _ in range(100):
                answer = run(
                    "curl", "-sS", "--cacert", os.path.join(certs, "local-ca/ca.pem"), "--resolve",
                    f"example.com:{port}:127.0.0.1",
                    f"https://example.com:{port}/.well-known/apple-app-site-association")
                if answer.returncode == 0 or server.poll() is not None:
                    break
                time.sleep(0.1)
            self.assertEqual(answer.returncode, 0, said(answer))
            self.assertIn("applinks", answer.stdout)
        finally:
            server.send_signal(signal.SIGINT)
            _, errors = server.communicate(timeout=120)
        self.assertEqual(server.returncode, 0, errors)

    def test_image_is_read_by_buildah(self):
        archive = next(name for name in make("oci") if name.endswith(".oci.tar"))
        storage = ["--root", os.path.join(self.folder, "storage"), "--runroot",
                   os.path.join(self.folder, "run"), "--storage-driver", "vfs"]
        pulled = run("buildah", *storage, "pull", "-q", "oci-archive:" + archive)
        self.assertEqual(pulled.returncode, 0, said(pulled))
        seen = run("buildah", *storage, "inspect", "--type", "image", pulled.stdout.strip())
        self.assertEqual(seen.returncode, 0, said(seen))
        labels = json.loads(seen.stdout)["OCIv1"]["config"]["Labels"]
        self.assertEqual(labels["org.opencontainers.image.title"], "aasa")

    def test_bill_of_materials(self):
        document = next(name for name in make("oci") if name.endswith(".spdx.json"))
        with open(document, encoding="utf-8") as file:
            content = json.load(file)
        self.assertEqual(content["spdxVersion"], "SPDX-2.3")
        names = {package["name"] for package in content["packages"]}
        self.assertLessEqual({"aasa", "libssl3", "libnghttp2-14", "libc6"}, names)

    def test_tarball_installs_for_the_service_alone(self):
        """A hardened root's umask is 077: the service has to get in, and nobody else."""
        (archive,) = make("tar")
        folder = tempfile.mkdtemp(dir=self.folder)
        run("tar", "-xf", archive, "-C", folder)
        (name,) = os.listdir(folder)
        root = os.path.join(folder, "root")
        for _ in range(2):
            done = run("sh", "-c", 'umask 077; exec "$0" --prefix "$1"',
                       os.path.join(folder, name, "install.sh"), root)
            self.assertEqual(done.returncode, 0, said(done))
            for place, mode in (
                    ("etc/aasa", 0o750), ("etc/aasa/site", 0o750), ("etc/aasa/certs", 0o750),
                    ("etc/aasa/environment", 0o640), ("usr/share/aasa", 0o755)):
                self.assertEqual(os.stat(os.path.join(root, place)).st_mode & 0o777, mode, place)


class CleanRoot(Maker):
    """Install, upgrade, remove, purge in a Debian that holds nothing else."""

    release = "bookworm"

    def chroot(self, *command, **options):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}
        return run("chroot", self.root, *command, env=environment, **options)

    def files(self):
        left = set()
        for where, folders, names in os.walk(self.root):
            relative = os.path.relpath(where, self.root)
            if relative in (".",):
                folders[:] = [one for one in folders if one not in ("proc", "sys", "dev", "tmp")]
            left |= {os.path.normpath(os.path.join(relative, name)) for name in names + folders}
        return left

    def test_life(self):
        self.root = os.path.join(self.folder, "root")
        done = debootstrap(self.root, self.release)
        self.assertEqual(done.returncode, 0, said(done))
        for file in (deb(), newer()):
            shutil.copy(file, os.path.join(self.root, "tmp"))
        self.chroot("apt-get", "-q", "update")
        # What aasa depends on comes first, so that the comparison sees aasa's own files alone.
        depends = [part.split("(")[0].split("|")[0].strip()
                   for part in run("dpkg-deb", "-f", deb(), "Depends").stdout.split(",")]
        done = self.chroot("apt-get", "-q", "-y", "--no-install-recommends", "install", *depends)
        self.assertEqual(done.returncode, 0, said(done))
        before = self.files()

        done = self.chroot("apt-get", "-q", "-y", "--no-install-recommends", "install",
                           "/tmp/" + os.path.basename(deb()))
        self.assertEqual(done.returncode, 0, said(done))
        done = self.chroot("aasa", "--version")
        self.assertEqual(done.returncode, 0, said(done))
        self.assertRegex(done.stdout, r"^aasa \d+\.\d+\.\d+ \((commit \w+.*, )?OpenSSL 3")
        folder = os.stat(os.path.join(self.root, "etc/aasa"))
        self.assertEqual(folder.st_mode & 0o777, 0o750)

        configuration = os.path.join(self.root, "etc/aasa/environment")
        with open(configuration, "a", encoding="ascii") as file:
            file.write("AASA_DEFAULT_HOST=mine.example\n")
        for name in (newer(), deb()):
            # Upgrade, then back: neither asks about the changed configuration, both keep it.
            done = self.chroot("apt-get", "-q", "-y", "--allow-downgrades", "install",
                               "/tmp/" + os.path.basename(name))
            self.assertEqual(done.returncode, 0, said(done))
            with open(configuration, encoding="ascii") as file:
                self.assertIn("mine.example", file.read())

        os.makedirs(os.path.join(self.root, "etc/aasa/site/example.com"))
        done = self.chroot("apt-get", "-q", "-y", "remove", "aasa")
        self.assertEqual(done.returncode, 0, said(done))
        self.assertTrue(os.path.exists(configuration), "remove took the configuration")
        self.assertFalse(os.path.exists(os.path.join(self.root, "usr/bin/aasa")))
        done = self.chroot("apt-get", "-q", "-y", "purge", "aasa")
        self.assertEqual(done.returncode, 0, said(done))
        self.assertFalse(os.path.exists(configuration), "purge left the configuration")
        # The administrator's site stays; the package manager's own books change.
        books = ("var/lib/dpkg", "var/lib/apt", "var/cache", "var/log", "etc/passwd-", "etc/group-",
                 "etc/shadow-", "etc/gshadow-", "etc/.pwd.lock", "var/lib/systemd",
                 # In memory on a machine that runs: the lock of Debian's adduser.
                 "run/")
        left = {name for name in self.files() - before if not name.startswith(books)}
        self.assertEqual(left, {"etc/aasa", "etc/aasa/site", "etc/aasa/site/example.com"})


class NextRelease(CleanRoot):
    """The package of Debian 12 on Debian 13."""

    release = "trixie"
