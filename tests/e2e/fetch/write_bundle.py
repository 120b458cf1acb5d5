"""Makes a directory of profiles a bundle: writes its bundle.json. Usage: write_bundle.py DIRECTORY
DENOMINATOR FILE=WEIGHT[,LABEL=VALUE...]..."""
import hashlib
import json
import pathlib
import sys

directory = pathlib.Path(sys.argv[1])
members = []
for argument in sys.argv[3:]:
    first, *labels = argument.split(",")
    path, weight = first.split("=")
    contents = (directory / path).read_bytes()
    members.append({
        "path": path, "size": len(contents), "digest": "sha256:" + hashlib.sha256(contents).hexdigest(),
        "source": "dir:/srv", "object": path, "labels": dict(label.split("=") for label in labels),
        "weight": int(weight), "builds": [], "samples": 0})
(directory / "bundle.json").write_text(json.dumps({
    "version": 1, "tool_version": "a test", "sources": ["dir:/srv"], "query": {"service": "subject"},
    "weight_denominator": int(sys.argv[2]), "members": members}))
