# Twenty processes push into one layout, and half of their pushes are killed (kill -9) after a random time. Each blob
# has its digest, index.json parses and lists every push that has ended; garbage collection removes the rest.
. "$(dirname "$0")/../prelude.sh"
. "$here/versions_prelude.sh"
need python3

python3 - "$pgo" "$(seed 1)" << 'END'
import concurrent.futures, json, os, random, subprocess, sys, time
pgo, seed = sys.argv[1], int(sys.argv[2])

def work(worker):
    chance = random.Random(seed * 100 + worker)
    ended = {}
    for number in range(10):
        folder = f"files/{worker}/{number}"
        os.makedirs(folder)
        with open(f"{folder}/server.proftext", "w") as file:
            file.write(f"main:1000:10\n 1: {worker * 100 + number}\n" + " 2: 100\n")
        with open(f"{folder}/summary.md", "w") as file:
            file.write(f"{worker} {number}\n" * 20000)
        push = subprocess.Popen([pgo, "push", f"{folder}/server.proftext", f"{folder}/summary.md",
                                 f"oci-dir:profiles:{worker}-{number}"], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True)
        if number % 2 == 0:
            time.sleep(chance.uniform(0, 0.2))
            push.kill()
        digest = push.communicate()[0].strip()
        if number % 2 == 1 and push.returncode != 0:
            sys.exit(f"a push failed: {push.returncode}")
        if push.returncode == 0:
            ended[f"{worker}-{number}"] = digest
    return ended

ended = {}
with concurrent.futures.ThreadPoolExecutor(20) as threads:
    for some in threads.map(work, range(20)):
        ended.update(some)
json.dump(ended, open("ended.json", "w"))
END

check_layout profiles
check_ended() {
  "$pgo" list oci-dir:profiles --json > list.json
  python3 - << 'END'
import json
tags = {tag: version["digest"] for version in json.load(open("list.json"))["versions"] for tag in version["tags"]}
ended = json.load(open("ended.json"))
assert len(ended) >= 100
for tag, digest in ended.items():
    assert tags.get(tag) == digest, f"{tag} is not listed"
END
}
check_ended
"$pgo" gc oci-dir:profiles --keep 1000 > text
check_layout profiles
check_ended
[ -z "$(ls -A profiles/.prodpgo/tmp)" ] || fail "unfinished files are left"
python3 - << 'END'
import json, pathlib
used = set()
for entry in json.load(open("profiles/index.json"))["manifests"]:
    manifest = json.loads(pathlib.Path("profiles/blobs/sha256", entry["digest"][7:]).read_text())
    used |= {entry["digest"], manifest["config"]["digest"], *(layer["digest"] for layer in manifest["layers"])}
there = {"sha256:" + path.name for path in pathlib.Path("profiles/blobs/sha256").iterdir()}
assert there == used, there ^ used
END
