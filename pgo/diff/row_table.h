// RowTable: the rows that two sides are compared by, and what each member has of each row.
//
//   RowTable table({.by = RowsBy::kFunction});
//   uint32_t member = table.add_member(0, {.host = "web-1", ...});
//   table.add(profile, weight, 0, member_of_labels);     of each profile
//   Rows rows = std::move(table).finish();
//
// A function is the same in two builds by its linkage name without what compilers append to copies
// (clone_suffix.h), by the file name of its source, whose directory changes with the machine that
// built it, and by the file name of its binary. Names that a linker folded (ICF) are one. Where a
// side has only names for people, as folded stacks do, functions are the same by those alone.
//
// Of a stack, the innermost frame's row gets the value as flat, each row in it gets it as
// cumulative once. Inlined functions are frames of their own, so that a function's time stays its
// own when another build inlines it elsewhere; `physical` counts them for the function that the
// linker knows.
//
// A line is the same by its distance from the line where its function starts, if profiles of both
// sides tell that, as those named by debug information do: what was added above a function moves
// none of its rows. Otherwise by its number. Rows have the numbers of the after side. A number
// below 1 counts as an unknown line.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/config/owners.h"
#include "pgo/diff/function_bodies.h"
#include "pgo/diff/row_key.h"
#include "pgo/diff/row_sum.h"
#include "pgo/diff/sample_weight.h"
#include "pgo/diff/sampled_calls.h"
#include "pgo/profile/stack_profile.h"
#include "pgo/verify/side.h"

namespace pgo {

// Binaries that are releases of one program, though they are called differently; and what rows call
// it.
struct SameProgram {
  std::set<std::string> binaries = {};  // by file name
  std::string name = {};
};

struct RowOptions {
  RowsBy by = RowsBy::kFunction;
  std::string label = {};          // of RowsBy::kLabel
  const Owners* owners = nullptr;  // of RowsBy::kTeam
  bool physical = false;           // count inlined functions for the one that they are inlined into
  bool bodies = false;             // Rows::bodies, of functions that are not physical
  FoldedNames folded_names = {};
  SameProgram same_program = {};
};

// Values of a row or of everything, of one side, with the samples behind.
struct Rows {
  std::vector<RowKey> keys;                        // sorted
  std::vector<std::string> sources;                // path of each row's source; by function or line
  std::array<verify::Side, 2> flat, cumulative;    // row i of each is keys[i]; same members
  std::vector<std::array<SampledCalls, 2>> calls;  // of each row; empty unless calls were added
  std::vector<StartLines> starts;                  // of each row's function; empty unless by line
  // With RowOptions::bodies, of row i what it costs with all that is inlined into it on either
  // side.
  std::array<verify::Side, 2> bodies;  // same members
  std::vector<BodyPart> parts;
  std::vector<BodyLink> links;
};

// What functions without an owner are counted for, by RowsBy::kTeam.
inline constexpr const char* kNoOwner = "(no team)";

// Fails, with kEmpty, if no sample has the label of RowsBy::kLabel. Not for other rows.
Result<void> check_label(const Rows& rows, const std::string& label);

class RowTable {
 public:
  explicit RowTable(RowOptions options);

  // Weight and samples are added up by count(); what comes out is times its scale.
  uint32_t add_member(size_t side, verify::Member member);
  // Adds samples to what their members have in all: before filters, which shares refer to.
  // `members` has one for each set of labels.
  void count(const StackProfile& profile, const SampleWeight& weight, size_t side,
             std::span<const uint32_t> members);
  // Adds samples to the rows of their frames. Negative values do not count. O(samples * frames).
  void add(const StackProfile& profile, const SampleWeight& weight, size_t side,
           std::span<const uint32_t> members);

  // Adds calls (find_calls()) to the rows of the functions that were called. `weight`: that of the
  // samples which they were seen in. For rows by function. Calls of functions that no profile has
  // samples of are left out. O(calls log rows).
  void add_calls(const StackProfile& calls, double weight, size_t side);

  // The program that a profile is of, by its file name. Where all profiles of each side are of one
  // program, it is the same on both sides, whatever it is called; unless the other side, too, has a
  // binary of that name. Rows have the name that it has after.
  void add_program(size_t side, const std::string& name) {
    if (!name.empty()) programs_[side].insert(name);
  }
  // What rows call this binary, by its file name, once all profiles were added; empty where rows
  // are functions of one name in any binary.
  std::string final_binary(const std::string& binary) const;

  const std::vector<verify::Member>& members(size_t side) const { return members_[side]; }
  // How much weight had frames of inlined functions, of each side.
  const std::array<int64_t, 2>& inlined() const { return inlined_; }
  // Where some profiles have only names for people, rows of one such name become one.
  // Rows that only one side has become one with the row that only the other side has, if they
  // differ in the source file alone: it was renamed, or profiles do not name files.
  Rows finish() &&;

 private:
  struct RowCells {
    std::array<std::vector<verify::Cell>, 2> flat, cumulative;  // of each side
    std::string source;  // its path in the last profile that has one; by function or line
    std::array<SampledCalls, 2> calls{};

    bool is_on(size_t side) const { return !flat[side].empty() || !cumulative[side].empty(); }
    void add(RowCells&& more);
    // Those of the before side, which are gone then.
    RowCells take_before();
  };
  // Nothing: no profile has the function.
  using NotedStarts = std::array<std::optional<int64_t>, 2>;
  class LocationRows;

  // Cumulative values, each stack once, of rows or of names.
  struct Cumulative {
    std::vector<RowSum> sums;       // of the member at hand
    std::vector<uint64_t> seen_at;  // the stack that had it last
    std::vector<uint32_t> touched;

    void add_one() { sums.emplace_back(), seen_at.push_back(0); }
    void count(uint32_t which, uint64_t stack, int64_t value, double samples);
  };

  uint32_t row_of(RowKey key);
  RowKey key_of(const StackProfile& profile, const StackLine& line, MappingId mapping) const;
  void note_names(const StackProfile& profile);
  RowKey final_key(const RowKey& key) const;
  bool has_bodies() const {
    return options_.bodies && options_.by == RowsBy::kFunction && !options_.physical;
  }
  bool joins_names() const { return has_linkage_names_ && lacks_linkage_names_; }
  void store(size_t side, uint32_t member);
  bool is_in_other_file(const RowKey& a, const RowKey& b) const;
  static void join_moved_files(std::map<RowKey, RowCells>& rows);
  void add_bodies(Rows& rows) const;
  static void note_start(std::optional<int64_t>& start, int64_t line);
  // Of functions, by their final keys.
  std::map<RowKey, StartLines> start_lines() const;
  std::map<RowKey, RowCells> joined_rows(const std::map<RowKey, StartLines>& starts);

  RowOptions options_;
  std::array<std::vector<verify::Member>, 2> members_;
  std::array<std::vector<double>, 2> squares_;  // of members
  std::map<RowKey, uint32_t> numbers_;
  std::map<RowKey, std::array<SampledCalls, 2>> calls_;
  std::map<RowKey, NotedStarts> starts_;  // of functions (line 0), for rows by line
  std::vector<RowCells> cells_;
  std::vector<RowSum> flat_;  // by row, of the member at hand
  Cumulative of_rows_;
  ChainTable chains_;  // of the innermost places, with RowOptions::bodies
  // Rows of one name are one where some profiles have only names for people: the cumulative values
  // of these are not sums of the rows'.
  Cumulative of_names_;
  std::map<std::pair<std::string, int64_t>, uint32_t> names_;  // and lines
  std::vector<uint32_t> name_of_;                              // of each row
  std::vector<std::array<std::vector<verify::Cell>, 2>> name_cells_;
  uint64_t stack_ = 0;
  std::array<std::set<std::string>, 2> programs_, binaries_;  // by file name
  std::map<RowKey, RowKey> joined_;  // final keys of rows that became a part of another one
  std::array<int64_t, 2> inlined_{};
  bool has_linkage_names_ = false, lacks_linkage_names_ = false;
};

}  // namespace pgo
