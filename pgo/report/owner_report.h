// What each team should look at in a comparison: its functions, as Markdown.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "pgo/diff/diff.h"

namespace pgo {

// The rows whose own cost changed by more than chance explains: indexes, in the order of the rows.
std::vector<size_t> changed_rows(const DiffResult& result);

// A section for each team, by name, with a table of its rows in the given order; those without an
// owner come last. `rows` are indexes of `result.rows`, and `teams` has one for each of
// `result.rows` (assign_owners()). Empty where `rows` is. Sections are of the third level.
std::string owners_markdown(const DiffResult& result, std::span<const std::string> teams,
                            std::span<const size_t> rows);

}  // namespace pgo
