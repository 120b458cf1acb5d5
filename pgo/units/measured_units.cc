#include "pgo/units/measured_units.h"

#include <map>
#include <optional>
#include <utility>

#include "pgo/base/time_text.h"

namespace pgo {
namespace {

// Empty when the labels name none.
std::string host_of_series(const Labels& labels) {
  const auto host = labels.find("host");
  if (host != labels.end()) return host->second;
  const auto instance = labels.find("instance");
  if (instance == labels.end()) return {};
  const std::string& address = instance->second;
  const size_t colon = address.rfind(':');
  return address.substr(0, address.ends_with(']') ? address.npos : colon);
}

}  // namespace

Result<SideUnits> side_units(const std::vector<MeasuredWork>& works, const std::string& label,
                             const std::string& query) {
  std::map<std::pair<std::string, std::string>, double> sums;  // by host and value of the label
  bool is_nameless = false;
  for (const MeasuredWork& one : works) {
    std::string value;
    if (!label.empty()) {
      const auto found = one.labels.find(label);
      if (found == one.labels.end())
        return fail(
            ErrorKind::kUsage,
            query + ": a series has no label '" + label + "', by which \xFF{standardize} compares",
            "keep this label in the query");
      value = found->second;
    }
    const std::string host = host_of_series(one.labels);
    is_nameless |= host.empty();
    sums[{host, value}] += one.work;
  }
  SideUnits units;
  if (label.empty() && works.size() == 1 && is_nameless) {
    units.total = works[0].work;
    return units;
  }
  bool has_host = false;
  for (const auto& [key, work] : sums) {
    has_host |= !key.first.empty();
    units.members.push_back({key.first, work, key.second});
  }
  if (is_nameless && (label.empty() || has_host))
    return fail(ErrorKind::kUsage,
                query + ": gives " + std::to_string(works.size()) +
                    " series, and some have neither the label 'host' nor 'instance'",
                "sum them by host, or to one number");
  return units;
}

Result<TimeWindow> parse_window(const char* option, std::string_view text) {
  const size_t slash = text.find('/');
  std::optional<int64_t> begin, end;
  if (slash != text.npos) {
    begin = parse_time(text.substr(0, slash));
    end = parse_time(text.substr(slash + 1));
  }
  if (begin && end && *begin < *end) return TimeWindow{*begin, *end};
  return fail(ErrorKind::kUsage,
              std::string(option) + " " + std::string(text) +
                  ": expected FROM/TO, two times, the earlier one first, such as "
                  "2026-11-20T10:00/2026-11-20T12:00");
}

}  // namespace pgo
