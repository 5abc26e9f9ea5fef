"""Makes an OCI image archive from the Debian package, and its SBOM beside.

usage: oci.py --deb FILE --version V --commit C --output DIR --work DIR [--base ROOTFS.tar]

The root file system holds the package and the libraries that it depends on, each taken out of its
own Debian package: no shell, no package manager, nothing that a service does not need. Two layers,
so that a new aasa on the same libraries is a small download. The same inputs give the same bytes.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile

USER = 10001
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
# Beside what the binary links: trusted authorities (`aasa check`, ACME), the users' table
# and the file that names the distribution for scanners.
BASE_PACKAGES = ["ca-certificates", "base-files", "netbase"]
# Of these packages only what a running program reads.
LEFT_OUT = re.compile(r"^usr/share/(doc/(?!.*/copyright$)|man|info|locale|lintian|bash-completion|zsh|fish|"
                      r"bug|debconf|menu|base-files)|^usr/lib/debug|^(usr/)?s?bin/(?!aasa$)|^etc/(profile|skel|init)|"
                      r"^lib/systemd|^usr/lib/(systemd|sysusers)|^usr/s?bin/(?!aasa$)|"
                      r".*/(gconv|engines-3)/|^etc/(ca-certificates|issue|update-motd|dpkg)|^usr/lib/tmpfiles")


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"oci.py: {' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def closure(names):
    """These packages and what they depend on, as installed here or known to apt."""
    found, todo = set(), list(names)
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        text = run("apt-cache", "show", "--no-all-versions", name)
        for field in re.findall(r"^(?:Pre-)?Depends: (.*)$", text, flags=re.MULTILINE):
            for group in field.split(","):
                first = group.split("|")[0].split("(")[0].split(":")[0].strip()
                # Maintainer scripts' helpers are of no use without a package manager.
                if first and first not in ("debconf", "adduser", "openssl", "awk", "mawk", "dpkg",
                                           "base-files", "libc-bin", "gcc-12-base"):
                    todo.append(first)
    return sorted(found)


def fetch(name, folder):
    os.makedirs(folder, exist_ok=True)
    before = set(os.listdir(folder))
    done = subprocess.run(["apt-get", "-q", "download", name], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        run("apt-get", "-q", "update")
        run("apt-get", "-q", "download", name, cwd=folder)
    (new,) = set(os.listdir(folder)) - before
    return os.path.join(folder, new)


def unpack(deb, root):
    os.makedirs(root, exist_ok=True)
    run("dpkg-deb", "-x", deb, root)


def field(deb, name):
    return run("dpkg-deb", "-f", deb, name).strip()


def certificates_bundle(root):
    """What update-ca-certificates would write: all authorities that the package trusts."""
    folder = os.path.join(root, "usr/share/ca-certificates/mozilla")
    if not os.path.isdir(folder):
        return
    parts = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="ascii") as file:
            parts.append(file.read().rstrip("\n") + "\n")
    target = os.path.join(root, "etc/ssl/certs/ca-certificates.crt")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", encoding="ascii") as file:
        file.write("".join(parts))


def users_table(root):
    with open(os.path.join(root, "etc/passwd"), "w", encoding="ascii") as file:
        file.write("root:x:0:0:root:/root:/usr/sbin/nologin\n"
                   f"aasa:x:{USER}:{USER}:aasa:/nonexistent:/usr/sbin/nologin\n")
    with open(os.path.join(root, "etc/group"), "w", encoding="ascii") as file:
        file.write(f"root:x:0:\naasa:x:{USER}:\n")


def layer(root, owned=()):
    """A layer's tar: sorted, all times the commit's, all owners root but for `owned` folders."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        paths = []
        for folder, folders, files in os.walk(root):
            folders.sort()
            relative = os.path.relpath(folder, root)
            paths += [os.path.normpath(os.path.join(relative, name)) for name in folders + files]
        for path in sorted(paths):
            full = os.path.join(root, path)
            is_folder = os.path.isdir(full) and not os.path.islink(full)
            if LEFT_OUT.match(path if not is_folder else path + "/"):
                continue
            info = tar.gettarinfo(full, arcname=path)
            info.mtime = EPOCH
            info.uid = info.gid = USER if path in owned else 0
            info.uname = info.gname = ""
            info.pax_headers = {}
            if info.isreg():
                with open(full, "rb") as file:
                    tar.addfile(info, file)
            else:
                tar.addfile(info)
    return buffer.getvalue()


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


class Layout:
    """An OCI image layout (image-spec 1.0) as a folder in memory."""

    def __init__(self):
        self.blobs = {}

    def add(self, data, media):
        name = digest(data)
        self.blobs[name] = data
        return {"mediaType": media, "digest": name, "size": len(data)}

    def add_json(self, value, media):
        return self.add(json.dumps(value, sort_keys=True, separators=(",", ":")).encode(), media)

    def write(self, path, manifest, name):
        index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
                 "manifests": [dict(manifest, annotations={"org.opencontainers.image.ref.name": name})]}
        files = {"oci-layout": b'{"imageLayoutVersion":"1.0.0"}',
                 "index.json": json.dumps(index, sort_keys=True, separators=(",", ":")).encode()}
        for blob, data in self.blobs.items():
            files["blobs/sha256/" + blob.removeprefix("sha256:")] = data
        with tarfile.open(path + ".new", "w", format=tarfile.USTAR_FORMAT) as tar:
            for folder in ("blobs", "blobs/sha256"):
                info = tarfile.TarInfo(folder)
                info.type, info.mode, info.mtime = tarfile.DIRTYPE, 0o755, EPOCH
                tar.addfile(info)
            for file in sorted(files):
                info = tarfile.TarInfo(file)
                info.size, info.mode, info.mtime = len(files[file]), 0o644, EPOCH
                tar.addfile(info, io.BytesIO(files[file]))
        os.replace(path + ".new", path)


def sbom(packages, version, commit, image_digest):
    """SPDX 2.3: what the image is made of, by Debian package."""
    created = subprocess.run(["date", "-u", "-d", f"@{EPOCH}", "+%Y-%m-%dT%H:%M:%SZ"],
                             capture_output=True, text=True, check=True).stdout.strip()

    def entry(name, number, architecture):
        return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name,
                "versionInfo": number, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
                "copyrightText": "NOASSERTION",
                "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": f"pkg:deb/debian/{name}@{number}?arch={architecture}"}]}

    image = {"SPDXID": "SPDXRef-image", "name": "aasa-image", "versionInfo": version,
             "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "Apache-2.0",
             "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
             "checksums": [{"algorithm": "SHA256", "checksumValue": image_digest.removeprefix("sha256:")}],
             "comment": f"commit {commit}"}
    entries = [entry(*package) for package in packages]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"aasa-{version}", "documentNamespace": f"https://aasa.example/spdx/{image_digest}",
            "creationInfo": {"created": created, "creators": [f"Tool: aasa-deploy-package-{version}"]},
            "packages": [image] + entries,
            "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                               "relatedSpdxElement": "SPDXRef-image"}]
            + [{"spdxElementId": "SPDXRef-image", "relationshipType": "CONTAINS",
                "relatedSpdxElement": one["SPDXID"]} for one in entries]}


def main():
    parser = argparse.ArgumentParser()
    for name in ("deb", "version", "commit", "output", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--base")
    options = parser.parse_args()
    architecture = field(options.deb, "Architecture")
    packages = []

    base = os.path.join(options.work, "base")
    os.makedirs(base)
    if options.base:
        with open(options.base, "rb") as file:
            base_layer = file.read()
        if base_layer[:2] == b"\x1f\x8b":
            base_layer = gzip.decompress(base_layer)
    else:
        depends = [part.split("(")[0].split("|")[0].strip()
                   for part in field(options.deb, "Depends").split(",")]
        for name in closure([name for name in depends if name != "adduser"] + BASE_PACKAGES):
            deb = fetch(name, os.path.join(options.work, "debs"))
            unpack(deb, base)
            packages.append((name, field(deb, "Version"), field(deb, "Architecture")))
        certificates_bundle(base)
        users_table(base)
        for folder in ("tmp", "run", "proc", "sys", "dev"):
            os.makedirs(os.path.join(base, folder), exist_ok=True)
        os.chmod(os.path.join(base, "tmp"), 0o1777)
        base_layer = layer(base)

    root = os.path.join(options.work, "root")
    unpack(options.deb, root)
    shutil.rmtree(os.path.join(root, "etc"))
    owned = ("etc/aasa", "etc/aasa/site", "etc/aasa/certs", "run/aasa", "var/lib/aasa")
    for folder in owned:
        os.makedirs(os.path.join(root, folder), exist_ok=True)
        os.chmod(os.path.join(root, folder), 0o750)
    packages.append(("aasa", options.version, architecture))
    top_layer = layer(root, owned)

    layout = Layout()
    layers, diffs = [], []
    for data in (base_layer, top_layer):
        diffs.append(digest(data))
        layers.append(layout.add(gzip.compress(data, 6, mtime=0),
                                 "application/vnd.oci.image.layer.v1.tar+gzip"))
    created = subprocess.run(["date", "-u", "-d", f"@{EPOCH}", "+%Y-%m-%dT%H:%M:%SZ"],
                             capture_output=True, text=True, check=True).stdout.strip()
    labels = {"org.opencontainers.image.title": "aasa",
              "org.opencontainers.image.description": "apple-app-site-association endpoint and tools",
              "org.opencontainers.image.version": options.version,
              "org.opencontainers.image.revision": options.commit,
              "org.opencontainers.image.created": created,
              "org.opencontainers.image.licenses": "Apache-2.0"}
    config = layout.add_json({
        "architecture": architecture, "os": "linux", "created": created,
        "config": {"User": f"{USER}:{USER}", "Entrypoint": ["/usr/bin/aasa"], "Cmd": ["serve"],
                   "Env": ["AASA_SITE=/etc/aasa/site", "AASA_CERTS=/etc/aasa/certs",
                           "AASA_LISTEN=[::]:8443,0.0.0.0:8443", "AASA_ADMIN=127.0.0.1:9443",
                           "AASA_RUN=/run/aasa/control", "AASA_DRAIN=5",
                           "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"],
                   "ExposedPorts": {"8443/tcp": {}}, "StopSignal": "SIGTERM",
                   "Volumes": {"/etc/aasa/site": {}, "/etc/aasa/certs": {}}, "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": diffs},
        "history": [{"created": created, "created_by": "deploy/package oci: libraries"},
                    {"created": created, "created_by": "deploy/package oci: aasa"}]},
        "application/vnd.oci.image.config.v1+json")
    manifest = layout.add_json({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config, "layers": layers, "annotations": labels},
        "application/vnd.oci.image.manifest.v1+json")
    archive = os.path.join(options.output, f"aasa-{options.version}-{architecture}.oci.tar")
    # A name and a tag: podman takes what stands there for the name, and the tag alone is none.
    layout.write(archive, manifest, f"aasa:{options.version}")
    document = os.path.join(options.output, f"aasa-{options.version}-{architecture}.spdx.json")
    with open(document, "w", encoding="utf-8") as file:
        json.dump(sbom(packages, options.version, options.commit, manifest["digest"]), file, indent=1)
        file.write("\n")
    print(archive)
    print(document)


main()
