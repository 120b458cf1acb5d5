// Profiles of a few lines, for tests of what reads and converts them.
#pragma once

#include <string>
#include <vector>

#include "pgo/profile/address_profile.h"

namespace pgo::test {

// PC samples of one build, whose counts are still to be inferred.
inline AddressProfile pc_sample_profile(const std::string& build_id, const std::string& path,
                                        const std::vector<PcSample>& pc_samples) {
  AddressProfile profile;
  BinaryCounts& counts = profile.binaries.emplace_back();
  counts.id = *BuildId::from_hex(build_id);
  counts.path_hint = path;
  counts.pc_samples = pc_samples;
  for (const PcSample& sample : pc_samples) profile.samples.seen += sample.samples;
  profile.samples.pending = profile.samples.seen;
  profile.normalize();
  return profile;
}

}  // namespace pgo::test
