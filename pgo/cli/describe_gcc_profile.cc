// What a profile for GCC's -fauto-profile holds: how much it counts, its hottest functions.

#include <algorithm>

#include "converters/gcc_auto/gcc_auto_profile.h"
#include "pgo/cli/description.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/text_sheet.h"
#include "pgo/profile/accounting.h"
#include "pgo/symbolize/demangled_name.h"

namespace pgo {
namespace {

constexpr GccAutoProfile::Place kDiscriminator = 0xffff;

struct Function {
  std::string name;
  uint64_t total = 0, head = 0;
};

bool has_discriminators(const GccAutoProfile::Body& body) {
  return std::any_of(body.positions.begin(), body.positions.end(),
                     [](const auto& one) { return (one.first & kDiscriminator) != 0; }) ||
         std::any_of(body.inlined.begin(), body.inlined.end(), [](const auto& one) {
           return (one.first.first & kDiscriminator) != 0 || has_discriminators(one.second);
         });
}

}  // namespace

Result<Description> describe_gcc_profile(Bytes bytes, const std::string& path,
                                         const DescribeOptions& options) {
  PGO_TRY(GccAutoProfile profile, parse_gcc_auto_profile(bytes, path));
  std::vector<Function> functions;  // hottest first; equal ones by name
  uint64_t total = 0, head = 0;
  bool discriminators = false;
  for (const auto& [name, function] : profile.functions) {
    functions.push_back({name, function.body.total(), function.head});
    total = saturating_add(total, functions.back().total);
    head = saturating_add(head, function.head);
    discriminators |= has_discriminators(function.body);
  }
  std::stable_sort(functions.begin(), functions.end(),
                   [](const Function& a, const Function& b) { return a.total > b.total; });

  Description description;
  description.json = {{"path", path},
                      {"format", "gcc"},
                      {"size", bytes.size()},
                      {"functions", functions.size()},
                      {"total", total},
                      {"head", head},
                      {"discriminators", discriminators}};
  TextSheet sheet;
  sheet.line(path + ": GCC profile for -fauto-profile, " + format_size(bytes.size()));
  sheet.row("kind", discriminators ? "by line and discriminator, as GCC 13 to 15 look them up"
                                   : "by line, as GCC 12 looks them up");
  sheet.row("functions", format_count(functions.size()));
  sheet.row("total", format_count(total) + ", " + format_count(head) + " calls of functions");
  std::vector<std::vector<std::string>> rows;
  description.json["hottest"] = nlohmann::json::array();
  for (size_t i = 0; i < std::min(options.top, functions.size()); i++) {
    const Function& function = functions[i];
    rows.push_back({format_count(function.total), format_percent(function.total, total),
                    format_count(function.head), demangled_name(function.name)});
    description.json["hottest"].push_back(
        {{"function", function.name}, {"total", function.total}, {"head", function.head}});
  }
  if (!rows.empty())
    sheet.table({{"TOTAL", Align::kRight},
                 {"SHARE", Align::kRight},
                 {"CALLS", Align::kRight},
                 {"FUNCTION"}},
                rows);
  description.text = sheet.text();
  return description;
}

}  // namespace pgo
