// cost(): what functions, files, binaries, teams or values of a label cost: their shares of the CPU
// time of all profiles together, the largest first.
//
//   CostRequest request{.inputs = {"fleet/"}, .price = {.cores = 1200, .core_hour = .04}};
//   PGO_TRY(CostResult result, cost(request));
//   for (const CostRow& row : result.rows) row.key.name, result.price.money_of(row.share) ...
//
// Profiles are added up: a host that was sampled longer counts more. It is assumed that they show
// the service as it runs: that shares of samples are shares of its cores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/binary/debug_file.h"
#include "pgo/config/owners.h"
#include "pgo/convert/output_plan.h"
#include "pgo/cost/price.h"
#include "pgo/diff/row_key.h"

namespace pgo {

struct CostRequest {
  std::vector<std::string> inputs;  // INPUT#KEY=PATTERN,...
  std::string path_template = {};   // empty: paths have no labels
  std::string sample_type = {};     // empty: the default of the profiles
  RowsBy by = RowsBy::kFunction;    // not lines
  std::string label = {};           // of RowsBy::kLabel
  bool cumulative = false;          // order rows by what they cost with what they call
  bool physical = false;            // count inlined functions for the one that they are in
  Owners owners = {};               // teams of functions; required by RowsBy::kTeam
  Price price = {};
  std::optional<double> traffic = {};      // times as much; requires cores
  std::vector<std::string> binaries = {};  // that name addresses
  DebugPlaces debug = {};
  std::vector<PlannedFile> outputs = {};  // what the caller is going to write: none may be an input
  unsigned jobs = 0;                      // threads; 0: all cores
  ProgressFn progress = {};
};

struct CostRow {
  RowKey key;
  std::string team = {};  // of a function; empty: no team, or teams are not known
  double share = 0;       // 0 to 1, of all CPU time: of code itself
  double cumulative = 0;  // with what it calls, each stack once
};

struct CostResult {
  std::string type, unit;  // what is counted: "cpu", "nanoseconds"
  RowsBy by = RowsBy::kFunction;
  std::string label;
  bool by_cumulative = false;
  bool physical = false;
  bool has_inlined_frames = false;
  bool has_teams = false;  // of rows by function
  std::vector<std::string> inputs;
  uint64_t profiles = 0, hosts = 0;  // hosts that the profiles name
  double samples = 0;
  Price price;
  std::optional<double> traffic;
  std::vector<CostRow> rows;
  Diagnostics diagnostics;
};

// Errors: kUsage for a request that contradicts itself or has impossible numbers, and for rows by
// team without owners; those of the first input, by path, that cannot be read; kMismatch for inputs
// that count different things; kUnsupported for what is not CPU time (memory, waiting, branches):
// its shares are not shares of cores; kEmpty for inputs without samples.
Result<CostResult> cost(const CostRequest& request);

}  // namespace pgo
