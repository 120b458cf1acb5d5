# pgo archive into a layout of a registry: one artifact for each build, whose tag is the build ID.
. "$(dirname "$0")/../prelude.sh"
. "$here/archive_prelude.sh"
. "$here/versions_prelude.sh"

record_server
archive server --debug-file server.debug --to oci-dir:builds:1.42
check_binary_from oci-dir:builds
"$pgo" convert server.perf --binary-from oci-dir:builds:1.42 -o a.proftext 2> convert.log && fail "takes a tag"
grep -F "oci-dir:builds:1.42: builds are looked for by build ID; leave the tag or digest out" convert.log
rm -r builds
archive server --debug-file server.debug --to oci-dir:builds:1.42
grep -F "pgo: oci-dir:builds:1.42: build $build_id: archived 2 files (" log
check_layout builds
cp builds/index.json index.json
archive server --debug-file server.debug --to oci-dir:builds:1.42
expect "the message" "pgo: oci-dir:builds:1.42: build $build_id: is already there" "$(cat log)"
cmp index.json builds/index.json
archive server --debug-file server.debug --to oci-dir:other
python3 - "$build_id" << 'END'
import hashlib, json, pathlib, sys
def manifests(layout):
    index = json.loads(pathlib.Path(layout, "index.json").read_text())
    return {entry["annotations"]["org.opencontainers.image.ref.name"]: entry["digest"] for entry in index["manifests"]}
builds = manifests("builds")
assert set(builds) == {"1.42", sys.argv[1]} and len(set(builds.values())) == 1, builds
assert manifests("other") == {sys.argv[1]: builds["1.42"]}, "the same files have other digests"
manifest = json.loads(pathlib.Path("builds/blobs/sha256", builds["1.42"].removeprefix("sha256:")).read_text())
assert manifest["artifactType"] == "application/vnd.prodpgo.build.v1"
layers = {layer["mediaType"].split(".")[2]: layer["digest"] for layer in manifest["layers"]}
digest = lambda path: "sha256:" + hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
assert layers == {"executable": digest("server"), "debug": digest("server.debug")}, layers
END
check_two_jobs oci-dir:race
# Damage is repaired, as a push does.
blob=builds/blobs/sha256/$(sha256sum < server | cut -d ' ' -f 1)
chmod u+w "$blob"
printf 'x' | dd of="$blob" bs=1 seek=100 conv=notrunc 2> dd.log
archive server --debug-file server.debug --to oci-dir:builds
check_layout builds
# Collecting garbage takes no builds.
"$pgo" gc oci-dir:builds --keep 0 > text 2> log || { cat log; fail "cannot collect garbage"; }
check_layout builds
cmp "$blob" server
if command -v skopeo > /dev/null; then
  skopeo inspect --raw "oci:builds:$build_id" > raw
  grep -F application/vnd.prodpgo.build.v1 raw > found
fi
