#include "pgo/report/diff_listing.h"

#include <algorithm>

#include "pgo/base/number_text.h"
#include "pgo/code/shown_name.h"
#include "pgo/report/rate_text.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

struct Sums {
  double before = 0, after = 0;
};

// The flat cost of all lines. Cumulative figures cannot be added up, because a stack counts for
// each of its lines.
Sums flat_sums(const DiffResult& result, const SourceListing& listing) {
  Sums sums;
  for (const ListedLine& line : listing.lines)
    if (line.row) {
      sums.before += result.rows[*line.row].flat.rate_a;
      sums.after += result.rows[*line.row].flat.rate_b;
    }
  return sums;
}

std::vector<std::string> cells_of(const DiffResult& result, const ListedLine& line,
                                  const DiffTable& table) {
  std::vector<std::string> cells(4);
  if (line.row) {
    RateText text(result);
    const DiffRow& row = result.rows[*line.row];
    const verify::RowComparison& figures = table.cumulative ? row.cumulative : row.flat;
    if (figures.rate_a + figures.rate_b > 0)
      cells = {text.rate(figures.rate_a), text.rate(figures.rate_b),
               text.difference(figures.difference()), verdict_word(figures)};
  }
  cells.push_back(line.number > 0 ? std::to_string(line.number) : "?");
  cells.push_back(line.source);
  return cells;
}

std::string source_text(const SourceListing& listing) {
  if (listing.path.empty()) return "unknown";
  return listing.path + ", of the " + kSideNames[listing.side()] + " side";
}

// How lines of both sides are matched; "" where they have the same numbers.
std::string lines_text(const SourceListing& listing) {
  const auto [before, after] = listing.starts;
  if (!listing.is_on_both() || (before == after && before != 0)) return "";
  if (listing.is_by_number())
    return "by number; where the function starts is not known on both sides";
  return "numbers of the after side, where the function starts at line " + std::to_string(after) +
         " (before: " + std::to_string(before) + ")";
}

}  // namespace

std::string listings_text(const DiffResult& result, const DiffTable& table) {
  TextSheet sheet;
  RateText text(result);
  const size_t shown = std::min(result.listings.size(), table.top);
  for (size_t i = 0; i < shown; i++) {
    const SourceListing& listing = result.listings[i];
    const Sums sums = flat_sums(result, listing);
    sheet.line("");
    sheet.line(shown_name(listing.function.name));
    sheet.row("source", source_text(listing));
    if (std::string lines = lines_text(listing); !lines.empty()) sheet.row("lines", lines);
    if (!listing.function.binary.empty()) sheet.row("binary", listing.function.binary);
    sheet.row("flat", text.rate(sums.before) + " before, " + text.rate(sums.after) +
                          " after: " + text.difference(sums.after - sums.before));
    std::vector<std::vector<std::string>> rows;
    int64_t last = 0;
    for (const ListedLine& line : listing.lines) {
      if (last > 0 && line.number > last + 1) rows.push_back({"", "", "", "", "...", ""});
      last = line.number;
      rows.push_back(cells_of(result, line, table));
    }
    sheet.table({{"BEFORE", Align::kRight},
                 {"AFTER", Align::kRight},
                 {"CHANGE", Align::kRight},
                 {"VERDICT", Align::kRight},
                 {"LINE", Align::kRight},
                 {table.cumulative ? "SOURCE (CUMULATIVE)" : "SOURCE"}},
                rows);
  }
  if (result.listings.size() > shown)
    sheet.line("... and " + format_count(result.listings.size() - shown, "further function"));
  return sheet.text();
}

}  // namespace pgo
