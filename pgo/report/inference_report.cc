#include "pgo/report/inference_report.h"

#include <nlohmann/json.hpp>

#include "pgo/base/number_text.h"
#include "pgo/ingest/symbolized_samples.h"
#include "pgo/profile/thresholds.h"
#include "pgo/report/json_text.h"

namespace pgo {
namespace {

// How many times as many samples would give quality good, rounded up: to tenths, and from 2 on to
// whole ones.
std::string describe_missing(uint64_t samples) {
  const uint64_t tenths = (thresholds::kGoodPcSamples * 10 + samples - 1) / samples;
  if (tenths <= 11) return "a few more would give quality good";
  return (tenths >= 20 ? format_count((tenths + 9) / 10)
                       : format_decimal(static_cast<double>(tenths) / 10, 1)) +
         " times as many would give quality good";
}

// What the counts were inferred from.
std::string describe_samples(const Inference& inference) {
  const std::string functions = format_count(inference.functions, "function");
  if (inference.step_samples != 0)
    return format_count(inference.step_samples, "sample") + " by single steps, and " +
           format_count(inference.samples, "PC sample") + " in " + functions;
  return (inference.symbolized ? "functions and lines: " : "PC samples: ") +
         format_count(inference.samples) + " in " + functions;
}

std::string describe(const Inference& inference) {
  std::string text = "counts inferred from " + describe_samples(inference);
  Quality quality = inference.quality();
  text += ", quality " + std::string(quality_name(quality));
  if (quality == Quality::kUnknown) text += " (they may not be of CPU time)";
  if (inference.split_half_overlap)
    text += ", split-half overlap " + format_share(*inference.split_half_overlap);
  if (inference.unsampled_flow_share && inference.has_much_unsampled_flow())
    text += "; " + format_share(*inference.unsampled_flow_share) +
            " of the inferred flow is in blocks without samples, where only the model decides";
  // Scaled counts may be rounded to no sample.
  if (quality != Quality::kUnknown && inference.samples != 0 && inference.step_samples == 0 &&
      inference.samples < thresholds::kGoodPcSamples)
    text += "; " + describe_missing(inference.samples);
  if (inference.step_samples != 0 && inference.evidence() != Evidence::kSoftwareBranchRecords)
    text += std::string("; the single steps") +
            (inference.binaries.size() > 1 ? " of all binaries together" : "") +
            " are too few to count as branch records (" +
            describe_few_steps(inference.step_records) + ")";
  if (inference.symbolized && inference.symbolized->inlined_otherwise != 0)
    text += "; " + format_percent(inference.symbolized->inlined_otherwise, inference.samples) +
            " of them are inlined differently in the binary than in the program that ran";
  return text;
}

}  // namespace

std::string describe_few_steps(uint64_t records) {
  using thresholds::kMinRecordsForHalves;
  if (records < kMinRecordsForHalves)
    return format_count(records) + " of " + format_count(kMinRecordsForHalves) +
           " branch records needed";
  return "two halves of their branch records overlap by less than " +
         format_share(thresholds::kThinHalves);
}

std::vector<Message> inference_messages(const Inference& inference) {
  std::vector<Message> messages{note(describe(inference))};
  if (!inference.symbolized) return messages;
  if (auto unmatched = describe_unmatched(*inference.symbolized))
    messages.push_back(note(*unmatched));
  return messages;
}

nlohmann::json inference_json(const Inference& inference) {
  nlohmann::json json = {{"samples", inference.samples},
                         {"functions", inference.functions},
                         {"outside_functions", rounded(inference.outside_functions, 3)},
                         {"guessed_jumps", inference.guessed_jumps}};
  if (inference.step_samples != 0) {
    json["step_samples"] = inference.step_samples;
    json["step_records"] = inference.step_records;
  }
  if (inference.unsampled_flow_share)
    json["unsampled_flow_share"] = rounded(*inference.unsampled_flow_share, 3);
  if (!inference.symbolized) return json;
  nlohmann::json& symbolized = json["symbolized"];
  symbolized = {{"samples", inference.symbolized->all},
                {"inlined_otherwise", inference.symbolized->inlined_otherwise},
                {"unmatched", nlohmann::json::array()}};
  for (const UnmatchedPlace& place : inference.symbolized->unmatched)
    symbolized["unmatched"].push_back({{"function", place.function},
                                       {"file", place.file},
                                       {"line", place.line},
                                       {"reason", dropped_name(place.reason)},
                                       {"samples", place.samples}});
  return json;
}

}  // namespace pgo
