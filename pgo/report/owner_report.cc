#include "pgo/report/owner_report.h"

#include <map>
#include <utility>

#include "pgo/code/shown_name.h"
#include "pgo/report/diff_report.h"
#include "pgo/report/rate_text.h"

namespace pgo {
namespace {

std::string owned_row_markdown(const RateText& text, const DiffRow& row) {
  std::string line = "|";
  for (const std::string& cell : {text.rate(row.flat.rate_a), text.rate(row.flat.rate_b),
                                  text.difference(row.flat.difference()), text.interval(row.flat),
                                  verdict_word(row.flat), shown_name(row.key.name), row.key.file})
    line += ' ' + markdown_text(cell) + " |";
  return line + "\n";
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
                markdown_text(team.first ? kNoOwner : team.second) +
                "\n\n| before | after | change | 95 % interval | verdict | function | file |\n"
                "|--:|--:|--:|--:|---|---|---|\n";
    for (size_t row : its_rows) markdown += owned_row_markdown(text, result.rows[row]);
  }
  return markdown;
}

}  // namespace pgo
