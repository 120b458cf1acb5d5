#include "pgo/report/merge_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "pgo/base/number_text.h"
#include "pgo/report/build_table.h"
#include "pgo/report/funnel.h"

namespace pgo {
namespace {

constexpr size_t kShownBuilds = 5;

// The figures of each kind.
struct FiguresJson {
  const std::vector<BuildShare>& builds;

  nlohmann::json operator()(const MergedStacks& merged) const {
    return {{"samples", merged.samples},
            {"duration_ns", merged.duration_ns},
            {"totals", totals_json(merged.totals)},
            {"builds", stack_builds_json(builds)}};
  }
  nlohmann::json operator()(const MergedAddresses& merged) const {
    nlohmann::json json = funnel_json(merged.figures);
    json["builds"] = address_builds_json(builds);
    return json;
  }
  nlohmann::json operator()(const MergedLlvmSamples& merged) const {
    return {{"functions", merged.functions}, {"probe_based", merged.is_probe_based}};
  }
};

// "3 profiles: 41 different samples".
struct Summary {
  uint64_t inputs;

  std::string operator()(const MergedStacks& merged) const {
    return format_count(inputs, "profile") + ": " +
           format_count(merged.samples, "different sample");
  }
  std::string operator()(const MergedAddresses& merged) const {
    return format_count(inputs, "address profile") + ": " +
           format_count(merged.rows, "trace or address", "different traces and addresses");
  }
  std::string operator()(const MergedLlvmSamples& merged) const {
    return format_count(inputs, "LLVM sample profile") + ": " +
           format_count(merged.functions, "function");
  }
};

// "shard 3/16: 6 250 of 100 000 inputs".
std::string describe_shard(const Shard& of, const MergeResult& result) {
  const auto [index, count] = of;
  const std::string shard = "shard " + std::to_string(index) + "/" + std::to_string(count) + ": ";
  const std::string all = format_count(result.inputs_of_all_shards, "input");
  if (result.inputs == 0) return shard + "none of " + all + ", so the output is an empty profile";
  return shard + format_count(result.inputs) + " of " + all;
}

// The largest builds, when there are several.
void add_builds(const std::vector<BuildShare>& builds, std::vector<Message>& messages) {
  if (builds.size() < 2) return;
  for (size_t i = 0; i < std::min(builds.size(), kShownBuilds); i++)
    messages.push_back(note(describe_build(builds[i])));
  if (builds.size() > kShownBuilds)
    messages.push_back(
        note("and " + format_count(builds.size() - kShownBuilds) + " further builds"));
}

}  // namespace

nlohmann::json merge_json(const MergeResult& result) {
  nlohmann::json json = std::visit(FiguresJson{result.builds}, result.merged);
  json["inputs"] = result.inputs;
  if (result.shard)
    json["shard"] = {{"index", result.shard->index},
                     {"count", result.shard->count},
                     {"inputs_of_all", result.inputs_of_all_shards}};
  json["warnings"] = warnings_json(result.diagnostics);
  for (const MergedOutput& output : result.outputs) json["outputs"].push_back(output.path);
  return json;
}

std::vector<Message> merge_messages(const MergeResult& result) {
  std::vector<Message> messages = messages_of(result.diagnostics);
  messages.push_back(note(std::visit(Summary{result.inputs}, result.merged)));
  if (result.shard) messages.push_back(note(describe_shard(*result.shard, result)));
  add_builds(result.builds, messages);
  return messages;
}

}  // namespace pgo
