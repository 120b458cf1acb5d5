#include "pgo/lock_diff/counted_profile.h"

#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>

#include "converters/gcc_auto/gcc_auto_profile.h"
#include "converters/llvm_sample/llvm_sample_reader.h"
#include "pgo/base/hash.h"
#include "pgo/base/mapped_file.h"
#include "pgo/match/source_places.h"
#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

using llvm::sampleprof::FunctionId;
using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::LineLocation;

// The lower half of a place of GCC's profiles.
constexpr GccAutoProfile::Place kDiscriminatorBits = 0xffff;

class Counter {
 public:
  void set_basis(PositionBasis basis) { profile_.basis = basis; }

  void add(uint64_t position, CountedProfile::Function& function, uint64_t count) {
    if (count == 0) return;
    profile_.positions.emplace_back(position, count);
    function.count = saturating_add(function.count, count);
    profile_.total = saturating_add(profile_.total, count);
  }

  CountedProfile::Function& function(uint64_t guid, std::string_view name) {
    CountedProfile::Function& function = profile_.functions[guid];
    if (function.name.empty()) function.name = name;
    return function;
  }

  CountedProfile finish() && {
    auto& positions = profile_.positions;
    std::sort(positions.begin(), positions.end());
    size_t kept = 0;
    for (const auto& [position, count] : positions) {
      if (kept != 0 && positions[kept - 1].first == position)
        positions[kept - 1].second = saturating_add(positions[kept - 1].second, count);
      else
        positions[kept++] = {position, count};
    }
    positions.resize(kept);
    return std::move(profile_);
  }

 private:
  CountedProfile profile_;
};

uint64_t inner_position(uint64_t outer, const LineLocation& at) {
  return hash_more(hash_more(outer, at.LineOffset), at.Discriminator);
}

std::string name_of(FunctionId function) {
  return function.isStringRef() ? function.stringRef().str()
                                : std::to_string(function.getHashCode());
}

// Where a function without callers, or the last frame of a context, begins. A context counts like
// the inline stack that it would be.
uint64_t outermost_position(const FunctionSamples& samples) {
  if (!samples.getContext().hasContext()) return hash_more(0, samples.getFunction().getHashCode());
  uint64_t position = 0;
  const auto frames = samples.getContext().getContextFrames();
  for (size_t i = 0; i < frames.size(); i++) {
    position = hash_more(position, frames[i].Func.getHashCode());
    if (i + 1 < frames.size()) position = inner_position(position, frames[i].Location);
  }
  return position;
}

// `begin` is the position of the function itself.
void count_llvm(const FunctionSamples& samples, uint64_t begin, InlineStacks stacks,
                Counter& counter) {
  const FunctionId id = samples.getFunction();
  CountedProfile::Function& function = counter.function(id.getHashCode(), name_of(id));
  if (stacks == InlineStacks::kIgnored) begin = hash_more(0, id.getHashCode());
  for (const auto& [at, record] : samples.getBodySamples())
    counter.add(inner_position(begin, at), function, record.getSamples());
  for (const auto& [at, callees] : samples.getCallsiteSamples())
    for (const auto& [callee, inlined] : callees)
      count_llvm(inlined, hash_more(inner_position(begin, at), callee.getHashCode()), stacks,
                 counter);
}

void count_gcc(const GccAutoProfile::Body& body, const std::string& name, uint64_t begin,
               InlineStacks stacks, Counter& counter) {
  const uint64_t guid = function_guid(name);
  const uint64_t own = hash_more(stacks == InlineStacks::kIgnored ? 0 : begin, guid);
  CountedProfile::Function& function = counter.function(guid, name);
  for (const auto& [place, position] : body.positions) {
    if ((place & kDiscriminatorBits) != 0) counter.set_basis(PositionBasis::kDiscriminator);
    counter.add(hash_more(own, place), function, position.count);
  }
  for (const auto& [at, inlined] : body.inlined)
    count_gcc(inlined, at.second, hash_more(own, at.first), stacks, counter);
}

}  // namespace

std::string_view position_basis_words(PositionBasis basis) {
  switch (basis) {
    case PositionBasis::kDiscriminator: return "line and discriminator";
    case PositionBasis::kProbe: return "pseudo probe";
    case PositionBasis::kLine: break;
  }
  return "line";
}

Result<CountedProfile> read_counted_llvm(Bytes bytes, const std::string& name,
                                         InlineStacks stacks) {
  PGO_TRY(const LlvmSampleFile file, read_llvm_sample(bytes, name));
  Counter counter;
  for (const auto& [key, samples] : file.profile.functions())
    count_llvm(samples, outermost_position(samples), stacks, counter);
  CountedProfile profile = std::move(counter).finish();
  if (file.profile.is_probe_based) profile.basis = PositionBasis::kProbe;
  return profile;
}

Result<CountedProfile> read_counted_gcc(Bytes bytes, const std::string& name, InlineStacks stacks) {
  PGO_TRY(const GccAutoProfile file, parse_gcc_auto_profile(bytes, name));
  Counter counter;
  for (const auto& [function, counts] : file.functions)
    count_gcc(counts.body, function, 0, stacks, counter);
  return std::move(counter).finish();
}

Result<CountedProfile> read_counted(const std::string& path, FileKind kind, const std::string& name,
                                    InlineStacks stacks) {
  PGO_TRY(const MappedFile file, MappedFile::open(path));
  return kind == FileKind::kGcc ? read_counted_gcc(file.bytes(), name, stacks)
                                : read_counted_llvm(file.bytes(), name, stacks);
}

double overlap_of(const CountedProfile& a, const CountedProfile& b) {
  if (a.total == 0 || b.total == 0) return 0;
  double sum = 0;
  auto other = b.positions.begin();
  for (const auto& [position, count] : a.positions) {
    while (other != b.positions.end() && other->first < position) ++other;
    if (other == b.positions.end()) break;
    if (other->first != position) continue;
    sum += std::min(static_cast<double>(count) / static_cast<double>(a.total),
                    static_cast<double>(other->second) / static_cast<double>(b.total));
  }
  return std::min(sum, 1.0);
}

}  // namespace pgo
