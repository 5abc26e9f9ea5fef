"""A real Prometheus (Debian's) that looks at a server once a second, with the rules of deploy/prometheus."""

import json
import os
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from house import free_port, path


class Prometheus:
    def __init__(self, folder, admin):
        configuration = {
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [path("deploy/prometheus", name)
                           for name in ("alerts.yml", "recording.yml")],
            "scrape_configs": [{
                "job_name": "aasa", "static_configs": [{"targets": [f"127.0.0.1:{admin}"]}]}],
        }
        file = os.path.join(folder, "prometheus.yml")
        with open(file, "w", encoding="ascii") as out:
            json.dump(configuration, out)  # YAML reads JSON.
        self.port = free_port()
        with open(os.path.join(folder, "prometheus.log"), "wb") as log:
            self.process = subprocess.Popen(
                ["prometheus", f"--config.file={file}", "--storage.tsdb.path",
                 os.path.join(folder, "series"), f"--web.listen-address=127.0.0.1:{self.port}"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def query(self, expression):
        """The result of a query; None while it does not answer.

        A query that it does not understand is a RuntimeError.
        """
        words = urllib.parse.urlencode({"query": expression})
        try:
            with urllib.request.urlopen(
                    f"http://127.0.0.1:{self.port}/api/v1/query?{words}", timeout=30) as answer:
                return json.load(answer)["data"]["result"]
        except urllib.error.HTTPError as error:
            if error.code == 503:
                return None
            raise RuntimeError(error.read().decode()) from error
        except OSError:
            return None

    def fires(self, alert):
        return bool(self.query(f'ALERTS{{alertname="{alert}",alertstate="firing"}}'))

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=60)
