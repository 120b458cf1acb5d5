# Names in files and file names are shown without what a terminal obeys, in one line, and never taken for option
# words; JSON is valid. Inputs of each kind hold such names, in the place of a name that is as long.
. "$(dirname "$0")/../prelude.sh"
need clang-22 "$llvm/llvm-objcopy"

# Programs that are named and whose functions are named NAMENAME, and a recording of one.
printf 'int NAMENAME(int x) { return x * 3 + 1; }\nint main(int c, char** v) { (void)v; return NAMENAME(c) == 4 ? 0 : 1; }\n' > NAMENAME.c
clang-22 -O0 -gline-tables-only -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id -Wl,--emit-relocs NAMENAME.c -o plain.elf
"$llvm/llvm-objcopy" --only-keep-debug plain.elf NAMENAME.debug
"$llvm/llvm-objcopy" --strip-debug --add-gnu-debuglink=NAMENAME.debug plain.elf linked.elf
build_id=$(readelf -n plain.elf | sed -n 's/.*Build ID: //p')
address() { nm plain.elf | sed -n "s/^\([0-9a-f]*\) . $1\$/0x\1/p"; }
# The segment of the code: where it is in memory, and in the file.
read -r offset address size < <(readelf -lW plain.elf | sed -n 's/^  LOAD *\(0x[0-9a-f]*\) \(0x[0-9a-f]*\) 0x[0-9a-f]* \(0x[0-9a-f]*\) 0x[0-9a-f]* R E .*/\1 \2 \3/p')
page=$((offset & ~0xfff))
map=$((address - offset + page))
cat > recording.txt << RECORDING
event name=cycles:NAMENAME type=identifier,ip,tid,time,branch branch=user,any flags=sample_id_all ids=1
comm pid=10 time=1 exec=1 name=NAMENAME
mmap2 pid=10 time=2 addr=$map len=$((offset + size - page)) pgoff=$page prot=r-xp build_id=$build_id path=/srv/NAMENAME
mmap2 pid=10 time=3 addr=0x7f0000000000 len=0x1000 prot=r-xp path=/lib/NAMENAME.so
sample pid=10 time=4 ip=$(address NAMENAME) branches=$(address main)/$(address NAMENAME) $(address NAMENAME)/$(address main)
sample pid=10 time=5 ip=0x7f0000000010 branches=0x7f0000000020/0x7f0000000010
event_desc
RECORDING
recording_from_text recording.perf < recording.txt
"$pgo" convert recording.perf --binary plain.elf -o profile.prof -o profile.proftext -o profile.afdo -o profile.addr \
  -o profile.preagg --report report.json 2> convert.log || { cat convert.log; fail "cannot convert"; }
printf 'main;NAMENAME 5\n' > stacks.folded
"$pgo" merge stacks.folded -o pprof-plain:stacks.pb 2> merge.log
printf '1 NAMENAME 0 1 main 4 0 1\n' > profile.fdata
printf 'absent/NAMENAME\n' > list
cat > profile.yaml << 'YAML'
---
header:
  profile-version: 1
  binary-name:     'NAMENAME'
functions:
  - name:            NAMENAME
    fid:             1
    exec:            1
...
YAML

PATH=$here/quick_perf:$PATH python3 - "$pgo" << 'END_OF_TEST'
import json, os, pathlib, re, subprocess, sys

pgo = os.path.abspath(sys.argv[1])
# Each as long as NAMENAME.
NAMES = [b"\x1b[31m\xff.c", b"ab\nEVIL.", b"a\r\x07b\x9b\x7f.c", b"a\xc2\x9b31m.c", b"{binary}"]
assert all(len(name) == 8 for name in NAMES), [len(name) for name in NAMES]
failures = []


def check(arguments, stream, output, name):
    def wrong(what):
        failures.append(f"{what} on {stream} of pgo {arguments}: {output[:600]!r}")
    try:
        text = output.decode()
    except UnicodeDecodeError:
        return wrong("no UTF-8")
    if any((ord(c) < 0x20 and c not in "\n\t") or 0x7f <= ord(c) < 0xa0 for c in text):
        wrong("control characters")
    if any(line.startswith("EVIL") for line in text.split("\n")):
        wrong("a line that begins inside a name")
    if name == b"{binary}" and b"--binary.c" in output or b"srv/--binary" in output:
        wrong("a name that became an option")
    # The libraries mark their option words by a byte that is not printable.
    if name == b"{binary}" and re.search(r"\?\{", text):
        wrong("a mark of an option word")


def run(directory, name, *arguments):
    finished = subprocess.run([pgo, *arguments], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True)
    if finished.returncode not in (0, 1, 2, 3):
        failures.append(f"pgo {arguments} ended with {finished.returncode}")
    check(arguments, "standard error", finished.stderr, name)
    check(arguments, "standard output", finished.stdout, name)
    if "--json" in arguments:
        try:
            json.loads(finished.stdout.decode())
            if name == b"{binary}" and "\ufffd" in finished.stdout.decode():
                failures.append(f"a mark of an option word in the JSON of pgo {arguments}")
        except ValueError as error:
            failures.append(f"pgo {arguments}: no JSON: {error}: {finished.stdout[:300]!r}")


FILES = [path for path in sorted(pathlib.Path().iterdir()) if path.is_file()]
for number, name in enumerate(NAMES):
    directory = os.path.join(b"names", b"%d" % number)
    os.makedirs(os.path.join(directory, b"all", name))
    os.makedirs(os.path.join(directory, name))
    for path in FILES:
        contents = path.read_bytes().replace(b"NAMENAME", name)
        for place in (directory, os.path.join(directory, b"all", name)):
            with open(os.path.join(place, os.fsencode(path.name).replace(b"NAMENAME", name)), "wb") as copy:
                copy.write(contents)
    for path in FILES:
        file = os.fsencode(path.name).replace(b"NAMENAME", name)
        run(directory, name, "show", file)
        run(directory, name, "show", file, "--json")
        # Under a name of this kind, which no reader knows by its extension.
        run(directory, name, "show", os.path.join(b"all", name, file))
        run(directory, name, "merge", os.path.join(b"all", name, file), "-o", os.path.join(name, b"out.folded"))
        run(directory, name, "merge", file, "-o", name + b".addr", "-o", name + b".prof")
        run(directory, name, "convert", os.path.join(b"all", name, file), "--binary", "plain.elf",
            "-o", os.path.join(name, b"out.proftext"), "--json")
        run(directory, name, "convert", file, "--binary", "plain.elf", "-o", "out.proftext")
        run(directory, name, "convert", file, "--binary", "linked.elf", "-o", "out.proftext")
        run(directory, name, "match", "plain.elf", "--profile", file)
        run(directory, name, "match", "plain.elf", "--profile", file, "--json")
        if number < 2:  # it runs other programs, which takes its time
            run(directory, name, "bolt", "plain.elf", "-o", "bolted", "--profile", file)
            run(directory, name, "bolt", file, "-o", "bolted", "--profile", "profile.fdata", "--json")
    run(directory, name, "show", "recording.perf", "--binary", "plain.elf")
    run(directory, name, "show", "recording.perf", "--binary", "plain.elf", "--json")
    run(directory, name, "show", "recording.perf", "--top", "1")
    run(directory, name, "show", "all")
    run(directory, name, "show", "all", "--json")
    run(directory, name, "convert", "all", "--binary", "plain.elf", "-o", "out.proftext", "--event", name)
    run(directory, name, "convert", "@list", "--binary", name, "-o", "out.proftext")
    run(directory, name, "convert", "recording.perf", "--binary", "plain.elf", "--comm", name, "-o", "out.proftext")
    run(directory, name, "convert", "recording.perf", "--binary", "plain.elf", "--debug-file", name, "-o", "out.prof")
    run(directory, name, "convert", "recording.perf", "--binary", "plain.elf", "-o", name)
    run(directory, name, "convert", "recording.perf", "--binary", "plain.elf", "-o", b"absent/" + name + b".prof", "--json")
    run(directory, name, "merge", "stacks.folded", "-o", "out.folded", "--weight", name + b"=3")
    run(directory, name, "merge", "stacks.folded", "-o", "out.folded", "--build-id", name)
    run(directory, name, "merge", "stacks.folded", "-o", "out.folded", "--sample-type", name)
    run(directory, name, "merge", "stacks.folded", "-o", name)
    run(directory, name, "match", name, "--profile", name)
    run(directory, name, "bolt", name, "-o", name, "--profile", name)
    run(directory, name, "bolt", "plain.elf", "-o", "bolted", "--profile", "profile.fdata", "--", b"-" + name)
    run(directory, name, "doctor", "plain.elf", "--compiler", name)
    run(directory, name, "doctor", "linked.elf", "--compiler", "clang-22", "--json")
    run(directory, name, "flags", "--compiler", name, "--profilable")
    run(directory, name, "flags", "--compiler", "clang-22", "--profile", name)
    run(directory, name, "record", "-o", "out.perf", "--engine", "emulate", "--", b"./" + name)
    run(directory, name, "record", "-o", name + b"/", "--engine", "emulate", "--", "true")
    run(directory, name, "record", "--engine", name, "--", "true")
    for command in "list", "pull", "pin", "push", "gc", "archive":
        run(directory, name, command, name)
    for command in "verify", "copy":
        run(directory, name, command, name, name)
    run(directory, name, "refresh", "--service", name)
    run(directory, name, "status", "--config", name)
    run(directory, name, "push", "profile.prof", name)
    run(directory, name, "fetch", name, "-o", "out.bundle")
    for json_too in ((), ("--json",)):
        run(directory, name, "cost", os.path.join(b"all", name, b"stacks.folded"), *json_too)
        run(directory, name, "diff", "stacks.folded", os.path.join(b"all", name, b"stacks.folded"), *json_too)
        run(directory, name, "lock", "diff", name, name, *json_too)
        run(directory, name, "upload", "stacks.folded", name, "--label", b"service=" + name, *json_too)
    run(directory, name, "init", name, "-o", "-")
    run(directory, name, name)
    run(directory, name, "show", b"--" + name)
    run(directory, name, "show", "recording.perf", name)

# The words are those that our own sentences are made of.
for name in ("{binary}", "a {binary} b", "({docs/guide/merge.md})", "{top}: {event}, {output}"):
    shown = subprocess.run([pgo, "show", name], capture_output=True, text=True).stderr
    if not shown.startswith(f"pgo: error: {name}: "):
        failures.append(f"not the name {name!r}: {shown!r}")

print("\n".join(failures[:20]))
sys.exit(f"{len(failures)} failures" if failures else 0)
END_OF_TEST
