#include "pgo/report/verify_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pgo/base/number_text.h"
#include "pgo/code/shown_name.h"
#include "pgo/profile/thresholds.h"
#include "pgo/report/call_growth_text.h"
#include "pgo/report/json_text.h"
#include "pgo/report/junit_text.h"
#include "pgo/report/markdown_table.h"
#include "pgo/report/owner_report.h"
#include "pgo/report/phrase.h"
#include "pgo/report/rate_text.h"
#include "pgo/report/ratio_text.h"
#include "pgo/report/release_builds.h"
#include "pgo/report/text_sheet.h"
#include "pgo/verdict/share_growth.h"

namespace pgo {
namespace {

const char* doubt_word(Doubt doubt) {
  switch (doubt) {
    case Doubt::kNone: return "";
    case Doubt::kOneProfile: return "one profile a side";
    case Doubt::kWideInterval: return "wide interval";
    case Doubt::kBetween: return "between the limits";
    case Doubt::kNames: return "names on one side";
    case Doubt::kFunctions: return "functions not known";
    case Doubt::kShares: return "most shares grew";
    case Doubt::kUnits: return "units differ";
  }
  return "";
}

const DiffRow& row_of(const VerifyResult& result, const GrownFunction& function) {
  return result.comparison.rows[function.row];
}

Phrase growth_phrase(const VerifyResult& result, const GrownFunction& function) {
  const DiffRow& row = row_of(result, function);
  return Phrase::code(shown_name(row.key.name)) + " (" + change_text(row.flat.estimate.ratio()) +
         ")";
}

Phrase functions_sentence(const VerifyResult& result) {
  const std::string limit = size_text(result.limits.function_growth);
  const auto& grown = result.functions.grown;
  if (grown.empty())
    return "no function of at least " + size_text(result.limits.function_share) +
           " is shown to have grown by more than " + limit;
  Phrase sentence = growth_phrase(result, grown[0]);
  if (grown.size() > 1) sentence += " and " + format_count(grown.size() - 1, "more function");
  return sentence + " grew by more than " + limit;
}

std::string advice_for_functions(const VerifyResult& result) {
  const std::array<double, 2>& nameless = result.functions.nameless;
  if (nameless[0] + nameless[1] < 2 * (1 - thresholds::kKnownFunctions))
    return "add hosts or samples";
  return "code without function names has " + format_share(nameless[1]) +
         " after: name the binaries, and the debug files of stripped ones";
}

// Empty for shares.
std::string cost_sentence(const VerifyResult& result) {
  return result.cost ? "a unit of work costs " + range_text(result.cost->interval) : "";
}

std::string growth_of_others_sentence(const VerifyResult& result) {
  const std::vector<DiffRow>& rows = result.comparison.rows;
  const std::vector<size_t>& like_others = result.functions.like_others;
  const DiffRow& fallen = rows[find_most_fallen(rows)];
  return "the share of " + rows[like_others[0]].key.name +
         (like_others.size() > 1 ? " and " + format_count(like_others.size() - 1, "more function")
                                 : "") +
         " grew like those of most others (+" +
         format_share(result.functions.growth_of_others - 1) + "), because " + fallen.key.name +
         " fell from " + format_share(fallen.flat.rate_a) + " to " +
         format_share(fallen.flat.rate_b) +
         ", or because all of them became dearer; give the units of work of both sides";
}

// Is this what makes the difference of code without names?
bool is_by_other_binaries(const FunctionVerdict& functions) {
  const auto difference = [](const std::array<double, 2>& shares) {
    return std::abs(shares[0] - shares[1]);
  };
  return 2 * difference(functions.other_binaries) > difference(functions.nameless);
}

std::string doubt_sentence(const VerifyResult& result, Doubt doubt) {
  switch (doubt) {
    case Doubt::kNone: return "";
    case Doubt::kOneProfile:
      return "one profile per side does not show how much hosts and hours differ; name several "
             "profiles for each side";
    case Doubt::kWideInterval: {
      const char* what =
          result.comparison.basis == verify::Basis::kSampling ? "samples" : "hosts or hours";
      return cost_sentence(result) + "; " +
             (result.times_data ? times_text(*result.times_data, what)
                                : std::string("more ") + what + " are needed to decide");
    }
    case Doubt::kBetween:
      return cost_sentence(result) +
             "; the estimate is between the limits for pass and fail, so more data will not decide";
    case Doubt::kNames:
      if (is_by_other_binaries(result.functions))
        return "one side was converted to address profiles for fewer binaries: code of others "
               "has " +
               format_share(result.functions.other_binaries[0]) + " of the cost before, and " +
               format_share(result.functions.other_binaries[1]) +
               " after; convert the recordings of both sides for the same binaries";
      return "functions have names on one side only: code without names has " +
             format_share(result.functions.nameless[0]) + " of the cost before, and " +
             format_share(result.functions.nameless[1]) +
             " after; name the binaries of both sides, and the debug files of stripped ones";
    case Doubt::kShares: return growth_of_others_sentence(result);
    case Doubt::kFunctions:
      return "only functions with " + format_share(result.functions.known) +
             " of the cost are certain not to have grown by more than " +
             size_text(result.limits.function_growth) + ", and " +
             format_share(thresholds::kKnownFunctions) + " are needed; " +
             advice_for_functions(result);
    case Doubt::kUnits:
      return cost_sentence(result) +
             ", which is rarely true: count the units of work of both sides alike, or expect a "
             "drop of 90 % or more";
  }
  return "";
}

Phrase failure_sentence(const VerifyResult& result) {
  if (result.cost_outcome != Outcome::kFail) return functions_sentence(result);
  const Phrase sentence =
      cost_sentence(result) + "; the limit is " + size_text(result.limits.growth) + " more";
  return result.functions.grown.empty() ? sentence : sentence + "; " + functions_sentence(result);
}

Phrase success_sentence(const VerifyResult& result) {
  if (result.cost) return cost_sentence(result);
  return functions_sentence(result) +
         "; shares cannot show a change that all functions have in common";
}

// "a unit of work: pass at 3.0 % less, fail above 1.0 % more".
std::string cost_limits_text(const Limits& limits) {
  const std::string fail = ", fail above " + size_text(limits.growth) + " more";
  if (limits.drop) return "a unit of work: pass at " + size_text(*limits.drop) + " less" + fail;
  if (limits.pass_growth && *limits.pass_growth < limits.growth)
    return "a unit of work: pass up to " + size_text(*limits.pass_growth) + " more" + fail;
  return "a unit of work: at most " + size_text(limits.growth) + " more";
}

double largest_growth(const std::map<RowKey, double>& limits) {
  double largest = 0;
  for (const auto& [function, growth] : limits) largest = std::max(largest, growth);
  return largest;
}

std::string limits_text(const VerifyResult& result) {
  std::string text = (result.cost ? cost_limits_text(result.limits) + "; " : std::string()) +
                     "each function: at most " + size_text(result.limits.function_growth) + " more";
  if (result.spread && !result.spread->own_limits.empty())
    text += " (" + format_count(result.spread->own_limits.size(), "function") + ": up to " +
            size_text(largest_growth(result.spread->own_limits)) +
            " more, because earlier releases vary)";
  return text;
}

std::string spread_text(const ReleaseSpread& spread) {
  const std::string text = format_count(spread.releases) + " before, compared as one";
  if (spread.costs.empty()) return text;
  return text + "; their costs per unit of work vary by " + size_text(spread.deviation) +
         " (standard deviation)";
}

std::string cost_text(const CostChange& cost) {
  return change_text(cost.ratio) +
         " per unit of work (97.5 % interval: " + range_text(cost.interval) +
         "; 95 %: " + range_text(cost.shown) + ")";
}

std::string functions_text(const VerifyResult& result) {
  if (result.functions_doubt == Doubt::kNames)
    return "not judged: " + doubt_sentence(result, Doubt::kNames);
  const FunctionVerdict& functions = result.functions;
  std::string text = format_count(functions.tested) + " tested (at least " +
                     size_text(result.limits.function_share) +
                     "): " + format_count(functions.grown.size()) +
                     " grew too much; functions with " + format_share(functions.known) +
                     " of all cost certainly did not";
  if (!functions.moved.empty())
    text += "; " +
            format_count(functions.moved.size(), "new function replaces", "new functions replace") +
            " others of the same file";
  if (!functions.shifted.empty())
    text += "; " + format_count(functions.shifted.size(), "function") +
            " grew only because inlining changed";
  return text;
}

// The team of a row; "-" without an owner.
std::string team_of(const VerifyResult& result, size_t row) {
  return result.comparison.teams[row].empty() ? "-" : result.comparison.teams[row];
}

// One row for each grown function: before, after, growth with its interval, p, name, and its team
// where there are teams.
std::vector<std::vector<std::string>> grown_rows(const VerifyResult& result) {
  RateText text(result.comparison);
  std::vector<std::vector<std::string>> rows;
  for (const GrownFunction& function : result.functions.grown) {
    const DiffRow& row = row_of(result, function);
    rows.push_back({text.rate(row.flat.rate_a), text.rate(row.flat.rate_b),
                    change_text(row.flat.estimate.ratio()),
                    range_text(row.flat.estimate.interval(kShownLevel)),
                    function.p < .001 ? "< 0.001" : format_decimal(function.p, 3),
                    shown_name(row.key.name)});
    if (!result.comparison.teams.empty()) rows.back().push_back(team_of(result, function.row));
  }
  return rows;
}

std::vector<TableColumn> grown_columns(const VerifyResult& result) {
  std::vector<TableColumn> columns{
      {"BEFORE", Align::kRight}, {"AFTER", Align::kRight},
      {"GROWTH", Align::kRight}, {"95 % INTERVAL", Align::kRight},
      {"P", Align::kRight},      {"GROWN FUNCTION", Align::kLeft, CellText::kCode}};
  if (!result.comparison.teams.empty()) columns.push_back({"TEAM"});
  return columns;
}

// "GROWN FUNCTION" as "Grown function".
std::string sentence_case(std::string title) {
  for (size_t i = 1; i < title.size(); i++)
    if (title[i] >= 'A' && title[i] <= 'Z') title[i] = static_cast<char>(title[i] - 'A' + 'a');
  return title;
}

FlamePageTable grown_table(const VerifyResult& result) {
  FlamePageTable table{"Functions that grew by more than their limit", 0, {}, grown_rows(result)};
  for (const TableColumn& column : grown_columns(result)) {
    table.columns.push_back(sentence_case(column.title));
    if (column.align == Align::kRight) table.numbers++;
  }
  return table;
}

Phrase verdict_phrase(const VerifyResult& result) {
  const std::string word = std::string(outcome_word(result.outcome)) + ": ";
  switch (result.outcome) {
    case Outcome::kPass: return word + success_sentence(result);
    case Outcome::kFail: return word + failure_sentence(result);
    case Outcome::kInconclusive: return word + doubt_sentence(result, result.doubt);
  }
  return "";
}

std::vector<std::string> texts_of(const std::vector<Phrase>& phrases) {
  std::vector<std::string> texts;
  for (const Phrase& phrase : phrases) texts.push_back(phrase.text());
  return texts;
}

}  // namespace

std::string verdict_sentence(const VerifyResult& result) { return verdict_phrase(result).text(); }

std::string verify_text(const VerifyResult& result, const DiffTable& table) {
  TextSheet sheet;
  sheet.row("verdict", verdict_sentence(result));
  if (result.cost) sheet.row("cost", cost_text(*result.cost));
  sheet.row("functions", functions_text(result));
  if (result.spread) sheet.row("releases", spread_text(*result.spread));
  sheet.row("limits", limits_text(result));
  if (!result.builds.empty()) sheet.rows("builds", texts_of(build_lines(result)));
  sheet.rows("calls", texts_of(call_growth_lines(result)));
  if (!result.functions.grown.empty()) sheet.table(grown_columns(result), grown_rows(result));
  sheet.line("");
  return sheet.text() + diff_text(result.comparison, table);
}

std::string verify_markdown(const VerifyResult& result, const DiffTable& table) {
  std::string text = "**" + verdict_phrase(result).markdown() + "**\n\n";
  if (result.cost) text += "- cost: " + markdown_text(cost_text(*result.cost)) + "\n";
  text += "- functions: " + markdown_text(functions_text(result)) + "\n";
  if (result.spread) text += "- releases: " + markdown_text(spread_text(*result.spread)) + "\n";
  text += "- limits: " + markdown_text(limits_text(result)) + "\n";
  for (const Phrase& line : build_lines(result)) text += "- " + line.markdown() + "\n";
  for (const Phrase& line : call_growth_lines(result)) text += "- calls: " + line.markdown() + "\n";
  if (!result.functions.grown.empty())
    text += markdown_table(grown_columns(result), grown_rows(result));
  text += "\n" + diff_markdown(result.comparison, table);
  if (result.comparison.teams.empty()) return text;
  const std::string by_owner =
      owners_markdown(result.comparison, result.comparison.teams, changed_rows(result.comparison));
  return by_owner.empty() ? text : text + "\n## Changed functions by team\n\n" + by_owner;
}

nlohmann::json verify_json(const VerifyResult& result) {
  nlohmann::json comparison = diff_json(result.comparison);
  comparison.erase("rows");
  nlohmann::json json = {{"verdict", outcome_word(result.outcome)},
                         {"text", verdict_sentence(result)},
                         {"doubt", doubt_word(result.doubt)},
                         {"limits",
                          {{"growth", result.limits.growth},
                           {"function_growth", result.limits.function_growth},
                           {"function_share", result.limits.function_share}}},
                         {"functions",
                          {{"tested", result.functions.tested},
                           {"known_share", result.functions.known},
                           {"doubt", doubt_word(result.functions_doubt)},
                           {"nameless_shares", result.functions.nameless},
                           {"grown", nlohmann::json::array()},
                           {"moved", nlohmann::json::array()},
                           {"shifted", nlohmann::json::array()},
                           {"like_others", nlohmann::json::array()}}},
                         {"comparison", std::move(comparison)}};
  json.update(builds_json(result));
  if (result.limits.drop) json["limits"]["expected_drop"] = *result.limits.drop;
  if (result.limits.pass_growth) json["limits"]["pass_growth"] = *result.limits.pass_growth;
  if (const auto& total = result.comparison.total; result.cost && total)
    json["cost"] = {
        {"before", total->rate_a},         {"after", total->rate_b},
        {"ratio", result.cost->ratio},     {"interval", interval_json(result.cost->interval)},
        {"interval_level", kVerdictLevel}, {"interval_95", interval_json(result.cost->shown)}};
  if (result.spread) {
    json["earlier_releases"] = {{"count", result.spread->releases},
                                {"function_limits", nlohmann::json::array()}};
    for (const auto& [function, growth] : result.spread->own_limits)
      json["earlier_releases"]["function_limits"].push_back(
          {{"name", function.name}, {"binary", function.binary}, {"growth", growth}});
    if (!result.spread->costs.empty()) {
      json["earlier_releases"]["deviation"] = result.spread->deviation;
      json["earlier_releases"]["costs"] = result.spread->costs;
    }
  }
  if (result.times_data) json["times_data_to_decide"] = *result.times_data;
  for (const GrownFunction& function : result.functions.grown) {
    nlohmann::json row = diff_row_json(row_of(result, function));
    row["p"] = function.p;
    if (!result.comparison.teams.empty()) row["team"] = result.comparison.teams[function.row];
    row.update(call_growth_json(function));
    json["functions"]["grown"].push_back(std::move(row));
  }
  for (size_t row : result.functions.moved)
    json["functions"]["moved"].push_back(diff_row_json(result.comparison.rows[row]));
  for (size_t row : result.functions.shifted)
    json["functions"]["shifted"].push_back(diff_row_json(result.comparison.rows[row]));
  for (size_t row : result.functions.like_others)
    json["functions"]["like_others"].push_back(diff_row_json(result.comparison.rows[row]));
  return json;
}

std::string verify_junit(const VerifyResult& result) {
  std::vector<JunitCase> tests;
  if (result.cost)
    tests.push_back({"cost of a unit of work", result.cost_outcome,
                     result.cost_doubt != Doubt::kNone ? doubt_sentence(result, result.cost_doubt)
                                                       : cost_text(*result.cost)});
  Outcome of_functions = result.functions.grown.empty() ? Outcome::kPass : Outcome::kFail;
  if (result.functions_doubt != Doubt::kNone) of_functions = Outcome::kInconclusive;
  tests.push_back({"functions", of_functions,
                   of_functions == Outcome::kInconclusive
                       ? doubt_sentence(result, result.functions_doubt)
                       : functions_sentence(result).text()});
  return junit_text(tests, diff_warnings(result.comparison));
}

nlohmann::json verify_benchmark_json(const VerifyResult& result) {
  constexpr size_t kFunctions = 10;
  nlohmann::json list = nlohmann::json::array();
  auto half = [](const verify::RowComparison& row) {
    const verify::DifferenceInterval interval = row.difference_interval(kShownLevel);
    return (interval.high - interval.low) / 2;
  };
  auto add = [&](const std::string& name, const std::string& unit, double scale,
                 const verify::RowComparison& row) {
    nlohmann::json entry = {{"name", name}, {"unit", unit}, {"value", scale * row.rate_b}};
    if (std::isfinite(half(row))) entry["range"] = "± " + format_decimal(scale * half(row), 3);
    list.push_back(std::move(entry));
  };
  const DiffResult& comparison = result.comparison;
  const bool shares = comparison.measure == verify::Measure::kShare;
  const std::string unit = shares ? "% of all" : comparison.unit + " per unit of work";
  if (comparison.total) add("cost of a unit of work", unit, 1, *comparison.total);
  std::vector<const DiffRow*> rows;
  for (const DiffRow& row : comparison.rows) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const DiffRow* a, const DiffRow* b) {
    return a->flat.rate_b > b->flat.rate_b;
  });
  for (size_t i = 0; i < std::min(kFunctions, rows.size()); i++)
    add(shown_name(rows[i]->key.name), unit, shares ? 100 : 1, rows[i]->flat);
  return list;
}

FlamePage verify_page(const VerifyResult& result) {
  FlamePage page = diff_page(result.comparison);
  page.title = verdict_sentence(result);
  std::vector<std::pair<std::string, std::string>> facts;
  if (result.cost) facts.emplace_back("cost", cost_text(*result.cost));
  if (result.spread) facts.emplace_back("releases", spread_text(*result.spread));
  facts.emplace_back("functions", functions_text(result));
  facts.emplace_back("limits", limits_text(result));
  for (const Phrase& line : build_lines(result)) facts.emplace_back("build", line.text());
  for (const Phrase& line : call_growth_lines(result)) facts.emplace_back("calls", line.text());
  page.facts.insert(page.facts.begin(), facts.begin(), facts.end());
  if (!result.functions.grown.empty()) page.tables.push_back(grown_table(result));
  return page;
}

}  // namespace pgo
