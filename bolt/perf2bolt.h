// perf2bolt: from pre-aggregated text to fdata, by BOLT's own program. BOLT attributes a trace to
// the blocks of its own control-flow graph, so that last step is left to the BOLT that will read
// the profile. Only `perf2bolt -pa` is run: neither the recording nor perf is needed.
//
//   PGO_TRY(Perf2bolt tool, find_perf2bolt({}));
//   PGO_TRY(std::string text, write_preaggregated(counts));
//   PGO_TRY(Perf2boltOutput output, run_perf2bolt(tool, text, "./server", {}));
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bolt/bolt_tool.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"

namespace pgo {

// A perf2bolt that reads trace records, which LLVM 21 was the first to do.
struct Perf2bolt {
  std::string program;  // its path
  unsigned llvm_major = 0;
};

struct Perf2boltSearch {
  std::string program;  // the one to take, by path or by name in PATH; empty: search
  // Directories separated by colons. Empty: those of PATH, then where Debian's packages of LLVM 22
  // put it.
  std::string path;
  std::chrono::milliseconds timeout = kDefaultTimeout;  // time that one has to say its version
};

// The first that can be used. Errors: kUnsupported when there is none, or only older ones, with
// what to install; those of find_named_tool().
Result<Perf2bolt> find_perf2bolt(const Perf2boltSearch& search);

// What perf2bolt says of its work. A trace is out of range when an end of it lies in no function;
// it mismatches when BOLT sees no way through the code from its first to its last instruction,
// which in more than a few percent of traces means another build of the binary.
struct Perf2boltFigures {
  std::optional<uint64_t> mismatching_traces, out_of_range_traces;
  double mismatching_percent = 0, out_of_range_percent = 0;  // of all traces; one decimal place
  std::optional<uint64_t> profiled_functions, functions;
};

struct Perf2boltOutput {
  std::string fdata;
  Perf2boltFigures figures;
  Diagnostics diagnostics;          // what it warned of, as in bolt_log.h
  std::vector<std::string> errors;  // the same: its words
  bool has_unknown_warnings = false;
};

// How sure it is that traces are of the binary: by build ID, or by a name or nothing at all.
enum class BuildIdentity { kAssumed, kProven };

// Runs it on the text for the ELF file at `binary`. Its files live in a directory of their own in
// TMPDIR (or /tmp), which is removed.
// Errors: kIo for the files; kUnsupported and kInput as check_bolt_tool gives; kEmpty when it found
// nothing of the text in a function of the binary.
Result<Perf2boltOutput> run_perf2bolt(const Perf2bolt& tool, std::string_view preaggregated,
                                      const std::string& binary, const ToolLimits& limits,
                                      BuildIdentity identity = BuildIdentity::kAssumed);

// Reads the figures from what perf2bolt prints.
Perf2boltFigures parse_perf2bolt_figures(std::string_view output);

}  // namespace pgo
