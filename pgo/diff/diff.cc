#include "pgo/diff/diff.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "pgo/base/file_name.h"
#include "pgo/base/number_text.h"
#include "pgo/code/shown_name.h"
#include "pgo/diff/difference_graph.h"
#include "pgo/diff/label_choice.h"
#include "pgo/diff/merged_difference.h"
#include "pgo/diff/nameless_code.h"
#include "pgo/diff/row_owners.h"
#include "pgo/diff/side_files.h"
#include "pgo/diff/side_reader.h"
#include "pgo/profile/thresholds.h"
#include "pgo/source/file_identity.h"

namespace pgo {
namespace {

class Comparing {
 public:
  explicit Comparing(const DiffRequest& request) : request_(request) {}

  Result<DiffResult> run() &&;

 private:
  Result<void> open();
  Result<void> find_files();
  Result<void> add_files(size_t side);
  Result<void> add(size_t side, const SideFile& file, SideProfile& read, SideMembers& members);
  bool counts_calls() const;
  void add_calls(size_t side, const SideFile& file, const SideProfile& read);
  Result<void> check_rows(const Rows& rows);
  double share_of_rate(size_t side) const;
  void warn_of_equal_sides();
  void warn_of_other_builds();
  void warn_of_inlined_frames();
  void warn_of_nameless_binaries();
  void note_stratum_units(size_t side, const std::vector<verify::Member>& members);
  Result<void> standardize_rows(Rows& rows);
  Result<void> complete_sides(Rows& rows);
  Result<std::vector<DiffRow>> compare_rows(const Rows& rows);
  Result<void> compare_bodies(const Rows& rows);
  Result<void> keep_listed();

  const DiffRequest& request_;
  StackFilter filter_;
  // From open() on; the graph only if it is wanted.
  std::unique_ptr<SideReader> reader_;
  std::unique_ptr<RowTable> table_;
  std::unique_ptr<DifferenceGraph> graph_;
  std::optional<MergedDifference> merged_;
  std::array<std::vector<SideFile>, 2> files_;
  std::array<SideStrata, 2> strata_;
  std::array<bool, 2> tells_inlining_{};
  DiffResult result_;
};

Result<void> Comparing::open() {
  PGO_TRY(filter_, StackFilter::compile(request_.filter));
  PGO_CHECK(find_files());
  PGO_TRY(SideReader reader, SideReader::open({.path_template = request_.path_template,
                                               .sample_type = request_.sample_type,
                                               .stratum_key = request_.standardize,
                                               .binaries = request_.binaries,
                                               .debug = request_.debug,
                                               .counts_calls = counts_calls(),
                                               .jobs = request_.jobs,
                                               .progress = request_.progress}));
  reader_ = std::make_unique<SideReader>(std::move(reader));
  RowOptions rows{.by = request_.by,
                  .label = request_.label,
                  .owners = &request_.owners,
                  .physical = request_.physical,
                  .bodies = request_.wants_bodies,
                  .folded_names = reader_->folded(),
                  .same_program = request_.same_program};
  if (request_.wants_graph) graph_ = std::make_unique<DifferenceGraph>(rows);
  table_ = std::make_unique<RowTable>(std::move(rows));
  if (request_.wants_merged) merged_.emplace();
  result_.by = request_.by;
  result_.measure = request_.measure;
  result_.physical = request_.physical;
  result_.false_discoveries = request_.false_discoveries;
  return ok();
}

Result<void> Comparing::find_files() {
  for (size_t side = 0; side < 2; side++) {
    PGO_TRY(files_[side], find_side_files(request_.sides[side], request_.unit_files));
    if (files_[side].empty())
      return fail(ErrorKind::kEmpty,
                  std::string("the ") + kSideNames[side] + " side has no inputs");
  }
  std::vector<std::string> read;
  for (const std::vector<SideFile>& files : files_)
    for (const SideFile& file : files) read.push_back(file.file.path);
  for (size_t side = 0; side < 2; side++) result_.sides[side].inputs = request_.sides[side];
  return check_plan(request_.outputs, read);
}

// Of what samples are left: others may be of the other side.
std::vector<StackMapping> sampled_mappings(const StackProfile& profile) {
  std::vector<bool> stacks(profile.stacks.size()), mappings(profile.mappings.size());
  for (const StackSample& sample : profile.samples)
    stacks[static_cast<size_t>(sample.stack)] = true;
  for (size_t stack = 0; stack < stacks.size(); stack++) {
    if (!stacks[stack]) continue;
    for (LocationId location : profile.stacks[stack]) {
      const MappingId mapping = profile.locations[static_cast<size_t>(location)].mapping;
      if (mapping != kNoMapping) mappings[static_cast<size_t>(mapping)] = true;
    }
  }
  std::vector<StackMapping> sampled;
  for (size_t mapping = 0; mapping < mappings.size(); mapping++)
    if (mappings[mapping]) sampled.push_back(profile.mappings[mapping]);
  return sampled;
}

// Are its inlined functions named? A place with several functions shows that they are; without one,
// nothing may be inlined where samples were taken, and what its producer says of the main binary
// counts.
bool tells_inlining(const StackProfile& profile) {
  if (!profile.mappings.empty() && profile.mappings[0].has_inline_frames) return true;
  for (size_t location = 0; location < profile.lines.size(); location++)
    if (profile.lines[location].size() > 1) return true;
  return false;
}

// Calls are those of all samples.
bool Comparing::counts_calls() const {
  return request_.counts_calls && request_.by == RowsBy::kFunction && !request_.binaries.empty() &&
         request_.standardize.empty() && request_.filter == StackFilterOptions();
}

void Comparing::add_calls(size_t side, const SideFile& file, const SideProfile& read) {
  const perf_data::SampledBranches& branches = read.source.branches;
  const double weight = static_cast<double>(branches.weight) * file.file.weight.value();
  if (branches.weight == 0) result_.sides[side].stacks_unclocked += branches.stacks;
  result_.sides[side].window_weight += weight;
  table_->add_calls(read.calls, weight, side);
}

// `profile` times the weight of its file; values are rounded for each stack.
Result<StackProfile> times(const StackProfile& profile, const InputFile& file) {
  StackMerger merger;
  const MergeFactor factor = MergeFactor::of(file.weight);
  PGO_CHECK(merger.add(profile, file.path, {&factor, 1}));
  Diagnostics reported_when_read;
  return std::move(merger).finish(reported_when_read);
}

Result<void> Comparing::add(size_t side, const SideFile& file, SideProfile& read,
                            SideMembers& its_members) {
  StackProfile& profile = read.profile();
  result_.sides[side].cpu_models.merge(label_values(profile, kCpuModelKey));
  for (const StackMapping& mapping : sampled_mappings(profile))
    if (BuildId id = profile.build_id_of(mapping); !id.empty())
      result_.sides[side].builds.insert(id);
  const std::vector<uint32_t> members = add_members(*table_, side, file, read, its_members);
  table_->count(profile, read.weight, side, members);
  tells_inlining_[side] |= tells_inlining(profile);
  if (!profile.mappings.empty()) {
    std::string program(file_name(profile.text(profile.mappings[0].filename)));
    if (!program.empty()) result_.sides[side].programs[program]++;
    table_->add_program(side, program);
  }
  filter_.apply(profile);
  if (merged_)
    PGO_CHECK(merged_->add(profile, side, file.file.path, MergeFactor::of(file.file.weight)));
  table_->add(profile, read.weight, side, members);
  add_calls(side, file, read);
  if (!graph_) return ok();
  if (!file.file.weight.is_one()) {
    PGO_TRY(profile, times(profile, file.file));
  }
  graph_->add(profile, read.weight, side);
  return ok();
}

Result<void> Comparing::add_files(size_t side) {
  SideMembers members;
  PGO_CHECK(reader_->read(files_[side], std::string("reading ") + kSideNames[side],
                          result_.diagnostics, [&](const SideFile& file, SideProfile& profile) {
                            return add(side, file, profile, members);
                          }));
  result_.sides[side].names = std::move(members.names);
  strata_[side] = std::move(members.strata);
  return ok();
}

// Of what was given twice by mistake, nothing changed.
void Comparing::warn_of_equal_sides() {
  std::array<std::vector<std::pair<double, double>>, 2> weights;
  for (size_t side = 0; side < 2; side++) {
    for (const verify::Member& member : table_->members(side))
      weights[side].emplace_back(member.weight, member.samples);
    std::sort(weights[side].begin(), weights[side].end());
  }
  if (weights[0] == weights[1])
    result_.diagnostics.warn(
        "equal-sides",
        "all profiles of both sides have the same weights: were the same files "
        "given twice?");
}

// A binary of another build names nothing.
void Comparing::warn_of_other_builds() {
  const BinarySet* binaries = reader_->binaries();
  if (binaries == nullptr || result_.sides[0].builds.empty() || result_.sides[1].builds.empty())
    return;
  for (const Binary& binary : binaries->binaries()) {
    const BuildId& id = binary.image->build_id();
    auto is_this = [&](const BuildId& one) { return one.matches_bolted(id); };
    if (id.empty() || std::ranges::any_of(result_.sides[0].builds, is_this) ||
        std::ranges::any_of(result_.sides[1].builds, is_this))
      continue;
    result_.diagnostics.warn("binary-without-profile",
                             binary.image->path() + " (build ID " + id.hex() +
                                 ") is in no profile of either side: was another build profiled?");
  }
}

// Where one side names inlined functions and the other does not, time seems to move.
void Comparing::warn_of_inlined_frames() {
  const std::array<int64_t, 2>& inlined = table_->inlined();
  result_.has_inlined_frames = inlined[0] > 0 || inlined[1] > 0;
  const size_t other = inlined[0] > 0 ? 1 : 0;
  if (!result_.has_inlined_frames || inlined[other] > 0 || tells_inlining_[other]) return;
  result_.diagnostics.warn(
      "no-inlined-frames",
      std::string("the ") + kSideNames[other] +
          " side has no frames of inlined functions, so their cost counts for their callers there; "
          "name its binaries with \xFF{binary}, or count so on both sides with \xFF{physical}");
}

// Filters may leave nothing, and labels may not be there.
Result<void> Comparing::check_rows(const Rows& rows) {
  auto has_rows = [&](size_t side) {
    for (size_t row = 0; row < rows.keys.size(); row++)
      if (!rows.cumulative[side].rows[row].empty()) return true;
    return false;
  };
  if (!has_rows(0) && !has_rows(1))
    return fail(ErrorKind::kEmpty,
                "no sample of either side is left: the filters (\xFF{focus}, \xFF{tagfocus} and so "
                "on) match none, or stacks have no frames");
  for (size_t side = 0; side < 2; side++)
    if (!has_rows(side))
      result_.diagnostics.warn(
          "nothing-matches",
          std::string("no sample of the ") + kSideNames[side] + " side matches the filters");
  return request_.by == RowsBy::kLabel ? check_label(rows, request_.label) : ok();
}

// Code without names is one row for each binary, which says little of what changed.
void Comparing::warn_of_nameless_binaries() {
  if (request_.by != RowsBy::kFunction && request_.by != RowsBy::kLine) return;
  for (const DiffRow& row : result_.rows) {
    if (!lacks_names(row.key)) continue;
    const double shares[] = {row.flat.rate_a * share_of_rate(0),
                             row.flat.rate_b * share_of_rate(1)};
    for (size_t side = 0; side < 2; side++)
      if (shares[side] > thresholds::kNamelessShare)
        result_.diagnostics.warn("code-without-names",
                                 format_share(shares[side]) + " of the " + kSideNames[side] +
                                     " side is in code without function names in " +
                                     row.key.binary + ": " +
                                     advise_on_nameless_code(row.key.binary, reader_->binaries()));
  }
}

// What a rate is multiplied by to be a share of its side.
double Comparing::share_of_rate(size_t side) const {
  const DiffSide& its = result_.sides[side];
  switch (request_.measure) {
    case verify::Measure::kShare: return 1;
    case verify::Measure::kPerUnit: return its.units / its.weight;
    case verify::Measure::kTotal: return static_cast<double>(its.members.size()) / its.weight;
  }
  return 1;
}

// Sets the units of work of members, and adds up each side.
Result<void> Comparing::complete_sides(Rows& rows) {
  for (size_t side = 0; side < 2; side++) {
    DiffSide& into = result_.sides[side];
    std::vector<verify::Member>& members = rows.flat[side].members;
    if (request_.standardize.empty())
      PGO_CHECK(assign_units(request_.member_units[side], request_.units[side], into.names,
                             kSideNames[side], members, result_.diagnostics));
    for (const verify::Member& member : members) {
      into.units += member.units;
      into.weight += member.weight, into.samples += member.samples;
    }
    if (request_.standardize.empty())
      into.recorded_weight = into.weight, into.recorded_units = into.units;
    rows.cumulative[side].members = rows.bodies[side].members = into.members = members;
  }
  return ok();
}

void Comparing::note_stratum_units(size_t side, const std::vector<verify::Member>& members) {
  DiffSide& into = result_.sides[side];
  const SideStrata& strata = strata_[side];
  for (size_t m = 0; m < members.size(); m++)
    if (members[m].units > 0)
      into.stratum_units.push_back(
          {into.names[strata.wholes[m]], members[m].units, strata.strata[m]});
}

Result<void> Comparing::standardize_rows(Rows& rows) {
  if (request_.standardize.empty()) return ok();
  const bool by_units = request_.measure == verify::Measure::kPerUnit;
  for (size_t side = 0; by_units && side < 2; side++) {
    PGO_CHECK(assign_stratum_units(request_.member_units[side], request_.standardize,
                                   result_.sides[side].names, kSideNames[side],
                                   rows.flat[side].members, strata_[side], result_.diagnostics));
    rows.cumulative[side].members = rows.flat[side].members;
    note_stratum_units(side, rows.flat[side].members);
  }
  for (size_t side = 0; side < 2; side++)
    for (const verify::Member& member : rows.flat[side].members) {
      result_.sides[side].recorded_weight += member.weight;
      result_.sides[side].recorded_units += member.units;
    }
  PGO_TRY(StandardizedRows standardized, standardize(rows, strata_, by_units, request_.standardize,
                                                     result_.diagnostics, request_.common_mix));
  rows = std::move(standardized.rows);
  result_.standardized_by = request_.standardize;
  result_.mix = std::move(standardized.mix);
  return ok();
}

Result<std::vector<DiffRow>> Comparing::compare_rows(const Rows& rows) {
  verify::CompareOptions options{.measure = request_.measure,
                                 .false_discoveries = request_.false_discoveries};
  PGO_TRY(verify::Comparison flat, verify::compare(rows.flat[0], rows.flat[1], options));
  PGO_TRY(verify::Comparison cumulative,
          verify::compare(rows.cumulative[0], rows.cumulative[1], options));
  if (request_.measure != verify::Measure::kShare) {
    PGO_TRY(verify::Comparison total,
            verify::compare(verify::everything(rows.flat[0].members),
                            verify::everything(rows.flat[1].members), options));
    result_.total = total.rows[0];
  }
  result_.basis = flat.basis;
  result_.few_hosts = flat.few_hosts;
  result_.pairs = flat.found;
  result_.sides[0].left_out = flat.left_out_a;
  result_.sides[1].left_out = flat.left_out_b;
  std::vector<DiffRow> compared;
  for (size_t row = 0; row < rows.keys.size(); row++) {
    compared.push_back({rows.keys[row], flat.rows[row], cumulative.rows[row], rows.sources[row]});
    if (!rows.calls.empty()) compared.back().calls = rows.calls[row];
    if (!rows.starts.empty()) compared.back().starts = rows.starts[row];
  }
  return compared;
}

// Once rows have their order.
Result<void> Comparing::compare_bodies(const Rows& rows) {
  if (rows.parts.empty()) return ok();
  PGO_TRY(verify::Comparison compared,
          verify::compare(rows.bodies[0], rows.bodies[1], {.measure = request_.measure}));
  std::map<RowKey, uint32_t> places;
  for (size_t row = 0; row < result_.rows.size(); row++)
    places[result_.rows[row].key] = static_cast<uint32_t>(row);
  auto place_of = [&](uint32_t row) { return places.find(rows.keys[row])->second; };
  std::set<uint32_t> linked;
  for (const BodyLink& link : rows.links) linked.insert({link.inlined, link.into});
  std::map<uint32_t, size_t> bodies;  // by row: indexes of result_.bodies
  for (auto part = rows.parts.begin(); part != rows.parts.end();) {
    auto next = std::find_if(part, rows.parts.end(),
                             [&](const BodyPart& other) { return other.body != part->body; });
    if (next - part > 1 || part->row != part->body || linked.contains(part->body)) {
      ComparedBody body{place_of(part->body), compared.rows[part->body], {part, next}};
      bodies[part->body] = result_.bodies.size();
      for (BodyPart& its : body.parts) its.row = place_of(its.row), its.body = place_of(its.body);
      result_.bodies.push_back(std::move(body));
    }
    part = next;
  }
  for (const BodyLink& link : rows.links) {
    auto inlined = bodies.find(link.inlined), into = bodies.find(link.into);
    if (inlined == bodies.end() || into == bodies.end()) continue;
    result_.bodies[inlined->second].partners.push_back(into->second);
    result_.bodies[into->second].partners.push_back(inlined->second);
  }
  return ok();
}

// Keeps only the listed rows. All lines were compared before, so q values refer to all of them.
Result<void> Comparing::keep_listed() {
  PGO_TRY(result_.listings, list_sources(result_.rows, request_.listing));
  for (const SourceListing& listing : result_.listings)
    if (listing.is_by_number())
      result_.diagnostics.warn(
          "lines-by-number", shown_name(listing.function.name) +
                                 ": its lines are compared by number, because not all "
                                 "profiles contain its first line; lines that moved seem changed");
  std::vector<DiffRow> kept;
  for (SourceListing& listing : result_.listings)
    for (ListedLine& line : listing.lines) {
      if (!line.row) continue;
      kept.push_back(std::move(result_.rows[*line.row]));
      line.row = kept.size() - 1;
    }
  result_.rows = std::move(kept);
  return ok();
}

Result<DiffResult> Comparing::run() && {
  PGO_CHECK(open());
  for (size_t side = 0; side < 2; side++) PGO_CHECK(add_files(side));
  for (size_t side = 0; side < 2; side++)
    PGO_CHECK(check_has_samples(table_->members(side),
                                std::string("the ") + kSideNames[side] + " side", files_[side],
                                result_.diagnostics));
  result_.type = reader_->type().type();
  result_.unit = reader_->type().unit();
  result_.is_of_same_code = reader_->type().counts_same_code();
  reader_->warn(result_.diagnostics);
  warn_of_equal_sides();
  warn_of_other_builds();
  warn_of_inlined_frames();
  if (graph_)
    graph_->rename_binaries(
        [&](const std::string& binary) { return table_->final_binary(binary); });
  Rows rows = std::move(*table_).finish();
  PGO_CHECK(check_rows(rows));
  PGO_CHECK(standardize_rows(rows));
  PGO_CHECK(complete_sides(rows));
  PGO_TRY(result_.rows, compare_rows(rows));
  if (graph_) {
    PGO_TRY(result_.graph, graph_->build(result_));
  }
  std::sort(result_.rows.begin(), result_.rows.end(), is_shown_before);
  PGO_CHECK(compare_bodies(rows));
  warn_of_nameless_binaries();
  if (!request_.listing.functions.empty()) PGO_CHECK(keep_listed());
  const bool has_functions = request_.by == RowsBy::kFunction || request_.by == RowsBy::kLine;
  if (has_functions && !request_.owners.empty())
    result_.teams = assign_owners(result_.rows, request_.owners);
  if (merged_) {
    PGO_TRY(result_.merged,
            std::move(*merged_).finish(reader_->type().name(), result_.diagnostics));
  }
  return std::move(result_);
}

}  // namespace

Result<DiffResult> diff(const DiffRequest& request) {
  for (size_t side = 0; side < 2; side++)
    if (request.measure == verify::Measure::kPerUnit && request.units[side] <= 0 &&
        request.member_units[side].empty())
      return fail(ErrorKind::kUsage, "each side needs a number of units of work above 0");
  for (double units : request.units)
    if (!std::isfinite(units) || units > 1e18 || (units != 0 && units < 1e-9))
      return fail(ErrorKind::kUsage, "units of work are numbers from 1e-9 to 1e18");
  const bool has_stratum_units =
      !request.member_units[0].empty() && !request.member_units[1].empty();
  if (!request.standardize.empty() && request.measure == verify::Measure::kTotal)
    return fail(ErrorKind::kUsage, "\xFF{standardize} compares shares, or costs per unit of work");
  if (!request.standardize.empty() && request.measure == verify::Measure::kPerUnit &&
      !has_stratum_units)
    return fail(ErrorKind::kUsage,
                "\xFF{standardize} " + request.standardize +
                    ": per unit of work, it needs the units of each value of the label");
  if (request.by == RowsBy::kLabel && request.label.empty())
    return fail(ErrorKind::kUsage, "\xFF{by} label: the key of the label is missing");
  PGO_CHECK(check_owners(request.by, request.owners));
  if (!request.listing.functions.empty() && request.by != RowsBy::kLine)
    return fail(ErrorKind::kUsage, "\xFF{list} compares lines; leave out \xFF{by}");
  return Comparing(request).run();
}

}  // namespace pgo
