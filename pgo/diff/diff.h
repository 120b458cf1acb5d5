// diff(): two sides, each one or more profiles, compared row by row: functions, files, lines,
// binaries, teams or values of a label. Each row has its ratio, an interval and a verdict
// (pgo/verify/comparison.h).
//
//   DiffRequest request;
//   request.sides = {{{"before/"}, {"after/#host=web-*"}}};
//   PGO_TRY(DiffResult result, diff(request));
//   for (const DiffRow& row : result.rows) row.key.name, row.flat.estimate.ratio() ...
//
// A side's files stay apart: how much they differ says how far chance can move a row. What is one
// member is a file, or of a merged profile the samples of one host and hour, by their labels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "converters/flame_graph/flame_tree.h"
#include "pgo/base/build_id.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/binary/debug_file.h"
#include "pgo/config/owners.h"
#include "pgo/convert/output_plan.h"
#include "pgo/diff/diff_row.h"
#include "pgo/diff/member_units.h"
#include "pgo/diff/row_table.h"
#include "pgo/diff/source_listing.h"
#include "pgo/diff/stack_filter.h"
#include "pgo/diff/standardized_rows.h"
#include "pgo/profile/stack_profile.h"
#include "pgo/verify/comparison.h"

namespace pgo {

struct DiffRequest {
  std::array<std::vector<std::string>, 2> sides;  // before, after: INPUT#KEY=PATTERN,...
  std::string path_template;                      // empty: paths have no labels
  std::string sample_type;                        // empty: the default of the profiles
  StackFilterOptions filter;
  RowsBy by = RowsBy::kFunction;
  std::string label;  // of RowsBy::kLabel
  // Of functions: they name teams of rows (DiffResult::teams), and are required by RowsBy::kTeam.
  Owners owners;
  // For DiffResult::listings: which functions to list. Requires RowsBy::kLine, and only the lines
  // of these functions remain in the rows.
  ListingOptions listing;
  bool physical = false;
  SameProgram same_program;
  verify::Measure measure = verify::Measure::kShare;
  // Units of work of each side, for Measure::kPerUnit: a total, divided equally among the members,
  // or a number for each member.
  std::array<double, 2> units{};
  std::array<std::vector<MemberUnits>, 2> member_units{};
  // Files that units of work were read from. As an input each is an error; in a directory it is
  // left out.
  std::vector<std::string> unit_files;
  // A label by whose values both sides are standardized (standardized_rows.h); empty: by none. Then
  // member_units has the units of each value (MemberUnits::stratum), and `units` are not used.
  std::string standardize;
  CommonMix common_mix = CommonMix::kMean;
  double false_discoveries = .05;
  // Binaries that name addresses, and whose folded functions are one.
  std::vector<std::string> binaries;
  DebugPlaces debug;
  std::vector<PlannedFile> outputs;  // what the caller is going to write: none may be an input
  bool wants_graph = false;          // DiffResult::graph
  bool wants_merged = false;         // DiffResult::merged
  // DiffRow::calls, of rows by function in `binaries`. Calls are those of all samples of a file:
  // not with filters, a standardized mix, and of files that conditions on labels take a part of.
  bool counts_calls = false;
  bool wants_bodies = false;  // DiffResult::bodies, of rows by function that are not physical
  unsigned jobs = 0;          // threads; 0: all cores
  ProgressFn progress;
};

inline constexpr const char* kSideNames[] = {"before", "after"};

// What rates are per: "unit of work", "profile"; empty for shares.
inline const char* word_of_one(verify::Measure measure) {
  switch (measure) {
    case verify::Measure::kShare: return "";
    case verify::Measure::kPerUnit: return "unit of work";
    case verify::Measure::kTotal: return "profile";
  }
  return "";
}

struct DiffSide {
  std::vector<verify::Member> members;
  std::vector<std::string> names;  // of members: path, and host where one file has several
  double weight = 0, samples = 0;
  double units = 0;
  // As recorded, before DiffRequest::standardize changed them.
  double recorded_weight = 0, recorded_units = 0;
  // Per unit of work with DiffRequest::standardize: as measured, by the names of members.
  std::vector<MemberUnits> stratum_units;
  std::vector<verify::LeftOut> left_out;
  std::vector<std::string> inputs;   // as named in the request
  std::set<std::string> cpu_models;  // as named in the profiles
  std::set<BuildId> builds;          // of all that was mapped
  // That profiles are of, by file name, and of how many.
  std::map<std::string, size_t> programs;
  // With DiffRequest::counts_calls, of samples with branch stacks:
  double window_weight = 0;       // of those whose branch stacks have cycle counts
  uint64_t stacks_unclocked = 0;  // how many are in recordings without any cycle count
};

// A function with all that is inlined into it (function_bodies.h), and whose cost that is. It has
// at least one function that is inlined into it, or a partner.
struct ComparedBody {
  size_t row = 0;  // an index: of the function
  verify::RowComparison figures;
  std::vector<BodyPart> parts;
  // Indexes of the bodies that it exchanges code with: one side inlines one into the other.
  std::vector<size_t> partners = {};
};

struct DiffResult {
  std::string type, unit;       // what is counted: "cpu", "nanoseconds"
  bool is_of_same_code = true;  // do all profiles have the kernel, or none?
  RowsBy by = RowsBy::kFunction;
  verify::Measure measure = verify::Measure::kShare;
  bool physical = false;
  bool has_inlined_frames = false;
  double false_discoveries = .05;
  std::array<DiffSide, 2> sides;
  verify::Basis basis = verify::Basis::kSampling;
  bool few_hosts = false;
  verify::PairsFound pairs;       // compared only with Basis::kPairs
  std::string standardized_by;    // a label; empty: by none
  std::vector<StratumShare> mix;  // of the values of that label
  // All that was sampled, as one row: nothing to say of shares.
  std::optional<verify::RowComparison> total;
  std::vector<DiffRow> rows;         // the largest difference of flat rates first
  std::vector<ComparedBody> bodies;  // in no order that matters
  // The team of each row by function or line, empty without an owner. Of no row without owners.
  std::vector<std::string> teams;
  std::vector<SourceListing> listings;
  std::optional<FlameTree> graph;  // of shares, or of costs per unit, as the rows
  // Both sides in one profile, the values of the first negative and with the label
  // pprof::base=true, as go tool pprof -diff_base has it.
  std::optional<StackProfile> merged;
  Diagnostics diagnostics;
};

// Errors: kUsage for a request that contradicts itself; those of the first input, by path, that
// cannot be read; kMismatch for sides that count different things; kUnsupported for recordings of
// branch events, which count branches and not cost; kEmpty for a side without samples.
Result<DiffResult> diff(const DiffRequest& request);

}  // namespace pgo
