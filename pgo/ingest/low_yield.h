// Why a conversion came out empty, or uses little of what was recorded: the stage of the funnel
// that took most, and the likely cause.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "pgo/binary/binary_set.h"
#include "pgo/ingest/recorded_images.h"
#include "pgo/profile/address_profile.h"

namespace pgo {

// What the diagnosis goes by; nothing is owned.
struct Yield {
  const AddressProfile& profile;
  const BinarySet& binaries;
  const RecordedImages& images;
  std::span<const std::string> wrong_builds = {};  // IngestResult::wrong_builds
  bool is_inferred = false;  // PC samples count, beside which single steps are few
};

// An error (kEmpty) when nothing in the profile can be written, else nothing.
std::optional<Error> diagnose_empty(const Yield& yield);

// Warns of each binary that has no counts, while others have some.
void warn_of_unsampled_binaries(const Yield& yield, Diagnostics& diagnostics);

// The kind of the warning that is made of a LowYield.
inline constexpr const char* kLittleUsed = "little-used";

struct LowYield {
  std::string text;
  bool lacks_binaries = false;  // most samples are in binaries that were not named
  bool operator==(const LowYield&) const = default;
};

// When less than thresholds::kLowYield of what was recorded is used, else nothing.
std::optional<LowYield> diagnose_low_yield(const Yield& yield);

// Why an input without a trace gave none, as half a sentence.
std::string explain_unused(const AddressProfile& profile);

}  // namespace pgo
