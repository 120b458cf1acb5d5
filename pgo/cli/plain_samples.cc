#include "pgo/cli/plain_samples.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "pgo/cli/funnel.h"
#include "pgo/infer/inferred_counts.h"
#include "pgo/profile/sample_column.h"
#include "pgo/symbolize/shown_name.h"

namespace pgo {
namespace {

// What a number of samples is good for, measured on SQLite and Lua as overlap with exact counts:
// ten times as many gain .02 above 20 000 samples, and .09 below.
struct Class {
  uint64_t least;
  const char* name;
};
constexpr uint64_t kGood = 100'000;
constexpr Class kClasses[] = {{kGood, "good"}, {10'000, "fair"}, {2'000, "thin"}, {0, "weak"}};

// Steps to the flow of half the samples; all of them get 150. With too few the search is what
// differs, the more the more samples there are: with 30, 75 and 150 halves of 188 000 samples of
// Lua agree on .70, .93 and .95, of a tenth on .91, .94 and .92. Code of many addresses gets fewer,
// since each step takes long there: of 20 000 functions .92, .93 and .93.
constexpr unsigned kStepsOfHalves = 75, kStepsOfLargeHalves = 30;
constexpr size_t kManyAddresses = 50'000;

constexpr size_t kShownMissing = 5;

double weigh(const AddressProfile& profile) {
  double weight = 0;
  for (const BinaryCounts& counts : profile.binaries)
    weight += static_cast<double>(counts.plain_weight());
  return weight;
}

// Are there plain samples, and no branch records?
bool is_plain(const AddressProfile& profile) {
  bool has_traces = std::any_of(profile.binaries.begin(), profile.binaries.end(),
                                [](const BinaryCounts& counts) { return !counts.traces.empty(); });
  return !has_traces && profile.samples[Dropped::kWithoutStack] != 0;
}

void keep(AddressProfile& profile) {
  uint64_t& plain = profile.samples[Dropped::kWithoutStack];
  profile.samples.used = saturating_add(profile.samples.used, plain);
  plain = 0;
}

// What samples of an event weigh.
std::string unit_of(const EventInfo& event) {
  static constexpr std::string_view kClocks[] = {"cpu-clock", "task-clock", "cpu", "samples",
                                                 "sample"};
  if (!event.is_frequency && event.period <= 1) return "samples without a period";
  std::string name = event.name.substr(0, event.name.find(':'));
  return std::find(std::begin(kClocks), std::end(kClocks), name) == std::end(kClocks) ? name
                                                                                      : "time";
}

}  // namespace

void warn_of_units(AddressProfile& profile) {
  std::set<std::string> units;
  for (const EventInfo& event : profile.events)
    if (event.samples != 0) units.insert(unit_of(event));
  if (units.size() < 2) return;
  std::string list;
  for (const std::string& unit : units) list += (list.empty() ? "" : ", ") + unit;
  profile.diagnostics.warn(
      "several-events",
      "plain samples of several events are added up, each by its period: " + list +
          "; those whose periods are of a smaller unit may count for nothing. Convert the inputs "
          "of each event by themselves");
}

Result<std::optional<PlainSamples>> infer_from_plain_samples(AddressProfile& profile,
                                                             const BinarySet& binaries,
                                                             unsigned jobs) {
  uint64_t samples = profile.samples[Dropped::kWithoutStack];
  if (!is_plain(profile)) return std::optional<PlainSamples>();
  warn_of_units(profile);

  // A sample counts its period, which differs between hosts; the model wants to know how many there
  // were.
  infer::InferOptions options;
  options.model.jobs = jobs;
  double weight = weigh(profile), outside = 0, overlap = 0, inside = 0;
  options.weight = weight / static_cast<double>(samples);
  PlainSamples plain;
  plain.samples = samples;
  plain.is_cpu_time = counts_cpu_time(profile);
  for (BinaryCounts& counts : profile.binaries) {
    if (counts.ips.empty()) continue;
    const Binary& binary = binaries.of(counts);
    options.split_half_iterations =
        counts.ips.size() > kManyAddresses ? kStepsOfLargeHalves : kStepsOfHalves;
    PGO_TRY(infer::InferredCounts inferred,
            infer::infer_counts(*binary.image, binary.symbol_image(), counts, options));
    counts.traces = inferred.to_traces().traces;
    plain.functions += inferred.functions.size();
    plain.guessed_jumps += inferred.guessed_jumps;
    outside += static_cast<double>(inferred.outside_functions);
    if (!inferred.split_half_overlap) continue;
    inside += static_cast<double>(inferred.in_functions);
    overlap += *inferred.split_half_overlap * static_cast<double>(inferred.in_functions);
  }
  if (plain.functions == 0) return std::optional<PlainSamples>();
  plain.outside_functions = outside / weight;
  if (inside > 0) plain.split_half_overlap = overlap / inside;
  keep(profile);
  return std::optional<PlainSamples>(plain);
}

bool keep_plain_samples(AddressProfile& profile) {
  if (!is_plain(profile)) return false;
  warn_of_units(profile);
  keep(profile);
  return true;
}

const char* class_of(uint64_t samples) {
  return std::find_if(std::begin(kClasses), std::end(kClasses),
                      [&](const Class& c) { return samples >= c.least; })
      ->name;
}

const char* class_of(const PlainSamples& plain) {
  return plain.is_cpu_time ? class_of(plain.samples) : nullptr;
}

bool counts_cpu_time(const AddressProfile& profile) {
  return std::all_of(profile.events.begin(), profile.events.end(), [](const EventInfo& event) {
    return event.samples == 0 || is_cpu_time(event.name);
  });
}

std::string describe_plain_samples(const PlainSamples& plain) {
  std::string text = std::string("counts inferred from ") +
                     (plain.named ? "names and lines of functions: " : "plain samples: ") +
                     format_count(plain.samples) + " in " +
                     format_count(plain.functions, "function");
  const char* name = class_of(plain);
  text += name != nullptr ? std::string(", a ") + name + " profile"
                          : ", a profile of no class: they are not known to be of CPU time";
  if (plain.split_half_overlap)
    text += ", halves of which agree on " + format_share(*plain.split_half_overlap);
  if (name != nullptr && plain.samples < kGood)
    text += "; " + format_count((kGood + plain.samples - 1) / plain.samples) +
            " times as many make a good one";
  if (plain.named && plain.named->inlined_otherwise != 0)
    text += "; " + format_percent(plain.named->inlined_otherwise, plain.samples) +
            " of them are inlined otherwise in the binary than where they ran";
  return text;
}

std::optional<std::string> describe_missing(const PlainSamples& plain) {
  if (!plain.named || plain.named->missing.empty()) return std::nullopt;
  std::string text = "hottest of what was not found in the binary:";
  for (size_t i = 0; i < std::min(kShownMissing, plain.named->missing.size()); i++) {
    const NamedSamples::Missing& missing = plain.named->missing[i];
    text += "\n  " + format_percent(missing.samples, plain.named->all) + "  " +
            shown_name(missing.function);
    if (missing.line > 0)
      text += " (" + (missing.file.empty() ? "line " : missing.file + ":") +
              std::to_string(missing.line) + ")";
    text += ", " + std::string(dropped_sentence(missing.reason));
  }
  return text;
}

nlohmann::json plain_samples_json(const PlainSamples& plain) {
  nlohmann::json json = {{"samples", plain.samples},
                         {"functions", plain.functions},
                         {"outside_functions", plain.outside_functions},
                         {"guessed_jumps", plain.guessed_jumps}};
  if (!plain.named) return json;
  nlohmann::json& named = json["named"];
  named = {{"samples", plain.named->all},
           {"inlined_otherwise", plain.named->inlined_otherwise},
           {"not_found", nlohmann::json::array()}};
  for (const NamedSamples::Missing& missing : plain.named->missing)
    named["not_found"].push_back({{"function", missing.function},
                                  {"file", missing.file},
                                  {"line", missing.line},
                                  {"reason", dropped_name(missing.reason)},
                                  {"samples", missing.samples}});
  return json;
}

}  // namespace pgo
