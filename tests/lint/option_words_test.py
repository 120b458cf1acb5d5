#!/usr/bin/env python3
"""Each "\\xFF{word}" in a text of the libraries is a word that option_words.cc of pgo/cli knows, no such word is without
the mark, and no such text names an option of the command line, a word of CMake or Bazel, or a variable of the environment
that only the command line reads. The libraries know commands ("'pgo show' lists them") and the variables that they read
themselves: other callers have these, too.

Reads the sources as text; no compiler. Usage: option_words_test.py [ROOT]

A word that is not known, or not marked, would be shown to the user in its braces. "\\xFF{docs/...}" names a document,
which must be a file below ROOT: the command line looks it up by this path.
"""

import re

import checked_sources

WORDS = "pgo/cli/terminal/option_words.cc"
CLI = "pgo/cli"
FOLDERS = ("pgo", "converters", "bolt")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
CHARACTER = re.compile(r"'(?:[^'\\\n]|\\.)'")
WORD = re.compile(r"(\\xFF)?\{([a-z][a-z0-9=-]*|docs/[^}]*)\}")
OPTION = re.compile(r"(?<![\w,-])(?:--[a-z][a-z-]*|-o(?![\w=-]))")
# Options of other programs have the same names: behind the program, in what it prints, or alone, as an argument that it is
# run with.
OTHER_PROGRAM = re.compile(r"\b(perf|objcopy|inject|unable to proceed with)\b[^;,]*$")
ARGUMENT = re.compile(r"--[a-z-]+=?|-o")
# What the command line declares and reads: option("-o,--output", ...), environment("PRODPGO_LLVM_BOLT"); in a table,
# {.name = "--tries", ..., .environment = "PRODPGO_CA_FILE"}.
DECLARED = re.compile(r'(?:\b(?:option|flag)\(\s*|\.name = )"(-[^"]+)"')
READ_BY_CLI = re.compile(r'(?:\b(?:environment|getenv)\(\s*|\.environment = )"([A-Z0-9_]+)"')
VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b")
BUILD_WORD = re.compile(r"\b(?:CMake|Bazel|LINKED|prodpgo_[a-z_]+|BOLT_[A-Z_]+)\b(?!\.so)")
PROFILE_OF_FLAGS = "{profile}"  # in the table of compiler flags, which is shown to nobody


def known_words(text):
    table = text[text.index("kWords[] = {"):]
    return dict(re.findall(r'^ *\{"([^"]+)",\s+"([^"]+)"', table[:table.index("\n};")], re.M))


def texts_of(root, folders):
    """(path below root, number of the line, literal) of each text in the sources, without comments."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".cc", ".h"):
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if not line.lstrip().startswith("//"):
                    for literal in LITERAL.findall(CHARACTER.sub("' '", line)):
                        yield path.relative_to(root), number, literal


def faults_of_words(root, known, literal):
    for mark, word in WORD.findall(literal):
        is_known = word in known or word.startswith("docs/")
        if mark and word.startswith("docs/") and not (root / word).is_file():
            yield f"there is no {word}"
        if mark and not is_known:
            yield f"{WORDS} does not know {{{word}}}"
        if is_known and not mark and literal != PROFILE_OF_FLAGS:
            yield f"{{{word}}} has no \\xFF before it"


def faults(root):
    words_file = root / WORDS
    known = known_words(words_file.read_text(encoding="utf-8"))
    cli = "\n".join(path.read_text(encoding="utf-8") for path in sorted((root / CLI).rglob("*.cc")))
    options = {option for shown in known.values() for option in OPTION.findall(shown)}
    options |= {name for names in DECLARED.findall(cli) for name in names.split(",") if name.startswith("--") or name == "-o"}
    texts = [text for text in texts_of(root, FOLDERS) if root / text[0] != words_file]
    in_libraries = [text for text in texts if not text[0].is_relative_to(CLI)]
    variables = set(READ_BY_CLI.findall(cli)) - {literal for _, _, literal in in_libraries}
    for path, number, literal in texts:
        found = list(faults_of_words(root, known, literal))
        if not path.is_relative_to(CLI):
            found += [f"{word} is a word of a build system" for word in BUILD_WORD.findall(literal)]
            found += [f"only the command line reads {name}" for name in VARIABLE.findall(literal) if name in variables]
            if not ARGUMENT.fullmatch(literal):
                found += [f"{option[0]} is a word of the command line" for option in OPTION.finditer(literal)
                          if option[0] in options and not OTHER_PROGRAM.search(literal[:option.start()])]
        for fault in found:
            yield f"{path}:{number}: {fault}"

# Unknown words, missing marks, missing documents and bare options, and nothing else.
EXAMPLE = {
    "docs/guide/merge.md": "",
    WORDS: 'constexpr OptionWord kWords[] = {\n    {"output", "-o"},\n    {"with", "--with"},\n};\n',
    "bolt/a.cc":
        '// "{comment}"\nf("see \\xFF{docs/guide/merge.md}", {value}, "\\xFF{with}");\n'
        "g('\"', {value}, '\"');\nh(\"add \\\"\\xFF{wiht}\\\"\");\n"
        'i("--with", "-Wl,--with", "perf record --with");\nj("or perf, or --with it");\n'
        'k("add {with}", "see {docs/guide/bolt.md}", "{other}");\n'
        'l("-o", "perf inject -o F", "-only", "write it (-o F)");\nm("convert -o ");\n'
        'n("\\xFF{docs/guide/merge.md} \\xFF{docs/guide/merge}", "\\xFF{docs/guide}");\n'
        'o("link it (in CMake: BOLT of prodpgo_optimize)", "BOLTED");\np("give --new", "PGO_READ", "set PGO_READ or PGO_TOOL");\n'
        'q("give --tabled or set PGO_TABLED");\n',
    "pgo/cli/a.cc":
        'line.option(\n    "-n,--new", value).environment("PGO_TOOL");\n'
        'getenv("PGO_READ");\nf("give --new, CMake");\n{.name = "--tabled", .environment = "PGO_TABLED"}\n',
}

checked_sources.main(faults, EXAMPLE, [
    f"bolt/a.cc:4: {WORDS} does not know {{wiht}}",
    "bolt/a.cc:6: --with is a word of the command line",
    "bolt/a.cc:7: {with} has no \\xFF before it",
    "bolt/a.cc:7: {docs/guide/bolt.md} has no \\xFF before it",
    "bolt/a.cc:8: -o is a word of the command line",
    "bolt/a.cc:9: -o is a word of the command line",
    "bolt/a.cc:10: there is no docs/guide/merge",
    "bolt/a.cc:10: there is no docs/guide",
    "bolt/a.cc:11: CMake is a word of a build system",
    "bolt/a.cc:11: prodpgo_optimize is a word of a build system",
    "bolt/a.cc:12: --new is a word of the command line",
    "bolt/a.cc:12: only the command line reads PGO_TOOL",
    "bolt/a.cc:13: only the command line reads PGO_TABLED",
    "bolt/a.cc:13: --tabled is a word of the command line",
])
