#!/usr/bin/env python3
"""What win_chart.py reads from a table, and draws."""

import unittest

import win_chart

TABLE = """# Title

| time | Lua & co | zstd |
|---|---|---|
| instrumented PGO | .95 [.94, .96] | .9 [.8, 1.01] |
| **probes, defaults** | .930 [.922, .936] | 1.02 [1.01, 1.03] |

| another table | x |
|---|---|
| probes | y |
"""


class WinChart(unittest.TestCase):
    def test_reads_the_first_table(self):
        programs, figures = win_chart.read_table(TABLE)
        self.assertEqual(programs, ["Lua & co", "zstd"])
        self.assertEqual(figures, {"instrumented PGO": [(.95, .94, .96), (.9, .8, 1.01)],
                                   "probes, defaults": [(.93, .922, .936), (1.02, 1.01, 1.03)]})

    def test_names_what_is_missing(self):
        for text, message in (("", "there is no table"),
                              (TABLE.replace("instrumented", "other"), "there is no row 'instrumented PGO'"),
                              (TABLE.replace("[.94, .96]", ""),
                               "instrumented PGO: a cell is not of the form 'RATIO [LOW, HIGH]'")):
            with self.assertRaises(ValueError) as raised:
                win_chart.read_table(text)
            self.assertEqual(str(raised.exception), message)

    def test_draws_savings(self):
        picture = win_chart.draw(*win_chart.read_table(TABLE))
        self.assertEqual(picture, win_chart.draw(*win_chart.read_table(TABLE)))
        for label in ">Lua &amp; co<", ">7.0 %<", ">5.0 %<", ">10.0 %<", ">-2.0 %<":
            self.assertIn(label, picture)
        self.assertNotIn('width="-', picture)


if __name__ == "__main__":
    unittest.main()
