#!/usr/bin/env python3
"""Takes signatures of versions out of an OCI image layout, and puts others in, without ProdPGO.

signed_layout.py manifest LAYOUT TAG           writes the bytes of the manifest
signed_layout.py take LAYOUT DIGEST KEY-LINE   writes the signature of the version that has this key ID in it
signed_layout.py attach LAYOUT DIGEST FILE     adds FILE as a signature of the version
signed_layout.py damage LAYOUT DIGEST          flips a byte of each signature of the version, in place
"""

import base64
import hashlib
import json
import pathlib
import sys

MANIFEST = "application/vnd.oci.image.manifest.v1+json"


class Layout:
    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.index = json.loads((self.directory / "index.json").read_text())

    def path(self, digest):
        return self.directory / "blobs/sha256" / digest.removeprefix("sha256:")

    def add_blob(self, contents):
        digest = "sha256:" + hashlib.sha256(contents).hexdigest()
        self.path(digest).write_bytes(contents)
        return {"digest": digest, "size": len(contents)}

    def signatures(self, version):
        """The paths of their files."""
        for entry in self.index["manifests"]:
            manifest = json.loads(self.path(entry["digest"]).read_bytes())
            if manifest.get("subject", {}).get("digest") != version:
                continue
            assert manifest["artifactType"] == "application/vnd.prodpgo.signature.v1"
            [layer] = manifest["layers"]
            assert layer["mediaType"] == "application/vnd.prodpgo.minisig.v1"
            yield self.path(layer["digest"])


def key_id(line):
    return base64.b64decode(line)[2:10]


def main(command, directory, what, argument=""):
    layout = Layout(directory)
    if command == "manifest":
        [digest] = [entry["digest"] for entry in layout.index["manifests"]
                    if entry.get("annotations", {}).get("org.opencontainers.image.ref.name") == what]
        sys.stdout.buffer.write(layout.path(digest).read_bytes())
    elif command == "take":
        [path] = [path for path in layout.signatures(what)
                  if key_id(path.read_text().splitlines()[1]) == key_id(argument)]
        sys.stdout.buffer.write(path.read_bytes())
    elif command == "damage":
        for path in layout.signatures(what):
            contents = bytearray(path.read_bytes())
            contents[-10] ^= 1
            path.chmod(0o600)
            path.write_bytes(contents)
    elif command == "attach":
        empty = layout.add_blob(b"{}") | {"mediaType": "application/vnd.oci.empty.v1+json"}
        layer = layout.add_blob(pathlib.Path(argument).read_bytes())
        layer["mediaType"] = "application/vnd.prodpgo.minisig.v1"
        subject = {"mediaType": MANIFEST, "digest": what, "size": layout.path(what).stat().st_size}
        manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "artifactType": "application/vnd.prodpgo.signature.v1",
                    "config": empty, "layers": [layer], "subject": subject}
        entry = layout.add_blob(json.dumps(manifest).encode()) | {"mediaType": MANIFEST}
        layout.index["manifests"].append(entry)
        (layout.directory / "index.json").write_text(json.dumps(layout.index))
        print(entry["digest"])


main(*sys.argv[1:])
