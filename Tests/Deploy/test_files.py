"""The files of deploy/ before the judges that will read them."""

import json
import os
import re
import shutil
import tempfile
import unittest

import yaml
from house import AASA, ROOT, path, read, run, said


def tracked():
    listed = run("git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", cwd=ROOT)
    return [name for name in listed.stdout.split("\n") if name and os.path.isfile(path(name))]


class Scripts(unittest.TestCase):
    def test_shellcheck_finds_nothing(self):
        scripts = []
        for name in tracked():
            with open(path(name), "rb") as file:
                first = file.readline()
            if first.startswith(b"#!") and b"sh" in first.split(b"/")[-1]:
                scripts.append(name)
        self.assertGreater(len(scripts), 5)
        done = run("shellcheck", "-x", *scripts, cwd=ROOT)
        self.assertEqual(done.returncode, 0, said(done))


class Units(unittest.TestCase):
    units = ("aasa.service", "aasa.socket", "aasa-watch.service")

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="aasa-units-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name in self.units:
            text = read("deploy/systemd", name).replace("/usr/bin/aasa", AASA)
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(text)

    def test_systemd_accepts_them(self):
        units = [os.path.join(self.folder, name) for name in self.units]
        done = run("systemd-analyze", "verify", "--man=no", *units)
        self.assertEqual(done.returncode, 0, said(done))
        self.assertEqual(done.stderr.strip(), "", "a warning is a finding")

    def test_exposure_is_at_most_1_5(self):
        for name in ("aasa.service", "aasa-watch.service"):
            with self.subTest(name):
                done = run(
                    "systemd-analyze", "security", "--offline=true", "--threshold=15",
                    "--no-pager", os.path.join(self.folder, name)
                )
                level = re.search(rf"exposure level for {name}: ([0-9.]+)", done.stdout)
                self.assertIsNotNone(level, said(done))
                self.assertLessEqual(float(level.group(1)), 1.5)
                self.assertEqual(done.returncode, 0, said(done))

    def test_threads_suffice_on_a_machine_of_256_processors(self):
        # A worker for each, what runs beside them, and a second process during an upgrade.
        wanted = 2 * (256 + 16)
        limit = re.search(r"^TasksMax=(\d+)$", read("deploy/systemd/aasa.service"), re.M)
        self.assertGreaterEqual(int(limit.group(1)), wanted)
        limit = re.search(r"--pids-limit (\d+)", read("deploy/container/run"))
        self.assertGreaterEqual(int(limit.group(1)), wanted)

    def test_options_in_the_units_exist(self):
        found = 0
        for name in ("aasa.service", "aasa-watch.service"):
            unit = read("deploy/systemd", name)
            for command, rest in re.findall(
                r"^Exec\w+=/usr/bin/aasa (\w+)((?:.*\\\n)*.*)$", unit, re.M
            ):
                helped = run(AASA, command, "--help-hidden").stdout
                for option in re.findall(r"--[a-z-]+", rest):
                    self.assertIn(option, helped)
                    found += 1
        self.assertGreater(found, 4)

    def service(self, environment):
        """Starts what the unit starts, with these lines in /etc/aasa/environment; what it says."""
        unit = read("deploy/systemd/aasa.service")
        folder = os.path.join(self.folder, "aasa")
        os.makedirs(folder, exist_ok=True)
        variables = dict(
            item.split("=", 1)
            for line in re.findall(r"^Environment=(.*)$", unit, re.M) for item in line.split())
        command = re.search(r"^ExecStart=/usr/bin/aasa ((?:.*\\\n)*.*)$", unit, re.M)[1]
        words = command.replace("\\\n", " ").replace("$AASA_OPTIONS", "").split()
        # One mistake of its own ends it before it serves, and every other one is told beside.
        variables |= {"STATE_DIRECTORY": folder, "RUNTIME_DIRECTORY": folder, "AASA_DRAIN": "x"}
        done = run(AASA, *words, env={"PATH": os.environ["PATH"], **variables, **environment})
        self.assertEqual(done.returncode, 2, said(done))
        problems = [line for line in done.stderr.split("\n") if line.startswith("aasa: ")]
        return [line for line in problems if "AASA_DRAIN" not in line], variables | environment

    def test_the_environment_file_has_the_last_word(self):
        """A flag in the unit would come before it: --site beside AASA_FLEET is no start at all."""
        self.assertEqual(self.service({})[0], [])
        fleet = {"AASA_FLEET": "web", "AASA_ETCD": "https://10.0.0.1:2379",
                 "AASA_CERTS": "/var/lib/aasa/certs"}
        problems, variables = self.service(fleet)
        self.assertEqual(problems, [])
        self.assertEqual(variables["AASA_CERTS"], "/var/lib/aasa/certs")
        # Prometheus asks no Unix socket: the pages name an address for it.
        for page in ("deploy/guides/deploy.md", "deploy/guides/monitoring.md"):
            named = re.search(r"`AASA_ADMIN=([0-9.:]+)`", read(page))
            self.assertIsNotNone(named, page)
            problems, variables = self.service({"AASA_ADMIN": named[1]})
            self.assertEqual((problems, variables["AASA_ADMIN"]), ([], "127.0.0.1:9443"))
        unit = read("deploy/systemd/aasa.service")
        self.assertLess(unit.rindex("\nEnvironment="), unit.index("\nEnvironmentFile="))
        helped = read("deploy/OPTIONS.md")
        for name in re.findall(r"\b(AASA_\w+)=", unit):
            self.assertIn(name, helped)
        self.assertNotRegex(unit, r"(?m)^ExecStart=.*--|^    --", "a flag that no variable can change")

    def test_a_site_may_lie_in_srv(self):
        """Where data for services lies; behind a link from /etc/aasa/site it was `Permission denied`."""
        for name in ("aasa.service", "aasa-watch.service"):
            for line in re.findall(r"^InaccessiblePaths=(.*)$", read("deploy/systemd", name), re.M):
                self.assertNotIn("-/srv", line.split())

    def test_the_recipe_for_certificates_ends_with_the_service_that_has_them(self):
        block = re.search(r"```sh with systemd\n(chown aasa .*?)```", read("deploy/guides/deploy.md"), re.S)[1]
        self.assertTrue(block.endswith("systemctl daemon-reload && systemctl restart aasa\n"), block)

    def test_the_server_sees_the_load_of_the_machine(self):
        """/proc/pressure/cpu and /proc/stat: else no overload is ever the machine's (`starved`)."""
        self.assertNotRegex(read("deploy/systemd/aasa.service"), r"(?m)^ProcSubset=pid")

    def test_fronts_get_through_to_the_plain_socket_of_the_unit(self):
        """Their workers are other users: the folder has to let them pass, and not look."""
        unit = read("deploy/systemd/aasa.service")
        self.assertIn("\nRuntimeDirectory=aasa\n", unit)
        for name in ("nginx-plain.conf", "haproxy-plain.cfg"):
            self.assertIn("/run/aasa/plain.sock", read("deploy/fronts", name))
        mode = int(re.search(r"^RuntimeDirectoryMode=(\d+)$", unit, re.M)[1], 8)
        self.assertEqual(mode & 0o007, 0o001)


class Prometheus(unittest.TestCase):
    def test_rules_and_their_tests_pass(self):
        for arguments in (("check", "rules", "alerts.yml"), ("test", "rules", "alerts-test.yml")):
            done = run("promtool", *arguments, cwd=path("deploy/prometheus"))
            self.assertEqual(done.returncode, 0, said(done))

    def test_alertmanager_holds_back_alerts_that_exist(self):
        settings = yaml.safe_load(read("deploy/prometheus/alertmanager.yml"))
        rules = read("deploy/prometheus/alerts.yml")
        for rule in settings["inhibit_rules"]:
            for matcher in rule["source_matchers"] + rule["target_matchers"]:
                for name in re.findall(r"Aasa\w+", matcher):
                    self.assertIn(f"- alert: {name}\n", rules)
        receivers = {receiver["name"] for receiver in settings["receivers"]}
        route = settings["route"]
        self.assertEqual({route["receiver"], *(child["receiver"] for child in route["routes"])}, receivers)


class Kubernetes(unittest.TestCase):
    def documents(self):
        return list(yaml.safe_load_all(read("deploy/kubernetes/aasa.yaml")))

    def of_kind(self, kind):
        return next(item for item in self.documents() if item["kind"] == kind)

    def test_schemas_accept_them(self):
        done = run("kubernetes-validate", "--strict", path("deploy/kubernetes/aasa.yaml"))
        self.assertEqual(done.returncode, 0, said(done))
        self.assertEqual(done.stdout.count("passed") + done.stderr.count("passed"), 5, said(done))

    def test_every_selector_selects_the_pods(self):
        pods = self.of_kind("Deployment")["spec"]["template"]["metadata"]["labels"].items()
        selectors = [
            self.of_kind("Deployment")["spec"]["selector"]["matchLabels"],
            self.of_kind("Service")["spec"]["selector"],
            self.of_kind("PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
            self.of_kind("NetworkPolicy")["spec"]["podSelector"]["matchLabels"],
        ]
        for selector in selectors:
            self.assertLessEqual(selector.items(), pods)

    def test_the_pod_drains_and_is_locked_down(self):
        pod = self.of_kind("Deployment")["spec"]["template"]["spec"]
        container = pod["containers"][0]
        # The server accepts for its drain time after SIGTERM, and ends within 15 s after that.
        drain = int(next(v["value"] for v in container["env"] if v["name"] == "AASA_DRAIN"))
        self.assertGreater(pod["terminationGracePeriodSeconds"], drain + 15)
        security = container["securityContext"]
        self.assertTrue(security["readOnlyRootFilesystem"])
        self.assertFalse(security["allowPrivilegeEscalation"])
        self.assertEqual(security["capabilities"]["drop"], ["ALL"])
        self.assertTrue(pod["securityContext"]["runAsNonRoot"])
        ports = {port["name"] for port in container["ports"]}
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            self.assertIn(container[probe]["httpGet"]["port"], ports)
        mounts = {mount["name"] for mount in container["volumeMounts"]}
        self.assertEqual(mounts, {volume["name"] for volume in pod["volumes"]})

    def test_the_kustomization_names_files_that_exist_and_are_mounted(self):
        kustomization = yaml.safe_load(read("deploy/kubernetes/kustomization.yaml"))
        for name in kustomization["resources"]:
            self.assertTrue(os.path.exists(path("deploy/kubernetes", name)), name)
        keys = set()
        for generated in kustomization["configMapGenerator"]:
            for entry in generated["files"]:
                key, file = entry.split("=")
                keys.add(key)
                json.loads(read("deploy/kubernetes", file))
        volumes = self.of_kind("Deployment")["spec"]["template"]["spec"]["volumes"]
        site = next(volume for volume in volumes if volume["name"] == "site")
        self.assertEqual(keys, {item["key"] for item in site["configMap"]["items"]})

    def test_what_nothing_here_makes_has_its_command(self):
        text = read("deploy/kubernetes/kustomization.yaml")
        volumes = self.of_kind("Deployment")["spec"]["template"]["spec"]["volumes"]
        for volume in volumes:
            if "secret" in volume:
                self.assertIn(f"kubectl create secret tls {volume['secret']['secretName']} ", text)

    def test_the_autoscaler_alone_counts_the_pods(self):
        """`kubectl apply -k` publishes a change of the site: a storm's pods stay as many."""
        deployment = self.of_kind("Deployment")
        target = self.of_kind("HorizontalPodAutoscaler")["spec"]["scaleTargetRef"]
        self.assertEqual(target["name"], deployment["metadata"]["name"])
        self.assertNotIn("replicas", deployment["spec"])
        self.assertIn("minReplicas", read("deploy/RELEASE-DAY.md"))
        self.assertIn("edit-last-applied", read("deploy/CHANGELOG.md"))


class Container(unittest.TestCase):
    def test_it_is_small_and_powerless(self):
        text = re.sub(r"\\\n", " ", read("deploy/container/Containerfile"))
        lines = [line for line in text.split("\n") if line and not line.startswith("#")]
        stages = [line.split()[1] for line in lines if line.startswith("FROM ")]
        self.assertEqual(len(stages), 2)
        self.assertTrue(stages[-1].endswith("-slim"))
        for stage in stages:
            self.assertRegex(stage, r":[a-z0-9.-]+$", "a tag")
            self.assertFalse(stage.endswith(":latest"))
        last = lines[[index for index, line in enumerate(lines) if line.startswith("FROM ")][-1]:]
        self.assertIn("USER 10001:10001", last)
        self.assertTrue(any(line.startswith("HEALTHCHECK ") for line in last))
        self.assertFalse(any(line.startswith("ADD ") for line in lines))
        for line in lines:
            for source in re.findall(r"^COPY (?!--from)(.*) \S+$", line):
                for name in source.split():
                    self.assertTrue(os.path.exists(path(name)), name)

    def test_it_drains(self):
        """It accepts connections for that time, and needs 15 s more."""
        drain = int(re.search(r"AASA_DRAIN=(\d+)", read("deploy/container/Containerfile"))[1])
        self.assertGreater(drain, 0)
        self.assertIn(f'"AASA_DRAIN={drain}"', read("deploy/lib/package/oci.py"))
        limit = int(re.search(r"--stop-timeout (\d+)", read("deploy/container/run"))[1])
        self.assertGreaterEqual(limit, drain + 15)

    def test_the_health_check_survives_podman(self):
        """The OCI format has none: podman drops it without a word that anybody reads."""
        self.assertIn("HEALTHCHECK", read("deploy/container/Containerfile"))
        for page in ("deploy/container/Containerfile", "deploy/guides/deploy.md"):
            for command in re.findall(r"podman build.*", read(page)):
                self.assertIn("--format docker", command, page)

    def test_podman_and_docker_understand_how_it_is_run(self):
        folder = tempfile.mkdtemp(prefix="aasa container ")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        engine = os.path.join(folder, "podman")
        with open(engine, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
        os.chmod(engine, 0o755)
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        for image in ("aasa", "aasa:1.1.0"):
            done = run(path("deploy/container/run"), folder, folder, "8443",
                       env=environment if image == "aasa" else {**environment, "AASA_IMAGE": image})
            words = done.stdout.splitlines()
            self.assertEqual(words[-1], image, said(done))
            self.assertIn(f"{folder}:/etc/aasa/certs:ro", words)
            # A named volume: --rm removes only those without a name. The image's folder below it
            # gives it its owner.
            (name, place) = next(word for word in words if word.endswith(":/var/lib/aasa")).split(":")
            self.assertRegex(name, "^[a-z-]+$")
            self.assertIn(f"AASA_STATE={place}/state", words)
            self.assertRegex(read("deploy/container/Containerfile"), f"-o 10001 .*{place}")
            self.assertIn(f'"{place[1:]}"', read("deploy/lib/package/oci.py"))
            # Podman ends at any other one, uid= among them.
            options = words[words.index("--tmpfs") + 1].split(":")[1].split(",")
            self.assertLessEqual({option.split("=")[0] for option in options},
                                 {"rw", "noexec", "nosuid", "nodev", "mode", "size"})
            self.assertIn("mode=1777", options, "the owner is root: the server makes its folder there")

    def test_the_archive_has_a_name_and_a_tag(self):
        """Podman takes the whole annotation for a name: a tag alone was localhost/1.1.0:latest."""
        folder = tempfile.mkdtemp(prefix="aasa-oci-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        for name in ("tree/DEBIAN", "tree/etc/aasa", "base", "output"):
            os.makedirs(os.path.join(folder, name))
        with open(os.path.join(folder, "tree/DEBIAN/control"), "w", encoding="ascii") as file:
            file.write("Package: aasa\nVersion: 1.2.3\nArchitecture: all\n"
                       "Maintainer: a <a@example.com>\nDescription: a\n")
        for command in (
            ("dpkg-deb", "--root-owner-group", "--build", "tree", "aasa.deb"),
            ("tar", "-C", "base", "-cf", "base.tar", "."),
            ("python3", path("deploy/lib/package/oci.py"), "--deb", "aasa.deb", "--version", "1.2.3",
             "--commit", "c", "--output", "output", "--work", "work", "--base", "base.tar"),
        ):
            done = run(*command, cwd=folder, env={**os.environ, "SOURCE_DATE_EPOCH": "0"})
            self.assertEqual(done.returncode, 0, said(done))
        done = run("tar", "-xOf", "output/aasa-1.2.3-all.oci.tar", "index.json", cwd=folder)
        (manifest,) = json.loads(done.stdout)["manifests"]
        self.assertEqual(manifest["annotations"], {"org.opencontainers.image.ref.name": "aasa:1.2.3"})

    def test_keys_do_not_get_into_the_build(self):
        ignored = read(".dockerignore").split("\n")
        for name in (".git", "certs", "site", ".build*"):
            self.assertIn(name, ignored)


class Kernel(unittest.TestCase):
    def test_settings_exist_and_carry_reasons(self):
        above = []
        settings = 0
        for line in read("deploy/kernel/60-aasa.conf").split("\n"):
            if line.startswith("#"):
                above.append(line)
            elif "=" in line:
                name, value = (part.strip() for part in line.split("="))
                self.assertTrue(above, f"{name} has no reason")
                self.assertRegex(value, r"^[0-9 ]+$")
                file = "/proc/sys/" + name.replace(".", "/")
                # A sandbox may hide a setting; a folder that exists shows what it has.
                if os.path.exists(file):
                    self.assertEqual(len(open(file).read().split()), len(value.split()), name)
                settings += 1
            elif not line:
                above = []
        self.assertGreaterEqual(settings, 6)


    def test_tcp_leaves_half_of_the_memory(self):
        text = read("deploy/kernel/60-aasa.conf")
        most = int(re.search(r"^net.ipv4.tcp_mem = \d+ \d+ (\d+)$", text, re.M)[1]) * 4096
        least = int(re.search(r"Remove it also below (\d+) GB", text)[1]) << 30
        self.assertLessEqual(2 * most, least)


class Help(unittest.TestCase):
    """Every command and option of the tool says what it is for."""

    def walk(self, command):
        yield command
        for nested in command.get("subcommands", []):
            if nested["commandName"] != "help":
                yield from self.walk(nested)

    def test_everything_is_explained(self):
        done = run(AASA, "--experimental-dump-help")
        self.assertEqual(done.returncode, 0, said(done))
        commands = list(self.walk(json.loads(done.stdout)["command"]))
        self.assertGreater(len(commands), 10)
        silent = []
        for command in commands:
            name = " ".join([*command.get("superCommands", []), command["commandName"]])
            if not command.get("abstract"):
                silent.append(name)
            for argument in command.get("arguments", []):
                if not argument.get("abstract") and argument.get("shouldDisplay", True):
                    silent.append(f"{name} {argument.get('valueName')}")
        self.assertEqual(silent, [])

    def test_wrong_usage_is_status_2(self):
        done = run(AASA, "serve", "--no-such-option")
        self.assertEqual(done.returncode, 2, said(done))
        self.assertEqual(done.stdout, "")
