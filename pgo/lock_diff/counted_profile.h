// CountedProfile: what a compiler's profile counts, by position and by function, to compare two
// profiles of one program.
//
// A position is a line and a discriminator (or a probe) of a function at the end of its inline
// stack: clang and GCC look counts up by it. It is known by a hash alone, the same in each process:
// two positions that share one would be compared as one. What is inlined counts for the function
// that it comes from, so that a function stays itself when it is inlined otherwise.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/registry/profile_version.h"

namespace pgo {

// Two profiles can be compared if they count by the same.
enum class PositionBasis : uint8_t {
  kLine,           // of clang, with its discriminators; of GCC 12, without
  kDiscriminator,  // of GCC 13 and later
  kProbe,
};
// "line", "line and discriminator", "pseudo probe".
std::string_view position_basis_words(PositionBasis basis);

struct CountedProfile {
  struct Function {
    std::string name;  // a linkage name; or the hash, where only that is known
    uint64_t count = 0;
  };

  std::vector<std::pair<uint64_t, uint64_t>> positions;  // hash and count; by hash, unique
  std::map<uint64_t, Function> functions;                // by the hash that LLVM has of the name
  uint64_t total = 0;
  PositionBasis basis = PositionBasis::kLine;
};

// Compilers look counts up with the inline stack. Without it, builds that inline differently can be
// compared: a position is then a line or probe of its own function, wherever that was inlined.
enum class InlineStacks : uint8_t { kCompared, kIgnored };

// `name` is for messages. Errors: those of read_llvm_sample() and parse_gcc_auto_profile().
Result<CountedProfile> read_counted_llvm(Bytes bytes, const std::string& name,
                                         InlineStacks stacks = InlineStacks::kCompared);
Result<CountedProfile> read_counted_gcc(Bytes bytes, const std::string& name,
                                        InlineStacks stacks = InlineStacks::kCompared);

// The one of them for the kind of the file at `path`, kLlvm or kGcc. Errors also: kIo.
Result<CountedProfile> read_counted(const std::string& path, FileKind kind, const std::string& name,
                                    InlineStacks stacks = InlineStacks::kCompared);

// What two have in common: the sum of the lesser share of each position, 0 to 1; 0 when one counts
// nothing. With equal totals it is 2 J / (1 + J), where J is what `llvm-profdata overlap --sample`
// calls the sample overlap: the lesser counts over the greater ones. O(positions).
double overlap_of(const CountedProfile& a, const CountedProfile& b);

}  // namespace pgo
