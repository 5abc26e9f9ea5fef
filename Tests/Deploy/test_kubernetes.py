"""The pod's command on folders as the kubelet lays them out, swapped under load; and the options of
deploy/kubernetes."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
import unittest

import yaml

from house import AASA, Server, read, run, said

HOST = "example.com"
TEAM = "D3KQX62K1A"
KEY = f"{HOST}.{TEAM}.json"


class Volume:
    """A projected volume (kubernetes/pkg/volume/util/atomic_writer.go): every path is a link
    through `..data`, which is a link to the folder of this version; a new version is a rename of
    that one link, and the old folder goes."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder)
        self.version = 0

    def write(self, files):
        self.version += 1
        new = f"..2026_11_22_10_00_{self.version:02}.{self.version}"
        for name, data in files.items():
            file = os.path.join(self.folder, new, name)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "wb") as opened:
                opened.write(data)
        data = os.path.join(self.folder, "..data")
        old = os.readlink(data) if os.path.islink(data) else None
        os.symlink(new, data + "_tmp")
        os.rename(data + "_tmp", data)
        for name in files:
            top = name.split("/")[0]
            link = os.path.join(self.folder, top)
            if not os.path.islink(link):
                os.symlink(os.path.join("..data", top), link)
        if old:
            shutil.rmtree(os.path.join(self.folder, old))


class Pod(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="aasa-pod-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        manifest = list(yaml.safe_load_all(read("deploy/kubernetes/aasa.yaml")))
        deployment = next(item for item in manifest if item["kind"] == "Deployment")
        self.pod = deployment["spec"]["template"]["spec"]
        self.container = self.pod["containers"][0]
        self.volumes = {volume["name"]: volume for volume in self.pod["volumes"]}
        self.site = Volume(f"{self.folder}/site")
        self.certs = Volume(f"{self.folder}/certs")
        self.renew()
        self.publish(1)

    def items(self, volume, kind):
        return {item["key"]: item["path"] for item in self.volumes[volume][kind]["items"]}

    def publish(self, number):
        document = {"applinks": {"details": [{
            "appIDs": [f"{TEAM}.com.example.app"],
            "components": [{"/": f"/version-{number}/*"}]}]}}
        where = self.items("site", "configMap")[KEY]
        self.site.write({where: json.dumps(document).encode()})

    def renew(self):
        made = f"{self.folder}/made"
        shutil.rmtree(made, ignore_errors=True)
        done = run(AASA, "certs", "make", "--certs", made, HOST)
        self.assertEqual(done.returncode, 0, said(done))
        where = self.items("certs", "secret")
        with open(f"{made}/{HOST}/fullchain.pem", "rb") as chain, \
                open(f"{made}/{HOST}/privkey.pem", "rb") as key:
            self.certs.write({where["tls.crt"]: chain.read(), where["tls.key"]: key.read()})

    def start(self):
        """The container's own command and environment, with its mounts where this test has them."""
        mounts = {"/etc/aasa/site": self.site.folder, "/etc/aasa/certs": self.certs.folder,
                  "/var/lib/aasa/state": f"{self.folder}/state"}
        environment = dict(os.environ)
        for variable in self.container["env"]:
            environment[variable["name"]] = mounts.get(variable["value"], variable["value"])
        # The port is the kernel's, and every address is the pod's.
        environment["AASA_ADMIN"] = environment["AASA_ADMIN"].replace(":9443", ":0")
        ready = f"{self.folder}/ready"
        log = open(f"{self.folder}/log", "wb")
        self.addCleanup(log.close)
        process = subprocess.Popen(
            [AASA, *self.container["args"], "--listen", "127.0.0.1:0", "--run",
             f"{self.folder}/run", "--ready-file", ready], env=environment,
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)

        def stop():
            if process.poll() is None:
                process.kill()
                process.wait(timeout=60)
            if os.path.exists(ready):
                os.remove(ready)

        self.stop = stop
        self.addCleanup(stop)
        end = time.monotonic() + 30
        while not os.path.exists(ready):
            self.assertIsNone(process.poll(), self.log())
            self.assertLess(time.monotonic(), end, self.log())
            time.sleep(0.05)
        with open(ready, encoding="utf-8") as file:
            lines = dict(line.split()[:2] for line in file)
        self.admin = int(lines["admin"].rsplit(":", 1)[1])
        return int(lines["listen"].rsplit(":", 1)[1])

    def log(self):
        with open(f"{self.folder}/log", encoding="utf-8", errors="replace") as file:
            return file.read()[-4000:]

    def get(self, port):
        return run("curl", "-sSk", "--max-time", "20", "--resolve", f"{HOST}:{port}:127.0.0.1",
                   f"https://{HOST}:{port}/.well-known/apple-app-site-association")

    def serial(self, port):
        done = run("openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-servername", HOST)
        return run("openssl", "x509", "-noout", "-serial", input=done.stdout, stdin=None).stdout

    def within(self, seconds, holds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if holds():
                return True
            time.sleep(0.1)
        return holds()

    def test_the_image_is_of_this_version(self):
        version = run(AASA, "--version").stdout.split()[1]
        self.assertEqual(self.pod["containers"][0]["image"], f"aasa:{version}")

    def status(self, page):
        return run("curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}",
                   f"http://127.0.0.1:{self.admin}{page}").stdout

    def test_prometheus_scrapes_what_the_annotations_name(self):
        self.start()
        manifest = list(yaml.safe_load_all(read("deploy/kubernetes/aasa.yaml")))
        deployment = next(item for item in manifest if item["kind"] == "Deployment")
        notes = deployment["spec"]["template"]["metadata"]["annotations"]
        self.assertEqual(notes["prometheus.io/scrape"], "true")
        ports = {port["name"]: port["containerPort"] for port in self.container["ports"]}
        self.assertEqual(int(notes["prometheus.io/port"]), ports["admin"])
        self.assertEqual([self.status(page) for page in ("/metrics", "/healthz", "/readyz")],
                         ["200"] * 3)
        self.assertEqual([self.status(page) for page in ("/", "/status.json")], ["403"] * 2)
        # Because it needs no token, no other client may reach it.
        policy = next(item for item in manifest if item["kind"] == "NetworkPolicy")["spec"]
        (admits,) = [rule["from"] for rule in policy["ingress"]
                     if rule["ports"][0]["port"] == "admin"]
        self.assertEqual(admits, [{"namespaceSelector": {
            "matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}])

    def test_a_restart_of_the_container_keeps_the_last_good_version(self):
        port = self.start()
        self.assertIn("version-1/", self.get(port).stdout)
        self.stop()
        self.site.write({self.items("site", "configMap")[KEY]: b"{"})
        port = self.start()
        self.assertIn("version-1/", self.get(port).stdout, self.log())
        self.assertEqual(self.status("/readyz"), "200")

    def test_a_new_pod_with_a_broken_site_is_never_ready(self):
        self.site.write({self.items("site", "configMap")[KEY]: b"{"})
        self.start()
        self.assertEqual([self.status(page) for page in ("/readyz", "/healthz")], ["503", "200"])

    def test_the_state_fits_its_volume(self):
        volume = self.volumes["state"]["emptyDir"]
        self.assertEqual(volume["medium"], "Memory", "it contains private keys")
        # A ConfigMap and a Secret hold 1 MiB each, and a record that is replaced is there twice.
        sources = sum("configMap" in v or "secret" in v for v in self.volumes.values())
        self.assertGreaterEqual(int(volume["sizeLimit"].removesuffix("Mi")), 2 * 2 * sources)
        (mount,) = [at["mountPath"] for at in self.container["volumeMounts"]
                    if at["name"] == "state"]
        (state,) = [entry["value"] for entry in self.container["env"]
                    if entry["name"] == "AASA_STATE"]
        # The mount is root's: the server makes a folder of its own in it.
        self.assertEqual(os.path.dirname(state), mount)

    def test_swaps_under_load_lose_nothing_and_arrive(self):
        port = self.start()
        answers, faults, ends = [], [], threading.Event()

        def ask():
            while not ends.is_set():
                done = self.get(port)
                answers.append(done.stdout)
                if done.returncode != 0 or not re.search(r"version-\d+/", done.stdout):
                    faults.append(said(done))

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            for number in range(2, 12):
                before = self.serial(port)
                self.publish(number)
                if number % 3 == 0:
                    self.renew()
                    self.assertTrue(self.within(30, lambda old=before: self.serial(port) != old),
                                    "the new certificate\n" + self.log())
                self.assertTrue(
                    self.within(30, lambda n=number: f"version-{n}/" in self.get(port).stdout),
                    f"version {number}\n{self.log()}")
        finally:
            ends.set()
            for thread in threads:
                thread.join()
        self.assertFalse(faults, f"{len(faults)} of {len(answers)}: {faults[:2]}")
        self.assertGreater(len(answers), 20)


class Options(unittest.TestCase):
    def of(self, name):
        return yaml.safe_load(read("deploy/kubernetes", name))

    def manifest(self, kind):
        return next(item for item in yaml.safe_load_all(read("deploy/kubernetes/aasa.yaml"))
                    if item["kind"] == kind)

    def test_the_certificate_is_what_the_pods_mount(self):
        component = self.of("cert-manager/kustomization.yaml")
        self.assertEqual(component["kind"], "Component")
        certificate = self.of("cert-manager/" + component["resources"][0])["spec"]
        volumes = self.manifest("Deployment")["spec"]["template"]["spec"]["volumes"]
        secrets = [volume["secret"]["secretName"] for volume in volumes if "secret" in volume]
        self.assertEqual([certificate["secretName"]], secrets)
        self.assertEqual(certificate["dnsNames"], [HOST])

    def test_the_autoscaler_asks_for_what_the_adapter_serves(self):
        component = self.of("autoscaling/kustomization.yaml")
        patch = component["patches"][0]
        scaler = self.of("autoscaling/" + patch["path"])
        self.assertEqual(patch["target"]["name"], self.manifest(scaler["kind"])["metadata"]["name"])
        asked = {metric["pods"]["metric"]["name"]
                 for metric in scaler["spec"]["metrics"] if metric["type"] == "Pods"}
        rules = self.of("autoscaling/prometheus-adapter.yaml")["rules"]["custom"]
        self.assertEqual(asked, {rule["name"]["as"] for rule in rules})
        # The whole autoscaler, as kustomize merges it.
        merged = self.manifest("HorizontalPodAutoscaler")
        merged["spec"].update(scaler["spec"])
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            yaml.safe_dump(merged, file)
            file.flush()
            done = run("kubernetes-validate", "--strict", file.name)
        self.assertEqual(done.returncode, 0, said(done))
        # Each series is one that a server has.
        server = Server()
        self.addCleanup(server.remove)
        self.addCleanup(server.stop)
        metrics = server.get("/metrics")[1]
        for rule in rules:
            series = re.match(r'(\w+)\{(\w+="\w+")', rule["seriesQuery"])
            self.assertTrue(
                re.search(f"^{series[1]}\\{{.*{series[2]}", metrics, re.M), series[0])

    def test_commands_find_the_server_on_a_read_only_root(self):
        """`aasa status` in the container: its socket lies where the server can make it."""
        place = re.search(r"\bAASA_RUN=(\S+)", read("deploy/container/Containerfile"))
        self.assertIsNotNone(place, "/tmp is read-only there")
        self.assertIn(f'"AASA_RUN={place[1]}"', read("deploy/lib/package/oci.py"))
        # An emptyDir is root's, and everybody's: the server makes a folder of its own in it.
        parent = os.path.dirname(place[1])
        pod = self.manifest("Deployment")["spec"]["template"]["spec"]
        empty = {volume["name"] for volume in pod["volumes"] if "emptyDir" in volume}
        mounts = pod["containers"][0]["volumeMounts"]
        self.assertIn(parent, [at["mountPath"] for at in mounts if at["name"] in empty])
        self.assertIn(f"--tmpfs {parent}:", read("deploy/container/run"))


if __name__ == "__main__":
    unittest.main()
