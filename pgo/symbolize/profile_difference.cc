#include "pgo/symbolize/profile_difference.h"

#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "pgo/symbolize/source_profile.h"

namespace pgo {
namespace {

using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::LineLocation;
using llvm::sampleprof::SampleRecord;

std::string text_of(const LineLocation& location) {
  std::string text = std::to_string(location.LineOffset);
  if (location.Discriminator != 0) text += "." + std::to_string(location.Discriminator);
  return text;
}

// Calls visit(key, value in first, value in second) for every key of two ordered maps; the value is
// null where a map has none.
template <typename Map, typename Visit>
void for_each_in_either(const Map& first, const Map& second, const Visit& visit) {
  auto a = first.begin();
  auto b = second.begin();
  while (a != first.end() || b != second.end()) {
    bool take_a = b == second.end() || (a != first.end() && !(b->first < a->first));
    bool take_b = a == first.end() || (b != second.end() && !(a->first < b->first));
    const auto& key = take_a ? a->first : b->first;
    visit(key, take_a ? &a->second : nullptr, take_b ? &b->second : nullptr);
    if (take_a) ++a;
    if (take_b) ++b;
  }
}

std::map<std::string, uint64_t> targets_of(const SampleRecord* record) {
  std::map<std::string, uint64_t> targets;
  if (record != nullptr)
    for (const auto& [name, count] : record->getCallTargets()) targets[name.str()] = count;
  return targets;
}

// The callees inlined at one place, by name.
std::map<std::string, const FunctionSamples*> callees_of(
    const llvm::sampleprof::FunctionSamplesMap* samples) {
  std::map<std::string, const FunctionSamples*> callees;
  if (samples != nullptr)
    for (const auto& [name, callee] : *samples) callees[name.str()] = &callee;
  return callees;
}

class Comparison {
 public:
  void compare_function(const std::string& name, const FunctionSamples* first,
                        const FunctionSamples* second) {
    function_ = name;
    size_t before = result_.differences.size();
    result_.functions++;
    if (first != nullptr && second != nullptr)
      compare_count("head", first->getHeadSamples(), second->getHeadSamples());
    compare_body("", first, second);
    if (result_.differences.size() != before) result_.different_functions++;
  }

  ProfileDifference finish() {
    std::sort(result_.differences.begin(), result_.differences.end(),
              [](const CountDifference& a, const CountDifference& b) {
                uint64_t a_size = a.size(), b_size = b.size();
                return a_size != b_size
                           ? a_size > b_size
                           : std::tie(a.function, a.place) < std::tie(b.function, b.place);
              });
    return std::move(result_);
  }

 private:
  void compare_count(const std::string& place, std::optional<uint64_t> first,
                     std::optional<uint64_t> second) {
    result_.counts++;
    if (first != second) result_.differences.push_back({function_, place, first, second});
  }

  // `prefix` names the functions that this one is inlined into.
  void compare_body(const std::string& prefix, const FunctionSamples* first,
                    const FunctionSamples* second) {
    auto total = [](const FunctionSamples* samples) {
      return samples == nullptr ? std::nullopt : std::optional(samples->getTotalSamples());
    };
    compare_count(prefix + "total", total(first), total(second));
    if (first == nullptr || second == nullptr) return;
    if (first->getFunctionHash() != 0 || second->getFunctionHash() != 0)
      compare_count(prefix + "checksum", first->getFunctionHash(), second->getFunctionHash());
    for_each_in_either(first->getBodySamples(), second->getBodySamples(),
                       [&](const LineLocation& at, const SampleRecord* a, const SampleRecord* b) {
                         compare_record(prefix + text_of(at), a, b);
                       });
    for_each_in_either(first->getCallsiteSamples(), second->getCallsiteSamples(),
                       [&](const LineLocation& at, const llvm::sampleprof::FunctionSamplesMap* a,
                           const llvm::sampleprof::FunctionSamplesMap* b) {
                         for_each_in_either(
                             callees_of(a), callees_of(b),
                             [&](const std::string& name, const FunctionSamples* const* callee_a,
                                 const FunctionSamples* const* callee_b) {
                               compare_body(prefix + text_of(at) + " > " + name + " > ",
                                            callee_a == nullptr ? nullptr : *callee_a,
                                            callee_b == nullptr ? nullptr : *callee_b);
                             });
                       });
  }

  void compare_record(const std::string& place, const SampleRecord* first,
                      const SampleRecord* second) {
    auto samples = [](const SampleRecord* record) {
      return record == nullptr ? std::nullopt : std::optional(record->getSamples());
    };
    compare_count(place, samples(first), samples(second));
    for_each_in_either(targets_of(first), targets_of(second),
                       [&](const std::string& name, const uint64_t* a, const uint64_t* b) {
                         compare_count(place + " calls " + name,
                                       a == nullptr ? std::nullopt : std::optional(*a),
                                       b == nullptr ? std::nullopt : std::optional(*b));
                       });
  }

  std::string function_;
  ProfileDifference result_;
};

std::map<std::string, const FunctionSamples*> functions_of(const SourceProfile& profile) {
  std::map<std::string, const FunctionSamples*> functions;
  for (const auto& [key, function] : profile.functions())
    functions[function.getContext().toString()] = &function;
  return functions;
}

}  // namespace

uint64_t CountDifference::size() const {
  uint64_t a = first.value_or(0), b = second.value_or(0);
  return a > b ? a - b : b - a;
}

ProfileDifference find_differences(const SourceProfile& first, const SourceProfile& second) {
  Comparison comparison;
  for_each_in_either(functions_of(first), functions_of(second),
                     [&](const std::string& name, const FunctionSamples* const* a,
                         const FunctionSamples* const* b) {
                       comparison.compare_function(name, a == nullptr ? nullptr : *a,
                                                   b == nullptr ? nullptr : *b);
                     });
  ProfileDifference result = comparison.finish();
  result.flow_sensitivity_differs = first.is_flow_sensitive != second.is_flow_sensitive;
  result.probes_differ = first.is_probe_based != second.is_probe_based;
  return result;
}

}  // namespace pgo
