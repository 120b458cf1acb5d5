#!/usr/bin/env python3
"""Which counts of two sample profiles are mixed, by a hand-written example."""
import unittest

import mixed_profile

INFERRED = """\
main:100:5
 1: 10
 2: 30 f:20 g:10
 3: f:60
  1: 40
  2: 20
  !CFGChecksum: 7
 !CFGChecksum: 9
f:60:20
 1: 40
 2: 20
 !CFGChecksum: 7
"""
EXACT = """\
main:160:8
 1: 16
 2: 48 g:48
 3: f:80
  1: 75
  2: 5
  !CFGChecksum: 7
 4: h:16
  1: 16
 !CFGChecksum: 9
f:30:25
 1: 25
 2: 5
 !CFGChecksum: 7
"""


def mix(way):
    inferred, exact = (mixed_profile.parse(text.splitlines()) for text in (INFERRED, EXACT))
    return mixed_profile.write(mixed_profile.WAYS[way](inferred, exact))


class Mixed(unittest.TestCase):
    def test_a_profile_is_written_as_it_was_read(self):
        self.assertEqual(mixed_profile.write(mixed_profile.parse(EXACT.splitlines())), EXACT)

    def test_blocks(self):
        self.assertEqual(mix("blocks"), EXACT.replace("main:160:8", "main:160:5").replace("f:30:25", "f:30:20")
                         .replace("2: 48 g:48", "2: 48 f:20 g:10"))

    def test_calls(self):
        self.assertEqual(mix("calls"), INFERRED.replace("main:100:5", "main:100:8").replace("f:60:20", "f:60:25")
                         .replace("2: 30 f:20 g:10", "2: 30 g:48"))

    def test_copies_keep_the_sum_of_each_probe(self):
        self.assertEqual(mix("copies"), """\
main:120:5
 1: 10
 2: 30 f:20 g:10
 3: f:80
  1: 60
  2: 20
  !CFGChecksum: 7
 !CFGChecksum: 9
f:40:20
 1: 20
 2: 20
 !CFGChecksum: 7
""")


if __name__ == "__main__":
    unittest.main()
