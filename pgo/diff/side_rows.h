// read_side_rows(): the rows of one side, without another to compare it with.
//
//   PGO_TRY(SideRows side, read_side_rows({.inputs = {"fleet/"}}, diagnostics));
//   side.rows.flat[0].members ...
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/convert/output_plan.h"
#include "pgo/diff/compared_type.h"
#include "pgo/diff/row_table.h"
#include "pgo/diff/side_reader.h"
#include "pgo/diff/stack_filter.h"

namespace pgo {

struct SideRowsRequest {
  std::vector<std::string> inputs;  // INPUT#KEY=PATTERN,...
  std::vector<std::string> unit_files = {};
  std::string whose = "the input";  // in messages
  StackFilterOptions filter = {};
  RowOptions rows = {};  // with the folded names of the binaries
  SideReaderOptions reader = {};
  std::vector<PlannedFile> outputs = {};  // what the caller is going to write: none may be an input
};

struct SideRows {
  Rows rows;  // of the side 0; the other one is empty
  SideMembers members;
  ComparedType type;
  int64_t inlined = 0;  // weight with frames of inlined functions
};

// Warns of binaries with much code without function names, where rows are functions. Errors:
// those of the first input, by path, that cannot be read; kMismatch for inputs that count different
// things; kEmpty without samples; those of check_plan() and StackFilter::compile().
Result<SideRows> read_side_rows(const SideRowsRequest& request, Diagnostics& diagnostics);

}  // namespace pgo
