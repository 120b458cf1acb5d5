#include "pgo/report/diff_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "pgo/base/number_text.h"
#include "pgo/report/diff_listing.h"
#include "pgo/report/json_text.h"
#include "pgo/report/markdown_table.h"
#include "pgo/report/mix_report.h"
#include "pgo/report/rate_text.h"
#include "pgo/report/ratio_text.h"
#include "pgo/report/row_names.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

bool is_finding(const verify::RowComparison& row) {
  return row.verdict == verify::Verdict::kChanged ||
         row.verdict == verify::Verdict::kOnlySamplingKnown;
}

std::string q_text(const verify::RowComparison& row) {
  if (row.verdict == verify::Verdict::kTooThin) return "";
  if (row.q < .001) return "< 0.001";
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", row.q);
  return text;
}

std::vector<std::string> names_of(const DiffResult& result,
                                  const std::vector<const DiffRow*>& rows) {
  std::vector<const RowKey*> keys;
  for (const DiffRow* row : rows) keys.push_back(&row->key);
  return row_names(result.by, keys);
}

const verify::RowComparison& figures_of(const DiffRow& row, const DiffTable& table) {
  return table.cumulative ? row.cumulative : row.flat;
}

std::vector<const DiffRow*> shown_rows(const DiffResult& result, const DiffTable& table) {
  std::vector<const DiffRow*> rows;
  for (const DiffRow& row : result.rows)
    if (figures_of(row, table).rate_a + figures_of(row, table).rate_b > 0 &&
        (!table.only_changed || is_finding(figures_of(row, table))))
      rows.push_back(&row);
  if (table.cumulative)
    std::stable_sort(rows.begin(), rows.end(), [](const DiffRow* a, const DiffRow* b) {
      return std::abs(a->cumulative.difference()) > std::abs(b->cumulative.difference());
    });
  return rows;
}

std::vector<TableColumn> diff_columns(const DiffResult& result, const DiffTable& table) {
  return {{"BEFORE", Align::kRight},
          {"AFTER", Align::kRight},
          {"CHANGE", Align::kRight},
          {"95 % INTERVAL", Align::kRight},
          {"Q", Align::kRight},
          {"VERDICT", Align::kRight},
          {row_title(result.by, table.cumulative), Align::kLeft, row_text(result.by)}};
}

struct ShownRows {
  std::vector<std::vector<std::string>> cells;  // as diff_columns() has them
  std::string rest;                             // "... and 5 further rows"; empty: all are shown
};

ShownRows shown_cells(const DiffResult& result, const DiffTable& table) {
  const std::vector<const DiffRow*> rows = shown_rows(result, table);
  const std::vector<std::string> names = names_of(result, rows);
  const RateText text(result);
  ShownRows shown;
  for (size_t i = 0; i < std::min(rows.size(), table.top); i++) {
    const verify::RowComparison& figures = figures_of(*rows[i], table);
    shown.cells.push_back({text.rate(figures.rate_a), text.rate(figures.rate_b),
                           text.difference(figures.difference()), text.interval(figures),
                           q_text(figures), verdict_word(figures), names[i]});
  }
  if (rows.size() > table.top)
    shown.rest = "... and " + format_count(rows.size() - table.top, "further row");
  return shown;
}

std::string describe_side(const DiffSide& side) {
  std::set<std::string> hosts;
  for (const verify::Member& member : side.members)
    if (!member.host.empty()) hosts.insert(member.host);
  std::string text = format_count(side.members.size(), "profile");
  if (!hosts.empty()) text += " of " + format_count(hosts.size(), "host");
  if (!side.left_out.empty()) text += ", " + format_count(side.left_out.size()) + " left out";
  text += ", " + format_count(static_cast<uint64_t>(whole_number(side.samples)), "sample");
  return text + ": " + joined(side.inputs);
}

std::string describe_comparison(const DiffResult& result) {
  std::string text = result.type + (result.unit.empty() ? "" : "/" + result.unit);
  const std::string one = word_of_one(result.measure);
  text += one.empty() ? ", in shares of each side" : ", per " + one;
  text += std::string(", by ") + row_word(result.by);
  const bool of_functions = result.by == RowsBy::kFunction || result.by == RowsBy::kLine;
  if (result.has_inlined_frames && of_functions)
    text += result.physical ? ", inlined functions as parts of their callers"
                            : ", inlined functions by themselves";
  return text;
}

std::string describe_basis(const DiffResult& result) {
  switch (result.basis) {
    case verify::Basis::kSampling:
      return "With one profile per side, only the sampling error is known, not how much hosts and "
             "hours differ. Name several profiles for each side to include that.";
    case verify::Basis::kMembers:
      return "A row counts as more or less when the variation between the profiles of a side does "
             "not explain its change.";
    case verify::Basis::kPairs:
      return std::string("Profiles of the same host") + (result.pairs.by_hour ? " and hour" : "") +
             " are compared in pairs, " + format_count(result.pairs.pairs) +
             " in all. A row counts as more or less when the variation between pairs does not "
             "explain its change.";
  }
  return "";
}

// Why members are not compared in pairs; "" if a side has too few members for pairs.
std::string explain_missing_pairs(const DiffResult& result) {
  const verify::PairsFound& found = result.pairs;
  const std::string begin = "Profiles are not compared in pairs: ";
  for (size_t side = 0; side < 2 && found.pairs == 0; side++) {
    if (result.sides[side].members.size() < verify::kMinPairs) return "";
    if (!found.has_hosts[side])
      return begin + "the profiles of the " + kSideNames[side] +
             " side do not name their hosts; add the label 'host', or take it from paths with "
             "\xFF{path-template}.";
  }
  const std::string advice = " If paths name the hosts, use \xFF{path-template}.";
  if (found.pairs == 0) return begin + "no host is on both sides." + advice;
  if (found.pairs < verify::kMinPairs)
    return begin + "only " + format_count(found.pairs, "host is", "hosts are") +
           " on both sides, and " + format_count(verify::kMinPairs) + " are needed." + advice;
  const size_t side = found.weight[0] < found.weight[1] ? 0 : 1;
  return begin + "the " + format_count(found.pairs, "host") + " on both sides have " +
         format_share(found.weight[side]) + " of the weight of the " + kSideNames[side] +
         " side, and " + format_share(verify::kMinPairedWeight) + " is needed.";
}

std::vector<std::string> remarks_of(const DiffResult& result) {
  std::vector<std::string> remarks{describe_basis(result)};
  if (result.basis == verify::Basis::kMembers)
    if (std::string missing = explain_missing_pairs(result); !missing.empty())
      remarks.push_back(std::move(missing));
  if (result.few_hosts)
    remarks.push_back(
        "There are too few hosts to generalize: the verdicts hold for these hosts only.");
  if (result.measure == verify::Measure::kShare)
    remarks.push_back("Shares cannot show a change that all functions have in common.");
  return remarks;
}

nlohmann::json row_json(const verify::RowComparison& row) {
  verify::RatioInterval ratio = row.estimate.interval(kShownLevel);
  verify::DifferenceInterval difference = row.difference_interval(kShownLevel);
  return {{"before", row.rate_a},
          {"after", row.rate_b},
          {"samples_before", row.samples_a},
          {"samples_after", row.samples_b},
          {"difference", row.difference()},
          {"difference_interval", {finite_json(difference.low), finite_json(difference.high)}},
          {"ratio", finite_json(row.estimate.ratio())},
          {"ratio_interval", interval_json(ratio)},
          {"p", row.p},
          {"q", row.q},
          {"verdict", verdict_word(row)}};
}

// Why a member of the side counts nowhere.
std::string reason_text(const DiffResult& result, size_t side, const verify::LeftOut& one) {
  switch (one.reason) {
    case verify::LeftOutReason::kNoSamples: return "it has no samples";
    case verify::LeftOutReason::kEmptied:
      return "it has only values of the label '" + result.standardized_by +
             "' that the other side does not have";
    case verify::LeftOutReason::kNoUnits: return "it did no work";
    case verify::LeftOutReason::kNoPartner: break;
  }
  if (result.sides[side].members[one.member].host.empty()) return "it does not name its host";
  return std::string("the other side has no profile of its host") +
         (result.pairs.by_hour ? " and hour" : "");
}

nlohmann::json side_json(const DiffResult& result, size_t number) {
  const DiffSide& side = result.sides[number];
  nlohmann::json members = nlohmann::json::array();
  for (size_t m = 0; m < side.members.size(); m++)
    members.push_back({{"name", side.names[m]},
                       {"host", side.members[m].host},
                       {"hour", side.members[m].hour},
                       {"weight", side.members[m].weight},
                       {"samples", side.members[m].samples}});
  nlohmann::json left_out = nlohmann::json::array();
  for (const verify::LeftOut& one : side.left_out)
    left_out.push_back(
        {{"name", side.names[one.member]}, {"reason", reason_text(result, number, one)}});
  return {{"members", members},
          {"left_out", left_out},
          {"weight", side.weight},
          {"samples", side.samples}};
}

// Indented, because a line could contain the end mark of a fenced block.
std::string code_block(const std::string& lines) {
  std::string block = "\n";
  for (const std::string& line : lines_of(lines))
    block += line.empty() ? "\n" : "    " + line + "\n";
  return block;
}

nlohmann::json listing_json(const SourceListing& listing) {
  auto start = [](int64_t line) { return line > 0 ? nlohmann::json(line) : nlohmann::json(); };
  nlohmann::json lines = nlohmann::json::array();
  for (const ListedLine& line : listing.lines) {
    nlohmann::json json = {{"line", line.number}, {"source", line.source}};
    if (line.row) json["row"] = *line.row;
    lines.push_back(std::move(json));
  }
  return {{"function", listing.function.name},       {"linkage_name", listing.function.linkage},
          {"binary", listing.function.binary},       {"source", listing.path},
          {"source_of", kSideNames[listing.side()]}, {"start_before", start(listing.starts[0])},
          {"start_after", start(listing.starts[1])}, {"lines", lines}};
}

nlohmann::json pairs_json(const verify::PairsFound& found) {
  return {{"count", found.pairs},
          {"by_hour", found.by_hour},
          {"share_before", std::min(1.0, found.weight[0])},
          {"share_after", std::min(1.0, found.weight[1])}};
}

std::string rows_markdown(const DiffResult& result, const DiffTable& table) {
  const ShownRows shown = shown_cells(result, table);
  const std::string text = markdown_table(diff_columns(result, table), shown.cells);
  return shown.rest.empty() ? text : text + "\n" + shown.rest + "\n";
}

}  // namespace

nlohmann::json diff_row_json(const DiffRow& row) {
  nlohmann::json json = {{"name", row.key.name},       {"linkage_name", row.key.linkage},
                         {"file", row.key.file},       {"binary", row.key.binary},
                         {"flat", row_json(row.flat)}, {"cumulative", row_json(row.cumulative)}};
  if (row.key.line > 0) json["line"] = row.key.line;
  return json;
}

std::string diff_text(const DiffResult& result, const DiffTable& table) {
  TextSheet sheet;
  sheet.row("compared", describe_comparison(result));
  for (size_t side = 0; side < 2; side++)
    sheet.row(kSideNames[side], describe_side(result.sides[side]));
  if (!result.mix.empty()) sheet.row("mix", mix_text(result));
  if (result.total) {
    RateText text(result);
    sheet.row("all", text.rate(result.total->rate_a) + " before, " +
                         text.rate(result.total->rate_b) +
                         " after: " + text.difference(result.total->difference()) + " (" +
                         text.interval(*result.total) + "), " + verdict_word(*result.total));
  }
  if (!result.listings.empty()) return sheet.text() + listings_text(result, table);
  const ShownRows shown = shown_cells(result, table);
  sheet.table(diff_columns(result, table), shown.cells);
  if (!shown.rest.empty()) sheet.line("  " + shown.rest);
  return sheet.text();
}

std::string diff_markdown(const DiffResult& result, const DiffTable& table) {
  std::string text = "Compared: " + markdown_text(describe_comparison(result)) + "\n\n";
  for (size_t side = 0; side < 2; side++)
    text += std::string("- ") + kSideNames[side] + ": " +
            markdown_text(describe_side(result.sides[side])) + "\n";
  if (!result.mix.empty()) text += "- mix of " + markdown_text(mix_text(result)) + "\n";
  text += result.listings.empty() ? rows_markdown(result, table)
                                  : code_block(listings_text(result, table));
  for (const std::string& remark : remarks_of(result)) text += "\n" + remark + "\n";
  return text + markdown_warnings(diff_warnings(result));
}

nlohmann::json diff_json(const DiffResult& result) {
  const char* basis = result.basis == verify::Basis::kSampling  ? "sampling"
                      : result.basis == verify::Basis::kMembers ? "members"
                                                                : "pairs";
  const char* measure = result.measure == verify::Measure::kShare     ? "share"
                        : result.measure == verify::Measure::kPerUnit ? "unit"
                                                                      : "total";
  nlohmann::json json = {{"type", result.type},
                         {"unit", result.unit},
                         {"per", measure},
                         {"by", row_word(result.by)},
                         {"inlined_apart", result.has_inlined_frames && !result.physical},
                         {"basis", basis},
                         {"few_hosts", result.few_hosts},
                         {"pairs", pairs_json(result.pairs)},
                         {"false_discovery_rate", result.false_discoveries},
                         {"before", side_json(result, 0)},
                         {"after", side_json(result, 1)},
                         {"rows", nlohmann::json::array()},
                         {"warnings", warnings_json(result.diagnostics)}};
  if (result.total) json["total"] = row_json(*result.total);
  if (!result.mix.empty()) json["standardized"] = mix_json(result);
  for (const SourceListing& listing : result.listings)
    json["listings"].push_back(listing_json(listing));
  return json;
}

std::string diff_json_text(const nlohmann::json& json, const DiffResult& result) {
  return json_text_with_rows(json, result.rows.size(), [&](size_t row) {
    nlohmann::json its = diff_row_json(result.rows[row]);
    if (!result.teams.empty()) its["team"] = result.teams[row];
    return its;
  });
}

FlamePage diff_page(const DiffResult& result) {
  FlamePage page;
  if (result.basis == verify::Basis::kPairs)
    page.notes.push_back(
        "The graph adds up all profiles of a side; the table gives both profiles of a pair "
        "the same weight");
  page.title = result.type + ": before and after";
  page.subtitle = describe_comparison(result);
  for (size_t side = 0; side < 2; side++)
    page.facts.push_back({kSideNames[side], describe_side(result.sides[side])});
  if (result.measure != verify::Measure::kShare)
    page.notes.push_back("Frames are as wide as their shares of each side; figures are per " +
                         std::string(word_of_one(result.measure)));
  if (!result.mix.empty())
    page.notes.push_back("The graph shows the samples as recorded; the table is standardized by " +
                         mix_text(result));
  for (std::string remark : remarks_of(result)) {
    remark.pop_back();  // the page ends its notes itself
    page.notes.push_back(std::move(remark));
  }
  for (const Message& message : messages_of(result.diagnostics)) page.notes.push_back(message.text);
  return page;
}

std::vector<std::string> diff_warnings(const DiffResult& result) {
  std::vector<std::string> warnings = warning_lines(result.diagnostics);
  for (size_t side = 0; side < 2; side++)
    for (const verify::LeftOut& one : result.sides[side].left_out)
      warnings.push_back(result.sides[side].names[one.member] +
                         ": is left out: " + reason_text(result, side, one));
  return warnings;
}

std::vector<Message> diff_messages(const DiffResult& result) {
  std::vector<Message> messages;
  for (std::string& text : diff_warnings(result)) messages.push_back(warning(std::move(text)));
  for (const std::string& remark : remarks_of(result)) messages.push_back(note(remark));
  return messages;
}

}  // namespace pgo
