// Inspection: what a profile that was fetched says of itself: what it counts, how many samples it
// has, which builds ran, when, where; or why it is of no use.
//
//   PGO_TRY(InspectedProfile profile, inspect_profile(blob.path, "s3://b/p: web-1.pb.gz", {}));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "converters/format.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/fetch/leaf_shares.h"
#include "pgo/profile/accounting.h"
#include "pgo/profile/label_limits.h"
#include "pgo/profile/quality.h"
#include "pgo/source/source.h"

namespace pgo {

struct InspectedBuild {
  std::string id;  // in hexadecimal
  double total = 0, samples = 0;
  std::string path = {};  // of its file, where it ran; empty: not known

  bool operator==(const InspectedBuild&) const = default;
};

struct InspectedProfile {
  Format format = Format::kPprof;
  std::string type;                // what is counted: "cpu/nanoseconds"
  std::vector<std::string> types;  // all that it counts
  bool counts_cpu_time = false;    // does `type`; only where no sample type was asked for
  double total = 0;                // of `type`
  uint64_t samples = 0;
  std::vector<InspectedBuild> builds;  // with samples; the most first
  // Shares of `total`, 0 to 1: samples at no known address, and samples at addresses of files that
  // have no build ID. (The kernel's own pseudo files, such as [vdso], need none.)
  double without_address = 0, without_build_id = 0;
  double outside_files = 0;          // likewise: samples in the kernel and in its pseudo files
  std::string program;               // the build ID of the main binary; empty: not known
  std::optional<TimeWindow> window;  // its own
  Labels labels;                     // that all its samples have
  std::string cpu_model;
  Evidence evidence = Evidence::kUnknown;
  std::optional<Accounting> accounting;
  LeafShares leaves;
  bool has_unwanted_labels = false;  // that are left out of what is stored
  Diagnostics diagnostics;
};

struct InspectionOptions {
  // "cpu" or "cpu/nanoseconds". Empty: time on the CPU, or the default of a profile without it.
  std::string sample_type;
  LabelKeys allowed_labels = {};  // that are stored although they may name users
};

// `name` stands for the file in messages: its source and its name there. Errors: kEmpty for a
// profile without samples; kInput for what is empty, cut or damaged, and for a web page; kMismatch
// for a profile that counts something else; kUnsupported for other files; kIo.
Result<InspectedProfile> inspect_profile(const std::string& path, const std::string& name,
                                         const InspectionOptions& options);

}  // namespace pgo
