"""added_flags.py CMAKE_BUILD ACTIONS FAMILY: compares the flags that CMake and Bazel give to programs with a profile.

The flags that count are those that the program `plain` (or plain_thin) does not have; Bazel gives some to all programs. CMake's are in
compile_commands.json and in what ninja would run to link, Bazel's in ACTIONS, the output of aquery as JSON. Both are
sorted; -mllvm and its word are one. Prints the flags, or exits with what differs.
"""
import json
import re
import shlex
import subprocess
import sys

build, actions, family = sys.argv[1:]

# The stated list (flags_equal_cmake.sh says why): left out on both sides.
LEFT_OUT = re.compile(
    r"-fprofile-correction$|-Wno-(ignored-optimization|unused-command-line)-argument$|-DBUILD_FDO_TYPE=|-fmacro-prefix-map=|-fuse-ld=|-Wl,-(no-)?whole-archive$"
    # Names of files and directories, and what the compiler is to make of them.
    r"|-o$|-c$|-I|-iquote$|-M[DFT]$|-frandom-seed=|[^-]"
)


def options(words):
    words = iter(words)
    found = []
    for word in words:
        if word == "-mllvm":
            word += " " + next(words)
        elif word == "-Xlinker":
            word = "-Wl," + next(words)
        if LEFT_OUT.match(word):
            continue
        word = re.sub(r"^(-fauto-profile|-fprofile-sample-use)=.*", r"\1=PROFILE", word)
        if family == "clang":
            word = word.replace("-fauto-profile=", "-fprofile-sample-use=")
        found.append(word)
    return found


def cmake_commands():
    commands = {}
    for entry in json.load(open(f"{build}/compile_commands.json")):
        name = re.search(r"CMakeFiles/(\w+)\.dir/(?:main\.cc|lib/scale\.c)\.o", entry["command"])
        if name:
            commands[name[1]] = shlex.split(entry["command"])
    printed = subprocess.run(["ninja", "-C", build, "-t", "commands"], capture_output=True, text=True, check=True).stdout
    for line in printed.splitlines():
        link = re.search(r"^: && (\S+ .* -o (\w+) .*?) && ", line)
        if link:
            commands[link[2] + " link"] = shlex.split(link[1])
    return commands


def bazel_commands():
    commands = {}
    graph = json.load(open(actions))
    labels = {target["id"]: target["label"] for target in graph["targets"]}
    for action in graph["actions"]:
        words = action.get("arguments", [""])
        name = labels[action["targetId"]].split(":")[1].split("/")[-1]
        if action["mnemonic"] == "CppCompile" and re.search(r"(main\.cc|scale\.c) -o \S*[a-z]\.o$", " ".join(words)):
            if ".pic.o" not in words[-1]:
                commands[name] = words
        elif action["mnemonic"] == "CppLink" and re.search(r"-o \S*/" + name + " ", " ".join(words)):
            commands[name + " link"] = words
    return commands


def plain_name(name):
    name = name.replace("profilable", "plain").replace("optimized", "plain")
    return re.sub(r"^thin", "plain_thin", name)


def added(commands):
    """The options of each program that neither its plain one has, nor Bazel's."""
    found = {}
    for name, words in commands.items():
        plain = plain_name(name)
        if plain != name:
            without = options(commands[plain]) + options(of_bazel[plain])
            found[name] = sorted(word for word in options(words) if word not in without)
    return found


of_bazel = bazel_commands()
cmake, bazel = added(cmake_commands()), added(of_bazel)
for name in sorted(cmake.keys() | bazel.keys()):
    print(name, *cmake.get(name, ["nothing"]))
    if cmake.get(name) != bazel.get(name):
        sys.exit(f"{name}: Bazel has {' '.join(bazel.get(name, ['nothing']))}")
