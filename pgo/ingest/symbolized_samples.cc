#include "pgo/ingest/symbolized_samples.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "pgo/base/number_text.h"
#include "pgo/binary/debug_file.h"
#include "pgo/code/shown_name.h"
#include "pgo/infer/ambiguous_samples.h"

namespace pgo {
namespace {

constexpr size_t kMaxUnmatched = 20;  // of the places that were not found

// Where samples of one binary are.
struct BinaryLookup {
  const Binary* binary = nullptr;
  SymbolLookup places;
  std::vector<uint64_t> weights;  // of samples, by place
  uint64_t samples = 0;           // found
};

// What became of one sample: found in a binary, or not.
struct LookupResult {
  BinaryLookup* in = nullptr;
  SymbolLookup::Answer answer;
};

// In the binary that the profile says, or else in the only one that has such a place.
LookupResult find_sample(const StackProfile& stacks, size_t sample,
                         std::vector<BinaryLookup>& binaries) {
  std::span<const LocationId> stack =
      stacks.stacks[static_cast<size_t>(stacks.samples[sample].stack)];
  MappingId mapping = stacks.locations[static_cast<size_t>(stack[0])].mapping;
  LookupResult found;
  for (BinaryLookup& binary : binaries) {
    if (mapping != kNoMapping &&
        stacks.text(stacks.mappings[static_cast<size_t>(mapping)].filename) !=
            binary.binary->image->path())
      continue;
    const SymbolLookup::Answer& answer = binary.places.answers()[sample];
    if (answer.place && found.answer.place) return {nullptr, {{}, Dropped::kAmbiguousName, false}};
    if (answer.place) found = {&binary, answer};
    // The reason of a binary that has the function says more.
    if (!found.answer.place && found.answer.reason == Dropped::kUnknownFunction)
      found.answer = answer;
  }
  return found;
}

// By function, file and line of the leaf, and why. Texts are the profile's: many samples may share
// a long one.
using UnmatchedSamples =
    std::map<std::tuple<std::string_view, std::string_view, int64_t, Dropped>, uint64_t>;

void add_unmatched(const StackProfile& stacks, size_t sample, Dropped reason, uint64_t count,
                   UnmatchedSamples& unmatched) {
  std::span<const LocationId> stack =
      stacks.stacks[static_cast<size_t>(stacks.samples[sample].stack)];
  const StackLine& leaf = stacks.lines[static_cast<size_t>(stack[0])][0];
  const StackFunction& function = stacks.functions[static_cast<size_t>(leaf.function)];
  StringId name = function.system_name != kEmptyString ? function.system_name : function.name;
  uint64_t& sum = unmatched[{stacks.text(name), stacks.text(function.filename), leaf.line, reason}];
  sum = saturating_add(sum, count);
}

std::vector<UnmatchedPlace> find_hottest(const UnmatchedSamples& unmatched) {
  std::vector<UnmatchedSamples::const_iterator> places;
  for (auto place = unmatched.begin(); place != unmatched.end(); ++place) places.push_back(place);
  std::stable_sort(places.begin(), places.end(),
                   [](const auto& a, const auto& b) { return a->second > b->second; });
  places.resize(std::min(places.size(), kMaxUnmatched));
  std::vector<UnmatchedPlace> hottest;
  for (const auto& place : places) {
    const auto& [function, file, line, reason] = place->first;
    hottest.push_back({std::string(function), std::string(file), line, reason, place->second});
  }
  return hottest;
}

// Which places samples are in; accounts for them in `samples`.
SymbolizedSamples look_up(const StackProfile& stacks, std::vector<BinaryLookup>& binaries,
                          Accounting& samples) {
  SymbolizedSamples result;
  UnmatchedSamples unmatched;
  for (size_t s = 0; s < stacks.samples.size(); s++) {
    auto count = static_cast<uint64_t>(stacks.values_of(s)[0]);
    result.all = saturating_add(result.all, count);
    samples.pending -= std::min(count, samples.pending);
    LookupResult found = find_sample(stacks, s, binaries);
    if (!found.in || !found.answer.place) {  // both or neither
      samples[found.answer.reason] = saturating_add(samples[found.answer.reason], count);
      add_unmatched(stacks, s, found.answer.reason, count, unmatched);
      continue;
    }
    samples.used = saturating_add(samples.used, count);
    found.in->samples = saturating_add(found.in->samples, count);
    uint64_t& at = found.in->weights[*found.answer.place];
    at = saturating_add(at, static_cast<uint64_t>(stacks.values_of(s)[1]));
    if (found.answer.inlined_otherwise)
      result.inlined_otherwise = saturating_add(result.inlined_otherwise, count);
  }
  result.unmatched = find_hottest(unmatched);
  return result;
}

// Samples times a weight are rounded for each stack, so their sum may differ from that of all.
void count_as_stacks_do(const StackProfile& stacks, Accounting& samples) {
  uint64_t count = 0;
  for (size_t s = 0; s < stacks.samples.size(); s++)
    count = saturating_add(count, static_cast<uint64_t>(stacks.values_of(s)[0]));
  samples.seen = saturating_add(samples.seen - std::min(samples.seen, samples.pending), count);
  samples.pending = count;
}

// What a sample weighs, on average.
double mean_weight(const std::vector<BinaryLookup>& binaries) {
  double weight = 0, samples = 0;
  for (const BinaryLookup& binary : binaries) {
    for (uint64_t of_place : binary.weights) weight += static_cast<double>(of_place);
    samples += static_cast<double>(binary.samples);
  }
  return samples > 0 ? weight / samples : 1;
}

Result<void> infer_binary(const BinaryLookup& lookup, BinaryCounts& counts,
                          const infer::InferOptions& options, Inference& inference) {
  std::vector<infer::AmbiguousSamples> spread;
  for (uint32_t i = 0; i < lookup.weights.size(); i++) {
    if (lookup.weights[i] == 0) continue;
    std::vector<ElfAddr> instructions = lookup.places.instructions_of(i);
    if (!instructions.empty()) spread.push_back({std::move(instructions), lookup.weights[i]});
  }
  // Places are numbered as samples come, which must not show.
  std::sort(spread.begin(), spread.end(),
            [](const auto& a, const auto& b) { return a.instructions < b.instructions; });
  const Binary& binary = *lookup.binary;
  PGO_TRY(infer::InferredCounts inferred,
          infer::infer_ambiguous_counts(*binary.image, binary.symbol_image(), spread, options));
  counts.traces = inferred.to_traces().traces;
  InferredBinary& of_binary = inference.binaries.emplace_back();
  of_binary.samples = lookup.samples;
  for (uint64_t weight : lookup.weights)
    of_binary.weight = saturating_add(of_binary.weight, weight);
  inference.samples = saturating_add(inference.samples, lookup.samples);
  inference.functions += inferred.functions.size();
  inference.guessed_jumps += inferred.guessed_jumps;
  inference.outside_functions += static_cast<double>(inferred.outside_functions);
  return ok();
}

std::string list_paths(const BinarySet& binaries) {
  std::string text;
  for (const Binary& binary : binaries.binaries())
    text += (text.empty() ? "" : ", ") + binary.image->path();
  return text;
}

}  // namespace

Result<void> SymbolizedInput::add(SymbolizedStacks samples, const std::string& path,
                                  MergeFactor factor) {
  if (samples.counted.samples.pending != 0) {
    if (!samples.has_lines) without_lines.push_back(path);
    PGO_CHECK(stacks.add(samples.stacks, path, {&factor, 1}));
  }
  counts.add(std::move(samples.counted), factor);
  return ok();
}

void SymbolizedInput::add_up() {
  counted = std::move(counts).finish();
  counts = {};
}

void SymbolizedInput::leave_out() {
  counted.samples.drop_pending(Dropped::kNoAddress);
  counted.events.clear();
  stacks = StackMerger();
  without_lines.clear();
}

std::optional<std::string> describe_unmatched(const SymbolizedSamples& samples) {
  constexpr size_t kShown = 5;
  if (samples.unmatched.empty()) return std::nullopt;
  std::string text = "hottest functions and lines that were not found in the binary:";
  for (size_t i = 0; i < std::min(kShown, samples.unmatched.size()); i++) {
    const UnmatchedPlace& place = samples.unmatched[i];
    text += "\n  " + format_percent(place.samples, samples.all) + "  " + shown_name(place.function);
    if (place.line > 0)
      text += " (" + (place.file.empty() ? "line " : place.file + ":") +
              std::to_string(place.line) + ")";
    text += ", " + std::string(dropped_sentence(place.reason));
  }
  return text;
}

Result<std::optional<Inference>> infer_from_symbolized_samples(SymbolizedInput input,
                                                               AddressProfile& profile,
                                                               const BinarySet& binaries,
                                                               WithoutLine without_line,
                                                               unsigned jobs) {
  if (input.stacks.empty()) return std::optional<Inference>();
  if (!input.without_lines.empty() && without_line == WithoutLine::kLeaveOut)
    return fail(
        ErrorKind::kInput,
        *std::min_element(input.without_lines.begin(), input.without_lines.end()) +
            ": names functions, but has neither addresses nor lines",
        "fetch it unsymbolized, or record with perf or an agent that keeps addresses and build "
        "IDs; \xFF{without-lines} uses the functions");
  warn_of_units(profile);
  StackProfile stacks = std::move(input.stacks).finish(profile.diagnostics);
  count_as_stacks_do(stacks, profile.samples);
  std::vector<BinaryLookup> lookups;
  for (const Binary& binary : binaries.binaries()) {
    PGO_TRY(SymbolLookup places, SymbolLookup::find(binary, stacks, without_line, jobs));
    profile.diagnostics.add(places.diagnostics());
    size_t count = places.count();
    lookups.push_back({&binary, std::move(places), std::vector<uint64_t>(count)});
  }
  Inference inference;
  inference.is_cpu_time = counts_cpu_time(profile);
  inference.symbolized = look_up(stacks, lookups, profile.samples);
  stacks = {};
  infer::InferOptions options;
  options.model.jobs = jobs;
  options.weight = mean_weight(lookups);
  for (BinaryCounts& counts : profile.binaries) {
    PGO_TRY(size_t index, binaries.index_of(counts));
    PGO_CHECK(infer_binary(lookups[index], counts, options, inference));
  }
  if (inference.functions == 0) {
    auto missing = describe_unmatched(*inference.symbolized);
    return fail(ErrorKind::kEmpty, "none of the functions and lines that were sampled is in " +
                                       list_paths(binaries) +
                                       "; is it what ran, built from the same sources with " +
                                       kDebugOptions + "?" + (missing ? "\n  " + *missing : ""));
  }
  inference.outside_functions /= static_cast<double>(inference.samples);
  return std::optional<Inference>(std::move(inference));
}

}  // namespace pgo
