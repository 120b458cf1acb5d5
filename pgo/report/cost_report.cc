#include "pgo/report/cost_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/report/json_text.h"
#include "pgo/report/markdown_table.h"
#include "pgo/report/row_names.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

constexpr double kOnePercent = .01;

std::string cost_share_text(double share) { return format_decimal(100 * share, 2) + " %"; }

std::string cores_text(double cores) {
  constexpr double kSmallest = .01;
  if (cores >= 99.95) return format_count(static_cast<uint64_t>(whole_number(cores)));
  if (cores > 0 && cores < kSmallest) return "< 0.01";
  return format_decimal(cores, cores >= 9.995 ? 1 : 2);
}

std::string cores_phrase(double cores) {
  const std::string text = cores_text(cores);
  return text + (text == "1.00" ? " core" : " cores");
}

// "USD 12 300".
std::string money_text(const Price& price, double money) {
  return (price.currency.empty() ? "" : price.currency + " ") + format_amount(money);
}

// ": USD 12 300 a year"; nothing without a price.
std::string yearly_text(const Price& price, double share, const char* before) {
  const std::optional<double> money = price.money_of(share);
  return money ? before + money_text(price, *money) + " a year" : "";
}

std::string describe_counted(const CostResult& result) {
  std::string text = result.type + (result.unit.empty() ? "" : "/" + result.unit) + ", by ";
  text += result.by == RowsBy::kLabel ? "label " + result.label : row_word(result.by);
  if (result.has_inlined_frames && result.by == RowsBy::kFunction)
    text += result.physical ? ", inlined functions as parts of their callers"
                            : ", inlined functions by themselves";
  return text;
}

std::string describe_cost_inputs(const CostResult& result) {
  std::string text = format_count(result.profiles, "profile");
  if (result.hosts > 0) text += " of " + format_count(result.hosts, "host");
  return text + ", " + format_count(static_cast<uint64_t>(whole_number(result.samples)), "sample") +
         ": " + joined(result.inputs);
}

std::string describe_total(const Price& price) {
  std::string text = cores_phrase(price.cores.value_or(0));
  if (!price.core_hour) return text;
  return text + yearly_text(price, 1, ": ") + " (" +
         (price.currency.empty() ? "" : price.currency + " ") +
         nlohmann::json(*price.core_hour).dump() + " for a core hour)";
}

std::string describe_traffic(const Price& price, double times) {
  const double more = times - 1;
  return nlohmann::json(times).dump() + " times as much needs " +
         cores_phrase(price.cores_of(times).value_or(0)) + ", " +
         cores_text(price.cores_of(std::abs(more)).value_or(0)) + (more < 0 ? " less" : " more") +
         yearly_text(price, times, ": ") + ", if cost grows in proportion to traffic";
}

// Labels and values, one line each.
std::vector<std::pair<std::string, std::string>> cost_summary(const CostResult& result) {
  const Price& price = result.price;
  std::vector<std::pair<std::string, std::string>> lines{
      {"counted", describe_counted(result)}, {"profiles", describe_cost_inputs(result)}};
  if (!price.cores) return lines;
  lines.emplace_back("total", describe_total(price));
  lines.emplace_back("one percent", "1 % of the CPU is " +
                                        cores_phrase(price.cores_of(kOnePercent).value_or(0)) +
                                        yearly_text(price, kOnePercent, ": "));
  if (result.traffic) lines.emplace_back("traffic", describe_traffic(price, *result.traffic));
  return lines;
}

// The share that a row is ordered by.
double ordering_share(const CostResult& result, const CostRow& row) {
  return result.by_cumulative ? row.cumulative : row.share;
}

// Values of labels call nothing.
bool shows_cumulative(const CostResult& result) { return result.by != RowsBy::kLabel; }

std::vector<std::string> cost_titles(const CostResult& result) {
  std::vector<std::string> titles{"SHARE"};
  if (shows_cumulative(result)) titles = {"FLAT", "CUMULATIVE"};
  if (result.price.cores) titles.emplace_back("CORES");
  if (result.price.money_of(1))
    titles.push_back((result.price.currency.empty() ? "COST" : result.price.currency) + " A YEAR");
  return titles;
}

// As many as there are titles.
std::vector<std::string> cost_cells(const CostResult& result, const CostRow& row) {
  std::vector<std::string> cells{cost_share_text(row.share)};
  if (shows_cumulative(result)) cells.push_back(cost_share_text(row.cumulative));
  const double share = ordering_share(result, row);
  if (result.price.cores) cells.push_back(cores_text(result.price.cores_of(share).value_or(0)));
  if (std::optional<double> money = result.price.money_of(share))
    cells.push_back(format_amount(*money));
  return cells;
}

struct ShownCosts {
  std::vector<std::vector<std::string>> rows;  // cost_cells(), the team, the name
  std::string rest;                            // "... and 5 further rows"; empty: all are shown
};

ShownCosts shown_costs(const CostResult& result, const CostTable& table) {
  ShownCosts shown;
  std::vector<const CostRow*> rows;
  for (const CostRow& row : result.rows)
    if (ordering_share(result, row) > 0) rows.push_back(&row);
  if (rows.size() > table.top)
    shown.rest = "... and " + format_count(rows.size() - table.top, "further row");
  rows.resize(std::min(rows.size(), table.top));
  std::vector<const RowKey*> keys;
  for (const CostRow* row : rows) keys.push_back(&row->key);
  const std::vector<std::string> names = row_names(result.by, keys);
  for (size_t i = 0; i < rows.size(); i++) {
    shown.rows.push_back(cost_cells(result, *rows[i]));
    if (result.has_teams) shown.rows.back().push_back(rows[i]->team.empty() ? "-" : rows[i]->team);
    shown.rows.back().push_back(names[i]);
  }
  return shown;
}

nlohmann::json scaled_json(const Price& price, double share) {
  return {{"share", share},
          {"cores", number_json(price.cores_of(share))},
          {"per_year", number_json(price.money_of(share))}};
}

nlohmann::json cost_row_json(const CostResult& result, const CostRow& row) {
  nlohmann::json json = {{"name", row.key.name},
                         {"linkage_name", row.key.linkage},
                         {"file", row.key.file},
                         {"binary", row.key.binary},
                         {"flat", scaled_json(result.price, row.share)},
                         {"cumulative", scaled_json(result.price, row.cumulative)}};
  if (result.has_teams) json["team"] = row.team;
  return json;
}

}  // namespace

std::string costs_text(const CostResult& result, const CostTable& table) {
  TextSheet sheet;
  for (const auto& [label, value] : cost_summary(result)) sheet.row(label, value);
  std::vector<TableColumn> columns;
  for (const std::string& title : cost_titles(result)) columns.push_back({title, Align::kRight});
  if (result.has_teams) columns.push_back({"TEAM", Align::kLeft});
  columns.push_back({row_title(result.by, result.by_cumulative), Align::kLeft});
  const ShownCosts shown = shown_costs(result, table);
  sheet.table(columns, shown.rows);
  if (!shown.rest.empty()) sheet.line("  " + shown.rest);
  return sheet.text();
}

std::string costs_markdown(const CostResult& result, const CostTable& table) {
  std::string text;
  for (const auto& [label, value] : cost_summary(result))
    text += "- " + label + ": " + markdown_text(value) + "\n";
  std::string titles = "\n|", ruler = "\n|";
  for (const std::string& title : cost_titles(result)) {
    titles += " " + markdown_text(title) + " |";
    ruler += "--:|";
  }
  if (result.has_teams) titles += " TEAM |", ruler += "---|";
  text += titles + " " + row_title(result.by, result.by_cumulative) + " |" + ruler + "---|\n";
  const ShownCosts shown = shown_costs(result, table);
  for (const std::vector<std::string>& row : shown.rows) {
    text += '|';
    for (size_t i = 0; i < row.size(); i++) {
      const CellText kind = i + 1 < row.size() ? CellText::kWords : row_text(result.by);
      text += " " + markdown_cell(row[i], kind) + " |";
    }
    text += '\n';
  }
  if (!shown.rest.empty()) text += "\n" + shown.rest + "\n";
  return text + markdown_warnings(warning_lines(result.diagnostics));
}

nlohmann::json costs_json(const CostResult& result) {
  const Price& price = result.price;
  nlohmann::json json = {{"type", result.type},
                         {"unit", result.unit},
                         {"by", row_word(result.by)},
                         {"ordered_by", result.by_cumulative ? "cumulative" : "flat"},
                         {"inlined_apart", result.has_inlined_frames && !result.physical},
                         {"inputs", result.inputs},
                         {"profiles", result.profiles},
                         {"hosts", result.hosts},
                         {"samples", result.samples},
                         {"core_hour", number_json(price.core_hour)},
                         {"currency", price.currency},
                         {"total", scaled_json(price, 1)},
                         {"rows", nlohmann::json::array()},
                         {"warnings", warnings_json(result.diagnostics)}};
  if (result.by == RowsBy::kLabel) json["label"] = result.label;
  if (price.cores) json["one_percent"] = scaled_json(price, kOnePercent);
  if (price.cores && result.traffic)
    json["traffic"] = {{"times", *result.traffic},
                       {"cores", number_json(price.cores_of(*result.traffic))},
                       {"per_year", number_json(price.money_of(*result.traffic))}};
  return json;
}

std::string costs_json_text(const nlohmann::json& json, const CostResult& result) {
  return json_text_with_rows(json, result.rows.size(),
                             [&](size_t row) { return cost_row_json(result, result.rows[row]); });
}

std::vector<Message> costs_messages(const CostResult& result) {
  std::vector<Message> messages = messages_of(result.diagnostics);
  if (!result.price.cores)
    messages.push_back(
        note("Only shares are shown; \xFF{cores} N and \xFF{core-hour} PRICE, or [cost] in "
             "pgo.toml, add cores and money (N: cores that the service keeps busy on average)"));
  else if (!result.price.core_hour)
    messages.push_back(note("\xFF{core-hour} PRICE, or [cost] in pgo.toml, adds money"));
  return messages;
}

}  // namespace pgo
