// ConversionReport: what the report of a conversion (`pgo convert --report`) says: what the counts
// rest on, how much was used and why the rest was not, what was made.
//
// A report may have been altered, or written by another version: what it does not have is empty
// here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/profile/accounting.h"

namespace pgo {

struct ConversionReport {
  struct Binary {
    std::string path, build_id;
    std::string evidence = {}, quality = {};  // as those of all
    uint64_t traces = 0;                      // different ones
    uint64_t samples = 0;  // that they were inferred from; 0 where branch records were used alone
  };
  struct Output {
    std::string path;
    uint64_t size = 0;  // bytes
  };
  // What it says of an output that it names by digest; most reports do.
  struct Profile {
    std::string digest;             // "sha256:<hex>"
    std::string evidence, quality;  // of this profile; in older reports of all binaries
    std::string build_id;           // of the only binary that it is for; empty: it is for all
    std::optional<double> density, split_half_overlap;
  };
  // Where the inputs come from, as far as they say.
  struct Provenance {
    std::string service;  // when it is one
    std::string tool;     // what fetched them, when it is one
    std::vector<std::string> sources;
    std::optional<std::pair<int64_t, int64_t>> window;  // nanoseconds since 1970, from and to
  };

  struct UnusedInput {
    std::string path, reason;
  };

  // As written (pgo/profile/quality.h has the names); empty when the report has no such text.
  std::string evidence, quality;
  std::optional<double> density, split_half_overlap;
  bool is_inferred = false;                    // are there inferred counts?
  std::optional<double> unsampled_flow_share;  // of these
  Accounting samples, branches;
  uint64_t lost = 0;  // samples
  std::vector<Binary> binaries;
  std::vector<Output> outputs;
  std::vector<Profile> profiles;
  std::vector<UnusedInput> unused_inputs;
  std::vector<std::string> warnings;
  Provenance provenance;
  std::string contents;  // of the file, with fields that are not known here
};

// `path` is for messages. Error: kInput for what is not JSON, or nested too deep for a report.
// O(size).
Result<ConversionReport> read_conversion_report(Bytes bytes, const std::string& path);

}  // namespace pgo
