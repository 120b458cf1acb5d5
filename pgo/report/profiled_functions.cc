#include "pgo/report/profiled_functions.h"

#include "pgo/base/number_text.h"
#include "pgo/code/shown_name.h"

namespace pgo {

void add_sums(const ProfiledFunctions& functions, const FunctionNotes& notes, ShowReport& report,
              TextSheet& sheet) {
  report.json["functions"] = functions.count;
  report.json["total"] = functions.total;
  report.json["head"] = functions.head;
  std::vector<std::string> lines{format_count(functions.count) + notes.behind};
  if (!notes.below.empty()) lines.push_back(notes.below);
  sheet.rows("functions", lines);
  sheet.row("total", format_count(functions.total) + ", " +
                         format_count(functions.head, "call of a function", "calls of functions"));
}

void add_hottest(const ProfiledFunctions& functions, ShowReport& report, TextSheet& sheet) {
  std::vector<std::vector<std::string>> rows;
  report.json["hottest"] = nlohmann::json::array();
  for (const ProfiledFunctions::Function& function : functions.hottest) {
    rows.push_back({format_count(function.total), format_percent(function.total, functions.total),
                    format_count(function.head), shown_name(function.name)});
    nlohmann::json json{
        {"function", function.name}, {"total", function.total}, {"head", function.head}};
    if (function.checksum) json["checksum"] = *function.checksum;
    report.json["hottest"].push_back(std::move(json));
  }
  if (rows.empty()) return;
  sheet.table(
      {{"TOTAL", Align::kRight}, {"SHARE", Align::kRight}, {"CALLS", Align::kRight}, {"FUNCTION"}},
      rows);
}

}  // namespace pgo
