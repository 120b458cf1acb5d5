// What BOLT's profiles hold: fdata, YAML, and the pre-aggregated traces that fdata is made from.

#include <algorithm>
#include <cstdio>

#include "bolt/bolt_yaml.h"
#include "bolt/fdata.h"
#include "bolt/preaggregated.h"
#include "pgo/cli/description.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/text_sheet.h"
#include "pgo/profile/accounting.h"
#include "pgo/symbolize/shown_name.h"

namespace pgo {
namespace {

std::string hex_text(OptElfAddr addr) {
  if (!addr) return "outside";
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>((*addr).value));
  return text;
}

nlohmann::json hex_json(OptElfAddr addr) {
  return addr ? nlohmann::json(hex_text(addr)) : nlohmann::json();
}

std::string name_of(const FdataFunction& function) { return function.name; }
std::string name_of(const BoltYamlFunction& function) { return bolt_yaml_scalar(function.name); }

// Of all functions, hottest first; there may be millions. Shares are of `total`, as it is printed:
// what is in no known function counts as well.
template <typename Function>
void add_hottest(const std::vector<Function>& functions, uint64_t total, size_t top,
                 Description& description, TextSheet& sheet) {
  std::vector<std::vector<std::string>> rows;
  description.json["hottest"] = nlohmann::json::array();
  for (size_t i = 0; i < std::min(top, functions.size()); i++) {
    const Function& function = functions[i];
    rows.push_back({format_count(function.count), format_percent(function.count, total),
                    format_percent(function.mispredicts, function.count),
                    shown_name(name_of(function))});
    description.json["hottest"].push_back({{"function", name_of(function)},
                                           {"count", function.count},
                                           {"mispredicts", function.mispredicts}});
  }
  description.json["functions"] = functions.size();
  sheet.row("functions", format_count(functions.size()));
  if (!rows.empty())
    sheet.table({{"COUNT", Align::kRight},
                 {"SHARE", Align::kRight},
                 {"MISPREDICTED", Align::kRight},
                 {"FUNCTION"}},
                rows);
}

void add_hottest_traces(const BinaryCounts& counts, size_t top, Description& description,
                        TextSheet& sheet) {
  std::vector<Trace> traces = counts.traces;
  uint64_t total = 0;
  for (const Trace& trace : traces) total = saturating_add(total, trace.count);
  std::stable_sort(traces.begin(), traces.end(),
                   [](const Trace& a, const Trace& b) { return a.count > b.count; });
  traces.resize(std::min(top, traces.size()));
  std::vector<std::vector<std::string>> rows;
  description.json["hottest"] = nlohmann::json::array();
  for (const Trace& trace : traces) {
    rows.push_back({format_count(trace.count), format_percent(trace.count, total),
                    hex_text(trace.from), hex_text(trace.to),
                    trace.last ? hex_text(trace.last) : ""});
    description.json["hottest"].push_back({{"from", hex_json(trace.from)},
                                           {"to", hex_json(trace.to)},
                                           {"last", hex_json(trace.last)},
                                           {"count", trace.count}});
  }
  if (!rows.empty())
    sheet.table({{"COUNT", Align::kRight}, {"SHARE", Align::kRight}, {"BRANCH"}, {"TO"}, {"UP TO"}},
                rows);
}

}  // namespace

Result<Description> describe_fdata(Bytes bytes, const std::string& path,
                                   const DescribeOptions& options) {
  PGO_TRY(FdataProfile profile, parse_fdata(bytes, path));
  Description description;
  description.json = {{"path", path},
                      {"format", "fdata"},
                      {"size", bytes.size()},
                      {"plain_samples", profile.plain_samples},
                      {"bolted", profile.bolted_collection},
                      {"events", profile.events},
                      {"branches", profile.branches.size()},
                      {"samples", profile.samples.size()},
                      {"memory_accesses", profile.memory.size()},
                      {"total", profile.total_count()},
                      {"mispredicts", profile.total_mispredicts()}};
  TextSheet sheet;
  sheet.line(path + ": BOLT profile (fdata), " + format_size(bytes.size()));
  sheet.row("kind", std::string(profile.plain_samples ? "plain samples" : "branches") +
                        (profile.bolted_collection ? ", of a binary that BOLT had made" : "") +
                        (profile.events.empty() ? "" : ", event " + joined(profile.events)));
  size_t records = profile.branches.size() + profile.samples.size() + profile.memory.size();
  sheet.row("records", format_count(records));
  sheet.row("total", format_count(profile.total_count()) + ", " +
                         format_percent(profile.total_mispredicts(), profile.total_count()) +
                         " mispredicted");
  add_hottest(hottest_functions(profile), profile.total_count(), options.top, description, sheet);
  description.text = sheet.text();
  return description;
}

Result<Description> describe_bolt_yaml(Bytes bytes, const std::string& path,
                                       const DescribeOptions& options) {
  PGO_TRY(BoltYamlProfile profile, parse_bolt_yaml(bytes, path));
  uint64_t total = 0, mispredicts = 0, entries = 0;
  for (const BoltYamlFunction& function : profile.functions) {
    total = saturating_add(total, function.count);
    mispredicts = saturating_add(mispredicts, function.mispredicts);
    entries = saturating_add(entries, function.entries);
  }
  // Those with equal counts in the order of the file, of which stable_sort would take a copy.
  std::sort(profile.functions.begin(), profile.functions.end(),
            [](const BoltYamlFunction& a, const BoltYamlFunction& b) {
              return a.count != b.count ? a.count > b.count : a.name.data() < b.name.data();
            });

  Description description;
  description.json = {{"path", path},
                      {"format", "bolt-yaml"},
                      {"size", bytes.size()},
                      {"binary", profile.binary_name},
                      {"build_id", profile.build_id.hex()},
                      {"plain_samples", profile.plain_samples},
                      {"total", total},
                      {"mispredicts", mispredicts},
                      {"entries", entries}};
  TextSheet sheet;
  sheet.line(path + ": BOLT profile (YAML), " + format_size(bytes.size()));
  if (!profile.binary_name.empty()) sheet.row("binary", profile.binary_name);
  sheet.row("build id", format_build_id(profile.build_id.hex()));
  sheet.row("kind", profile.plain_samples ? "plain samples" : "branches");
  sheet.row("total", format_count(total) + ", " + format_percent(mispredicts, total) +
                         " mispredicted, " +
                         format_count(entries, "call of a function", "calls of functions"));
  add_hottest(profile.functions, total, options.top, description, sheet);
  description.text = sheet.text();
  return description;
}

Result<Description> describe_preaggregated(Bytes bytes, const std::string& path,
                                           const DescribeOptions& options) {
  PGO_TRY(PreaggregatedProfile profile, parse_preaggregated(bytes, path));
  uint64_t total = 0, mispredicts = 0, samples = 0;
  for (const Trace& trace : profile.counts.traces) total = saturating_add(total, trace.count);
  for (const Mispredict& branch : profile.counts.mispredicts)
    mispredicts = saturating_add(mispredicts, branch.count);
  for (const IpCount& ip : profile.counts.ips) samples = saturating_add(samples, ip.count);

  Description description;
  description.json = {{"path", path},
                      {"format", "preagg"},
                      {"size", bytes.size()},
                      {"build_id", profile.counts.id.hex()},
                      {"events", profile.events},
                      {"records", profile.records},
                      {"traces", profile.counts.traces.size()},
                      {"total", total},
                      {"mispredicts", mispredicts},
                      {"samples", samples}};
  TextSheet sheet;
  sheet.line(path + ": pre-aggregated traces for perf2bolt -pa, " + format_size(bytes.size()));
  if (!profile.counts.id.empty()) sheet.row("build id", profile.counts.id.hex());
  if (!profile.events.empty()) sheet.row("events", joined(profile.events));
  sheet.row("records", format_count(profile.records) + ", " +
                           format_count(profile.counts.traces.size(), "different trace"));
  sheet.row("total", format_count(total, "branch", "branches") + ", " +
                         format_percent(mispredicts, total) + " mispredicted");
  if (samples != 0) sheet.row("samples", format_count(samples));
  add_hottest_traces(profile.counts, options.top, description, sheet);
  description.text = sheet.text();
  return description;
}

}  // namespace pgo
