// DiffRow: one row of a comparison.
#pragma once

#include <array>
#include <string>

#include "pgo/diff/row_key.h"
#include "pgo/diff/sampled_calls.h"
#include "pgo/verify/comparison.h"

namespace pgo {

struct DiffRow {
  RowKey key;
  verify::RowComparison flat, cumulative;
  std::string source = {};  // path of the source, as in a profile; for rows by function or line
  std::array<SampledCalls, 2> calls = {};  // of each side; DiffRequest::counts_calls
  StartLines starts = {};                  // of the function, for rows by line
};

// The order of a table: the largest differences first, then the largest rates, then by key.
bool is_shown_before(const DiffRow& a, const DiffRow& b);

}  // namespace pgo
