#include "pgo/report/owner_report.h"

#include <map>
#include <utility>

#include "pgo/code/shown_name.h"
#include "pgo/report/markdown_table.h"
#include "pgo/report/rate_text.h"

namespace pgo {
namespace {

std::vector<TableColumn> owned_columns() {
  return {{"BEFORE", Align::kRight},
          {"AFTER", Align::kRight},
          {"CHANGE", Align::kRight},
          {"95 % INTERVAL", Align::kRight},
          {"VERDICT"},
          {"FUNCTION", Align::kLeft, CellText::kCode},
          {"FILE", Align::kLeft, CellText::kCode}};
}

std::vector<std::string> owned_cells(const RateText& text, const DiffRow& row) {
  return {text.rate(row.flat.rate_a),
          text.rate(row.flat.rate_b),
          text.difference(row.flat.difference()),
          text.interval(row.flat),
          verdict_word(row.flat),
          shown_name(row.key.name),
          row.key.file};
}

}  // namespace

std::vector<size_t> changed_rows(const DiffResult& result) {
  std::vector<size_t> changed;
  for (size_t row = 0; row < result.rows.size(); row++) {
    const verify::Verdict verdict = result.rows[row].flat.verdict;
    if (verdict == verify::Verdict::kChanged || verdict == verify::Verdict::kOnlySamplingKnown)
      changed.push_back(row);
  }
  return changed;
}

std::string owners_markdown(const DiffResult& result, std::span<const std::string> teams,
                            std::span<const size_t> rows) {
  // By whether there is an owner, and then by name.
  std::map<std::pair<bool, std::string>, std::vector<size_t>> sections;
  for (size_t row : rows) sections[{teams[row].empty(), teams[row]}].push_back(row);
  const RateText text(result);
  std::string markdown;
  for (const auto& [team, its_rows] : sections) {
    markdown += (markdown.empty() ? "### " : "\n### ") +
                markdown_text(team.first ? kNoOwner : team.second) + "\n";
    std::vector<std::vector<std::string>> cells;
    for (size_t row : its_rows) cells.push_back(owned_cells(text, result.rows[row]));
    markdown += markdown_table(owned_columns(), cells);
  }
  return markdown;
}

}  // namespace pgo
