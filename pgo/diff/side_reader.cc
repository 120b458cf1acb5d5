#include "pgo/diff/side_reader.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "converters/perf_data/event_choice.h"
#include "converters/pprof/frame_pruning.h"
#include "pgo/base/bytes.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/number_text.h"
#include "pgo/base/parallel.h"
#include "pgo/diff/folded_names.h"
#include "pgo/diff/merged_difference.h"
#include "pgo/profile/sample_value.h"
#include "pgo/profile/stack_selection.h"
#include "pgo/source/input_bytes.h"
#include "pgo/source/input_files.h"
#include "pgo/stacks/function_calls.h"
#include "pgo/stacks/stack_names.h"

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

// Units of work of hosts ("web-1 220000"), say, which also read as stacks of one frame each, beside
// the profiles of a directory.
bool is_list(const SideFile& file, const InputBytes& input) {
  return file.file.from_directory && input.format() == Format::kFolded &&
         !file.file.path.ends_with(".folded") &&
         as_text(input.contents()).find(';') == std::string_view::npos;
}

// "; or name another ..." of the sample types that count no branches; empty without any.
std::string name_types_of_cost(const StackProfile& profile) {
  std::string types;
  for (size_t type = 0; type < profile.sample_types.size(); type++)
    if (!perf_data::names_branches(counted_event(profile, type)))
      types += (types.empty() ? "" : ", ") + type_name(profile, type);
  return types.empty() ? "" : "; or compare what else it counts, with \xFF{sample-type}: " + types;
}

// `event` and `others` are for the message. In a directory, pgo record leaves clock samples beside
// a recording of branches, which count.
Failure refuse_branches(const InputFile& file, const std::string& event,
                        const std::string& others) {
  return fail(
      file.from_directory ? ErrorKind::kEmpty : ErrorKind::kUnsupported,
      file.path + ": " + event +
          " counts branches, not cost: a profile-guided build takes fewer of them even if it "
          "is not faster; compare recordings of cycles or of the clock ('perf record -e cycles', "
          "'pgo record \xFF{engine} clock')" +
          others);
}

std::string name_of(const MemberLabels& labels) {
  return (labels.host.empty() ? "no host" : labels.host) +
         (labels.hour.empty() ? "" : ", hour " + labels.hour);
}

}  // namespace

void SideReader::NegativeFiles::add(const std::string& path, uint64_t its_samples) {
  if (its_samples == 0) return;
  if (files++ == 0) first = path;
  samples += its_samples;
}

void SideReader::NegativeFiles::warn(Diagnostics& diagnostics) const {
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

Result<SideReader> SideReader::open(const SideReaderOptions& options) {
  SideReader reader(options);
  if (!options.path_template.empty()) {
    PGO_TRY(reader.template_, PathTemplate::parse(options.path_template));
  }
  if (!options.binaries.empty()) {
    PGO_TRY(reader.binaries_, BinarySet::open(without_copies(options.binaries), options.debug));
  }
  return reader;
}

FoldedNames SideReader::folded() const {
  if (!binaries_) return {};
  std::vector<const ElfImage*> images;
  for (const Binary& binary : binaries_->binaries()) images.push_back(&binary.symbol_image());
  return folded_names(images);
}

Labels SideReader::labels_of(const SideFile& file, Diagnostics& diagnostics) const {
  Labels labels;
  if (template_) {
    if (std::optional<Labels> of_path = template_->labels_of(file.file.path))
      labels = *std::move(of_path);
    else
      diagnostics.warn("path-without-labels", file.file.path + ": its path does not end like " +
                                                  template_->text() + ", so it gives no labels");
  }
  labels.merge(file.file.labels());
  return labels;
}

void SideReader::label_samples(const SideFile& file, StackSource& source) const {
  Labels labels = labels_of(file, source.diagnostics);
  drop_other_labels(source.profile, labels, source.diagnostics);
  labels.merge(source.origins.shared_labels());
  if (!source.host.empty()) labels.try_emplace(kHostKey, source.host);
  if (!source.cpu_model.empty()) labels.try_emplace(kCpuModelKey, source.cpu_model);
  add_labels(source.profile, labels);
}

Result<SideProfile> SideReader::read_file(const SideFile& file, unsigned jobs,
                                          DuplicateFiles& duplicates) const {
  const std::string& path = file.file.path;
  PGO_TRY(InputBytes input, InputBytes::open(path));
  PGO_CHECK(check_digest(file.file, input.file()));
  StackSourceOptions options;
  options.samples.jobs = jobs;
  options.counts_branches = options_.counts_calls;
  SideProfile read;
  if (file.file.from_directory && !input.damage() && !is_stack_source(input.format()))
    return fail(ErrorKind::kEmpty, path + ": is not a stack profile");  // skipped with a warning
  if (is_list(file, input))
    return fail(ErrorKind::kEmpty, path +
                                       ": is a list of names and numbers, not stacks (or rename "
                                       "it to *.folded)");
  PGO_TRY(read.source, read_stack_source(input, options));
  StackProfile& profile = read.profile();
  if (read.source.of_branches) return refuse_branches(file.file, "its event", "");
  if (is_difference(profile))
    return fail(ErrorKind::kUnsupported,
                path + ": is a difference of two profiles; compare the profiles themselves");
  duplicates.add(file.file, input.file());
  PGO_TRY(read.weight, SampleWeight::choose(profile, options_.sample_type, path));
  const std::string_view event = counted_event(profile, read.weight.type());
  if (perf_data::names_branches(event))
    return refuse_branches(file.file, "its event '" + std::string(event) + "'",
                           name_types_of_cost(profile));
  read.negative_samples = drop_negative_samples(profile, read.weight.type()).samples;
  PGO_CHECK(add_names(file, jobs, read));
  label_samples(file, read.source);
  read.labels = choose_labels(profile, file.alternatives, options_.stratum_key);
  const size_t samples = profile.samples.size();
  keep_samples(profile, [&](size_t sample) {
    return read.labels[static_cast<size_t>(profile.samples[sample].labels)].has_value();
  });
  if (profile.samples.size() != samples) read.source.branches = {}, read.calls = {};
  // Of a directory or a bundle, the other side often takes the rest.
  const bool is_named = !file.file.from_directory && !file.file.bundle;
  if (samples != 0 && profile.samples.empty() && is_named)
    read.source.diagnostics.warn("no-matching-samples",
                                 path + ": no sample has the labels that are asked for");
  return read;
}

// Names for addresses; and without the frames that the profile says are of no interest.
Result<void> SideReader::add_names(const SideFile& file, unsigned jobs, SideProfile& read) const {
  StackProfile& profile = read.profile();
  if (binaries_) {
    StackNameOptions naming{
        .name = file.file.path, .sample_type = read.weight.type(), .jobs = jobs};
    read.source.diagnostics.add(name_stacks(profile, *binaries_, naming).diagnostics);
    if (read.source.branches.weight != 0)
      read.calls = find_calls(std::move(read.source.branches.profile), *binaries_, jobs);
  }
  if (profile.drop_frames != kEmptyString) {
    profile.normalize();
    PGO_TRY(profile, prune_frames(profile));
  }
  return ok();
}

Result<void> SideReader::accept(const SideFile& file, SideProfile& profile,
                                Diagnostics& diagnostics) {
  PGO_CHECK(type_.add(profile.profile(), profile.weight.type(), file.file.path));
  diagnostics.add(profile.source.diagnostics);
  negative_.add(file.file.path, profile.negative_samples);
  return ok();
}

Result<void> SideReader::read(const std::vector<SideFile>& files, const std::string& step,
                              Diagnostics& diagnostics, const AddFn& add) {
  std::vector<InputFile> inputs;
  for (const SideFile& file : files) inputs.push_back(file.file);
  DuplicateFiles duplicates(inputs);
  const size_t at_once = resolve_jobs(options_.jobs);
  const unsigned jobs_per_file = files.size() == 1 ? options_.jobs : 1;
  for (size_t begin = 0; begin < files.size(); begin += at_once) {
    const size_t count = std::min(at_once, files.size() - begin);
    std::vector<Result<SideProfile>> read = parallel_map(count, options_.jobs, [&](size_t i) {
      return read_file(files[begin + i], jobs_per_file, duplicates);
    });
    for (size_t i = 0; i < count; i++) {
      const SideFile& file = files[begin + i];
      report_progress(options_.progress, {step, begin + i, files.size(), "profiles"});
      if (read[i]) {
        SideProfile profile = *std::move(read[i]);
        PGO_CHECK(accept(file, profile, diagnostics));
        PGO_CHECK(add(file, profile));
      } else if (!skip_if_found(file.file, read[i].error(), diagnostics)) {
        return fail(read[i].error());
      }
    }
  }
  duplicates.warn(diagnostics);
  return ok();
}

void SideReader::warn(Diagnostics& diagnostics) const {
  type_.warn(diagnostics);
  negative_.warn(diagnostics);
}

std::vector<uint32_t> add_members(RowTable& table, size_t side, const SideFile& file,
                                  const SideProfile& profile, SideMembers& into) {
  std::map<MemberLabels, uint32_t> numbers;
  std::set<MemberLabels> wholes;  // without their strata
  for (const StackSample& sample : profile.profile().samples) {
    MemberLabels labels =
        profile.labels[static_cast<size_t>(sample.labels)].value_or(MemberLabels{});
    numbers[labels] = 0;
    labels.stratum.clear();
    wholes.insert(std::move(labels));
  }
  const size_t first = into.names.size();
  for (const MemberLabels& labels : wholes)
    into.names.push_back(file.file.path + (wholes.size() > 1 ? " (" + name_of(labels) + ")" : ""));
  for (auto& [labels, number] : numbers) {
    number = table.add_member(
        side, {.host = labels.host, .hour = labels.hour, .scale = file.file.weight.value()});
    const auto whole = wholes.find({labels.host, labels.hour});
    into.strata.strata.push_back(labels.stratum);
    into.strata.wholes.push_back(
        static_cast<uint32_t>(first + static_cast<size_t>(std::distance(wholes.begin(), whole))));
  }
  std::vector<uint32_t> of_set;
  for (const std::optional<MemberLabels>& labels : profile.labels) {
    auto found = labels ? numbers.find(*labels) : numbers.end();
    of_set.push_back(found == numbers.end() ? 0 : found->second);  // 0: of no sample
  }
  return of_set;
}

Result<void> check_has_samples(const std::vector<verify::Member>& members, const std::string& whose,
                               const std::vector<SideFile>& files, const Diagnostics& diagnostics) {
  if (std::any_of(members.begin(), members.end(),
                  [](const verify::Member& member) { return member.weight > 0; }))
    return ok();
  const std::string unreadable = name_unreadable(diagnostics);
  if (members.empty() && !unreadable.empty())
    return fail(ErrorKind::kEmpty, whose + " has no profile that can be read" + unreadable);
  const bool has_conditions = std::any_of(files.begin(), files.end(), [](const SideFile& file) {
    return std::none_of(file.alternatives.begin(), file.alternatives.end(),
                        [](const LabelConditions& one) { return one.empty(); });
  });
  return fail(ErrorKind::kEmpty,
              whose + " has no samples" +
                  (has_conditions ? " with the labels that are asked for after '#'; 'pgo show' "
                                    "lists the labels of a profile, and \xFF{path-template} takes "
                                    "labels from paths"
                                  : ": was the program idle?") +
                  unreadable);
}

}  // namespace pgo
