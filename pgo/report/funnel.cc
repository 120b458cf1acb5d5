#include "pgo/report/funnel.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "pgo/base/number_text.h"
#include "pgo/report/message.h"

namespace pgo {
namespace {

void add_stage(std::string& text, const std::string& what, uint64_t count, uint64_t whole) {
  char line[160];
  std::snprintf(line, sizeof line, "  %-50s %16s  %7s\n", what.c_str(), format_count(count).c_str(),
                format_percent(count, whole).c_str());
  text += line;
}

void add_drops(std::string& text, const Accounting& accounting) {
  for (size_t i = 0; i < kDroppedCount; i++) {
    Dropped reason = static_cast<Dropped>(i);
    if (accounting[reason] == 0) continue;
    add_stage(text, "- " + std::string(dropped_sentence(reason)), accounting[reason],
              accounting.seen);
  }
}

std::string format_use(const Accounting& accounting, const std::string& what) {
  std::string text =
      what + ": " +
      (accounting.used == 0 ? "none" : format_percent(accounting.used, accounting.seen)) + " used";
  const std::string drops = format_drops(accounting);
  return drops.empty() ? text : text + " (" + drops + ")";
}

}  // namespace

std::string format_funnel(const AddressProfile& profile) {
  std::string text;
  add_stage(text, "samples", profile.samples.seen, profile.samples.seen);
  add_drops(text, profile.samples);
  add_stage(text, "= samples used", profile.samples.used, profile.samples.seen);
  if (profile.branches.seen != 0) {
    add_stage(text, "branch records in them", profile.branches.seen, profile.branches.seen);
    add_drops(text, profile.branches);
    add_stage(text, "= branch records used", profile.branches.used, profile.branches.seen);
  }
  if (profile.lost != 0)
    text += "  " + format_count(profile.lost, "more sample was", "more samples were") +
            " lost by the kernel\n";
  return text;
}

std::string format_funnel_line(const AddressProfile& profile) {
  std::string text = format_use(profile.samples, format_count(profile.samples.seen, "sample"));
  if (profile.branches.seen != 0)
    text +=
        "; " + format_use(profile.branches, format_count(profile.branches.seen, "branch record"));
  if (profile.lost != 0)
    text += "; " + format_count(profile.lost, "more sample was", "more samples were") +
            " lost by the kernel";
  return text;
}

nlohmann::json accounting_json(const Accounting& accounting) {
  nlohmann::json dropped = nlohmann::json::object();
  for (size_t i = 0; i < kDroppedCount; i++)
    if (accounting.dropped[i] != 0)
      dropped[std::string(dropped_name(static_cast<Dropped>(i)))] = accounting.dropped[i];
  return {{"seen", accounting.seen}, {"used", accounting.used}, {"dropped", dropped}};
}

std::string format_funnel(const perf_data::RecordingSummary& summary) {
  const Accounting& samples = summary.samples;
  std::string text;
  add_stage(text, "records", summary.records, summary.records);
  add_stage(text, "samples in them", samples.seen, summary.records);
  add_drops(text, samples);
  add_stage(text, "= in recorded files", samples.used, samples.seen);
  add_stage(text, "samples with branch records", summary.with_branches, samples.seen);
  if (summary.branch_records != 0)
    add_stage(text, "branch records in them", summary.branch_records, summary.branch_records);
  return text;
}

nlohmann::json funnel_json(const AddressProfile& profile) {
  nlohmann::json json{{"samples", accounting_json(profile.samples)},
                      {"branches", accounting_json(profile.branches)},
                      {"lost", profile.lost}};
  json["events"] = nlohmann::json::array();
  for (const EventInfo& event : profile.events)
    json["events"].push_back({{"name", event.name},
                              {"samples", event.samples},
                              {event.is_frequency ? "frequency" : "period", event.period}});
  json["warnings"] = warnings_json(profile.diagnostics);
  return json;
}

}  // namespace pgo
