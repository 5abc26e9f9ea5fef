"""An authority that misbehaves, through the real client: what is done, and how often it is asked.

Beyond an attempt lies a pause of minutes (the hours and days after it are simulated in
Tests/ACMETests). Every case runs at the same time, each with a server and a front of its own.
"""

import hashlib
import json
import socket
import ssl
import threading
import time
import unittest

from authority import Authority, eventually, unpadded
from front import Front, problem
from server import Server

# Requests of one attempt: a first try and three more of what fails, and what lies between them. An
# attempt that fails for good is below OrderLimits.requests(names: 1), which only ends loops.
BUDGET = 30
SECONDS = 240


def once(step, fault, times=1):
    return lambda asked, count: fault if asked == step and count <= times else None


def always(step, fault):
    return lambda asked, _: fault if asked == step else None


# Name → (faults, whether a certificate comes all the same, words of the error or its remedy).
CASES = {
    # Transient: got over within the attempt.
    "nonces refused": (
        lambda step, count: ("answer", *problem("badNonce", 400))
        if step == "newOrder" and count <= 4 else None, True, ()),
    "an answer cut in the middle": (once("newOrder", ("cut", 20)), True, ()),
    # The order is there although no answer ever told: it is found in the account's list.
    "every answer of newOrder cut": (always("newOrder", ("cut", 10)), True, ()),
    "an order's URL that is a file": (
        always("newOrder", ("after", 201, [("Location", "file:///etc/passwd")], json.dumps({
            "status": "pending", "identifiers": [], "authorizations": ["file:///etc/shadow"],
            "finalize": "gopher://x"}).encode())), True, ()),
    "a reset after newAccount": (once("newAccount", ("drop",)), True, ()),
    "a reset after newOrder": (once("newOrder", ("drop",)), True, ()),
    "a reset after finalize": (once("finalize", ("drop",)), True, ()),
    "a reset of the certificate": (once("certificate", ("drop",), 2), True, ()),
    "503 twice": (
        once("order", ("answer", 503, [("Retry-After", "1")], b"busy"), 2), True, ()),
    "a login page for once": (
        once("authorization", ("answer", 200, [], b"<html>log in</html>")), True, ()),
    # For ever: an error with a remedy, and peace.
    "an endless directory": (always("directory", ("endless",)), False, ("262144",)),
    "an endless order": (always("newOrder", ("endless",)), False, ("262144",)),
    "a login page": (
        always("directory", ("answer", 200, [], b"<html>log in</html>")), False,
        ("ACME directory",)),
    "500 for ever": (
        always("newOrder", ("answer", 500, [], b"")), False, ("status page",)),
    "rate limited": (
        always("newOrder", ("answer", *problem(
            "rateLimited", 429, "too many certificates already issued",
            [("Retry-After", "7200")]))), False, ("too many certificates", "--acme-staging")),
    "rate limited without measure": (
        always("newOrder", ("answer", *problem(
            "rateLimited", 429, "no", [("Retry-After", "99999999999")]))), False, ()),
    "a redirect to elsewhere": (
        always("newOrder", ("answer", 302, [("Location", "https://127.0.0.1:1/x")], b"")),
        False, ()),
    "nonces refused for ever": (
        lambda step, _: ("answer", *problem("badNonce", 400)) if step == "newAccount" else None,
        False, ("in a row",)),
    "a certificate that is none": (
        always("certificate", ("after", 200, [], b"-----BEGIN CERTIFICATE-----\nAAAA\n")),
        False, ("cannot be used",)),
    "no answer to any nonce": (always("nonce", ("drop",)), False, ("gave no answer",)),
}
ERRORS = (
    "accountDoesNotExist", "alreadyRevoked", "badCSR", "badPublicKey", "badRevocationReason",
    "badSignatureAlgorithm", "caa", "compound", "connection", "dns", "externalAccountRequired",
    "incorrectResponse", "invalidContact", "malformed", "orderNotReady", "rejectedIdentifier",
    "serverInternal", "tls", "unauthorized", "unsupportedContact", "unsupportedIdentifier",
    "userActionRequired")
for error in ERRORS:
    CASES[f"error {error}"] = (
        always("newOrder", ("answer", *problem(error, 400, f"we say {error}"))), False, (error,))


class Case:
    """One server with its own misbehaving front."""

    def __init__(self, authority, name, number, faults):
        self.name = name
        self.host = f"case{number}.test"
        self.front = Front(authority, faults)
        self.server = Server(
            {self.host: []}, authority.place(self.host), authority, url=self.front.url)
        # What was said first, and when it was seen.
        self.first = None
        self.seen_at = None

    def wait(self):
        start = time.monotonic()
        while time.monotonic() < start + SECONDS:
            if self.server.has(self.host):
                break
            entry = self.entry()
            if entry and entry["lastError"]:
                break
            time.sleep(0.5)
        self.first, self.seen_at = self.entry(), time.time()

    def entry(self):
        return self.server.entries().get((self.host, "ecdsa"))

    def end(self):
        self.front.stop()
        self.server.remove()


class Misbehaviour(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.authority = Authority(nonce_reject=5)

    @classmethod
    def tearDownClass(cls):
        cls.authority.stop()

    def test_each_misbehaviour(self):
        rows = []
        numbered = list(enumerate(CASES.items()))
        # A dozen at a time: each is a process.
        for first in range(0, len(numbered), 12):
            batch = []
            for number, (name, (faults, _, _)) in numbered[first:first + 12]:
                case = Case(self.authority, name, number, faults)
                self.addCleanup(case.end)
                case.server.start()
                batch.append(case)
            threads = [threading.Thread(target=case.wait) for case in batch]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            # A pause: whoever loops asks on.
            time.sleep(3)
            for case in batch:
                rows.append(self.judge(case, *CASES[case.name][1:]))
                case.end()
        print("\nmisbehaviour                     certificate  requests  accounts  orders  "
              "what is said")
        print("\n".join(rows))

    def judge(self, case, goes_well, words):
        entry = case.first
        # Of the first attempt: other cases may take longer than the pause after it.
        asked = sum(
            1 for request in case.front.requests
            if goes_well or request["at"] < entry["next"])
        text = f"{entry['lastError'] or ''} {entry['remedy'] or ''}"
        orders, keys = len(case.front.new_orders()), len(case.front.account_keys())
        row = (f"{case.name:32} {'yes' if case.server.has(case.host) else 'no':11}  {asked:8}  "
               f"{keys:8}  {orders:6}  {text.strip()[:150]}")
        with self.subTest(case.name):
            self.assertEqual(case.server.has(case.host), goes_well, text + case.server.log())
            self.assertLessEqual(asked, BUDGET, case.name)
            self.assertLessEqual(keys, 1, "one account")
            self.assertLessEqual(orders, 1, "one order")
            self.assertIsNone(case.server.process.poll(), "the server lives on")
            self.assertEqual(case.server.loose_files(), [])
            for word in words:
                self.assertIn(word, text)
            if not goes_well:
                self.assertTrue(entry["lastError"], case.server.log())
                self.assertGreater(len(entry["remedy"]), 20)
                left = entry["next"] - case.seen_at
                self.assertGreater(left, 200, "the next try is minutes away")
                self.assertLess(left, 8 * 86_400 + 60, "and not for ever")
        return row


class Windows(unittest.TestCase):
    """ARI: a window that moves into the past is what a revocation looks like."""

    def test_a_window_in_the_past_renews_with_replaces_and_once(self):
        authority = Authority()
        self.addCleanup(authority.stop)
        front = Front(authority, window=lambda _: (time.time() + 10**6, time.time() + 2 * 10**6))
        self.addCleanup(front.stop)
        server = Server({"ari.test": []}, authority.place("ari.test"), authority, url=front.url)
        self.addCleanup(server.remove)
        server.start()
        server.wait_for("ari.test")
        old = server.serial("ari.test")
        eventually(lambda: front.count("renewalInfo") >= 1, 20, server.log)
        asked = [r["path"].rsplit("/", 1)[1] for r in front.requests
                 if r["step"] == "renewalInfo"]
        # It is revoked: the window of this certificate lies in the past, that of others does not.
        front.window = lambda identifier: (
            (time.time() - 7200, time.time() - 3600) if identifier == asked[0]
            else (time.time() + 10**6, time.time() + 2 * 10**6))
        # The next question is 10 minutes away: a restart asks when its moment has come.
        server.stop()
        record = f"{server.certs}/.acme/certificates/ari.test.json"
        with open(record, encoding="utf-8") as file:
            value = json.load(file)
        value["windowAskAt"] = 0
        with open(record, "w", encoding="utf-8") as file:
            json.dump(value, file)
        server.start()
        eventually(lambda: server.serial("ari.test") != old, 60, server.log)
        orders = front.new_orders()
        self.assertEqual(len(orders), 2)
        self.assertNotIn("replaces", orders[0]["payload"])
        self.assertEqual(orders[1]["payload"]["replaces"], asked[0])
        eventually(
            lambda: server.shown_serial("ari.test") == server.serial("ari.test"), 20, server.log)
        time.sleep(3)
        self.assertEqual(len(front.new_orders()), 2, "once")
        self.assertIsNone(server.pair_fault("ari.test"))


class Perspectives(unittest.TestCase):
    """The authority looks from three addresses at once, and sees the challenge from each."""

    def test_validation_from_three_addresses(self):
        authority = Authority()
        self.addCleanup(authority.stop)
        name = "three.test"
        seen = []

        def look(source, digest, address):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            context.set_alpn_protocols(["acme-tls/1"])
            with socket.create_connection(
                    (address, authority.tls), timeout=10, source_address=(source, 0)) as plain:
                with context.wrap_socket(plain, server_hostname=name) as secured:
                    leaf = secured.getpeercert(binary_form=True)
                    seen.append((
                        source, secured.selected_alpn_protocol(), digest in leaf))

        def faults(step, count):
            if step != "challenge" or count != 1:
                return None
            request = [r for r in front.requests if r["step"] == "newAccount"][-1]
            jwk = request["header"]["jwk"]
            thumbprint = hashlib.sha256(json.dumps(
                {key: jwk[key] for key in ("crv", "kty", "x", "y")}, sort_keys=True,
                separators=(",", ":")).encode()).digest()
            with open(f"{server.certs}/.acme/challenges.json", encoding="utf-8") as file:
                answer = json.load(file)[0]
            token, print64 = answer["keyAuthorization"].split(".")
            self.assertEqual((token, unpadded(print64)), (answer["token"], thumbprint))
            digest = hashlib.sha256(answer["keyAuthorization"].encode()).digest()
            threads = [
                threading.Thread(target=look, args=(f"127.0.0.{source}", digest, server.address))
                for source in (11, 12, 13)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return None

        front = Front(authority, faults)
        self.addCleanup(front.stop)
        server = Server({name: []}, authority.place(name), authority, url=front.url)
        self.addCleanup(server.remove)
        server.start()
        server.wait_for(name)
        self.assertEqual(
            sorted(seen), [(f"127.0.0.{n}", "acme-tls/1", True) for n in (11, 12, 13)])


if __name__ == "__main__":
    unittest.main()
