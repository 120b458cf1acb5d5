// What the counts of a profile rest on (evidence), and what the profile is worth (quality). Both
// are printed, reported (--report) and noted in binaries that were built with the profile.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace pgo {

struct EventInfo;

enum class Evidence : uint8_t {
  kUnknown,                // pre-aggregated traces do not say how they were recorded
  kBranchRecords,          // the processor's log of taken branches
  kSoftwareBranchRecords,  // taken branches that an emulator or single steps found
  kPcSamples,              // counts were inferred from the addresses of samples
  kFunctionAndLine,        // the same from samples with functions and lines only
};

// From worst to best.
enum class Quality : uint8_t { kUnknown, kWeak, kThin, kFair, kGood };
// kFair for kGood, and so on; kWeak and kUnknown stay as they are.
Quality one_lower(Quality quality);

// The names in reports and notes: "branch-records", "good".
std::string_view evidence_name(Evidence evidence);
std::string_view quality_name(Quality quality);
// The words in sentences: "branch records".
std::string_view evidence_words(Evidence evidence);
std::optional<Evidence> find_evidence(std::string_view name);
std::optional<Quality> find_quality(std::string_view name);

// The event of recordings that an emulator made (`pgo record --engine emulate`). Its name
// distinguishes them from recordings of the processor, also after a conversion to address profiles.
inline constexpr std::string_view kEmulatedEvent = "emulated-branches:u";
// The same of recordings by single steps (`pgo record --engine step`).
inline constexpr std::string_view kSteppedEvent = "stepped-branches:u";

// The evidence of traces that were recorded by these events: kSoftwareBranchRecords only if no
// other event has branch records (EventInfo::branch_records).
Evidence evidence_of_branches(const std::vector<EventInfo>& events);
// Do these events have branch records of single steps, and no others?
bool has_single_steps_only(const std::vector<EventInfo>& events);

// Quality of branch records. `density` is the average count per line in the coldest function of the
// hottest 99 %. kUnknown when it is 0: no profile by source position was made.
Quality quality_of_density(double density);
// Quality of PC samples of CPU time, by their number.
Quality quality_of_pc_samples(uint64_t samples);

}  // namespace pgo
