// LLVM sample profiles of every kind and form, written by LLVM itself: to read, and for fuzzing to
// start from.
#pragma once

#include <string>
#include <vector>

namespace pgo::test {

struct LlvmProfile {
  std::string name;  // "plain.compressed"
  std::string bytes;
};

// Each of a few texts (lines, contexts, probes, vtables) in the text form and in all binary ones
// that LLVM writes of it.
std::vector<LlvmProfile> llvm_profiles();

}  // namespace pgo::test
