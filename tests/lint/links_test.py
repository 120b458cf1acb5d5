#!/usr/bin/env python3
"""Checks the links of the documents. Usage: links_test.py [ROOT]

1. A relative link or picture in README.md, ARCHITECTURE.md, CHANGELOG.md, CONTRIBUTING.md, docs/ and the READMEs of
   samples/ names a file or folder below ROOT; with a #fragment, also a heading of that file.
2. Each page below docs/ can be reached by links from README.md.
3. Where a source or a message names a page (docs/….md), that page exists.

ROOT may be an installation's share/doc/prodpgo, which has no sources.
"""

import os
import pathlib
import re
import sys
import urllib.parse

PAGES = ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/**/*.md", "samples/*/README.md")
SOURCES = ("pgo", "converters", "bolt", "cmake", "cmake-modules", "install", "samples", "tests")
THIS = ("links_test.py", "links_faults_test.py")
LINK = re.compile(r"!?\[(?:[^][]|\[[^][]*\])*\]\(\s*<?([^)<>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)"
                  r"|\b(?:src|href|srcset)=\"([^\"]+)\"")
MENTION = re.compile(r"\bdocs/[\w/.-]+\.md\b")


def text_lines(path):
    """(number, line) of each line outside of code; code between backquotes is taken out of the line."""
    fence = False
    before_is_text = False  # an indented line that continues a paragraph or an item of a list is not code
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fence = not fence
            continue
        indented = line.startswith("    ") and not before_is_text
        before_is_text = bool(line.strip()) and not indented
        if not fence and not indented:
            yield number, re.sub(r"(`+).*?\1", lambda code: "" if "](" in code[0] else code[0], line)


def anchors(path):
    """The fragments that GitHub makes of the headings of a page."""
    found = {}
    for _, line in text_lines(path):
        if heading := re.match(r"#{1,6}\s+(.*?)\s*#*$", line):
            words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            found[name] = found.get(name, -1) + 1
    return {name + (f"-{copy}" if copy else "") for name, copies in found.items() for copy in range(copies + 1)}


def links(path):
    """(number of the line, target) of each relative link; its text may go on in the next line."""
    lines = dict(text_lines(path))
    text = "\n".join(lines.get(number, "") for number in range(1, max(lines, default=0) + 1))
    for match in LINK.finditer(text):
        target = match[1] or match[2]
        if not re.match(r"[a-z][a-z0-9+.-]*:|//", target):
            yield text.count("\n", 0, match.start()) + 1, target


def check_links(root, pages):
    """The faults of the links of `pages`, and the pages that each links to."""
    faults, linked = [], {}
    for page in pages:
        linked[page] = set()
        for number, target in links(root / page):
            name, _, fragment = target.partition("#")
            file = pathlib.Path(os.path.normpath(page.parent / urllib.parse.unquote(name) if name else page))
            if file.parts[:1] == ("..",) or file.is_absolute() or not (root / file).exists():
                faults.append(f"{page}:{number}: {target}: there is no {file}")
            elif fragment and (file.suffix != ".md" or fragment not in anchors(root / file)):
                faults.append(f"{page}:{number}: {target}: {file} has no such heading")
            else:
                linked[page].add(file)
    return faults, linked


def unreached(pages, linked):
    reached, waiting = set(), [pathlib.Path("README.md")]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            waiting += linked.get(page, ())
    return [f"{page}: README.md does not lead to it" for page in pages
            if page.parts[0] == "docs" and page not in reached]


def check_mentions(root):
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if not path.is_file() or path.name in THIS or path.suffix == ".md":
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                for mention in MENTION.findall(line):
                    if not (root / mention).is_file():
                        yield f"{path.relative_to(root)}:{number}: there is no {mention}"


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else ".")
    pages = sorted({path.relative_to(root) for pattern in PAGES for path in root.glob(pattern)})
    faults, linked = check_links(root, pages)
    faults += unreached(pages, linked)
    faults += check_mentions(root)
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    print(f"{len(pages)} pages")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
