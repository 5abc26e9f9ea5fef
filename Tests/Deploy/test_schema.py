"""The schemas of `aasa schema`, judged by somebody else's validator: they and the linter say the same of every file."""

import glob
import json
import os
import re
import shutil
import tempfile
import unittest

import jsonschema

from house import AASA, path, run, said

# Findings that a schema can express: nothing of placeholders, of keys given twice, of meaning.
SHAPE = re.compile(
    r"app-id-(?!placeholder|sample|beside|near)|app-ids-|app-not-string|apps-|app-listed-twice|comment-not|component-not-object"
    r"|components-not-array|(component|entry|applinks)-key-|key-(misplaced|without-effect)|defaults-not-object|detail-not-object"
    r"|details-(missing|wrong)|entry-rules-missing|flag-not|paths?-not-(array|string)|pattern-not-string|no-service"
    r"|query-(value-not|wrong)|root-not|service-not|variable-(name|not|value-not)|variables-not"
)
# Either is right: the schema may see it, or not.
OPEN = re.compile(r"app-id-placeholder|duplicate-key|service-misspelt|unknown-service|findings-omitted|json-")


def schema(name):
    done = run(AASA, "schema", name)
    assert done.returncode == 0, said(done)
    return jsonschema.Draft7Validator(json.loads(done.stdout))


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.association, cls.host, cls.lint = schema("association"), schema("host"), schema("lint")

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="aasa-schema-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def codes(self, *arguments):
        done = run(AASA, "lint", "--format", "json", *arguments)
        self.assertIn(done.returncode, (0, 1), said(done))
        return {finding["code"] for finding in json.loads(done.stdout)["findings"]}

    def compare(self, name, text):
        """Whether a document was judged, and by both alike."""
        try:
            document = json.loads(text)
        except (ValueError, UnicodeDecodeError, RecursionError):
            return False
        file = os.path.join(self.folder, "apple-app-site-association")
        with open(file, "wb") as out:
            out.write(text if isinstance(text, bytes) else text.encode())
        codes = self.codes(file)
        shape = sorted(code for code in codes if SHAPE.match(code))
        errors = [f"{list(error.path)}: {error.message[:200]}" for error in self.association.iter_errors(document)]
        if not shape and errors and any(OPEN.match(code) for code in codes):
            return False
        if "duplicate-key" in codes:
            return False
        self.assertEqual(bool(shape), bool(errors), f"{name}: lint {shape}, schema {errors[:3]}")
        return True

    def test_they_are_schemas(self):
        for validator in (self.association, self.host, self.lint):
            validator.check_schema(validator.schema)

    def test_the_sample_site(self):
        files = glob.glob(path("site", "*", "teams", "*.json"))
        self.assertTrue(files)
        for file in files:
            if not file.endswith((".assetlinks.json", ".webauthn.json", ".links.json")):
                with open(file, "rb") as text:
                    self.association.validate(json.load(text))
        for file in glob.glob(path("site", "*", "host.json")):
            with open(file, "rb") as text:
                self.host.validate(json.load(text))

    def test_findings(self):
        """What lint writes is what `aasa schema findings` says; so is a finding of verify."""
        findings = schema("findings")
        file = os.path.join(self.folder, "apple-app-site-association")
        with open(file, "w") as out:
            out.write('{"applinks":{"details":[{"appIds":["9JA89QQLNQ.com.example.shop"],"paths":["Not /x"]}]}}')
        report = json.loads(run(AASA, "lint", "--format", "json", file).stdout)
        self.assertGreater(len(report["findings"]), 1)
        verified = json.loads(run(AASA, "verify", "--format", "json", file).stdout)
        self.assertGreater(len(verified["findings"]), 0)
        report["findings"] += verified["findings"]
        self.assertEqual([error.message for error in findings.iter_errors(report)], [])
        report["findings"][0]["subject"] = "x"
        self.assertNotEqual(list(findings.iter_errors(report)), [])

    def test_the_examples_of_the_rules(self):
        """Every rule has a bad and a good example; where it is one of shape, the schema knows it."""
        listed = run(AASA, "lint", "--rules").stdout
        codes = re.findall(r"^  (?:error|warning|note) +([a-z0-9-]+):", listed, re.M)
        judged = 0
        for code in codes:
            text = run(AASA, "lint", "--explain", code).stdout
            for part in re.split(r"^(?=Bad:|Good:)", text, flags=re.M)[1:]:
                head, _, body = part.partition("\n")
                if head.endswith("apple-app-site-association"):
                    judged += self.compare(f"{code} {head}", body)
        self.assertGreater(judged, 100)

    def test_the_corpus(self):
        shared = os.environ.get("AASA_SHARED") or path("..", "shared")
        files = sorted(glob.glob(os.path.join(shared, "corpus", "aasa", "*.json")))
        if not files:
            self.skipTest("SKIPPED: no ../shared/corpus, the schema is not held against real files")
        judged = 0
        for file in files:
            with open(file, "rb") as text:
                judged += self.compare(file, text.read())
        self.assertGreater(judged, len(files) * 0.8)

    def test_host_settings(self):
        folder = os.path.join(self.folder, "example.com")
        os.makedirs(os.path.join(folder, "teams"))
        with open(os.path.join(folder, "teams", "D3KQX62K1A.json"), "w") as file:
            file.write('{"webcredentials": {"apps": ["D3KQX62K1A.com.example.shop"]}}')
        good = [
            {}, {"form": "auto"}, {"aliases": ["www.example.com"]}, {"default": True}, {"strict": False},
            {"order": ["D3KQX62K1A"]}, {"cacheControl": "max-age=60, public"}, {"certificate": "other.example"},
            {"changePassword": "/account"}, {"changePassword": "https://example.com/a"},
            {"types": {"nodeinfo": "application/json"}}, {"$schema": "../host.json"},
        ]
        bad = [
            [], {"form": "plain"}, {"aliases": "www.example.com"}, {"aliases": ["WWW.example.com"]}, {"aliases": [1]},
            {"aliases": ["*.example.com"]}, {"aliases": ["127.0.0.1"]}, {"default": "yes"}, {"strict": 1},
            {"order": [1]}, {"order": ["A", "A"]}, {"cacheControl": "a\r\nb: c"}, {"cacheControl": ""},
            {"certificate": "../x"}, {"changePassword": "http://example.com"}, {"changePassword": "//evil"},
            {"changePassword": "/.well-known/change-password"}, {"types": []}, {"types": {"a": "b"}}, {"Form": "json"},
        ]
        for cases, is_good in ((good, True), (bad, False)):
            for settings in cases:
                with open(os.path.join(folder, "host.json"), "w") as file:
                    json.dump(settings, file)
                found = [code for code in self.codes(folder) if code.startswith("host-") and "order" not in code]
                self.assertEqual(not found, is_good, f"{settings}: {found}")
                self.assertEqual(self.host.is_valid(settings), is_good, f"{settings}")

    def test_lint_configuration(self):
        good = [
            {}, {"failOn": "note"}, {"rules": []}, {"rules": [{"code": "catch-all", "severity": "note"}]},
            {"rules": [{"code": "json-*", "severity": "off", "reason": "a test", "paths": ["site/**"]}]},
        ]
        bad = [
            [], {"failOn": "never"}, {"rules": {}}, {"rules": ["catch-all"]}, {"rules": [{"code": "catch-all"}]},
            {"rules": [{"severity": "off"}]}, {"rules": [{"code": "catch-all", "severity": "no"}]}, {"rule": []},
            {"rules": [{"code": "catch-all", "severity": "note", "path": "x"}]},
        ]
        file = os.path.join(self.folder, ".aasa.json")
        document = os.path.join(self.folder, "apple-app-site-association")
        with open(document, "w") as out:
            out.write("{}")
        for cases, is_good in ((good, True), (bad, False)):
            for settings in cases:
                with open(file, "w") as out:
                    json.dump(settings, out)
                done = run(AASA, "lint", "--config", file, document)
                self.assertEqual(done.returncode in (0, 1), is_good, f"{settings}: {said(done)}")
                self.assertEqual(self.lint.is_valid(settings), is_good, f"{settings}")
