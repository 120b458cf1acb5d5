// What the rows of a table are called.
#pragma once

#include <string>
#include <vector>

#include "pgo/diff/row_key.h"
#include "pgo/report/text_sheet.h"

namespace pgo {

// "function".
const char* row_word(RowsBy by);
// Labels and teams are words.
CellText row_text(RowsBy by);
// "FUNCTION", or "FUNCTION, WITH WHAT IT CALLS".
std::string row_title(RowsBy by, bool cumulative);

// For people, in the same order. Where several of `keys` have one name, their files and binaries
// are added to it.
std::vector<std::string> row_names(RowsBy by, const std::vector<const RowKey*>& keys);

}  // namespace pgo
