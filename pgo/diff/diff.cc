#include "pgo/diff/diff.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "converters/folded/folded.h"
#include "converters/pprof/frame_pruning.h"
#include "pgo/base/file_name.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/number_text.h"
#include "pgo/base/parallel.h"
#include "pgo/binary/binary_set.h"
#include "pgo/diff/compared_type.h"
#include "pgo/diff/difference_graph.h"
#include "pgo/diff/folded_names.h"
#include "pgo/diff/label_choice.h"
#include "pgo/diff/merged_difference.h"
#include "pgo/diff/path_template.h"
#include "pgo/diff/sample_weight.h"
#include "pgo/diff/side_files.h"
#include "pgo/profile/sample_value.h"
#include "pgo/profile/stack_selection.h"
#include "pgo/source/duplicate_files.h"
#include "pgo/source/input_bytes.h"
#include "pgo/source/input_files.h"
#include "pgo/stacks/stack_names.h"
#include "pgo/stacks/stack_source.h"

namespace pgo {
namespace {

// Builds of a program often have the same libraries. Of files with equal bytes, the first.
std::vector<std::string> without_copies(const std::vector<std::string>& paths) {
  std::vector<std::string> kept;
  std::vector<MappedFile> files;
  for (const std::string& path : paths) {
    Result<MappedFile> file = MappedFile::open(path);
    // What cannot be read is the error of who opens it.
    bool is_copy = file && std::any_of(files.begin(), files.end(), [&](const MappedFile& one) {
                     return std::ranges::equal(one.bytes(), file->bytes());
                   });
    if (is_copy) continue;
    kept.push_back(path);
    if (file) files.push_back(*std::move(file));
  }
  return kept;
}

bool is_stack_source(const std::optional<Format>& format) {
  return format && (is_stack_format(*format) || *format == Format::kPerfData ||
                    *format == Format::kAddressProfile);
}

// The profile of one file, with names. Only samples that count are left in it.
struct ReadProfile {
  StackSource source;
  std::optional<SampleWeight> weight;
  std::vector<std::optional<MemberLabels>> labels;  // of each set of labels
  uint64_t negative_samples = 0;                    // that were left out
};

// Files with negative samples, which were left out.
struct NegativeFiles {
  uint64_t files = 0, samples = 0;
  std::string first;  // path

  void add(const std::string& path, uint64_t its_samples) {
    if (its_samples == 0) return;
    if (files++ == 0) first = path;
    samples += its_samples;
  }
  void warn(Diagnostics& diagnostics) const;
};

void NegativeFiles::warn(Diagnostics& diagnostics) const {
  if (files == 0) return;
  const bool is_one = files == 1;
  diagnostics.warn(kNegativeValues,
                   first + (is_one ? "" : " and " + format_count(files - 1, "other file")) + ": " +
                       format_count(samples, "sample with a negative value is",
                                    "samples with negative values are") +
                       " left out; " +
                       (is_one ? "is the file a difference" : "are the files differences") +
                       " of profiles already?");
}

class Comparing {
 public:
  explicit Comparing(const DiffRequest& request) : request_(request) {}

  Result<DiffResult> run() &&;

 private:
  Result<void> open();
  Result<void> find_files();
  Result<void> add_files(size_t side);
  Result<ReadProfile> read(size_t side, const SideFile& file) const;
  Labels labels_of(const SideFile& file, StackSource& source) const;
  Result<void> add_names(const SideFile& file, ReadProfile& read) const;
  Result<void> add(size_t side, const SideFile& file, ReadProfile read);
  std::vector<uint32_t> add_members(size_t side, const SideFile& file, const ReadProfile& read);
  Result<void> check_sides() const;
  Result<void> check_rows(const Rows& rows);
  double share_of_rate(size_t side) const;
  void warn_of_other_builds();
  void warn_of_inlined_frames();
  void warn_of_nameless_binaries();
  Result<void> standardize_rows(Rows& rows);
  Result<void> complete_sides(Rows& rows);
  Result<std::vector<DiffRow>> compare_rows(const Rows& rows, verify::Measure measure);
  Result<void> keep_listed();

  const DiffRequest& request_;
  std::optional<PathTemplate> template_;
  StackFilter filter_;
  std::optional<BinarySet> binaries_;
  std::optional<RowTable> table_;
  std::optional<DifferenceGraph> graph_;
  std::optional<MergedDifference> merged_;
  std::array<std::vector<SideFile>, 2> files_;
  std::array<std::unique_ptr<DuplicateFiles>, 2> duplicates_;
  unsigned jobs_per_file_ = 1;  // files are read side by side, on a thread each
  ComparedType type_;
  NegativeFiles negative_;
  std::array<SideStrata, 2> strata_;
  DiffResult result_;
};

Result<void> Comparing::open() {
  if (!request_.path_template.empty()) {
    PGO_TRY(template_, PathTemplate::parse(request_.path_template));
  }
  PGO_TRY(filter_, StackFilter::compile(request_.filter));
  PGO_CHECK(find_files());
  RowOptions rows{.by = request_.by, .label = request_.label, .physical = request_.physical};
  rows.one_program = request_.one_program;
  if (!request_.binaries.empty()) {
    PGO_TRY(binaries_, BinarySet::open(without_copies(request_.binaries), request_.debug));
    std::vector<const ElfImage*> images;
    for (const Binary& binary : binaries_->binaries()) images.push_back(&binary.symbol_image());
    rows.folded_names = folded_names(images);
  }
  if (request_.wants_graph) graph_.emplace(rows);
  table_.emplace(std::move(rows));
  if (request_.wants_merged) merged_.emplace();
  result_.by = request_.by;
  result_.measure = request_.measure;
  result_.physical = request_.physical;
  result_.false_discoveries = request_.false_discoveries;
  return ok();
}

Result<void> Comparing::find_files() {
  for (size_t side = 0; side < 2; side++) {
    PGO_TRY(files_[side], find_side_files(request_.sides[side]));
    if (files_[side].empty())
      return fail(ErrorKind::kEmpty,
                  std::string("the side ") + kSideNames[side] + " has no inputs");
  }
  std::vector<std::string> read;
  for (const std::vector<SideFile>& files : files_)
    for (const SideFile& file : files) read.push_back(file.file.path);
  for (size_t side = 0; side < 2; side++) {
    std::vector<InputFile> inputs;
    for (const SideFile& file : files_[side]) inputs.push_back(file.file);
    duplicates_[side] = std::make_unique<DuplicateFiles>(inputs);
    result_.sides[side].inputs = request_.sides[side];
  }
  return check_plan(request_.outputs, read);
}

Labels Comparing::labels_of(const SideFile& file, StackSource& source) const {
  Labels labels;
  if (template_) {
    if (std::optional<Labels> of_path = template_->labels_of(file.file.path))
      labels = *std::move(of_path);
    else
      source.diagnostics.warn("path-without-labels",
                              file.file.path + ": its path does not end like " + template_->text() +
                                  ", so it gives no labels");
  }
  if (!source.host.empty()) labels.try_emplace(kHostKey, source.host);
  if (!source.cpu_model.empty()) labels.try_emplace(kCpuModelKey, source.cpu_model);
  return labels;
}

Result<ReadProfile> Comparing::read(size_t side, const SideFile& file) const {
  const std::string& path = file.file.path;
  PGO_TRY(InputBytes input, InputBytes::open(path));
  StackSourceOptions options;
  options.samples.jobs = jobs_per_file_;
  ReadProfile read;
  if (file.file.from_directory && !input.damage() && !is_stack_source(input.format()))
    return fail(ErrorKind::kEmpty, path + ": is no stack profile");  // skipped with a warning
  PGO_TRY(read.source, read_stack_source(input, options));
  StackProfile& profile = read.source.profile;
  // In a directory, pgo record leaves clock samples beside them, which count.
  if (read.source.of_branches)
    return fail(file.file.from_directory ? ErrorKind::kEmpty : ErrorKind::kUnsupported,
                path +
                    ": its event counts branches, and a profile-guided build runs fewer of these "
                    "whatever they cost; compare recordings of cycles or of the clock ('perf "
                    "record -e cycles', 'pgo record \xFF{engine} clock')");
  const bool has_two_counts =
      input.format() == Format::kFolded && is_folded_difference(input.contents());
  if (has_two_counts || is_difference(profile))
    return fail(ErrorKind::kUnsupported,
                path + ": is a difference of two profiles; compare the profiles themselves");
  duplicates_[side]->add(file.file, input.file());
  PGO_TRY(read.weight, SampleWeight::choose(profile, request_.sample_type, path));
  read.negative_samples = drop_negative_samples(profile, read.weight->type()).samples;
  PGO_CHECK(add_names(file, read));
  add_labels(profile, labels_of(file, read.source));
  read.labels = choose_labels(profile, file.alternatives, request_.standardize);
  const bool had_samples = !profile.samples.empty();
  keep_samples(profile, [&](size_t sample) {
    return read.labels[static_cast<size_t>(profile.samples[sample].labels)].has_value();
  });
  // Of a directory, the other side often takes the rest.
  if (had_samples && profile.samples.empty() && !file.file.from_directory)
    read.source.diagnostics.warn("no-matching-samples",
                                 path + ": no sample has the labels that are asked for");
  return read;
}

// Names for addresses; and without the frames that the profile says are of no interest.
Result<void> Comparing::add_names(const SideFile& file, ReadProfile& read) const {
  StackProfile& profile = read.source.profile;
  if (binaries_) {
    StackNameOptions naming{
        .name = file.file.path, .sample_type = read.weight->type(), .jobs = jobs_per_file_};
    read.source.diagnostics.add(name_stacks(profile, *binaries_, naming).diagnostics);
  }
  if (profile.drop_frames != kEmptyString) {
    profile.normalize();
    PGO_TRY(profile, prune_frames(profile));
  }
  return ok();
}

std::string name_of(const MemberLabels& labels) {
  return (labels.host.empty() ? "no host" : labels.host) +
         (labels.hour.empty() ? "" : ", hour " + labels.hour);
}

// The member of each set of labels; a file without labels is one.
std::vector<uint32_t> Comparing::add_members(size_t side, const SideFile& file,
                                             const ReadProfile& read) {
  std::map<MemberLabels, uint32_t> numbers;
  std::set<MemberLabels> wholes;  // without their strata
  for (const StackSample& sample : read.source.profile.samples) {
    MemberLabels labels = *read.labels[static_cast<size_t>(sample.labels)];
    numbers[labels] = 0;
    labels.stratum.clear();
    wholes.insert(std::move(labels));
  }
  std::vector<std::string>& names = result_.sides[side].names;
  const size_t first = names.size();
  for (const MemberLabels& labels : wholes)
    names.push_back(file.file.path + (wholes.size() > 1 ? " (" + name_of(labels) + ")" : ""));
  for (auto& [labels, number] : numbers) {
    number = table_->add_member(side, {.host = labels.host, .hour = labels.hour});
    const auto whole = wholes.find({labels.host, labels.hour});
    strata_[side].strata.push_back(labels.stratum);
    strata_[side].wholes.push_back(
        static_cast<uint32_t>(first + std::distance(wholes.begin(), whole)));
  }
  std::vector<uint32_t> of_set;
  for (const std::optional<MemberLabels>& labels : read.labels) {
    auto found = labels ? numbers.find(*labels) : numbers.end();
    of_set.push_back(found == numbers.end() ? 0 : found->second);  // 0: of no sample
  }
  return of_set;
}

Result<void> Comparing::add(size_t side, const SideFile& file, ReadProfile read) {
  StackProfile& profile = read.source.profile;
  PGO_CHECK(type_.add(profile, read.weight->type(), file.file.path));
  result_.diagnostics.add(read.source.diagnostics);
  result_.sides[side].cpu_models.merge(label_values(profile, kCpuModelKey));
  for (const StackMapping& mapping : profile.mappings)
    if (BuildId id = profile.build_id_of(mapping); !id.empty())
      result_.sides[side].builds.insert(id);
  negative_.add(file.file.path, read.negative_samples);
  std::vector<uint32_t> members = add_members(side, file, read);
  table_->count(profile, *read.weight, side, members);
  if (!profile.mappings.empty()) {
    std::string program(file_name(profile.text(profile.mappings[0].filename)));
    if (!program.empty()) result_.sides[side].programs.insert(program);
    table_->add_program(side, program);
  }
  filter_.apply(profile);
  if (merged_) PGO_CHECK(merged_->add(profile, side, file.file.path));
  table_->add(profile, *read.weight, side, members);
  if (graph_) graph_->add(profile, *read.weight, side);
  return ok();
}

// Files are read side by side, and added in their order.
Result<void> Comparing::add_files(size_t side) {
  const std::vector<SideFile>& files = files_[side];
  const size_t at_once = resolve_jobs(request_.jobs);
  jobs_per_file_ = files.size() == 1 ? request_.jobs : 1;
  for (size_t begin = 0; begin < files.size(); begin += at_once) {
    std::vector<std::optional<Result<ReadProfile>>> read(std::min(at_once, files.size() - begin));
    parallel_for(read.size(), request_.jobs,
                 [&](size_t i) { read[i] = this->read(side, files[begin + i]); });
    for (size_t i = 0; i < read.size(); i++) {
      const SideFile& file = files[begin + i];
      report_progress(request_.progress, {std::string("reading ") + kSideNames[side], begin + i,
                                          files.size(), "profiles"});
      if (*read[i]) {
        PGO_CHECK(add(side, file, **std::move(read[i])));
      } else if (!skip_if_found(file.file, read[i]->error(), result_.diagnostics)) {
        return fail(read[i]->error());
      }
    }
  }
  duplicates_[side]->warn(result_.diagnostics);
  return ok();
}

Result<void> Comparing::check_sides() const {
  for (size_t side = 0; side < 2; side++) {
    double weight = 0;
    for (const verify::Member& member : table_->members(side)) weight += member.weight;
    if (weight > 0) continue;
    if (table_->members(side).empty() && !name_unreadable(result_.diagnostics).empty())
      return fail(ErrorKind::kEmpty, std::string("the side ") + kSideNames[side] +
                                         " has no profile that can be read" +
                                         name_unreadable(result_.diagnostics));
    bool has_conditions =
        std::any_of(files_[side].begin(), files_[side].end(), [](const SideFile& file) {
          return std::none_of(file.alternatives.begin(), file.alternatives.end(),
                              [](const LabelConditions& one) { return one.empty(); });
        });
    return fail(
        ErrorKind::kEmpty,
        std::string("the side ") + kSideNames[side] + " has no samples" +
            (has_conditions ? " with the labels that are asked for after '#'; 'pgo show' "
                              "lists the labels of a profile, and \xFF{path-template} takes "
                              "labels off paths"
                            : ": was the program idle?") +
            name_unreadable(result_.diagnostics));
  }
  return ok();
}

// A binary of another build names nothing.
void Comparing::warn_of_other_builds() {
  if (!binaries_ || result_.sides[0].builds.empty() || result_.sides[1].builds.empty()) return;
  for (const Binary& binary : binaries_->binaries()) {
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
  if ((inlined[0] > 0) == (inlined[1] > 0)) return;
  result_.diagnostics.warn(
      "no-inlined-frames",
      std::string("the side ") + kSideNames[inlined[0] > 0 ? 1 : 0] +
          " has no frames of inlined functions and the other has: what was inlined counts for its "
          "caller there; \xFF{binary} names them, or \xFF{physical} compares without them");
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
      result_.diagnostics.warn("nothing-matches", std::string("no sample of the side ") +
                                                      kSideNames[side] + " matches the filters");
  if (request_.by == RowsBy::kLabel && rows.keys.size() == 1 && rows.keys[0].name == kNoLabel)
    return fail(ErrorKind::kEmpty, "no sample has the label '" + request_.label + "'");
  return ok();
}

// Code without names is one row for each binary, which says little of what changed.
void Comparing::warn_of_nameless_binaries() {
  constexpr double kNotable = .05;
  if (request_.by != RowsBy::kFunction && request_.by != RowsBy::kLine) return;
  for (const DiffRow& row : result_.rows) {
    if (!row.key.linkage.empty() || row.key.binary.empty() ||
        row.key.name != name_without_function(row.key.binary))
      continue;
    const double shares[] = {row.flat.rate_a * share_of_rate(0),
                             row.flat.rate_b * share_of_rate(1)};
    for (size_t side = 0; side < 2; side++)
      if (shares[side] > kNotable)
        result_.diagnostics.warn("code-without-names",
                                 format_share(shares[side]) + " of the side " + kSideNames[side] +
                                     " is in code without names of functions in " + row.key.binary +
                                     ": name its file with \xFF{binary}");
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
    rows.cumulative[side].members = into.members = members;
  }
  return ok();
}

Result<void> Comparing::standardize_rows(Rows& rows) {
  if (request_.standardize.empty()) return ok();
  const bool by_units = request_.measure == verify::Measure::kPerUnit;
  for (size_t side = 0; by_units && side < 2; side++) {
    std::vector<std::string> names;  // of parts of members
    for (uint32_t whole : strata_[side].wholes) names.push_back(result_.sides[side].names[whole]);
    PGO_CHECK(assign_stratum_units(request_.member_units[side], request_.standardize,
                                   strata_[side].strata, names, kSideNames[side],
                                   rows.flat[side].members, result_.diagnostics));
  }
  PGO_TRY(StandardizedRows standardized,
          standardize(rows, strata_, by_units, request_.standardize, result_.diagnostics));
  rows = std::move(standardized.rows);
  result_.standardized_by = request_.standardize;
  result_.mix = std::move(standardized.mix);
  return ok();
}

Result<std::vector<DiffRow>> Comparing::compare_rows(const Rows& rows, verify::Measure measure) {
  verify::CompareOptions options{.measure = measure,
                                 .false_discoveries = request_.false_discoveries};
  PGO_TRY(verify::Comparison flat, verify::compare(rows.flat[0], rows.flat[1], options));
  PGO_TRY(verify::Comparison cumulative,
          verify::compare(rows.cumulative[0], rows.cumulative[1], options));
  if (measure != verify::Measure::kShare) {
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
  for (size_t row = 0; row < rows.keys.size(); row++)
    compared.push_back({rows.keys[row], flat.rows[row], cumulative.rows[row], rows.sources[row]});
  return compared;
}

// Keeps only the listed rows. All lines were compared before, so q values refer to all of them.
Result<void> Comparing::keep_listed() {
  PGO_TRY(result_.listings, list_sources(result_.rows, request_.listing));
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
  PGO_CHECK(check_sides());
  result_.type = type_.type();
  result_.unit = type_.unit();
  type_.warn(result_.diagnostics);
  negative_.warn(result_.diagnostics);
  warn_of_other_builds();
  warn_of_inlined_frames();
  if (graph_)
    graph_->rename_binaries(
        [&](const std::string& binary) { return table_->final_binary(binary); });
  Rows rows = std::move(*table_).finish();
  PGO_CHECK(check_rows(rows));
  PGO_CHECK(standardize_rows(rows));
  PGO_CHECK(complete_sides(rows));
  if (graph_) {
    PGO_TRY(std::vector<DiffRow> shares, compare_rows(rows, verify::Measure::kShare));
    PGO_TRY(result_.graph, graph_->build(result_, shares));
  }
  PGO_TRY(result_.rows, compare_rows(rows, request_.measure));
  std::sort(result_.rows.begin(), result_.rows.end(), is_shown_before);
  warn_of_nameless_binaries();
  if (!request_.listing.functions.empty()) PGO_CHECK(keep_listed());
  if (merged_) {
    PGO_TRY(result_.merged, std::move(*merged_).finish(type_.name(), result_.diagnostics));
  }
  if (request_.wants_rows) result_.member_rows = std::move(rows);
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
  if (request.by == RowsBy::kTeam)
    return fail(ErrorKind::kUsage, "\xFF{by} team: a comparison has no rows of teams");
  if (!request.listing.functions.empty() && request.by != RowsBy::kLine)
    return fail(ErrorKind::kUsage, "\xFF{list} compares lines; leave out \xFF{by}");
  return Comparing(request).run();
}

}  // namespace pgo
