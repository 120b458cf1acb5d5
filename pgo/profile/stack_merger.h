// StackMerger: many StackProfiles into one, one after another; memory is that of the result.
//
//   StackMerger merger(rules);
//   for (…) PGO_CHECK(merger.add(profile, name, factors));
//   StackProfile merged = std::move(merger).finish(diagnostics);
//
// What is the same in several profiles, whatever its numbers and addresses there (google/pprof's
// rules):
//   mapping   the same size (in pages), file offset, and build ID, or file name when it has none;
//             processes have it at different addresses
//   function  all of it
//   location  the same address relative to its mapping, the same lines, folded or not; an address
//             outside of it is the file's own already, and the same when it is
//   sample    the same stack and labels; values are added up
// Samples whose values all are 0, in a profile or in the end, are left out, as is what no sample
// needs; the main binary stays.
//
// The one hard idea: nothing may depend on the order in which profiles come. google/pprof's merge
// keeps much of what it sees first; here a rule without an order takes its place:
//   addresses of a mapping   the lowest, but for 0, at which one of the profiles has it
//   its file name            the one that sorts first; has_functions etc.: true when all say so
//   the main binary          of the profiles' first mappings the one that sorts first, real files
//                            before what the kernel maps ([vdso])
//   time                     the earliest that is known; duration: the sum; period: the largest
//   comments                 all, sorted
//   default sample type, documentation, frames to drop and to keep: of those given, what sorts
//   first
//
// Values are exact sums of int64_t times factors in units of 2^-32, rounded to the nearest integer
// (halves away from zero) once, at the end, where they stop at the largest number. So profiles can
// be spread over several mergers, and those be merged.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/hash.h"
#include "pgo/base/result.h"
#include "pgo/profile/interner.h"
#include "pgo/profile/label_rules.h"
#include "pgo/profile/merge_factor.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

__extension__ using WideCount = __int128;  // a sum of values, in units of 2^-32

class StackMerger {
 public:
  // Adds a profile; it need not be normalized. `name` is for messages. `factors` are for all sample
  // types, or one for each. Error: kMismatch when it counts something else than those before.
  Result<void> add(const StackProfile& profile, const std::string& name,
                   std::span<const MergeFactor> factors = {}, const LabelRules& rules = {});
  // Adds what another merger was given. The same error.
  Result<void> add(StackMerger&& other);

  bool empty() const { return profiles_ == 0; }
  uint64_t profiles() const { return profiles_; }
  // The result, normalized. No sample types when nothing was added. Values that stop at the largest
  // or smallest number get a warning.
  StackProfile finish(Diagnostics& diagnostics) &&;

 private:
  // What makes a mapping the same in several profiles.
  struct MappingKey {
    StringId identity;  // build ID or file name
    uint64_t pages = 0;
    FileOffset file_offset;
    bool operator==(const MappingKey&) const = default;
  };

  Result<void> check_types(const StackProfile& profile, const std::string& name) const;
  void begin_profile(const StackProfile& profile, const std::string& name);
  void add_header(const StackProfile& profile, const std::string& name);
  void add_main(MappingId main);
  // Numbers in merged_ of what `profile` has by this number.
  StringId add_text(const StackProfile& profile, StringId id);
  MappingId add_mapping(const StackProfile& profile, MappingId id);
  FunctionId add_function(const StackProfile& profile, FunctionId id);
  LocationId add_location(const StackProfile& profile, LocationId id);
  StackId add_stack(const StackProfile& profile, StackId id);
  LabelsId add_labels(const StackProfile& profile, LabelsId id, const LabelRules& rules);
  StringId add_new_text(std::string_view text);
  // values(sample, type): in units of 2^-32.
  template <typename Values>
  void add_samples(const StackProfile& profile, const LabelRules& rules, const Values& values);
  StringId first_of(StringId a, StringId b) const;
  void make_absolute();
  std::optional<MappingId> find_main() const;

  // Addresses of locations that are of a process are relative to their mappings until
  // make_absolute(). `merged_.values` stays empty: sums_ are the values.
  StackProfile merged_;
  std::vector<bool> of_process_;  // of each location
  std::vector<WideCount> sums_;
  std::vector<MappingKey> mapping_keys_;  // of each mapping
  std::vector<MappingId> mains_;          // mappings that were the first of a profile
  uint64_t profiles_ = 0;
  std::string first_name_;  // of the profile whose sample types are `merged_`'s

  Interner texts_, mappings_, functions_, locations_, stacks_, labels_, samples_;
  // Numbers in merged_ of what the profile being added has, by its numbers there.
  std::vector<uint32_t> text_at_, mapping_at_, function_at_, location_at_, stack_at_, labels_at_;
  std::vector<bool> of_process_at_;  // of that profile's locations
  std::vector<StackLine> lines_;
  std::vector<LocationId> frames_;
  std::vector<StackLabel> set_;
  uint64_t seed_ = process_seed();
};

}  // namespace pgo
