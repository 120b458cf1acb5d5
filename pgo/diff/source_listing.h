// SourceListing: what each line of a function costs on both sides, beside its source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/diff/diff_row.h"

namespace pgo {

struct ListedLine {
  int64_t number = 0;         // 0: not known
  std::optional<size_t> row;  // an index; nothing: a line around those that cost
  std::string source = {};    // without the line end; empty: not here
};

struct SourceListing {
  RowKey function;   // line 0
  std::string path;  // of its source, as the profile has it; empty: not known
  // Ascending. Lines without costs are listed where the source is here, close to those with.
  std::vector<ListedLine> lines;
};

struct ListingOptions {
  std::string functions;                          // regular expression of names as people read them
  std::vector<std::string> source_roots = {"."};  // directories that the source is below
};

// The functions that match, the one whose line changed most first. `rows` are of lines.
// Errors: kUsage for what is no regular expression, kEmpty where no function matches.
Result<std::vector<SourceListing>> list_sources(std::span<const DiffRow> rows,
                                                const ListingOptions& options);

}  // namespace pgo
