// examine(): is everything on this machine that the job needs, and are binaries fit for it?
// Programs are tried, because neither their presence nor their version says what they can do.
//
//   PGO_TRY(DoctorResult result, examine({.binaries = {"./server"}, .search_path = path}));
//   if (!result.has(Verdict::kMissing)) ...
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/binary/debug_file.h"
#include "pgo/doctor/finding.h"

namespace pgo {

struct DoctorRequest {
  std::vector<std::string> binaries;   // programs and libraries to examine
  std::vector<std::string> compilers;  // paths or names; empty: clang-22 or clang, and gcc
  DebugPlaces debug;                   // where the debug information of stripped binaries is
  unsigned jobs = 0;                   // threads; 0: all cores
  std::string search_path;             // where programs are looked for, as PATH
  std::string llvm_bolt;               // the llvm-bolt to use; empty: the one in `search_path`
};

struct BinaryFindings {
  std::string path;
  Findings findings;
};

struct DoctorResult {
  Findings machine;
  std::vector<BinaryFindings> binaries;  // as in the request

  bool has(Verdict verdict) const;
  // Nothing that is needed is missing, and everything could be examined.
  bool is_ready() const { return !has(Verdict::kMissing) && !has(Verdict::kError); }
};

// Takes some seconds. Errors: kUsage for a binary or a compiler that is not there, kIo for
// temporary files. What cannot be read or run is a finding.
Result<DoctorResult> examine(const DoctorRequest& request);

}  // namespace pgo
