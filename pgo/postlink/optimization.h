// Optimizing a binary after it was linked: from the binary and a profile of it to what llvm-bolt
// makes of them, checked before it takes its place. When anything goes wrong on the way, the input
// is delivered as it was, or nothing is.
//
//   OptimizeRequest request;
//   request.input = "server", request.output = "server.bolt", request.profiles = {"recordings/"};
//   PGO_TRY(OptimizeResult result, optimize(request));
//   if (result.delivered != Delivered::kResult) ... result.failure->message
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bolt/bolt_log.h"
#include "bolt/bolt_tool.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/postlink/candidate_check.h"
#include "pgo/postlink/postlink_profile.h"

namespace pgo {

// What is written when the input cannot be optimized.
enum class OnFailure {
  kKeep,       // the input as it was
  kKeepStale,  // that, when the code has changed since it was recorded, else nothing
  kError,      // nothing
};

// Whether counts that were inferred, not recorded, may choose the layout.
enum class InferredCounts {
  kGood,  // only those of good quality, of a program built without a compile profile
  kAny,
};

// BOLT's table that leads addresses in the result back to the input.
enum class TranslationTable { kWrite, kLeaveOut };

struct OptimizeRequest {
  std::string input;                  // an executable or a shared library, as linked
  std::string output;                 // may be `input`
  std::vector<std::string> profiles;  // arguments, as find_input_files() takes them
  std::string recorded;  // the binary that was recorded, when llvm-bolt made it from `input`
  std::string stale;     // the build that the profile is of; empty: `input`
  std::string check;     // a shell command with {} for the path of the result; empty: none
  OnFailure on_failure = OnFailure::kKeep;
  InferredCounts inferred = InferredCounts::kGood;
  OnFailure on_refused_counts = OnFailure::kError;  // by `inferred`, instead of on_failure
  TranslationTable table = TranslationTable::kWrite;
  std::chrono::seconds timeout = kDefaultTimeout;  // of each program that is run
  std::string llvm_bolt, perf2bolt;                // the programs to run; empty: search
  std::string log;     // gets all that these programs print, also when they fail; empty: none
  std::string report;  // the file that the caller will write the result to; empty: none
  perf_data::ReadOptions read;  // which samples of recordings count, and on how many threads
  std::vector<std::string> extra_options;  // further ones of llvm-bolt: "-name=value"
  ProgressFn progress;
};

enum class Delivered { kResult, kInput, kNothing };

// What is at the output now.
struct OptimizeResult {
  std::string input, output;  // as requested
  OnFailure on_failure = OnFailure::kKeep;
  Delivered delivered = Delivered::kNothing;
  std::optional<Error> failure;      // why the input was not optimized
  bool is_stale = false;             // that is: the code has changed since it was recorded
  bool refused_counts = false;       // that is: judge_for_bolt() refuses its counts
  bool replaced_input = false;       // by the result
  std::string program, version;      // of llvm-bolt; empty when none was found
  std::vector<std::string> options;  // that llvm-bolt was run with
  std::vector<std::string>
      missing_options;                     // wanted ones that this llvm-bolt does not have, and why
  std::optional<PostlinkProfile> profile;  // without its contents
  BoltLog log;                             // its warnings are in `diagnostics`
  std::vector<CheckOutcome> checks;        // in the order they were done
  Diagnostics diagnostics;      // of llvm-bolt, of a profile that fits badly, of the output's owner
  std::string log_file;         // as requested
  bool log_incomplete = false;  // not all of it could be written
};

// Writes request.output, unless the failure says that nothing is written. Counts that
// request.inferred refuses are such a failure, for which request.on_refused_counts holds instead of
// request.on_failure: what stands in the way is a choice of the caller's, not an accident. The same
// inputs give the same bytes, whatever the order of profiles and the number of threads.
//
// Errors: kUsage when the request cannot be fulfilled by any input; kIo when nothing can be
// written; and the cause when this process was asked to end meanwhile. Every other failure is part
// of the result, and request.on_failure or on_refused_counts says what is written then.
Result<OptimizeResult> optimize(const OptimizeRequest& request);

}  // namespace pgo
