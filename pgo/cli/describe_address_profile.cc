// What an address profile holds: of which builds, how much of each, of which events, and what
// became of what was seen.

#include <algorithm>

#include "converters/address/address_profile_reader.h"
#include "pgo/cli/address_builds.h"
#include "pgo/cli/description.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/plain_samples.h"
#include "pgo/cli/text_sheet.h"

namespace pgo {
namespace {

std::string describe_event(const EventInfo& event) {
  std::string text = event.name + ", " + format_count(event.samples, "sample");
  if (event.period == 0) return text;
  return text + (event.is_frequency ? " at " + format_count(event.period) + " Hz"
                                    : ", one every " + format_count(event.period));
}

void add_builds(const AddressProfile& profile, size_t top, TextSheet& sheet) {
  std::vector<std::vector<std::string>> rows;
  std::vector<AddressBuild> builds = list_builds(profile);
  for (const AddressBuild& build : builds) {
    if (rows.size() == top) break;
    rows.push_back({format_percent(build.count, build.total), format_count(build.traces),
                    format_count(build.ips), format_count(build.calls), format_build_id(build.id),
                    build.path});
  }
  sheet.table({{"SHARE", Align::kRight},
               {"TRACES", Align::kRight},
               {"ADDRESSES", Align::kRight},
               {"CALLS", Align::kRight},
               {"BUILD ID"},
               {"BINARY"}},
              rows);
  if (rows.size() < builds.size())
    sheet.line("  and " + format_count(builds.size() - rows.size()) + " more (--top)");
}

}  // namespace

Result<Description> describe_address_profile(Bytes bytes, const std::string& path,
                                             const DescribeOptions& options) {
  PGO_TRY(AddressProfile profile, read_address_profile(bytes, path));
  keep_plain_samples(profile);
  Description description;
  description.json = funnel_json(profile);
  description.json["path"] = path;
  description.json["format"] = "addr";
  description.json["size"] = bytes.size();
  description.json["builds"] = builds_json(profile);
  TextSheet sheet;
  sheet.line(path + ": address profile, " + format_size(bytes.size()));
  for (const EventInfo& event : profile.events) sheet.row("event", describe_event(event));
  if (profile.samples.seen != 0) sheet.block(format_funnel(profile));
  add_builds(profile, options.top, sheet);
  for (const auto& [kind, entry] : profile.diagnostics.entries())
    for (const std::string& message : entry.messages) sheet.line("  " + message);
  description.text = sheet.text();
  return description;
}

}  // namespace pgo
