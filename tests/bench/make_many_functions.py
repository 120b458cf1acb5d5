#!/usr/bin/env python3
"""Writes C++ sources of a program with very many functions, all of which it calls.

    make_many_functions.py DIR FUNCTIONS

The question behind it: what does a converter cost when the binary is large and the recording small,
so that symbolizing is everything? Each function has loops, branches and two levels of inlined
callees, and takes its shape from its number: no randomness, the same bytes each time. Functions call
their neighbours, so that a recording finds call targets too. `main` walks over all of them.
"""
import pathlib
import sys

PER_FILE = 500  # functions in one translation unit

HEADER = """\
#pragma once
#include <cstdint>
using Word = uint64_t;

template <unsigned N>
inline Word mix(Word x) {
  x ^= x >> (N % 31 + 1);
  if (x & (1ull << (N % 13)))
    x *= 0x9e3779b97f4a7c15ull + N;
  else
    x += N * 3;
  return x;
}

template <unsigned N>
inline Word fold(const Word* data, unsigned size) {
  Word sum = N;
  for (unsigned i = 0; i < size; ++i) {
    if (data[i] % (N % 5 + 2) == 0)
      sum += mix<N>(data[i]);
    else
      sum ^= mix<N + 1>(sum + i);
  }
  return sum;
}
"""


def function_text(number: int, last: int) -> str:
    """One function: its number chooses constants, inlined callees and the neighbour it calls."""
    callee = number + 7
    call = f"  if (depth && x % 3 == 0) x += f{callee}(data, depth - 1);\n" if callee < last else ""
    lines = [f"Word f{number}(const Word* data, unsigned depth) {{",
             f"  Word x = fold<{number % 61}>(data, {number % 3 + 2});"]
    for step in range(number % 3 + 1):
        salt = (number * 7 + step * 13) % 97
        lines += [f"  if (x & {1 << (salt % 7)})",
                  f"    x = mix<{salt}>(x + data[{salt % 8}]);",
                  "  else",
                  f"    x -= mix<{(salt + 5) % 97}>(data[{step % 8}]);"]
    if number % 5 == 0:
        lines += [f"  for (unsigned i = 0; i < {number % 6 + 2}; ++i)",
                  f"    x += fold<{(number + 3) % 61}>(data + i % 4, 3);"]
    return "\n".join(lines) + "\n" + call + "  return x;\n}\n"


def main() -> None:
    out, functions = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    (out / "many.h").write_text(HEADER)
    for first in range(0, functions, PER_FILE):
        last = min(first + PER_FILE, functions)
        body = "".join(f"Word f{n}(const Word*, unsigned);\n" for n in range(first, last))
        body += "".join(function_text(n, last) for n in range(first, last))
        body += f"Word run{first}(const Word* data) {{\n  Word sum = 0;\n"
        body += "".join(f"  sum += f{n}(data, 1);\n" for n in range(first, last)) + "  return sum;\n}\n"
        (out / f"part{first}.cc").write_text('#include "many.h"\n' + body)
    parts = range(0, functions, PER_FILE)
    text = '#include "many.h"\n#include <cstdio>\n#include <cstdlib>\n'
    text += "".join(f"Word run{n}(const Word*);\n" for n in parts)
    text += "int main(int argc, char** argv) {\n  int rounds = argc > 1 ? atoi(argv[1]) : 1;\n  Word sum = 0;\n"
    text += "  for (int r = 0; r < rounds; ++r) {\n    Word data[8];\n"
    text += "    for (int i = 0; i < 8; ++i) data[i] = (r + 1) * 0x12345678abcdefull * (i + 3);\n"
    text += "".join(f"    sum += run{n}(data);\n" for n in parts)
    text += '  }\n  printf("%llu\\n", (unsigned long long)sum);\n}\n'
    (out / "main.cc").write_text(text)


if __name__ == "__main__":
    main()
