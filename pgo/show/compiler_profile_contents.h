// What a compiler's profile holds, an LLVM sample profile or one for GCC's -fauto-profile: its
// form, how much it counts, its hottest functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "converters/format.h"
#include "converters/llvm_sample/llvm_sample_reader.h"
#include "pgo/base/bytes.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"

namespace pgo {

// The functions of a profile; what is inlined into a function counts for it.
struct ProfiledFunctions {
  struct Function {
    std::string name;                       // raw; a context or a hash, where the profile has such
    uint64_t total = 0;                     // sum of its counts
    uint64_t head = 0;                      // how often it was called
    std::optional<uint64_t> checksum = {};  // of its control flow, in profiles by probe
  };

  uint64_t count = 0;
  uint64_t total = 0, head = 0;   // of all functions
  std::vector<Function> hottest;  // by total, the largest first; equal ones by name
};

struct LlvmContents {
  Format format = Format::kLlvm;
  bool is_probe_based = false;  // by pseudo probe, or else by line
  bool is_context_sensitive = false;
  bool is_pre_inlined = false;  // with decisions to inline
  bool is_flow_sensitive = false;
  bool names_are_hashes = false;
  ProfiledFunctions functions;
  // Known only where they were inlined; 0 in context-sensitive profiles.
  uint64_t inlined_functions = 0;
  // In profiles by probe. Clang takes counts only of functions whose checksum is still the same.
  uint64_t functions_without_checksum = 0;
  // Mean count of the lines that ran, at the end of the hottest 99 %.
  double density = 0;
  std::vector<SummaryCutoff> cutoffs;  // by ascending share
  Diagnostics diagnostics;
};

struct GccContents {
  // By line and discriminator, as GCC 13 to 15 look counts up, or else by line, as GCC 12 does.
  bool has_discriminators = false;
  ProfiledFunctions functions;
};

// At most `top` functions each, on `jobs` threads (0: all cores). `path` is for messages. Errors:
// kInput for a damaged profile, kUnsupported for a version that is not read.
Result<LlvmContents> read_llvm_contents(Bytes bytes, const std::string& path, size_t top,
                                        unsigned jobs);
Result<GccContents> read_gcc_contents(Bytes bytes, const std::string& path, size_t top);

}  // namespace pgo
