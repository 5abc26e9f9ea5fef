"""A build of an app for the guides: an .ipa with one signed executable, as small as it can be."""

import os
import plistlib
import struct
import subprocess
import tempfile
import zipfile

TEAM = "D3KQX62K1A"
BUNDLE = "com.example.shop"


def der(tag, content):
    count = len(content)
    length = bytes([count]) if count < 0x80 else bytes([0x82, count >> 8, count & 0xFF])
    return bytes([tag]) + length + content


def encoded(value):
    """Entitlements as codesign writes them beside the property list."""
    if isinstance(value, bool):
        return b"\x01\x01" + (b"\xff" if value else b"\x00")
    if isinstance(value, str):
        return der(0x0C, value.encode())
    if isinstance(value, list):
        return der(0x30, b"".join(map(encoded, value)))
    pairs = (der(0x30, encoded(key) + encoded(value[key])) for key in sorted(value))
    return der(0xB0, b"".join(pairs))


def blob(magic, content):
    return struct.pack(">II", magic, len(content) + 8) + content


def sealed(directory):
    """The CMS signature over a code directory, by a certificate made for it."""
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "directory")
        key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "certificate.pem")
        with open(place, "wb") as file:
            file.write(directory)
        for words in (
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
             "-subj", f"/OU={TEAM}/CN=Apple Distribution"],
            ["cms", "-sign", "-binary", "-in", place, "-signer", certificate, "-inkey", key,
             "-outform", "DER", "-out", place + ".cms"],
        ):
            subprocess.run(["openssl", *words], check=True, capture_output=True, timeout=60)
        with open(place + ".cms", "rb") as file:
            return file.read()


def executable(entitlements):
    name, team = BUNDLE.encode() + b"\0", TEAM.encode() + b"\0"
    directory = struct.pack(">4I", 0x20400, 0, 0, 88) + bytes(24)
    directory += struct.pack(">I", 88 + len(name))
    directory = blob(0xFADE0C02, directory.ljust(80, b"\0") + name + team)
    blobs = [(0, directory), (0x10000, blob(0xFADE0B01, sealed(directory))),
             (5, blob(0xFADE7171, plistlib.dumps(entitlements))),
             (7, blob(0xFADE7172, der(0x70, b"\x02\x01\x01" + encoded(entitlements))))]
    index, content = b"", b""
    for slot, part in blobs:
        index += struct.pack(">II", slot, 12 + 8 * len(blobs) + len(content))
        content += part
    size = 12 + len(index) + len(content)
    signature = struct.pack(">III", 0xFADE0CC0, size, len(blobs)) + index + content
    header = struct.pack("<8I", 0xFEEDFACF, 0x0100000C, 0, 2, 1, 16, 0, 0)
    return header + struct.pack("<4I", 0x1D, 16, 48, len(signature)) + signature


def write(place, domains):
    """The build of an app of the sample site, with these domains; it has no profile."""
    entitlements = {
        "application-identifier": f"{TEAM}.{BUNDLE}", "com.apple.developer.team-identifier": TEAM,
        "com.apple.developer.associated-domains": domains,
    }
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Payload/Shop.app/Info.plist", plistlib.dumps(
            {"CFBundleIdentifier": BUNDLE, "CFBundleExecutable": "Shop", "CFBundleVersion": "1",
             "CFBundleShortVersionString": "1.0"}, fmt=plistlib.FMT_BINARY))
        archive.writestr("Payload/Shop.app/Shop", executable(entitlements))
    with open(place.rsplit("/", 1)[0] + "/Shop.entitlements", "wb") as file:
        plistlib.dump({"com.apple.developer.associated-domains": domains}, file)
