"""The Grafana dashboard and the recording rules, before a real Prometheus that looks at a server."""

import json
import re
import shutil
import tempfile
import time
import unittest

from house import Server, path, read, run, said
from monitoring import Prometheus


def queries():
    """(panel, query) of the dashboard, its variables as Grafana fills them in."""
    for panel in json.loads(read("deploy/prometheus/dashboard.json"))["panels"]:
        for target in panel["targets"]:
            text = target["expr"].replace("$__rate_interval", "10s").replace("$instance", ".*")
            yield panel["title"], text


class Dashboard(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="aasa-dashboard-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.server = Server()
        cls.addClassCleanup(cls.server.remove)
        cls.addClassCleanup(cls.server.stop)
        cls.prometheus = Prometheus(cls.folder, cls.server.admin)
        cls.addClassCleanup(cls.prometheus.close)

    def eventually(self, query):
        deadline = time.monotonic() + 60
        while True:
            found = self.prometheus.query(query)
            if found or time.monotonic() > deadline:
                return found
            self.server.curl(self.server.hosts[0])
            time.sleep(0.5)

    def test_it_is_a_dashboard(self):
        dashboard = json.loads(read("deploy/prometheus/dashboard.json"))
        self.assertGreaterEqual(dashboard["schemaVersion"], 36)
        panels = dashboard["panels"]
        self.assertEqual(len({panel["id"] for panel in panels}), len(panels))
        cells = set()
        for panel in panels:
            place = panel["gridPos"]
            self.assertLessEqual(place["x"] + place["w"], 24, panel["title"])
            for x in range(place["x"], place["x"] + place["w"]):
                for y in range(place["y"], place["y"] + place["h"]):
                    self.assertNotIn((x, y), cells, f"{panel['title']} covers another")
                    cells.add((x, y))
            names = [target["refId"] for target in panel["targets"]]
            self.assertEqual(len(set(names)), len(names), panel["title"])
            # Whoever imports it chooses the data source.
            self.assertEqual(panel["datasource"]["uid"], "${datasource}")
        variables = {entry["name"] for entry in dashboard["templating"]["list"]}
        self.assertEqual(variables, {"datasource", "instance"})

    def test_every_metric_exists(self):
        known = set(re.findall(r"^# TYPE (\S+) ", self.server.get("/metrics")[1], re.M))
        for panel, query in queries():
            for name in re.findall(r"\b(?:aasa|process)_\w+", query):
                self.assertIn(re.sub(r"_(bucket|sum|count)$", "", name), known, panel)

    def test_every_query_is_answered(self):
        for panel, query in queries():
            with self.subTest(panel=panel):
                self.assertTrue(self.eventually(query), query)

    def test_every_rule_records(self):
        rules = read("deploy/prometheus/recording.yml")
        names = re.findall(r"record: (\S+)", rules)
        self.assertGreater(len(names), 3)
        for name in names:
            with self.subTest(rule=name):
                self.assertTrue(self.eventually(name), name)
        done = run("promtool", "check", "rules", "recording.yml", cwd=path("deploy/prometheus"))
        self.assertEqual(done.returncode, 0, said(done))
