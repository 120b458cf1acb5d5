#!/usr/bin/env python3
"""No statement of an end-to-end test can fail unnoticed. bash's -e does not end a script after `A && B` when A fails,
nor after `! A` when A succeeds.

Reads the scripts as text. Usage: swallowed_failures_test.py [ROOT]

`A && B` is allowed where B is what happens in the bad case (fail, skip) or leaves a loop or function, and where the
status is used: in a condition, before `||`, in parentheses, as the last command of a function on one line.
"""

import pathlib
import re
import sys

HEREDOC = re.compile(r"<<-?\s*(['\"\\]?)(\w+)\1?")
LEAVES = re.compile(r"&&\s*(?:fail|skip|return|exit|break|continue)\b|&&\s*\w+=\S*\s*$")
CONDITION = re.compile(r"^\s*(?:if|elif|while|until)\b")
NEGATED = re.compile(r"^\s*!\s")
JOINED = "\0"


def skeleton(text):
    """The text of a script without comments and here-documents, with `q` for each quoted text and each (...). A line
    break within a statement is JOINED."""
    result, at, documents = [], 0, []

    def quoted(start):  # behind the quote at `start`
        if text[start] == "'":
            return text.index("'", start + 1) + 1
        end = start + 1
        while text[end] != '"':
            if text[end] == "\\":
                end += 2
            elif text.startswith("$(", end):
                end = parenthesized(end + 1)
            else:
                end += 1
        return end + 1

    def parenthesized(start):  # behind the ) of the ( at `start`
        end = start + 1
        while text[end] != ")":
            if text[end] == "\\":
                end += 2
            elif text[end] in "'\"":
                end = quoted(end)
            elif text[end] == "(":
                end = parenthesized(end)
            else:
                end += 1
        return end + 1

    while at < len(text):
        document = HEREDOC.match(text, at) if text[at] == "<" and not text.startswith("<<<", at) else None
        if text.startswith("<<<", at):
            result.append("<<<")
            at += 3
        elif document:
            documents.append(document[2])
            at = document.end()
        elif text[at] == "\\":
            result.append(JOINED if text[at + 1] == "\n" else "q")
            at += 2
        elif text[at] in "'\"" or text[at] == "(" and text[at + 1] != ")":
            end = quoted(at) if text[at] in "'\"" else parenthesized(at)
            result.append("q" + JOINED * text.count("\n", at, end))
            at = end
        elif text[at] == "#" and (at == 0 or text[at - 1] in " \t\n;"):
            at = text.find("\n", at)
            at = len(text) if at < 0 else at
        elif text[at] == "\n":
            result.append("\n")
            at += 1
            for word in documents:
                end = re.compile(rf"^\t*{word}$", re.M).search(text, at).end()
                result.append("\n" * text.count("\n", at, end))
                at = end
            documents = []
        else:
            result.append(text[at])
            at += 1
    return "".join(result)


def faults(text):
    """The numbers of lines with a statement whose failure goes unnoticed."""
    next_number = 1
    joined = re.sub(r"(&&|\|)[ \t]*\n", rf"\1 {JOINED}", skeleton(text))
    for line in joined.split("\n"):
        number, next_number = next_number, next_number + 1 + line.count(JOINED)
        line = line.replace(JOINED, " ")
        for statement in re.split(r";(?!;)", line):
            if CONDITION.match(statement) or "||" in statement or "{" in line:
                continue
            statement = re.sub(r"^\s*(?:then|do|else)\b", "", statement)
            if NEGATED.match(statement) or "&&" in statement and not LEAVES.search(statement):
                yield number
                break


def check_itself():
    """The check finds both kinds, and nothing else."""
    script = """a && b
a && fail "c"
a && b || fail c
! a
! a || fail b
if a && b; then c; fi
(cd a && b)
x=$(a && b) y="$(c && d "e")"
f() { a && b; }
cat << 'END' | python3 -
a && b
END
awk '/a/ && b
! c' file
for a in b; do c && d; done
while ! a; do b; done
[ a ] && [ b ] # c || d
a && status=1
a \\
  && b
! c
a &&
  b ||
  fail c
"""
    found = list(faults(script))
    if found != [1, 4, 15, 17, 19, 21]:
        sys.exit(f"the check itself is wrong: {found}")


def main():
    check_itself()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    count = 0
    for path in sorted((root / "tests/e2e").rglob("*.sh")):
        for number in faults(path.read_text(encoding="utf-8")):
            print(f"{path.relative_to(root)}:{number}: a failure of this goes unnoticed; add || fail, or use two lines")
            count += 1
    sys.exit(1 if count else 0)


main()
