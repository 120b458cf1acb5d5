#include "pgo/diff/row_table.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "converters/perf_data/stacks/branch_windows.h"
#include "pgo/base/file_name.h"
#include "pgo/diff/label_choice.h"
#include "pgo/profile/other_code.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

constexpr const char* kUnknown = "[unknown]";
constexpr uint32_t kNoRow = ~uint32_t{0};

// perf calls the kernel "[kernel.kallsyms]_text", others "[kernel.kallsyms]".
std::string binary_of(const StackProfile& profile, MappingId mapping) {
  if (mapping == kNoMapping) return "";
  const std::string_view file =
      profile.text(profile.mappings[static_cast<size_t>(mapping)].filename);
  return file.starts_with("[kernel") ? "[kernel]" : std::string(file_name(file));
}

RowKey team_key(const Owners* owners, std::string_view function, std::string_view path) {
  const std::string_view team = owners == nullptr ? "" : owners->team_of(function, path);
  return {.name = team.empty() ? kNoOwner : std::string(team)};
}

std::string label_of(const StackProfile& profile, LabelsId labels, const std::string& key) {
  for (const StackLabel& label : profile.labels[static_cast<size_t>(labels)])
    if (profile.text(label.key) == key) return label_text(profile, label);
  return kNoLabel;
}

StartLines starts_of(const std::map<RowKey, StartLines>& starts, RowKey key) {
  key.line = 0;
  auto found = starts.find(key);
  return found == starts.end() ? StartLines{} : found->second;
}

int64_t known_line(int64_t line) { return line > 0 && line < kMaxLine ? line : 0; }

// The row after that a line of the before side is compared with. A line that no number of the side
// after stands for, far above the start of its function, gets none.
RowKey moved_line(const std::map<RowKey, StartLines>& starts, const RowKey& key) {
  const auto [before, after] = starts_of(starts, key);
  RowKey moved = key;
  if (key.line > 0 && before > 0 && after > 0) moved.line = known_line(key.line + (after - before));
  return moved;
}

}  // namespace

Result<void> check_label(const Rows& rows, const std::string& label) {
  if (rows.keys.size() != 1 || rows.keys[0].name != kNoLabel) return ok();
  return fail(ErrorKind::kEmpty, "no sample has the label '" + label + "'");
}

// The rows of each location of a profile, the innermost first. Each function of a mapping is named
// once.
class RowTable::LocationRows {
 public:
  LocationRows(RowTable& table, const StackProfile& profile, size_t side)
      : table_(table), profile_(profile), side_(side) {
    if (table.options_.by == RowsBy::kLabel) return;  // rows are not of places
    for (size_t at = 0; at < profile.locations.size(); at++) {
      add_lines(profile.locations[at].mapping, profile.lines[at]);
      rows_.end_list();
    }
  }

  std::span<const uint32_t> operator[](LocationId location) const {
    return rows_[static_cast<size_t>(location)];
  }
  uint32_t chain(LocationId location) {
    uint32_t& chain = chains_.try_emplace(location, kNoRow).first->second;
    if (chain == kNoRow) chain = table_.chains_.chain_of((*this)[location]);
    return chain;
  }

 private:
  void add_lines(MappingId mapping, std::span<const StackLine> lines) {
    if (table_.options_.physical && lines.size() > 1) lines = lines.last(1);
    if (lines.empty()) rows_.push(row_of(mapping, {FunctionId{kNoRow}, 0, 0}));
    for (const StackLine& line : lines) rows_.push(row_of(mapping, line));
  }

  uint32_t row_of(MappingId mapping, StackLine line) {
    line.column = 0;
    if (table_.options_.by != RowsBy::kLine) line.line = 0;
    auto [found, is_new] = known_.try_emplace({mapping, line}, 0);
    if (!is_new) return found->second;
    RowKey key = table_.key_of(profile_, line, mapping);
    note_start(key, line);
    found->second = table_.row_of(std::move(key));
    const bool has_source =
        table_.options_.by == RowsBy::kLine || table_.options_.by == RowsBy::kFunction;
    if (has_source && line.function != FunctionId{kNoRow}) {
      const StackFunction& function = profile_.functions[static_cast<size_t>(line.function)];
      if (function.filename != kEmptyString)
        table_.cells_[found->second].source = profile_.text(function.filename);
    }
    return found->second;
  }

  // What has no line was not named by debug information.
  void note_start(RowKey key, const StackLine& line) {
    if (line.line <= 0 || line.function == FunctionId{kNoRow}) return;
    key.line = 0;
    RowTable::note_start(table_.starts_[std::move(key)][side_],
                         profile_.functions[static_cast<size_t>(line.function)].start_line);
  }

  RowTable& table_;
  const StackProfile& profile_;
  const size_t side_;
  FlatLists<uint32_t> rows_;
  std::unordered_map<LocationId, uint32_t> chains_;
  std::map<std::pair<MappingId, StackLine>, uint32_t> known_;
};

RowTable::RowTable(RowOptions options) : options_(std::move(options)) {}

uint32_t RowTable::add_member(size_t side, verify::Member member) {
  members_[side].push_back(std::move(member));
  squares_[side].push_back(0);
  return static_cast<uint32_t>(members_[side].size() - 1);
}

void RowTable::Cumulative::count(uint32_t which, uint64_t stack, int64_t value, double samples) {
  if (seen_at[which] == stack) return;
  seen_at[which] = stack;
  if (sums[which].value == 0) touched.push_back(which);
  sums[which].add(value, samples);
}

uint32_t RowTable::row_of(RowKey key) {
  auto [found, is_new] = numbers_.try_emplace(std::move(key), cells_.size());
  if (!is_new) return found->second;
  cells_.emplace_back();
  flat_.emplace_back();
  of_rows_.add_one();
  auto [name, is_new_name] =
      names_.try_emplace({found->first.name, found->first.line}, name_cells_.size());
  if (is_new_name) {
    name_cells_.emplace_back();
    of_names_.add_one();
  }
  name_of_.push_back(name->second);
  return found->second;
}

RowKey RowTable::key_of(const StackProfile& profile, const StackLine& line,
                        MappingId mapping) const {
  RowKey key;
  key.binary = binary_of(profile, mapping);
  bool has_function = line.function != FunctionId{kNoRow};
  if (has_function) {
    // The same row as code of this mapping that has no names.
    const FunctionId function = line.function;
    const std::string_view name =
        profile.text(profile.functions[static_cast<size_t>(function)].name);
    if (is_other_code(name)) {
      key.binary = name;
      has_function = false;
    }
  }
  if (options_.by == RowsBy::kBinary) return {.name = key.binary.empty() ? kUnknown : key.binary};
  if (!has_function) {
    key.name = name_without_function(key.binary);
    if (options_.by == RowsBy::kTeam) return team_key(options_.owners, key.name, "");
    return options_.by == RowsBy::kFile ? RowKey{.name = kUnknown} : key;
  }
  const StackFunction& function = profile.functions[static_cast<size_t>(line.function)];
  std::string_view path = profile.text(function.filename);
  if (options_.by == RowsBy::kFile) return {.name = path.empty() ? kUnknown : std::string(path)};
  key.file = file_name(path);
  ComparableName name = comparable_name(profile, function, options_.folded_names);
  if (options_.by == RowsBy::kTeam) return team_key(options_.owners, name.shown, path);
  key.name = std::move(name.shown), key.linkage = std::move(name.linkage);
  key.line = known_line(line.line);
  return key;
}

void RowTable::count(const StackProfile& profile, const SampleWeight& weight, size_t side,
                     std::span<const uint32_t> members) {
  for (size_t sample = 0; sample < profile.samples.size(); sample++) {
    uint32_t member = members[static_cast<size_t>(profile.samples[sample].labels)];
    int64_t value = weight.value(profile, sample);
    if (value <= 0) continue;
    members_[side][member].weight += static_cast<double>(value);
    squares_[side][member] +=
        static_cast<double>(value) * static_cast<double>(value) / weight.samples(profile, sample);
  }
}

void RowTable::add(const StackProfile& profile, const SampleWeight& weight, size_t side,
                   std::span<const uint32_t> members) {
  note_names(profile);
  for (const StackMapping& mapping : profile.mappings)
    binaries_[side].insert(std::string(file_name(profile.text(mapping.filename))));
  LocationRows rows(*this, profile, side);
  auto member_of = [&](size_t sample) {
    return members[static_cast<size_t>(profile.samples[sample].labels)];
  };
  std::vector<uint32_t> order;
  for (uint32_t sample = 0; sample < profile.samples.size(); sample++)
    if (weight.value(profile, sample) > 0) order.push_back(sample);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return member_of(a) < member_of(b); });

  for (size_t i = 0; i < order.size(); i++) {
    const uint32_t sample = order[i];
    const int64_t value = weight.value(profile, sample);
    const double samples = weight.samples(profile, sample);
    stack_++;
    auto count_row = [&](uint32_t row, bool is_leaf) {
      if (is_leaf) flat_[row].add(value, samples);
      of_rows_.count(row, stack_, value, samples);
      of_names_.count(name_of_[row], stack_, value, samples);
    };
    const StackSample& its = profile.samples[sample];
    if (options_.by == RowsBy::kLabel) {
      count_row(row_of({.name = label_of(profile, its.labels, options_.label)}), true);
    } else {
      bool is_leaf = true;
      const auto stack = profile.stacks[static_cast<size_t>(its.stack)];
      if (has_bodies() && !stack.empty()) chains_.count(rows.chain(stack[0]), value, samples);
      for (LocationId location : stack) {
        std::span<const uint32_t> of_location = rows[location];
        if (of_location.size() > 1 && is_leaf) inlined_[side] = sum_of(inlined_[side], value);
        for (uint32_t row : of_location) count_row(row, std::exchange(is_leaf, false));
      }
    }
    if (i + 1 == order.size() || member_of(order[i + 1]) != member_of(sample))
      store(side, member_of(sample));
  }
}

// What is called is the function around all that is inlined at its start.
void RowTable::add_calls(const StackProfile& calls, double weight, size_t side) {
  for (size_t i = 0; i < calls.samples.size(); i++) {
    const LocationId start = calls.stacks[static_cast<size_t>(calls.samples[i].stack)][0];
    std::span<const StackLine> lines = calls.lines[static_cast<size_t>(start)];
    if (lines.empty()) continue;
    StackLine line = lines.back();
    line.line = 0;
    const MappingId mapping = calls.locations[static_cast<size_t>(start)].mapping;
    const std::span<const int64_t> values = calls.values_of(i);
    calls_[key_of(calls, line, mapping)][side].add(
        {static_cast<uint64_t>(values[0]),
         static_cast<double>(values[1]) / perf_data::kRateCycles * weight});
  }
}

void RowTable::store(size_t side, uint32_t member) {
  for (uint32_t row : of_rows_.touched) {
    if (flat_[row].value > 0) cells_[row].flat[side].push_back(flat_[row].cell(member));
    cells_[row].cumulative[side].push_back(of_rows_.sums[row].cell(member));
    flat_[row] = of_rows_.sums[row] = {};
  }
  for (uint32_t name : of_names_.touched) {
    name_cells_[name][side].push_back(of_names_.sums[name].cell(member));
    of_names_.sums[name] = {};
  }
  of_rows_.touched.clear(), of_names_.touched.clear();
  chains_.store(side, member);
}

void RowTable::RowCells::add(RowCells&& more) {
  auto join = [](std::vector<verify::Cell>& into, std::vector<verify::Cell>& from) {
    into.insert(into.end(), from.begin(), from.end());
    std::stable_sort(into.begin(), into.end(), [](const verify::Cell& a, const verify::Cell& b) {
      return a.member < b.member;
    });
    size_t kept = 0;
    for (const verify::Cell& cell : into) {
      if (kept > 0 && into[kept - 1].member == cell.member) {
        into[kept - 1].value += cell.value;
        into[kept - 1].samples += cell.samples;
      } else {
        into[kept++] = cell;
      }
    }
    into.resize(kept);
  };
  for (size_t side = 0; side < 2; side++) {
    join(flat[side], more.flat[side]);
    join(cumulative[side], more.cumulative[side]);
    calls[side].add(more.calls[side]);
  }
  if (!more.source.empty()) source = std::move(more.source);
}

RowTable::RowCells RowTable::RowCells::take_before() {
  RowCells before;
  before.flat[0] = std::exchange(flat[0], {});
  before.cumulative[0] = std::exchange(cumulative[0], {});
  before.calls[0] = std::exchange(calls[0], {});
  before.source = source;
  return before;
}

void RowTable::note_start(std::optional<int64_t>& start, int64_t line) {
  const int64_t known = known_line(line);
  start = start.value_or(known) == known ? known : 0;
}

std::map<RowKey, StartLines> RowTable::start_lines() const {
  std::map<RowKey, NotedStarts> noted;
  for (const auto& [key, sides] : starts_) {
    NotedStarts& starts = noted[final_key(key)];
    for (size_t side = 0; side < 2; side++)
      if (const auto& start = sides[side]) note_start(starts[side], *start);
  }
  std::map<RowKey, StartLines> lines;
  for (const auto& [key, starts] : noted)
    lines[key] = {starts[0].value_or(0), starts[1].value_or(0)};
  return lines;
}

void RowTable::note_names(const StackProfile& profile) {
  bool has_any = std::any_of(
      profile.functions.begin(), profile.functions.end(),
      [](const StackFunction& function) { return function.system_name != kEmptyString; });
  (has_any ? has_linkage_names_ : lacks_linkage_names_) |= !profile.functions.empty();
}

std::string RowTable::final_binary(const std::string& binary) const {
  if (joins_names()) return "";
  if (options_.same_program.binaries.contains(binary)) return options_.same_program.name;
  if (programs_[0].size() != 1 || programs_[1].size() != 1) return binary;
  const std::string &before = *programs_[0].begin(), &after = *programs_[1].begin();
  const bool is_one = !binaries_[0].contains(after) && !binaries_[1].contains(before);
  return is_one && binary == before ? after : binary;
}

RowKey RowTable::final_key(const RowKey& key) const {
  RowKey final_key = key;
  switch (options_.by) {
    case RowsBy::kFunction:
    case RowsBy::kLine:
      if (joins_names()) return {.name = key.name, .line = key.line};
      final_key.binary = final_binary(key.binary);
      if (key.name == name_without_function(key.binary))
        final_key.name = name_without_function(final_key.binary);
      break;
    case RowsBy::kBinary:
      if (!joins_names()) final_key.name = final_binary(key.name);
      break;
    case RowsBy::kFile:
    case RowsBy::kLabel:
    case RowsBy::kTeam: break;
  }
  return final_key;
}

// A file that only one side has is the one of that name that only the other has: built in another
// directory.
void RowTable::join_moved_files(std::map<RowKey, RowCells>& rows) {
  std::map<std::string, std::array<std::vector<RowKey>, 2>> alone;
  for (const auto& [key, cells] : rows)
    if (cells.is_on(0) != cells.is_on(1))
      alone[std::string(file_name(key.name))][cells.is_on(0) ? 0 : 1].push_back(key);
  for (const auto& [name, keys] : alone) {
    if (keys[0].size() != 1 || keys[1].size() != 1) continue;
    auto before = rows.find(keys[0][0]);
    rows[keys[1][0]].add(std::move(before->second));
    rows.erase(before);
  }
}

// The same function or line, of another file or of an unknown one: its source may have been
// renamed. A line number says nothing of a file of another name.
bool RowTable::is_in_other_file(const RowKey& a, const RowKey& b) const {
  RowKey other = b;
  other.file = a.file;
  return a == other && (a.file.empty() || options_.by == RowsBy::kFunction);
}

std::map<RowKey, RowTable::RowCells> RowTable::joined_rows(
    const std::map<RowKey, StartLines>& starts) {
  std::map<RowKey, RowCells> rows;
  const bool by_name =
      joins_names() && (options_.by == RowsBy::kFunction || options_.by == RowsBy::kLine);
  for (const auto& [key, number] : numbers_) {
    RowCells& cells = cells_[number];
    if (auto calls = calls_.find(key); calls != calls_.end()) cells.calls = calls->second;
    // The cumulative values of a name are counted by the first of its rows.
    if (by_name) cells.cumulative = std::exchange(name_cells_[name_of_[number]], {});
    const RowKey its_key = final_key(key);
    const RowKey moved = moved_line(starts, its_key);
    if (moved.line != its_key.line && cells.is_on(0)) {
      RowCells before = cells.take_before();
      RowCells& into = rows[moved];
      if (into.is_on(1)) before.source.clear();
      into.add(std::move(before));
      if (!cells.is_on(1)) continue;
    }
    rows[its_key].add(std::move(cells));
  }
  if (options_.by == RowsBy::kFile) join_moved_files(rows);
  // Rows that differ in the file alone follow one another; the one without a file is the first.
  auto has_name = [&](auto row, const std::string& name) {
    return row != rows.end() && row->first.name == name;
  };
  for (auto row = rows.begin(); row != rows.end();) {
    auto next = std::next(row);
    if (next == rows.end()) break;
    const std::string& name = row->first.name;
    const bool is_alone = !has_name(std::next(next), name) &&
                          (row == rows.begin() || !has_name(std::prev(row), name));
    const bool on_other_sides = row->second.is_on(0) != row->second.is_on(1) &&
                                row->second.is_on(0) == next->second.is_on(1) &&
                                row->second.is_on(1) == next->second.is_on(0);
    if (!is_alone || !on_other_sides || !is_in_other_file(row->first, next->first)) {
      row = next;
      continue;
    }
    // Named for the file of the after side, if that is known.
    auto kept = next->second.is_on(1) || row->first.file.empty() ? next : row;
    auto gone = kept == next ? row : next;
    kept->second.add(std::move(gone->second));
    joined_.emplace(gone->first, kept->first);
    row = std::next(next);
    rows.erase(gone);
  }
  return rows;
}

void RowTable::add_bodies(Rows& rows) const {
  std::vector<uint32_t> final_rows(cells_.size());
  for (const auto& [key, number] : numbers_) {
    const RowKey own = final_key(key);
    auto joined = joined_.find(own);
    const RowKey& kept = joined == joined_.end() ? own : joined->second;
    final_rows[number] = static_cast<uint32_t>(
        std::lower_bound(rows.keys.begin(), rows.keys.end(), kept) - rows.keys.begin());
  }
  FunctionBodies bodies = chains_.finish(final_rows, rows.keys.size(), members_);
  for (size_t side = 0; side < 2; side++)
    rows.bodies[side] = {members_[side], std::move(bodies.cells[side])};
  rows.parts = std::move(bodies.parts);
  rows.links = std::move(bodies.links);
}

Rows RowTable::finish() && {
  for (size_t side = 0; side < 2; side++)
    for (size_t m = 0; m < members_[side].size(); m++) {
      verify::Member& member = members_[side][m];
      member.samples = verify::equal_samples(member.weight, squares_[side][m]);
      member.weight *= member.scale;
    }
  auto scaled = [&](std::vector<verify::Cell> cells, size_t side) {
    for (verify::Cell& cell : cells) cell.value *= members_[side][cell.member].scale;
    return cells;
  };
  Rows result;
  const std::map<RowKey, StartLines> starts = start_lines();
  for (size_t side = 0; side < 2; side++)
    result.flat[side].members = result.cumulative[side].members = members_[side];
  for (const auto& [key, cells] : joined_rows(starts)) {
    result.keys.push_back(key);
    result.sources.push_back(cells.source);
    if (!calls_.empty()) result.calls.push_back(cells.calls);
    if (options_.by == RowsBy::kLine) result.starts.push_back(starts_of(starts, key));
    for (size_t side = 0; side < 2; side++) {
      result.flat[side].rows.add(scaled(cells.flat[side], side));
      result.cumulative[side].rows.add(scaled(cells.cumulative[side], side));
    }
  }
  if (has_bodies()) add_bodies(result);
  return result;
}

}  // namespace pgo
