// How good a profile is, in a few figures that are printed, reported (--report) and from there
// noted in the binary (cmake-modules/ProdPGONote.cmake).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "pgo/cli/plain_samples.h"

namespace pgo {

struct ProfileQuality {
  // What it is likely to be worth: good, fair, thin or weak. Null when nothing tells: of branch
  // records it is the density, of plain samples their number, if they are of CPU time.
  const char* name = nullptr;
  double density = 0;  // 0: no profile by source position was made
  std::optional<double> split_half_overlap;
};

// `plain`: what the counts were inferred from, if they were.
ProfileQuality judge_quality(const std::optional<PlainSamples>& plain, double density,
                             std::optional<double> split_half_overlap);

// The class of as many plain samples by themselves, where that is better; else null.
const char* better_class_of(uint64_t plain_samples, const ProfileQuality& quality);

// {"class": "good", "density": "267.2", "split_half_overlap": "0.916"}, without what is not known.
nlohmann::json quality_json(const ProfileQuality& quality);

}  // namespace pgo
