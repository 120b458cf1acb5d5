#!/usr/bin/env python3
"""Gives random words to the functions of the CMake package: names, paths, options, with the characters that CMake
takes for its own. A configuration must succeed, or end with an error of ours; CMake itself must find none in our
modules, and what is compiled must have no option that comes out of a name.

    random_cmake_arguments.py PACKAGE FIRST LAST    PACKAGE: for CMAKE_PREFIX_PATH; seeds FIRST to LAST
"""

import json
import pathlib
import random
import re
import shlex
import subprocess
import sys

PIECES = [";", '"', "$", "\\", "{", "}", "<", ">", ",", ":", " ", "(", ")", "[", "]", "#", "@", "'", "*", "?", "%",
          "=", "&", "|", "!", "~", "^", "`", "-", "+", ".", "..", "/", "\t", "\n", "é", "a", "B", "7", "small", "list",
          "${CMAKE_C_COMPILER}", "$ENV{HOME}", "@PROJECT_NAME@", "$<1:x>", "$<CONFIG>", "NOTFOUND", "OFF", "TRUE", "-O0",
          "\\;", "]]", "]=]", "%b", "{}", "COMMAND", "small.proftext"]
WORDS = ["PROFILE", "BOLT", "FILE", "SHA256", "REPORT", "LINES", "PROBES", "LINKED", "PREFIX_MAP", "MACRO", "OFF",
         "MIN_MATCH", "BOLT_STALE", "BOLT_CHECK", "BOLT_ON_FAILURE", "BOLT_TIMEOUT", "BOLT_OPTIONS", "keep", "error", "50",
         "small", "small.proftext", "missing.prof"]
PROFILE = "main:1000:1\n 3: 1\n"


def random_text(choice):
    return "".join(choice.choice(PIECES) for _ in range(choice.randint(0, 5)))


def random_word(choice):
    return choice.choice(WORDS) if choice.random() < 0.5 else random_text(choice)


def bracketed(word):
    """The word as one argument, with nothing in it for CMake to see."""
    return f"[======[\n{word}]======]"


def call(function, words):
    return f"{function}({' '.join(bracketed(word) for word in words)})\n"


def random_calls(choice, source):
    path = random_text(choice)
    if path and "/" not in path and path not in (".", ".."):
        try:
            (source / path).write_text(PROFILE)
        except OSError:
            pass
    name = "small" if choice.random() < 0.6 else random_text(choice)
    target = "small" if choice.random() < 0.8 else random_text(choice)
    file = choice.choice([path, "small.proftext", random_text(choice)])
    lines = call("prodpgo_profile", [name, "FILE", file] + [random_word(choice) for _ in range(choice.choice([0, 0, 0, 2]))])
    words = [random_word(choice) for _ in range(choice.choice([0, 0, 1, 3]))]
    named = choice.choice([name, name, random_text(choice)])
    options = {"BOLT_CHECK": random_text(choice) + "{}", "BOLT_STALE": random_text(choice),
               "BOLT_OPTIONS": "-" + random_text(choice)}
    for option in choice.sample(sorted(options), choice.choice([0, 0, 1, 2])):
        words += ["BOLT", option, options[option]]
    if choice.random() < 0.2:
        lines += call("prodpgo_profilable", [target] + words)
    else:
        lines += call("prodpgo_optimize", [target, "PROFILE", named] + words)
    return lines


def configure(source, package):
    return subprocess.run(
        ["cmake", "-S", source, "-B", "build", "-G", "Ninja", "-Wno-dev", f"-DCMAKE_PREFIX_PATH={package}",
         "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_C_COMPILER=clang-22"],
        capture_output=True, text=True, errors="replace")


def faults(finished, calls):
    """What is wrong with how a configuration ended."""
    if finished.returncode not in (0, 1):
        yield f"cmake ended with {finished.returncode}"
    has_expression = "$<" in calls  # which CMake evaluates, and may refuse, at its end
    ours = 0
    for place in re.findall(r"^CMake (?:Internal )?(?:Error|Warning)\b(.*)$", finished.stderr, re.MULTILINE):
        if re.search(r" at .*ProdPGO\w*\.cmake:\d+ \(message\):", place):
            ours += 1
        elif not (has_expression and "(add_custom_command)" in place):
            yield f"an error that is none of ours:{place}"
    if finished.returncode == 0:
        for entry in json.loads(pathlib.Path("build/compile_commands.json").read_text()):
            for option in shlex.split(entry["command"]):
                applied = option.startswith("-fprofile-sample-use=")
                if applied and not re.search(r"/build/prodpgo/[0-9a-f]{16}/[A-Za-z0-9._+-]+\.prof(text)?$", option):
                    yield f"compiles with {option}"
                if option == "-O0":
                    yield "compiles with an option out of a name"
    elif not ours and not has_expression:
        yield "failed without an error of ours"


def main():
    package, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    failed = applied = 0
    for seed in range(first, last + 1):
        choice = random.Random(seed)
        source = pathlib.Path(f"source{seed % 8}")
        if source.exists():
            for path in source.iterdir():
                path.unlink()
        source.mkdir(exist_ok=True)
        (source / "small.proftext").write_text(PROFILE)
        (source / "main.c").write_text("int main(void) { return 0; }\n")
        calls = random_calls(choice, source)
        lists = ("cmake_minimum_required(VERSION 3.25)\nproject(small LANGUAGES C)\n"
                 "find_package(ProdPGO REQUIRED)\nadd_executable(small main.c)\n" + calls)
        # One build directory: compilers are looked at once.
        only = pathlib.Path("source")
        if only.is_symlink():
            only.unlink()
        only.symlink_to(source)
        (source / "CMakeLists.txt").write_text(lists)
        finished = configure(only.absolute(), package)
        applied += finished.returncode == 0
        for fault in faults(finished, calls):
            failed += 1
            print(f"seed {seed}: {fault}\n{calls}{finished.stderr}")
    print(f"{last - first + 1} configurations, {applied} of them without an error")
    if not applied:
        sys.exit("none succeeded: nothing was tested")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
