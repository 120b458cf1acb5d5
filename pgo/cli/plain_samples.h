// Plain samples in `pgo convert`: where no recording has branch stacks, counts of code are inferred
// from where the program was sampled (pgo/infer).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "pgo/base/result.h"
#include "pgo/cli/binary_set.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// What counts rest on.
inline constexpr const char* kIpGrade = "ip";
inline constexpr const char* kNameGrade = "function-line";

// Samples that were known by function and line alone, and looked up in the binaries.
struct NamedSamples {
  struct Missing {
    std::string function, file;
    int64_t line = 0;
    Dropped reason = Dropped::kUnknownFunction;
    uint64_t samples = 0;
  };

  uint64_t all = 0;                // in what may be the binaries
  uint64_t inlined_otherwise = 0;  // of those found: more or less deeply than in what ran
  std::vector<Missing> missing;    // the hottest places that were not found
};

// What the inferred counts rest on.
struct PlainSamples {
  uint64_t samples = 0;  // in the binaries
  uint64_t functions = 0;
  double outside_functions = 0;  // the share of samples in code of no function
  uint32_t guessed_jumps = 0;    // indirect jumps whose targets were guessed
  std::optional<double> split_half_overlap;
  std::optional<NamedSamples> named;
  bool is_cpu_time = true;  // or memory, or waiting, by the user's wish

  const char* grade() const { return named ? kNameGrade : kIpGrade; }
};

// Samples add up by their periods, which are times of one event and cycles of another, and 1 where
// nobody knows: then one of them is as good as lost, which `profile` is told.
void warn_of_units(AddressProfile& profile);

// Fills in the traces of `profile` from its plain samples, and accounts for these as used. Does
// nothing, and says so by returning nothing, when it has traces or no plain samples.
Result<std::optional<PlainSamples>> infer_from_plain_samples(AddressProfile& profile,
                                                             const BinarySet& binaries,
                                                             unsigned jobs);

// The same for who keeps plain samples as they are: only accounts for them. True when they are all
// there is.
bool keep_plain_samples(AddressProfile& profile);

// What so many samples are good for: good, fair, thin or weak. Null for those of no CPU time, of
// which any number tells nothing.
const char* class_of(uint64_t samples);
const char* class_of(const PlainSamples& plain);
// Are they of CPU time? To be set by all that make PlainSamples.
bool counts_cpu_time(const AddressProfile& profile);

// How much that is, and what more would help.
std::string describe_plain_samples(const PlainSamples& plain);
// What of named samples is not in the binaries; nothing when all is.
std::optional<std::string> describe_missing(const PlainSamples& plain);
nlohmann::json plain_samples_json(const PlainSamples& plain);

}  // namespace pgo
