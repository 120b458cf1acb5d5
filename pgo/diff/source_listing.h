// SourceListing: the lines of a function with their cost on both sides and their source.
#pragma once

#include <array>
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
  int64_t number = 0;         // 0: unknown
  std::optional<size_t> row;  // an index; none: a context line without cost
  std::string source = {};    // without the line end; empty: not found
};

struct SourceListing {
  RowKey function;                 // line 0
  std::string path;                // of its source, as in the profile; empty: unknown
  std::array<bool, 2> is_on = {};  // which sides have samples of it
  StartLines starts = {};
  // Ascending. If the source is found, includes context lines around those with a cost.
  std::vector<ListedLine> lines = {};

  // Whose line numbers and source these are.
  size_t side() const { return is_on[1] ? 1 : 0; }
  bool is_on_both() const { return is_on[0] && is_on[1]; }
  // Are lines of both sides compared by their numbers alone?
  bool is_by_number() const { return is_on_both() && (starts[0] == 0 || starts[1] == 0); }
};

struct ListingOptions {
  std::string functions;  // a demangled name, or a regular expression for them
  std::vector<std::string> source_roots = {"."};  // directories to search
};

// The matching functions, sorted by the largest change of a line. `rows` must be rows by line.
// Errors: kUsage for an invalid regular expression, kEmpty if no function matches.
Result<std::vector<SourceListing>> list_sources(std::span<const DiffRow> rows,
                                                const ListingOptions& options);

}  // namespace pgo
