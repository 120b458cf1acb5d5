// TranslatedCounts: a recording of a BOLTed binary, as if its input had been recorded. A compiler's
// profile is made of source positions, and only the input's debug information has them: llvm-bolt
// leaves none in its output unless told to (--update-debug-sections). A profile for BOLT is for the
// input anyway.
//
// How to use it:
//   1. The recording names the BOLTed binary by its build ID, which is the input's but for the
//      last quarter: BuildId::matches_bolted() finds the pair among the binaries given. Both files
//      are needed, with symbols: the BOLTed one, because its addresses were recorded and it has
//      the table (has_address_translation()), and the input, where the counts go.
//   2. Aggregate against the BOLTed file, as for any binary.
//   3. PGO_TRY(TranslatedCounts translated, translate_counts(counts, bolted, input));
//   4. From here on only the input matters: its code, its debug information or debug file.
//      translated.counts add to counts that were recorded of the input itself.
//   For a compiler's profile, a BOLTed file that has debug sections (--update-debug-sections) needs
//   none of this: they describe its own addresses. For BOLT, perf2bolt can read a recording of the
//   BOLTed file through the table itself, but it loses more (docs/reference/perf2bolt.md).
//
// How a trace is translated. Its straight-line code runs through blocks that are neighbours in the
// BOLTed file, but maybe not in the input. Each block but the last ran to its end, so in the input
// it ran from its first to its last instruction, whatever llvm-bolt did to the jump at its end.
// Where the next block also follows in the input, the trace goes on; where it does not, the input
// would have taken a branch: a trace ends, and the next begins with the branch from the one block
// to the other. A branch that llvm-bolt added (a jump at the end of a block) becomes the end of its
// block. So every instruction of the input counts as often as its block ran.
//
// What is approximate: functions that llvm-bolt folded count as one of them; what it inlined counts
// for the caller's block around it; nops between blocks may count too often or not at all; lone
// jumps that it bypassed are found on x86-64 only (MovedCode). The first and last block of what an
// interrupt cut off are as exact as the matching of instructions within a block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pgo/elf/bolt/moved_code.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// What became of the counts of traces. seen == whole + cut + dropped.
struct TranslationReport {
  uint64_t seen = 0;
  uint64_t whole = 0;    // all of its addresses were translated, or lie outside the binary
  uint64_t cut = 0;      // a part is missing: an end of its branch, or what ran after it
  uint64_t dropped = 0;  // nothing is left
  // Of the cut ones: straight-line code that no execution can have run through, because a call, a
  // return or a jump of the BOLTed file stands in it.
  uint64_t broken_ranges = 0;

  std::optional<std::string> check() const;
};

// A BOLTed binary whose counts went to the binary that BOLT made it from.
struct MovedBinary {
  std::string from, to;      // paths
  TranslationReport report;  // of its traces
};

struct TranslatedCounts {
  // Traces and mispredictions of the input: its build ID, its addresses; normalized.
  BinaryCounts counts;
  TranslationReport report;
};

// For BOLT, from a recording of a BOLTed binary: `counts` without the newest branch of each stack,
// unless all branches are such. No code was recorded after those. So a full stack has 32 taken
// branches, but 31 pieces of code that ran between them, and a way that falls through counts 3 %
// less than one as frequent that branches. llvm-bolt made the most frequent ways fall through: of
// two that are about as frequent, it would prefer the other one the next time.
BinaryCounts without_newest_branches(const BinaryCounts& counts);

// `counts` are of `bolted`. Their PC samples are not translated: profiles are made of the traces
// that are inferred from them. Errors: those of MovedCode::build(); kEmpty when no trace is left.
// O(blocks that the traces run through).
Result<TranslatedCounts> translate_counts(const BinaryCounts& counts, const TargetBinary& bolted,
                                          const TargetBinary& input);

}  // namespace pgo
