#include "pgo/profile/quality.h"

#include <algorithm>
#include <array>

#include "pgo/profile/address_profile.h"
#include "pgo/profile/sample_value.h"
#include "pgo/profile/thresholds.h"

namespace pgo {
namespace {

// In the order of the enumerators.
struct EvidenceWords {
  std::string_view name, words;
};
constexpr std::array<EvidenceWords, 5> kEvidence{
    {{"unknown", "unknown evidence"},
     {"branch-records", "branch records"},
     {"software-branch-records", "software branch records"},
     {"pc-samples", "PC samples"},
     {"function-and-line", "functions and lines"}}};
constexpr std::array<std::string_view, 5> kQuality{"unknown", "weak", "thin", "fair", "good"};

template <typename T>
Quality judge(T value, T good, T fair, T thin) {
  if (value >= good) return Quality::kGood;
  if (value >= fair) return Quality::kFair;
  return value >= thin ? Quality::kThin : Quality::kWeak;
}

// Of earlier address profiles the name tells: clocks have no branch records.
bool may_have_branch_records(const EventInfo& event) {
  if (event.samples == 0) return false;
  return event.branch_records == BranchRecords::kUnknown
             ? !is_clock(event.name)
             : event.branch_records == BranchRecords::kSome;
}

}  // namespace

std::string_view evidence_name(Evidence evidence) {
  return kEvidence[static_cast<size_t>(evidence)].name;
}

std::string_view evidence_words(Evidence evidence) {
  return kEvidence[static_cast<size_t>(evidence)].words;
}

std::string_view quality_name(Quality quality) { return kQuality[static_cast<size_t>(quality)]; }

std::optional<Evidence> find_evidence(std::string_view name) {
  auto found = std::find_if(kEvidence.begin(), kEvidence.end(),
                            [&](const EvidenceWords& words) { return words.name == name; });
  if (found == kEvidence.end()) return std::nullopt;
  return static_cast<Evidence>(found - kEvidence.begin());
}

std::optional<Quality> find_quality(std::string_view name) {
  auto found = std::find(kQuality.begin(), kQuality.end(), name);
  if (found == kQuality.end()) return std::nullopt;
  return static_cast<Quality>(found - kQuality.begin());
}

Evidence evidence_of_branches(const std::vector<EventInfo>& events) {
  bool any_software = false, any_other = false;
  for (const EventInfo& event : events) {
    if (!may_have_branch_records(event)) continue;
    const bool is_software = event.name == kEmulatedEvent || event.name == kSteppedEvent;
    (is_software ? any_software : any_other) = true;
  }
  return any_software && !any_other ? Evidence::kSoftwareBranchRecords : Evidence::kBranchRecords;
}

bool has_single_steps_only(const std::vector<EventInfo>& events) {
  bool any = false;
  for (const EventInfo& event : events) {
    if (!may_have_branch_records(event)) continue;
    if (event.name != kSteppedEvent) return false;
    any = true;
  }
  return any;
}

Quality one_lower(Quality quality) {
  switch (quality) {
    case Quality::kGood: return Quality::kFair;
    case Quality::kFair: return Quality::kThin;
    case Quality::kThin:
    case Quality::kWeak: return Quality::kWeak;
    case Quality::kUnknown: break;
  }
  return Quality::kUnknown;
}

Quality quality_of_density(double density) {
  if (density <= 0) return Quality::kUnknown;
  return judge(density, thresholds::kGoodDensity, thresholds::kFairDensity,
               thresholds::kThinDensity);
}

Quality quality_of_pc_samples(uint64_t samples) {
  return judge(samples, thresholds::kGoodPcSamples, thresholds::kFairPcSamples,
               thresholds::kThinPcSamples);
}

}  // namespace pgo
