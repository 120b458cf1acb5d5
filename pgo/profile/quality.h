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
  kUnknown,                // pre-aggregated traces: whoever made them knows
  kBranchRecords,          // the processor's log of taken branches
  kSoftwareBranchRecords,  // of an emulator that followed every branch
  kPcSamples,              // counts were inferred from where the program was sampled
  kFunctionAndLine,        // the same, of samples without addresses
};

// From worst to best.
enum class Quality : uint8_t { kUnknown, kWeak, kThin, kFair, kGood };
// kFair for kGood, and so on; kWeak and kUnknown stay as they are.
Quality one_lower(Quality quality);

// "branch-records", "good": in reports and notes.
std::string_view evidence_name(Evidence evidence);
std::string_view quality_name(Quality quality);
// "branch records": in sentences.
std::string_view evidence_words(Evidence evidence);
std::optional<Evidence> find_evidence(std::string_view name);
std::optional<Quality> find_quality(std::string_view name);

// The event of recordings that an emulator made (`pgo record --engine emulate`). It is how readers
// tell them from the processor's, here and in address profiles made of them.
inline constexpr std::string_view kEmulatedEvent = "emulated-branches:u";

// What traces rest on that were recorded by these events: the emulator's records only where no
// other event has samples.
Evidence evidence_of_branches(const std::vector<EventInfo>& events);

// By branch records: density is the average count per line in the coldest function of the hottest
// 99 %. kUnknown when it is 0: no profile by source position was made.
Quality quality_of_density(double density);
// By PC samples of CPU time: how many there are.
Quality quality_of_pc_samples(uint64_t samples);

}  // namespace pgo
