// DiffRow: one row of a comparison.
#pragma once

#include <string>

#include "pgo/diff/row_key.h"
#include "pgo/verify/comparison.h"

namespace pgo {

struct DiffRow {
  RowKey key;
  verify::RowComparison flat, cumulative;
  std::string source = {};  // path of the source, as a profile has it; only of rows of lines
};

}  // namespace pgo
