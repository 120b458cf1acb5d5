#!/usr/bin/env python3
"""Each "\\xFF{word}" in a text of the libraries is a word that option_words.cc of pgo/cli knows, no such word is without
the mark, and no such text names an option of the command line itself.

Reads the sources as text; no compiler. Usage: option_words_test.py [ROOT]

A word that is not known, or not marked, would be shown to the user in its braces. "\\xFF{docs/...}" names a document,
which must be a file below ROOT: the command line looks it up by this path.
"""

import pathlib
import re
import sys
import tempfile

WORDS = "pgo/cli/terminal/option_words.cc"
FOLDERS = ("pgo", "converters", "bolt")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
CHARACTER = re.compile(r"'(?:[^'\\\n]|\\.)'")
WORD = re.compile(r"(\\xFF)?\{([a-z][a-z0-9=-]*|docs/[^}]*)\}")
OPTION = re.compile(r"(?<![\w,-])(?:--[a-z][a-z-]*|-o(?![\w=-]))")
# Options of other programs have the same names: behind the program, or alone, as an argument that it is run with.
OTHER_PROGRAM = re.compile(r"\b(perf|objcopy|inject)\b[^;,]*$")
ARGUMENT = re.compile(r"--[a-z-]+=?|-o")
PROFILE_OF_FLAGS = "{profile}"  # in the table of compiler flags, which is shown to nobody


def known_words(text):
    table = text[text.index("kWords[] = {"):]
    return dict(re.findall(r'^ *\{"([^"]+)",\s+"([^"]+)"', table[:table.index("\n};")], re.M))


def faults(root):
    words_file = root / WORDS
    known = known_words(words_file.read_text(encoding="utf-8"))
    options = {option for shown in known.values() for option in OPTION.findall(shown)}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".cc", ".h") or path == words_file:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if line.lstrip().startswith("//"):
                    continue
                for literal in LITERAL.findall(CHARACTER.sub("' '", line)):
                    for mark, word in WORD.findall(literal):
                        is_known = word in known or word.startswith("docs/")
                        if mark and word.startswith("docs/") and not (root / word).is_file():
                            yield f"{path.relative_to(root)}:{number}: there is no {word}"
                        if mark and not is_known:
                            yield f"{path.relative_to(root)}:{number}: {WORDS} does not know {{{word}}}"
                        if is_known and not mark and literal != PROFILE_OF_FLAGS:
                            yield f"{path.relative_to(root)}:{number}: {{{word}}} has no \\xFF before it"
                    if path.is_relative_to(root / "pgo/cli") or ARGUMENT.fullmatch(literal):
                        continue
                    for option in OPTION.finditer(literal):
                        if option[0] in options and not OTHER_PROGRAM.search(literal[:option.start()]):
                            yield f"{path.relative_to(root)}:{number}: {option[0]} is a word of the command line"


def check_itself():
    """The check finds unknown words, missing marks, missing documents and bare options, and nothing else."""
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for folder in (*FOLDERS, "pgo/cli/terminal", "docs/guide"):
            (root / folder).mkdir(parents=True, exist_ok=True)
        (root / "docs/guide/merge.md").touch()
        (root / WORDS).write_text('constexpr OptionWord kWords[] = {\n    {"output", "-o"},\n    {"with", "--with"},\n};\n', encoding="utf-8")
        (root / "bolt/a.cc").write_text(
            '// "{comment}"\nf("see \\xFF{docs/guide/merge.md}", {value}, "\\xFF{with}");\n'
            "g('\"', {value}, '\"');\nh(\"add \\\"\\xFF{wiht}\\\"\");\n"
            'i("--with", "-Wl,--with", "perf record --with");\nj("or perf, or --with it");\n'
            'k("add {with}", "see {docs/guide/bolt.md}", "{other}");\n'
            'l("-o", "perf inject -o F", "-only", "write it (-o F)");\nm("convert -o ");\n'
            'n("\\xFF{docs/guide/merge.md} \\xFF{docs/guide/merge}", "\\xFF{docs/guide}");\n', encoding="utf-8")
        found = list(faults(root))
        if found != [f"bolt/a.cc:4: {WORDS} does not know {{wiht}}",
                     "bolt/a.cc:6: --with is a word of the command line",
                     "bolt/a.cc:7: {with} has no \\xFF before it",
                     "bolt/a.cc:7: {docs/guide/bolt.md} has no \\xFF before it",
                     "bolt/a.cc:8: -o is a word of the command line",
                     "bolt/a.cc:9: -o is a word of the command line",
                     "bolt/a.cc:10: there is no docs/guide/merge",
                     "bolt/a.cc:10: there is no docs/guide"]:
            sys.exit(f"the check itself is wrong: {found}")


def main():
    check_itself()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    found = list(faults(root))
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
