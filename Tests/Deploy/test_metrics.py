"""/metrics as a scraper reads it: both formats, and the table of stable names."""

import re
import unittest
import urllib.request

from prometheus_client.openmetrics.parser import text_string_to_metric_families

from house import Server, read, run, said

OPENMETRICS = "application/openmetrics-text;version=1.0.0"
TABLE = "deploy/prometheus/METRICS.md"


class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        cls.server.curl(cls.server.hosts[0])

    def fetch(self, accept):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.server.admin}/metrics", headers={"Accept": accept})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.headers["Content-Type"], answer.read().decode()

    def test_openmetrics_is_what_its_own_parser_reads(self):
        kind, text = self.fetch(OPENMETRICS)
        self.assertEqual(kind, "application/openmetrics-text; version=1.0.0; charset=utf-8")
        self.assertTrue(text.endswith("\n# EOF\n"))
        families = {family.name: family for family in text_string_to_metric_families(text)}
        self.assertEqual(families["aasa_answers"].type, "counter")
        self.assertEqual(families["aasa_handshake_duration_seconds"].unit, "seconds")
        for family in families.values():
            for sample in family.samples:
                self.assertIsNone(sample.exemplar)
                self.assertEqual(sample.name.endswith("_total"), family.type == "counter", sample.name)

    def test_both_formats_have_the_same_samples(self):
        def names(text):
            return {line.rsplit(" ", 1)[0] for line in text.splitlines() if line and line[0] != "#"}

        kind, plain = self.fetch("text/plain")
        self.assertEqual(kind, "text/plain; version=0.0.4; charset=utf-8")
        self.assertEqual(names(plain), names(self.fetch(OPENMETRICS)[1]))

    def test_what_prometheus_asks_for_is_openmetrics(self):
        accept = OPENMETRICS + ",application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
        self.assertIn("openmetrics", self.fetch(accept)[0])
        self.assertIn("text/plain", self.fetch("*/*")[0])

    def test_moments_are_called_timestamps(self):
        _, text = self.fetch("text/plain")
        moments = {name for name, value in re.findall(r"^(\w+?)(?:\{.*\})? (\S+)$", text, re.M)
                   if float(value) > 1e9 and "_bytes" not in name}
        self.assertIn("aasa_certificate_not_after_timestamp_seconds", moments)
        # The name that all clients of Prometheus have.
        for name in moments - {"process_start_time_seconds"}:
            self.assertTrue(name.endswith("_timestamp_seconds"), name)

    def test_the_table_is_what_is_served(self):
        """Names are a promise: what goes or changes its kind breaks somebody's dashboard."""
        _, text = self.fetch("text/plain")
        served = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M))
        labels = {}
        for name, inside in re.findall(r"^(\w+?)(?:\{(.*)\})? \S+$", text, re.M):
            family = next((name[: -len(end)] for end in ("_bucket", "_sum", "_count")
                           if name.endswith(end) and name[: -len(end)] in served), name)
            found = set(re.findall(r'(\w+)="', inside)) - {"le"}
            labels.setdefault(family, set()).update(found)
        table = {}
        for name, kind, given in re.findall(r"^\| `((?:aasa|process)_\w+)` \| (\w+) \| ([^|]*) \|", read(TABLE), re.M):
            table[name] = (kind, set(re.findall(r"`(\w+)`", given)))
        for name, kind in served.items():
            self.assertIn(name, table, f"{TABLE} does not have it")
            self.assertEqual(table[name][0], kind, name)
            self.assertLessEqual(labels[name], table[name][1], name)
        # What this server has nothing to say of is named where it is made.
        sources = run("grep", "-rhoE", '"[a-z_]+"', "Sources/AASAServer", "Sources/aasa",
                      cwd=self.root()).stdout
        for name in set(table) - set(served):
            ending = re.sub("^aasa_(acme_|document_|fleet_|watch_)?", "", name)
            self.assertTrue(f'"{name}"' in sources or f'"{ending}"' in sources, f"{name} is nowhere made")

    def test_every_alert_has_its_page(self):
        rules = read("deploy/prometheus/alerts.yml")
        names = re.findall(r"- alert: (\w+)", rules)
        pages = re.findall(r"^## (\w+)$", read("deploy/prometheus/ALERTS.md"), re.M)
        self.assertEqual(names, pages)
        urls = re.findall(r'runbook_url: "file:///usr/share/doc/aasa/(\S+)#(\w+)"', rules)
        self.assertEqual(urls, [("deploy/prometheus/ALERTS.md", name.lower()) for name in names])

    def root(self):
        import house
        return house.ROOT
