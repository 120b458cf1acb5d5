#include "pgo/cli/entered_functions.h"

#include <algorithm>

#include "pgo/cli/funnel.h"
#include "pgo/profile/accounting.h"
#include "pgo/symbolize/shown_name.h"

namespace pgo {

void EnteredFunctions::add(EnteredFunction function) {
  total_ = saturating_add(total_, function.total);
  head_ = saturating_add(head_, function.head);
  functions_.push_back(std::move(function));
}

void EnteredFunctions::add_sums(Description& description, TextSheet& sheet,
                                const std::string& note) const {
  description.json["functions"] = functions_.size();
  description.json["total"] = total_;
  description.json["head"] = head_;
  sheet.row("functions", format_count(functions_.size()) + note);
  sheet.row("total", format_count(total_) + ", " +
                         format_count(head_, "call of a function", "calls of functions"));
}

void EnteredFunctions::add_hottest(size_t top, Description& description, TextSheet& sheet) {
  std::sort(functions_.begin(), functions_.end(),
            [](const EnteredFunction& a, const EnteredFunction& b) {
              return a.total != b.total ? a.total > b.total : a.name < b.name;
            });
  std::vector<std::vector<std::string>> rows;
  description.json["hottest"] = nlohmann::json::array();
  for (size_t i = 0; i < std::min(top, functions_.size()); i++) {
    const EnteredFunction& function = functions_[i];
    rows.push_back({format_count(function.total), format_percent(function.total, total_),
                    format_count(function.head), shown_name(function.name)});
    nlohmann::json json{
        {"function", function.name}, {"total", function.total}, {"head", function.head}};
    if (!function.more.is_null()) json.update(function.more);
    description.json["hottest"].push_back(std::move(json));
  }
  if (rows.empty()) return;
  sheet.table(
      {{"TOTAL", Align::kRight}, {"SHARE", Align::kRight}, {"CALLS", Align::kRight}, {"FUNCTION"}},
      rows);
}

}  // namespace pgo
