#include "pgo/elf/symbolized_stacks.h"

#include <algorithm>
#include <limits>

#include "pgo/elf/mapping_owners.h"
#include "pgo/profile/sample_value.h"

namespace pgo {
namespace {

class Taker {
 public:
  Taker(const StackProfile& profile, const std::vector<const ElfImage*>& images,
        SymbolizedStacks& result)
      : profile_(profile),
        owners_(profile, images, OtherBuilds::kWillDo),
        used_(profile.mappings.size()),
        has_lines_(result.has_lines),
        into_(result.stacks) {
    names_binaries_ = owners_.any();
    for (size_t i = 0; i < profile.lines.size() && !says_inlined_; i++)
      says_inlined_ = profile.lines[i].size() > 1;
    // Numbers of texts and functions stay what they are: many functions may share a long text.
    into_.strings = profile.strings;
    into_.functions = profile.functions;
    into_.sample_types = {{into_.strings.add("samples"), into_.strings.add("count")},
                          {into_.strings.add("weight"), into_.strings.add("nanoseconds")}};
    for (const ElfImage* image : images) {
      StackMapping mapping;
      mapping.filename = into_.strings.add(image->path());
      into_.add_mapping(mapping);
    }
    none_ = into_.add_labels({});
  }

  // Takes the stack, or says why not.
  std::optional<Dropped> take(std::span<const LocationId> stack, uint64_t count, uint64_t weight) {
    if (stack.empty()) return Dropped::kUnmapped;
    MappingId binary = kNoMapping;
    const StackLocation& leaf = profile_.locations[static_cast<size_t>(stack[0])];
    if (leaf.mapping != kNoMapping) {
      const ImageMatch& owner = owners_[leaf.mapping];
      used_[static_cast<size_t>(leaf.mapping)] = true;
      if (owner.image) binary = MappingId{static_cast<uint32_t>(*owner.image)};
      // Where no mapping is one of the binaries, they may have run under other names.
      bool may_be_any =
          owner.reason == Dropped::kOtherBinary || owner.reason == Dropped::kAnonymous;
      if (!owner.image && (names_binaries_ || !may_be_any)) return owner.reason;
    }
    std::span<const StackLine> lines = profile_.lines[static_cast<size_t>(stack[0])];
    if (lines.empty()) return Dropped::kUnmapped;
    has_lines_ = has_lines_ || lines[0].line > 0;
    own_.clear();
    around_.clear();
    for (size_t i = 0; i < stack.size(); i++)
      for (const StackLine& line : profile_.lines[static_cast<size_t>(stack[i])])
        if (own_.size() + around_.size() < kMaxSymbolizedFrames)
          (i == 0 || !says_inlined_ ? own_ : around_).push_back({line.function, line.line, 0});
    StackId taken = into_.add_stack({into_.add_location({binary, {}, false}, own_),
                                     into_.add_location({kNoMapping, {}, false}, around_)});
    constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
    into_.add_sample({taken, none_}, {static_cast<int64_t>(std::min(count, kMax)),
                                      static_cast<int64_t>(std::min(weight, kMax))});
    return std::nullopt;
  }

  // Of the mappings that were seen.
  void warn_of_names(const std::string& name, Diagnostics& diagnostics) const {
    owners_.warn_of_names(used_, name, diagnostics);
  }

 private:
  const StackProfile& profile_;
  MappingOwners owners_;
  std::vector<bool> used_;  // of mappings
  bool names_binaries_ = false;
  bool says_inlined_ = false;
  bool& has_lines_;
  StackProfile& into_;
  LabelsId none_{};
  std::vector<StackLine> own_, around_;
};

}  // namespace

bool has_addresses(const StackProfile& profile) {
  return std::any_of(
      profile.samples.begin(), profile.samples.end(), [&](const StackSample& sample) {
        std::span<const LocationId> stack = profile.stacks[static_cast<size_t>(sample.stack)];
        return !stack.empty() &&
               profile.locations[static_cast<size_t>(stack[0])].address.value != 0;
      });
}

Result<SymbolizedStacks> take_symbolized_stacks(const StackProfile& profile,
                                                const std::vector<const ElfImage*>& images,
                                                const std::string& sample_type,
                                                const std::string& name) {
  SymbolizedStacks result;
  PGO_TRY(SampleValue column,
          choose_sample_value(profile, sample_type, name, result.counted.diagnostics));
  Taker taker(profile, images, result);
  Accounting& samples = result.counted.samples;
  for (size_t s = 0; s < profile.samples.size(); s++) {
    auto [count, weight] = column.take(profile, s);
    if (weight == 0) continue;
    samples.seen = saturating_add(samples.seen, count);
    std::optional<Dropped> reason =
        taker.take(profile.stacks[static_cast<size_t>(profile.samples[s].stack)], count, weight);
    uint64_t& sum = reason ? samples[*reason] : samples.pending;
    sum = saturating_add(sum, count);
  }
  taker.warn_of_names(name, result.counted.diagnostics);
  for (const ElfImage* image : images)
    result.counted.binaries.push_back({image->build_id(), image->path(), {}, {}, {}, {}});
  result.counted.events.push_back(
      {column.event, samples.seen, column.weight, false, BranchRecords::kNone});
  return result;
}

}  // namespace pgo
