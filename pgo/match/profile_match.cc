#include "pgo/match/profile_match.h"

#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "pgo/profile/accounting.h"
#include "pgo/symbolize/source_profile.h"

namespace pgo {
namespace {

using llvm::sampleprof::FunctionId;
using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::LineLocation;

// Offsets from here on are of lines before their function's, or of no line at all.
constexpr uint32_t kFirstNegativeOffset = 0x8000;
// A function with one new line to so many common ones was not edited: the profile does not know
// the lines that were optimized away in all copies that ran.
constexpr size_t kFewNewLines = 20;

bool is_matched(MatchOutcome outcome) {
  return outcome == MatchOutcome::kMatched || outcome == MatchOutcome::kOptimizedAway;
}

bool is_renamed(MatchOutcome outcome) {
  return outcome == MatchOutcome::kOtherName || outcome == MatchOutcome::kOtherPath;
}

// What it means that a static function has another name in the build. With the same name but for
// what -funique-internal-linkage-names adds, only the path of its source can be another one: that
// is what is hashed.
MatchOutcome outcome_of_renamed(llvm::StringRef name, llvm::StringRef other) {
  llvm::StringRef plain = without_unique_suffix(name), other_plain = without_unique_suffix(other);
  bool both_unique = plain.size() < name.size() && other_plain.size() < other.size();
  return both_unique && plain == other_plain ? MatchOutcome::kOtherPath : MatchOutcome::kOtherName;
}

// Of a function that the build does not have, but perhaps one of `other` name. With a symbol of its
// name, it is only `undescribed`.
MatchOutcome outcome_of_absent(FunctionId id, const std::string& other, const StaticNames& symbols,
                               MatchOutcome undescribed) {
  if (!other.empty()) return outcome_of_renamed(id.stringRef(), other);
  return id.isStringRef() && symbols.has(id.stringRef()) ? undescribed : MatchOutcome::kNoFunction;
}

// The order of ProfileMatch::functions.
bool unmatched_more(const FunctionMatch& a, const FunctionMatch& b) {
  uint64_t a_unmatched = a.weights.unmatched(), b_unmatched = b.weights.unmatched();
  return a_unmatched != b_unmatched ? a_unmatched > b_unmatched : a.name < b.name;
}

// Calls visit(samples) for every function of a profile and everything inlined into it.
template <typename Visit>
void for_each_function(const FunctionSamples& samples, const Visit& visit) {
  visit(samples);
  for (const auto& [location, callees] : samples.getCallsiteSamples())
    for (const auto& [name, callee] : callees) for_each_function(callee, visit);
}

// The places of one function: those that both the profile and the build have, and those that only
// the build has. Lines are in ascending order.
struct Landmarks {
  std::vector<uint32_t> common_lines, new_lines;
  std::vector<SourcePlace> new_pieces;  // of common lines, in ascending order

  Landmarks(std::span<const SourcePlace> profile, std::span<const SourcePlace> build) {
    auto profiled = profile.begin();
    uint32_t known_line = ~uint32_t{0};
    for (const SourcePlace& place : build) {
      while (profiled != profile.end() && profiled->offset < place.offset) ++profiled;
      if (profiled != profile.end() && profiled->offset == place.offset) known_line = place.offset;
      if (known_line != place.offset)
        push_line(new_lines, place.offset);
      else
        push_line(common_lines, place.offset);
      if (known_line == place.offset && !std::binary_search(profile.begin(), profile.end(), place))
        new_pieces.push_back(place);
    }
  }

  // Was there a line at `offset` before the optimizer came? Only in a function that was not edited,
  // and when the nearest common lines around it are as near to one another as they were.
  bool surround(uint32_t offset) const {
    if (new_lines.size() * kFewNewLines > common_lines.size()) return false;
    auto above = std::upper_bound(common_lines.begin(), common_lines.end(), offset);
    if (above == common_lines.end()) return false;
    // The line of the function itself is there in any build.
    uint32_t below = above == common_lines.begin() ? 0 : *std::prev(above);
    auto added = std::upper_bound(new_lines.begin(), new_lines.end(), below);
    return added == new_lines.end() || *added > *above;
  }
  // Has the line a piece that the profile does not know?
  bool has_new_piece(uint32_t offset) const {
    auto piece = std::lower_bound(new_pieces.begin(), new_pieces.end(), offset,
                                  [](const SourcePlace& a, uint32_t b) { return a.offset < b; });
    return piece != new_pieces.end() && piece->offset == offset;
  }

 private:
  static void push_line(std::vector<uint32_t>& lines, uint32_t offset) {
    if (lines.empty() || lines.back() != offset) lines.push_back(offset);
  }
};

// What of a function is in the build, by line.
class Lines {
 public:
  Lines(const SourceProfile& profile, const SourcePlaces& places, const StaticNames& symbols)
      : profile_(profile), places_(places), symbols_(symbols) {
    for (const auto& [key, samples] : profile_.functions())
      for_each_function(samples, [&](const FunctionSamples& function) { collect(function); });
    std::sort(profiled_.begin(), profiled_.end());
    profiled_.erase(std::unique(profiled_.begin(), profiled_.end()), profiled_.end());
  }

  MatchOutcome outcome_of(const FunctionSamples& samples, const LineLocation& at) {
    uint64_t guid = samples.getFunction().getHashCode();
    auto [found, is_new] = landmarks_.try_emplace(guid);
    std::optional<Landmarks>& landmarks = found->second;
    if (is_new && places_.has_function(guid)) landmarks.emplace(profiled(guid), places_.of(guid));
    if (!landmarks) {
      FunctionId id = samples.getFunction();
      return outcome_of_absent(id, other_name(id), symbols_, MatchOutcome::kNoDebugInfo);
    }
    SourcePlace place = place_of(guid, at);
    if (places_.has(place)) return MatchOutcome::kMatched;
    if (places_.has_line(guid, place.offset))
      return landmarks->has_new_piece(place.offset) ? MatchOutcome::kOtherDiscriminator
                                                    : MatchOutcome::kOptimizedAway;
    if (place.offset >= kFirstNegativeOffset) return MatchOutcome::kNoLineWhenProfiled;
    return landmarks->surround(place.offset) ? MatchOutcome::kOptimizedAway : MatchOutcome::kNoLine;
  }

  std::string other_name(FunctionId id) const {
    return id.isStringRef() ? places_.names().other_name(id.stringRef()).str() : std::string();
  }

 private:
  SourcePlace place_of(uint64_t function, const LineLocation& at) const {
    return {function, at.LineOffset,
            profile_.is_flow_sensitive ? at.Discriminator & kFirstPassBits : at.Discriminator};
  }

  void collect(const FunctionSamples& samples) {
    uint64_t guid = samples.getFunction().getHashCode();
    for (const auto& [at, record] : samples.getBodySamples())
      profiled_.push_back(place_of(guid, at));
    for (const auto& [at, callees] : samples.getCallsiteSamples())
      profiled_.push_back(place_of(guid, at));
  }

  std::span<const SourcePlace> profiled(uint64_t guid) const {
    auto [first, last] = std::equal_range(
        profiled_.begin(), profiled_.end(), SourcePlace{guid, 0, 0},
        [](const SourcePlace& a, const SourcePlace& b) { return a.function < b.function; });
    return {first, last};
  }

  const SourceProfile& profile_;
  const SourcePlaces& places_;
  const StaticNames& symbols_;
  std::vector<SourcePlace> profiled_;  // of the whole profile: sorted, unique
  std::unordered_map<uint64_t, std::optional<Landmarks>> landmarks_;  // none: not in the build
};

// What of a function is in the build, by its probes.
class Probes {
 public:
  Probes(const SourceProfile& profile, const ProbeFunctions& functions, const StaticNames& symbols)
      : functions_(functions), symbols_(symbols) {
    std::vector<uint64_t> profiled = wanted_functions(profile).guids;  // sorted
    for (const ProbeFunction& function : functions.all())
      if (!std::binary_search(profiled.begin(), profiled.end(), function.guid))
        names_.add({function.name.data(), function.name.size()});
  }

  MatchOutcome outcome_of(const FunctionSamples& samples, const LineLocation&) const {
    FunctionId id = samples.getFunction();
    // Units may have functions of one name that are not the same.
    auto [first, last] = std::equal_range(
        functions_.all().begin(), functions_.all().end(), ProbeFunction{id.getHashCode(), 0, {}},
        [](const ProbeFunction& a, const ProbeFunction& b) { return a.guid < b.guid; });
    if (first == last)
      return outcome_of_absent(id, other_name(id), symbols_, MatchOutcome::kNoProbes);
    bool same = std::any_of(first, last, [&](const ProbeFunction& function) {
      return function.checksum == samples.getFunctionHash();
    });
    return same ? MatchOutcome::kMatched : MatchOutcome::kChanged;
  }

  std::string other_name(FunctionId id) const {
    return id.isStringRef() ? names_.other_name(id.stringRef()).str() : std::string();
  }

 private:
  const ProbeFunctions& functions_;
  const StaticNames& symbols_;
  StaticNames names_;  // of functions that the profile does not have
};

// Gives the counts of a profile to their functions, by what became of them. `Build` tells that of a
// place: outcome_of(samples, location), and for a function that is not there other_name(id).
template <typename Build>
class Matching {
 public:
  explicit Matching(Build build) : build_(std::move(build)) {}

  ProfileMatch run(const SourceProfile& profile) {
    for (const auto& [key, samples] : profile.functions()) add(samples, std::nullopt);
    ProfileMatch result;
    for (auto& [guid, function] : functions_) {
      for (size_t i = 0; i < kMatchOutcomeCount; i++)
        result.weights.add(static_cast<MatchOutcome>(i), function.weights.by_outcome[i]);
      result.functions.push_back(std::move(function));
    }
    std::sort(result.functions.begin(), result.functions.end(), unmatched_more);
    return result;
  }

 private:
  // What was inlined at a call that is gone counts against the caller.
  struct Unmatched {
    FunctionMatch* caller;
    MatchOutcome outcome;
  };

  FunctionMatch& function_of(FunctionId id) {
    auto [found, is_new] = functions_.try_emplace(id.getHashCode());
    if (is_new) found->second.name = id.str();
    return found->second;
  }

  void add(const FunctionSamples& samples, std::optional<Unmatched> by_call) {
    FunctionMatch& function = function_of(samples.getFunction());
    for (const auto& [at, record] : samples.getBodySamples()) {
      Unmatched of_line = by_call.value_or(Unmatched{&function, MatchOutcome::kMatched});
      if (!by_call) of_line.outcome = build_.outcome_of(samples, at);
      if (is_renamed(of_line.outcome) && function.other_name.empty())
        function.other_name = build_.other_name(samples.getFunction());
      of_line.caller->weights.add(of_line.outcome, record.getSamples());
    }
    for (const auto& [at, callees] : samples.getCallsiteSamples()) {
      std::optional<Unmatched> of_callees = by_call;
      if (!by_call) {
        MatchOutcome call = build_.outcome_of(samples, at);
        if (!is_matched(call)) of_callees = Unmatched{&function, call};
      }
      for (const auto& [name, callee] : callees) add(callee, of_callees);
    }
  }

  Build build_;
  std::map<uint64_t, FunctionMatch> functions_;  // by GUID
};

}  // namespace

void MatchWeights::add(MatchOutcome outcome, uint64_t weight) {
  uint64_t& sum = by_outcome[static_cast<size_t>(outcome)];
  sum = saturating_add(sum, weight);
}

uint64_t MatchWeights::all() const {
  uint64_t sum = 0;
  for (uint64_t weight : by_outcome) sum = saturating_add(sum, weight);
  return sum;
}

uint64_t MatchWeights::unmatched() const {
  uint64_t sum = 0;
  for (size_t i = 0; i < kMatchOutcomeCount; i++)
    if (!is_matched(static_cast<MatchOutcome>(i))) sum = saturating_add(sum, by_outcome[i]);
  return sum;
}

MatchOutcome MatchWeights::main_reason() const {
  MatchOutcome most = MatchOutcome::kOtherDiscriminator;
  for (size_t i = 0; i < kMatchOutcomeCount; i++)
    if (!is_matched(static_cast<MatchOutcome>(i)) && by_outcome[i] > of(most))
      most = static_cast<MatchOutcome>(i);
  return most;
}

double ProfileMatch::match_rate() const {
  uint64_t all = weights.all();
  return all == 0 ? 0 : static_cast<double>(all - weights.unmatched()) / static_cast<double>(all);
}

uint64_t ProfileMatch::leave_out_absent() {
  uint64_t left_out = 0;
  for (MatchOutcome outcome :
       {MatchOutcome::kNoFunction, MatchOutcome::kNoDebugInfo, MatchOutcome::kNoProbes}) {
    size_t absent = static_cast<size_t>(outcome);
    left_out = saturating_add(left_out, std::exchange(weights.by_outcome[absent], 0));
    for (FunctionMatch& function : functions) function.weights.by_outcome[absent] = 0;
  }
  std::erase_if(functions,
                [](const FunctionMatch& function) { return function.weights.all() == 0; });
  std::sort(functions.begin(), functions.end(), unmatched_more);
  return left_out;
}

WantedFunctions wanted_functions(const SourceProfile& profile) {
  std::map<uint64_t, llvm::StringRef> found;
  for (const auto& [key, function] : profile.functions())
    for_each_function(function, [&](const FunctionSamples& samples) {
      FunctionId id = samples.getFunction();
      found.try_emplace(id.getHashCode(), id.isStringRef() ? id.stringRef() : llvm::StringRef());
    });
  WantedFunctions wanted;
  for (const auto& [guid, name] : found) {
    wanted.guids.push_back(guid);
    if (!name.empty()) wanted.names.push_back(name);
  }
  return wanted;
}

ProfileMatch match_lines(const SourceProfile& profile, const SourcePlaces& places,
                         const StaticNames& symbols) {
  return Matching(Lines(profile, places, symbols)).run(profile);
}

ProfileMatch match_probes(const SourceProfile& profile, const ProbeFunctions& functions,
                          const StaticNames& symbols) {
  return Matching(Probes(profile, functions, symbols)).run(profile);
}

}  // namespace pgo
