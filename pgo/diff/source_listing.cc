#include "pgo/diff/source_listing.h"

#include <re2/re2.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "pgo/code/shown_name.h"
#include "pgo/diff/source_text.h"
#include "pgo/diff/tag_filter.h"

namespace pgo {
namespace {

constexpr int64_t kContext = 3;  // context lines before and after a line with a cost

// Adds the lines [begin, end), as far as the source has them.
void add_context(SourceText& sources, int64_t begin, int64_t end, SourceListing& listing) {
  end = std::min(end, sources.last_line(listing.path) + 1);
  for (int64_t number = std::max<int64_t>(begin, 1); number < end; number++)
    listing.lines.push_back({number, std::nullopt, sources.line(listing.path, number)});
}

// Adds the source, and context lines around the lines with a cost, which are sorted.
void add_sources(SourceText& sources, SourceListing& listing) {
  std::vector<ListedLine> costly = std::move(listing.lines);
  listing.lines.clear();
  int64_t next = 0;  // the line after the last one with a cost; 0: none yet
  for (ListedLine& line : costly) {
    if (line.number > 0) {
      const int64_t before = line.number - std::min(line.number, kContext);
      if (next > 0) add_context(sources, next, std::min(next + kContext, before), listing);
      add_context(sources, std::max(next, before), line.number, listing);
      next = line.number + 1;
    }
    line.source = sources.line(listing.path, line.number);
    listing.lines.push_back(std::move(line));
  }
  if (next > 0) add_context(sources, next, next + kContext, listing);
}

// The source of the after side is listed, if that has the function.
void note_sides(const DiffRow& row, SourceListing& listing) {
  const bool is_after = row.cumulative.rate_b > 0;
  if (is_after && !listing.is_on[1]) listing.path = row.source;
  listing.is_on[0] |= row.cumulative.rate_a > 0;
  listing.is_on[1] |= is_after;
}

}  // namespace

Result<std::vector<SourceListing>> list_sources(std::span<const DiffRow> rows,
                                                const ListingOptions& options) {
  for (const std::string& root : options.source_roots)
    if (std::error_code error; !std::filesystem::is_directory(root, error))
      return fail(ErrorKind::kUsage, "\xFF{source-root} " + root + ": is not a directory");
  PGO_TRY(std::shared_ptr<const RE2> expression, compile_expression("list", options.functions));
  std::vector<SourceListing> listings;
  std::map<RowKey, size_t> numbers;
  for (size_t row = 0; row < rows.size(); row++) {
    RowKey function = rows[row].key;
    const std::string shown = shown_name(function.name);
    if (shown != options.functions && !RE2::PartialMatch(shown, *expression)) continue;
    function.line = 0;
    auto [found, is_new] = numbers.try_emplace(function, listings.size());
    if (is_new)
      listings.push_back(
          {.function = function, .path = rows[row].source, .starts = rows[row].starts});
    note_sides(rows[row], listings[found->second]);
    listings[found->second].lines.push_back({rows[row].key.line, row});
  }
  if (listings.empty())
    return fail(ErrorKind::kEmpty,
                "\xFF{list} " + options.functions + ": no function with samples matches");
  SourceText sources(options.source_roots);
  for (SourceListing& listing : listings) {
    std::sort(listing.lines.begin(), listing.lines.end(),
              [](const ListedLine& a, const ListedLine& b) { return a.number < b.number; });
    add_sources(sources, listing);
  }
  return listings;
}

}  // namespace pgo
