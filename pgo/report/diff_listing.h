// Annotated source: the lines of functions with their cost on both sides (DiffResult::listings).
#pragma once

#include <string>

#include "pgo/report/diff_report.h"

namespace pgo {

// The name, the source file and a table of lines of each function, for at most `table.top`
// functions.
std::string listings_text(const DiffResult& result, const DiffTable& table);

}  // namespace pgo
