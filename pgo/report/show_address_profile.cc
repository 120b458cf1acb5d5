// An address profile: its events, its funnel, and the builds that it is of.

#include "pgo/base/number_text.h"
#include "pgo/report/build_table.h"
#include "pgo/report/funnel.h"
#include "pgo/report/provenance.h"
#include "pgo/report/show_kinds.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

std::string describe_event(const EventInfo& event) {
  std::string text = event.name + ", " + format_count(event.samples, "sample");
  if (event.period == 0) return text;
  return text + (event.is_frequency ? " at " + format_count(event.period) + " Hz"
                                    : ", one every " + format_count(event.period));
}

void add_builds(const std::vector<BuildShare>& builds, size_t top, const OptionWordsFn& words,
                TextSheet& sheet) {
  std::vector<std::vector<std::string>> rows;
  for (const BuildShare& build : builds) {
    if (rows.size() == top) break;
    rows.push_back({format_percent(build.count, build.total), format_count(build.traces),
                    format_count(build.addresses), format_count(build.calls),
                    format_build_id(build.id), build.path});
  }
  sheet.table({{"SHARE", Align::kRight},
               {"TRACES", Align::kRight},
               {"ADDRESSES", Align::kRight},
               {"CALLS", Align::kRight},
               {"BUILD ID"},
               {"BINARY"}},
              rows);
  if (rows.size() < builds.size())
    sheet.line("  and " + format_count(builds.size() - rows.size()) + " more" +
               words(" (\xFF{top})"));
}

}  // namespace

ShowReport report_contents(const ShowResult& result, const AddressContents& contents,
                           const OptionWordsFn& words) {
  const AddressProfile& summary = contents.summary;
  ShowReport report;
  report.json = funnel_json(summary);
  report.json["path"] = result.path;
  report.json["format"] = "addr";
  report.json["size"] = result.size;
  report.json["builds"] = address_builds_json(contents.builds);
  if (!summary.origins.empty()) report.json["origins"] = origins_json(summary.origins);
  TextSheet sheet;
  sheet.line(result.path + ": address profile, " + format_size(result.size));
  for (const EventInfo& event : summary.events) sheet.row("event", describe_event(event));
  add_origins(summary.origins, sheet);
  if (summary.samples.seen != 0) sheet.block(format_funnel(summary));
  add_builds(contents.builds, result.top, words, sheet);
  for (const auto& [kind, entry] : summary.diagnostics.entries())
    for (const std::string& message : entry.messages) sheet.line("  " + message);
  report.text = sheet.text();
  return report;
}

}  // namespace pgo
