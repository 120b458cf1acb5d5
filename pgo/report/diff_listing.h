// The lines of functions with what each costs on both sides, beside their source
// (DiffResult::listings).
#pragma once

#include <string>

#include "pgo/report/diff_report.h"

namespace pgo {

// For each function its name, its source, and a table of lines; of at most `table.top` functions.
std::string listings_text(const DiffResult& result, const DiffTable& table);

}  // namespace pgo
