#include "pgo/report/stack_conversion_report.h"

#include <nlohmann/json.hpp>
#include <string>

#include "pgo/base/number_text.h"
#include "pgo/profile/thresholds.h"
#include "pgo/report/build_table.h"

namespace pgo {
namespace {

constexpr size_t kShownFiles = 5;

nlohmann::json weight_json(const NamedWeight& weight) {
  return {{"total", weight.total()},
          {"by_debug_information", weight.by_debug_info},
          {"by_symbol", weight.by_symbol},
          {"by_input", weight.by_profile},
          {"unnamed", weight.unnamed}};
}

std::string describe_naming(const StackConversion& result) {
  const NamedWeight& weight = result.naming.weight;
  const uint64_t total = weight.total();
  std::string text =
      format_count(result.samples, "different sample") + "; of " + result.weight.type + "/" +
      result.weight.unit + ", " + format_percent(weight.by_debug_info, total) +
      " is named by debug information, " + format_percent(weight.by_symbol, total) + " by symbol";
  if (weight.by_profile != 0)
    text += ", " + format_percent(weight.by_profile, total) + " was named before";
  return text + ", " + format_percent(weight.unnamed, total) + " has no name";
}

// Files with much of what has no name, and that none of the binaries is.
void add_unnamed_files(const StackConversion& result, std::vector<Message>& messages) {
  const uint64_t total = result.naming.weight.total();
  size_t shown = 0;
  for (const StackNaming::File& file : result.naming.files) {
    const bool is_file = !file.path.empty() && !file.path.starts_with('[');
    if (file.binary || !is_file || shown == kShownFiles ||
        static_cast<double>(file.weight.unnamed) <
            thresholds::kNamelessShare * static_cast<double>(total))
      continue;
    shown++;
    messages.push_back(note(format_percent(file.weight.unnamed, total) + " is in " + file.path +
                            " (build ID " + format_build_id(file.build_id) +
                            "), which no \xFF{binary} names"));
  }
}

}  // namespace

nlohmann::json stack_conversion_json(const StackConversion& result) {
  nlohmann::json json = {{"samples", result.samples},
                         {"lost", result.lost},
                         {"totals", totals_json(result.totals)},
                         {"weighed_by", result.weight.type + "/" + result.weight.unit},
                         {"addresses", result.naming.addresses},
                         {"named", weight_json(result.naming.weight)},
                         {"warnings", warnings_json(result.diagnostics)}};
  if (!result.host.empty()) json["host"] = result.host;
  if (!result.cpu_model.empty()) json["cpu"] = result.cpu_model;
  json["files"] = nlohmann::json::array();
  for (const StackNaming::File& file : result.naming.files)
    json["files"].push_back({{"path", file.path},
                             {"build_id", file.build_id},
                             {"is_binary", file.binary.has_value()},
                             {"named", weight_json(file.weight)}});
  for (const OutputFile& output : result.outputs) json["outputs"].push_back(output.path);
  return json;
}

std::vector<Message> stack_conversion_messages(const StackConversion& result) {
  std::vector<Message> messages = messages_of(result.diagnostics);
  if (result.lost != 0)
    messages.push_back(warning("the kernel lost " + format_count(result.lost, "sample") +
                               "; they are in no profile"));
  if (result.binaries == 0) {
    messages.push_back(note(format_count(result.samples, "different sample") +
                            "; addresses have no names: no \xFF{binary} was given"));
    return messages;
  }
  messages.push_back(note(describe_naming(result)));
  add_unnamed_files(result, messages);
  return messages;
}

}  // namespace pgo
