// The teams that the rows of a comparison belong to, by pgo.toml.
//
//   std::vector<std::string> teams = assign_owners(result.rows, config.owners);
//   owners_markdown(result, teams, changed_rows(result))       pgo/report/owner_report.h
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/config/owners.h"
#include "pgo/diff/diff_row.h"

namespace pgo {

// The team of each row, in the same order; empty without an owner. Rows are by function or line: by
// what they are called for people and where their source is. O(rows * patterns).
std::vector<std::string> assign_owners(std::span<const DiffRow> rows, const Owners& owners);

// Fails, with kUsage, for rows of teams without owners.
Result<void> check_owners(RowsBy by, const Owners& owners);

}  // namespace pgo
