#include "pgo/cli/named_input.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "pgo/cli/funnel.h"
#include "pgo/cli/messages.h"
#include "pgo/infer/spread_samples.h"

namespace pgo {
namespace {

constexpr size_t kMissing = 20;  // of the places that were not found

// Where samples of one binary are.
struct Looked {
  const Binary* binary = nullptr;
  NamedPlaces places;
  std::vector<uint64_t> weights;  // of samples, by place
  uint64_t samples = 0;           // found
};

// What became of one sample: found in a binary, or not.
struct Fate {
  Looked* in = nullptr;
  NamedPlaces::Answer answer;
};

// In the binary that the profile says, or else in the only one that has such a place.
Fate find_sample(const StackProfile& stacks, size_t sample, std::vector<Looked>& binaries) {
  std::span<const LocationId> stack =
      stacks.stacks[static_cast<size_t>(stacks.samples[sample].stack)];
  MappingId mapping = stacks.locations[static_cast<size_t>(stack[0])].mapping;
  Fate fate;
  for (Looked& binary : binaries) {
    if (mapping != kNoMapping &&
        stacks.text(stacks.mappings[static_cast<size_t>(mapping)].filename) !=
            binary.binary->image->path())
      continue;
    const NamedPlaces::Answer& answer = binary.places.answers()[sample];
    if (answer.place && fate.answer.place) return {nullptr, {{}, Dropped::kAmbiguousName, false}};
    if (answer.place) fate = {&binary, answer};
    // Whoever has the function knows more.
    if (!fate.answer.place && fate.answer.reason == Dropped::kUnknownFunction) fate.answer = answer;
  }
  return fate;
}

// By function, file and line of the leaf, and why.
using Misses = std::map<std::tuple<std::string, std::string, int64_t, Dropped>, uint64_t>;

void add_miss(const StackProfile& stacks, size_t sample, Dropped reason, uint64_t count,
              Misses& misses) {
  std::span<const LocationId> stack =
      stacks.stacks[static_cast<size_t>(stacks.samples[sample].stack)];
  const StackLine& leaf = stacks.lines[static_cast<size_t>(stack[0])][0];
  const StackFunction& function = stacks.functions[static_cast<size_t>(leaf.function)];
  StringId name = function.system_name != kEmptyString ? function.system_name : function.name;
  uint64_t& sum = misses[{std::string(stacks.text(name)),
                          std::string(stacks.text(function.filename)), leaf.line, reason}];
  sum = saturating_add(sum, count);
}

std::vector<NamedSamples::Missing> find_hottest(const Misses& misses) {
  std::vector<NamedSamples::Missing> hottest;
  for (const auto& [key, samples] : misses) {
    const auto& [function, file, line, reason] = key;
    hottest.push_back({function, file, line, reason, samples});
  }
  std::stable_sort(hottest.begin(), hottest.end(),
                   [](const auto& a, const auto& b) { return a.samples > b.samples; });
  hottest.resize(std::min(hottest.size(), kMissing));
  return hottest;
}

// Which places samples are in; accounts for them in `samples`.
NamedSamples look_up(const StackProfile& stacks, std::vector<Looked>& binaries,
                     Accounting& samples) {
  NamedSamples named;
  Misses misses;
  for (size_t s = 0; s < stacks.samples.size(); s++) {
    auto count = static_cast<uint64_t>(stacks.values_of(s)[0]);
    named.all = saturating_add(named.all, count);
    samples[Dropped::kWithoutStack] -= std::min(count, samples[Dropped::kWithoutStack]);
    Fate fate = find_sample(stacks, s, binaries);
    if (!fate.in || !fate.answer.place) {  // both or neither
      samples[fate.answer.reason] = saturating_add(samples[fate.answer.reason], count);
      add_miss(stacks, s, fate.answer.reason, count, misses);
      continue;
    }
    samples.used = saturating_add(samples.used, count);
    fate.in->samples = saturating_add(fate.in->samples, count);
    uint64_t& at = fate.in->weights[*fate.answer.place];
    at = saturating_add(at, static_cast<uint64_t>(stacks.values_of(s)[1]));
    if (fate.answer.inlined_otherwise)
      named.inlined_otherwise = saturating_add(named.inlined_otherwise, count);
  }
  named.missing = find_hottest(misses);
  return named;
}

// What a sample weighs, on average.
double mean_weight(const std::vector<Looked>& binaries) {
  double weight = 0, samples = 0;
  for (const Looked& binary : binaries) {
    for (uint64_t of_place : binary.weights) weight += static_cast<double>(of_place);
    samples += static_cast<double>(binary.samples);
  }
  return samples > 0 ? weight / samples : 1;
}

Result<void> infer_binary(const Looked& looked, BinaryCounts& counts,
                          const infer::InferOptions& options, PlainSamples& plain) {
  std::vector<infer::SpreadSamples> spread;
  for (uint32_t i = 0; i < looked.weights.size(); i++) {
    if (looked.weights[i] == 0) continue;
    std::vector<ElfAddr> instructions = looked.places.instructions_of(i);
    if (!instructions.empty()) spread.push_back({std::move(instructions), looked.weights[i]});
  }
  // Places are numbered as samples come, which is of no account.
  std::sort(spread.begin(), spread.end(),
            [](const auto& a, const auto& b) { return a.instructions < b.instructions; });
  const Binary& binary = *looked.binary;
  PGO_TRY(infer::InferredCounts inferred,
          infer::infer_spread_counts(*binary.image, binary.symbol_image(), spread, options));
  counts.traces = inferred.to_traces().traces;
  plain.samples = saturating_add(plain.samples, looked.samples);
  plain.functions += inferred.functions.size();
  plain.guessed_jumps += inferred.guessed_jumps;
  plain.outside_functions += static_cast<double>(inferred.outside_functions);
  return ok();
}

std::string list_paths(const BinarySet& binaries) {
  std::string text;
  for (const Binary& binary : binaries.binaries())
    text += (text.empty() ? "" : ", ") + binary.image->path();
  return text;
}

}  // namespace

Result<void> NamedInput::add(NamedStacks named, const std::string& path) {
  if (named.counted.samples[Dropped::kWithoutStack] != 0) {
    if (!named.has_lines) without_lines.push_back(path);
    PGO_CHECK(stacks.add(named.stacks, path));
  }
  counted.add(std::move(named.counted));
  return ok();
}

void NamedInput::leave_out() {
  uint64_t& kept = counted.samples[Dropped::kWithoutStack];
  uint64_t& left_out = counted.samples[Dropped::kNoAddress];
  left_out = saturating_add(left_out, kept);
  kept = 0;
  counted.events.clear();
  stacks = StackMerger();
  without_lines.clear();
}

Result<std::optional<PlainSamples>> infer_from_named_samples(NamedInput named,
                                                             AddressProfile& profile,
                                                             const BinarySet& binaries,
                                                             WithoutLine without_line,
                                                             unsigned jobs) {
  if (named.stacks.empty()) return std::optional<PlainSamples>();
  if (!named.without_lines.empty() && without_line == WithoutLine::kLeaveOut)
    return fail(ErrorKind::kInput,
                *std::min_element(named.without_lines.begin(), named.without_lines.end()) +
                    ": names functions, but has neither addresses nor lines. Fetch it "
                    "unsymbolized, or record with perf or an agent that keeps addresses and build "
                    "ids; --without-lines makes do with functions");
  warn_of_units(profile);
  StackProfile stacks = std::move(named.stacks).finish();
  std::vector<Looked> looked;
  for (const Binary& binary : binaries.binaries()) {
    PGO_TRY(NamedPlaces places, NamedPlaces::find(binary.symbolized(), stacks, without_line, jobs));
    profile.diagnostics.add(places.diagnostics());
    size_t count = places.count();
    looked.push_back({&binary, std::move(places), std::vector<uint64_t>(count)});
  }
  PlainSamples plain;
  plain.is_cpu_time = counts_cpu_time(profile);
  plain.named = look_up(stacks, looked, profile.samples);
  stacks = {};
  infer::InferOptions options;
  options.model.jobs = jobs;
  options.weight = mean_weight(looked);
  for (const Looked& one : looked)
    for (BinaryCounts& counts : profile.binaries)
      if (&binaries.of(counts) == one.binary) PGO_CHECK(infer_binary(one, counts, options, plain));
  if (plain.functions == 0) {
    auto missing = describe_missing(plain);
    return fail(ErrorKind::kEmpty, "none of the functions and lines that were sampled is in " +
                                       list_paths(binaries) +
                                       "; is it what ran, built from the same sources with " +
                                       kDebugOptions + "?" + (missing ? "\n" + *missing : ""));
  }
  plain.outside_functions /= static_cast<double>(plain.samples);
  return std::optional<PlainSamples>(std::move(plain));
}

}  // namespace pgo
