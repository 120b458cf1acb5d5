#!/usr/bin/env python3
"""Draws docs/pictures/wins.svg from the first table of docs/measurements/wins.md.

    win_chart.py             writes the picture
    win_chart.py --check     exit status 1 when the picture does not show the table

For each program, a bar for each row of SHOWN: the CPU time that it saves, in percent of what the same code
needs without a profile, with the 95 % interval. The same table gives the same bytes. The picture has a white
background of its own, so it is readable on light and on dark pages.
"""

import pathlib
import re
import sys
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE, PICTURE = "docs/measurements/wins.md", "docs/pictures/wins.svg"
SHOWN = {  # row of the table: name and colour of its bar
    "probes, defaults": ("ProdPGO: sample profile by probe, prodpgo_optimize's defaults", "#4a90d9"),
    "instrumented PGO": ("instrumented PGO, for comparison", "#b3bec9"),
}
CELL = re.compile(r"(\.\d+|\d\.\d+) \[(\.\d+|\d\.\d+), (\.\d+|\d\.\d+)\]")
LEFT, SCALE, BAR, GAP, TOP, WIDTH = 170, 13.0, 16, 16, 78, 900  # SCALE: of a percent; all in pixels
STEP = 10  # percent between lines of the grid


def read_table(text):
    """(programs, {row: [(ratio, low, high) of each program]}) of the first table of `text`."""
    rows = []
    for line in text.splitlines():
        if line.startswith("|"):
            rows.append([cell.strip().strip("*") for cell in line.strip("|").split("|")])
        elif rows:
            break
    if not rows:
        raise ValueError("there is no table")
    figures = {}
    for row in rows[2:]:
        cells = [CELL.fullmatch(cell) for cell in row[1:]]
        if not all(cells):
            raise ValueError(f"{row[0]}: a cell is not of the form 'RATIO [LOW, HIGH]'")
        figures[row[0]] = [tuple(map(float, cell.groups())) for cell in cells]
    for name in SHOWN:
        if name not in figures:
            raise ValueError(f"there is no row '{name}'")
    return rows[0][1:], figures


def saving(ratio):
    return round(100 * (1 - ratio), 1)


def draw(programs, figures):
    group = len(SHOWN) * BAR + GAP
    bottom = TOP + len(programs) * group
    height = bottom + 44
    most = max(saving(low) for name in SHOWN for _, low, _ in figures[name])
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        ' role="img" aria-label="CPU time saved by profiles"'
        " font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif\" font-size=\"14\">",
        "<!-- Made by tests/bench/win_chart.py; do not edit. -->",
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{height - 2}" rx="12" fill="#ffffff" stroke="#d0d7de"/>',
    ]

    def text(x, y, words, rest=""):
        lines.append(f'<text x="{x:g}" y="{y:g}" fill="#1f2328"{rest}>{escape(words)}</text>')

    for at, (words, colour) in enumerate(SHOWN.values()):
        lines.append(f'<rect x="{LEFT}" y="{18 + 24 * at}" width="14" height="14" fill="{colour}"/>')
        text(LEFT + 22, 30 + 24 * at, words)
    for percent in range(0, int(most) + STEP, STEP):
        x = LEFT + percent * SCALE
        lines.append(f'<path d="M{x:g} {TOP - 6}V{bottom}" stroke="{"#57606a" if percent == 0 else "#d0d7de"}"/>')
        text(x, bottom + 18, f"{percent} %", ' text-anchor="middle" font-size="12"')
    text(LEFT, bottom + 36, "less CPU time than the same code without a profile; lines: 95 % interval of the median",
         ' font-size="12"')
    for at, program in enumerate(programs):
        y = TOP + at * group
        text(LEFT - 12, y + len(SHOWN) * BAR / 2 + 5, program, ' text-anchor="end"')
        for name, (_, colour) in SHOWN.items():
            ratio, low, high = figures[name][at]
            middle = y + BAR / 2
            from_x, to_x = LEFT + saving(high) * SCALE, LEFT + saving(low) * SCALE
            bar_from, bar_to = sorted((LEFT, LEFT + saving(ratio) * SCALE))  # to the left: a loss
            lines.append(f'<rect x="{bar_from:g}" y="{y}" width="{bar_to - bar_from:g}" height="{BAR - 2}"'
                         f' fill="{colour}"/>')
            lines.append(f'<path d="M{from_x:g} {middle - 1:g}H{to_x:g}M{from_x:g} {middle - 5:g}V{middle + 3:g}'
                         f'M{to_x:g} {middle - 5:g}V{middle + 3:g}" stroke="#1f2328" fill="none"/>')
            text(max(to_x, LEFT) + 8, middle + 4, f"{saving(ratio):.1f} %", ' font-size="12"')
            y += BAR
    return "\n".join([*lines, "</svg>", ""])


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        picture = draw(*read_table((ROOT / TABLE).read_text(encoding="utf-8")))
    except ValueError as error:
        print(f"win_chart: {TABLE}: {error}", file=sys.stderr)
        return 2
    if not arguments:
        (ROOT / PICTURE).write_text(picture, encoding="utf-8")
    elif (ROOT / PICTURE).read_text(encoding="utf-8") != picture:
        print(f"win_chart: {PICTURE} does not show the table of {TABLE}; run tests/bench/win_chart.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
