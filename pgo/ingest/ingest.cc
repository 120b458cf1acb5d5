#include "pgo/ingest/ingest.h"

#include <sys/stat.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "converters/address/address_profile_reader.h"
#include "converters/preaggregated/preaggregated.h"
#include "pgo/base/number_text.h"
#include "pgo/base/parallel.h"
#include "pgo/elf/image_match.h"
#include "pgo/elf/stack_samples.h"
#include "pgo/ingest/address_input.h"
#include "pgo/ingest/inconvertible.h"
#include "pgo/ingest/low_yield.h"
#include "pgo/ingest/pc_samples.h"
#include "pgo/ingest/reading_order.h"
#include "pgo/ingest/recorded_images.h"
#include "pgo/ingest/sample_choice.h"
#include "pgo/ingest/single_steps.h"
#include "pgo/ingest/stack_input.h"
#include "pgo/ingest/wrong_build_detector.h"
#include "pgo/profile/address_merger.h"
#include "pgo/source/duplicate_files.h"
#include "pgo/source/input_bytes.h"

namespace pgo {
namespace {

using perf_data::read_samples;
using perf_data::ReadOptions;
using perf_data::Recording;
using perf_data::scan_recording;

constexpr const char* kGiveOthers = "name only the inputs that you want to use";

Result<AddressProfile> read_traces(Bytes bytes, const std::string& path, const BinarySet& binaries,
                                   const ReadOptions& options) {
  constexpr const char* kKind = "file of pre-aggregated traces";
  PGO_CHECK(refuse_any_choice(path, kKind, kGiveOthers, options));
  if (binaries.binaries().size() != 1)
    return fail(ErrorKind::kUsage,
                path + ": pre-aggregated traces do not say which binary they are of",
                "give one \xFF{binary}");
  PGO_TRY(PreaggregatedProfile traces, parse_preaggregated(bytes, path));
  const ElfImage& image = *binaries.binaries()[0].image;
  // Without an id on either side nothing can be said.
  const BuildId& id = traces.counts.id;
  if (!id.empty() && !image.build_id().empty() && !id.matches(image.build_id()))
    return fail(ErrorKind::kMismatch,
                path + ": its traces are of build " + id.hex() + ", but " + image.path() +
                    " is build " + image.build_id().hex(),
                "name the binary that ran");
  AddressProfile profile;
  if (traces.loose_fall_throughs != 0)
    profile.diagnostics.warn("loose-fall-throughs",
                             path +
                                 ": has fall-throughs without the branch before them (F, f, r); "
                                 "they count as entered from outside",
                             traces.loose_fall_throughs);
  Accounting& samples = profile.samples;
  samples.pending = traces.counts.pc_sample_count();
  samples[Dropped::kOtherBinary] = traces.outside_samples;
  samples.seen = saturating_add(samples.pending, traces.outside_samples);
  traces.counts.id = image.build_id();
  traces.counts.path_hint = image.path();
  profile.binaries.push_back(std::move(traces.counts));
  return profile;
}

size_t trace_count(const AddressProfile& profile) {
  size_t count = 0;
  for (const BinaryCounts& counts : profile.binaries) count += counts.traces.size();
  return count;
}

// What one input gave. A file that was only found in a directory and cannot be used gives nothing,
// with a warning.
struct IngestedFile {
  std::optional<Error> error;
  bool skipped = false;
  // Of a recording without branch stacks: which of its events count is not clear. Of no importance
  // where another input has branch stacks.
  std::optional<Error> undecided;
  Diagnostics warnings;
  uint64_t size = 0;  // in bytes
  AddressProfile profile;
  std::optional<SymbolizedStacks> symbolized;  // instead of `profile`
  RecordedImages images;
  bool has_preaggregated_traces = false;
  bool has_assumed_build_ids = false;
  std::vector<std::string> wrong_builds;  // warnings of WrongBuildDetector
  Origins modified;                       // of IngestResult
};

// The files whose mappings have samples, by name.
std::vector<perf_data::OtherFile> name_mappings(const StackProfile& stacks,
                                                const std::vector<uint64_t>& samples) {
  std::vector<perf_data::OtherFile> files;
  for (size_t i = 0; i < samples.size(); i++) {
    const StackMapping& mapping = stacks.mappings[i];
    std::string path(stacks.text(mapping.filename));
    if (samples[i] != 0 && is_absolute_path(path))
      files.push_back({{std::move(path), stacks.build_id_of(mapping)}, samples[i]});
  }
  return files;
}

Result<void> read_stacks(const InputBytes& input, Format format, const BinarySet& binaries,
                         const ReadOptions& options, IngestedFile& one) {
  const std::string& path = input.path();
  const std::string kind(info_of(format).name);
  PGO_CHECK(refuse_sample_choice(path, kind, kGiveOthers, options));
  if (options.events.size() > 1)
    return fail(ErrorKind::kUsage,
                path + ": is a " + kind + ", and only one sample type of it can be used",
                "give one \xFF{event}, or convert it separately");
  const std::string sample_type = options.events.empty() ? "" : options.events[0];
  Diagnostics warnings;
  PGO_TRY(StackProfile stacks, read_stack_profile(input, warnings));
  one.images.add(stacks);
  one.has_assumed_build_ids = binaries.assume_build_ids(stacks, path, warnings);
  std::vector<const ElfImage*> wanted;
  for (const Binary& binary : binaries.binaries()) wanted.push_back(binary.image.get());
  if (has_addresses(stacks)) {
    PGO_TRY(StackCounts counts, count_stack_samples(stacks, wanted, sample_type, path));
    one.profile = std::move(counts.profile);
    one.images.add_others(name_mappings(stacks, counts.others));
  } else {
    PGO_TRY(one.symbolized, take_symbolized_stacks(stacks, wanted, sample_type, path));
  }
  (one.symbolized ? one.symbolized->counted : one.profile).diagnostics.add(warnings);
  return ok();
}

// Has an event with branch stacks any sample?
bool has_branch_stacks(const Recording& recording) {
  for (size_t i = 0; i < recording.events.size(); i++)
    if (recording.events[i].has_branch_stacks() && recording.event_samples[i] != 0) return true;
  return false;
}

Result<void> read_recording(const InputBytes& input, const BinarySet& binaries,
                            const ReadOptions& options, IngestedFile& one) {
  PGO_TRY(Recording recording, scan_recording(input.contents(), input.path(), {}));
  one.images.add(recording);
  std::vector<perf_data::OtherFile> others;
  Result<AddressProfile> profile = read_samples(recording, binaries.targets(), options, others);
  if (profile) {
    one.profile = *std::move(profile);
    one.images.add(others);
    return ok();
  }
  if (profile.error().kind != ErrorKind::kUsage || has_branch_stacks(recording))
    return fail(profile.error());
  one.undecided = profile.error();
  one.profile.samples.seen = one.profile.samples[Dropped::kOtherEvent] = recording.sample_records;
  one.profile.lost = recording.lost;
  one.profile.diagnostics.add(recording.diagnostics);
  return ok();
}

// False when nothing can be converted from a file of this format.
Result<bool> read_input(const InputBytes& input, const BinarySet& binaries,
                        const ReadOptions& options, IngestedFile& one) {
  const std::string& path = input.path();
  if (input.damage()) return Failure{*input.damage()};
  if (!input.format()) return false;
  switch (*input.format()) {
    case Format::kPerfData: PGO_CHECK(read_recording(input, binaries, options, one)); return true;
    case Format::kPreaggregated: {
      PGO_TRY(one.profile, read_traces(input.contents(), path, binaries, options));
      one.has_preaggregated_traces = trace_count(one.profile) != 0;
      return true;
    }
    case Format::kAddressProfile: {
      PGO_TRY(AddressProfile profile, read_address_profile(input.contents(), path));
      one.images.add(profile);
      PGO_TRY(AddressInput counted,
              count_for_binaries(std::move(profile), path, binaries, options));
      one.profile = std::move(counted.profile);
      one.images.add_others(counted.others);
      return true;
    }
    case Format::kPprof:
    case Format::kGperftools:
      PGO_CHECK(read_stacks(input, *input.format(), binaries, options, one));
      return true;
    default: return false;
  }
}

// A file that was only found in a directory is skipped; one that was named is an error.
void refuse(const InputFile& input, const InputBytes& bytes, IngestedFile& one) {
  const std::string empty = input.path + ": is empty";
  const std::string advice = "did the recording end before perf wrote it?";
  one.skipped = input.from_directory;
  if (one.skipped && bytes.file().empty())
    one.warnings.warn(kEmptyInput, empty + "; " + advice);
  else if (one.skipped)
    one.warnings.warn(kOtherInput, input.path + ": skipped: not a recording");
  else if (bytes.file().empty())
    one.error = {ErrorKind::kInput, empty, advice};
  else
    one.error = describe_inconvertible(bytes);
}

// Traces that were aggregated before are of the binary that is named, and llvm-profgen takes all.
bool may_be_of_other_build(const InputBytes& input, const ReadOptions& options) {
  return options.compatibility == perf_data::Compatibility::kNone &&
         input.format() != Format::kPreaggregated;
}

// The second in which a file was last changed. Nothing for a pipe, and for times that are none:
// archives set them to 0.
std::optional<Origins::Window> second_of_change(const std::string& path) {
  constexpr int64_t kSecond = 1'000'000'000, kEnd = std::numeric_limits<int64_t>::max() / kSecond;
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const int64_t second = status.st_mtim.tv_sec;
  if (second <= 0 || second >= kEnd) return std::nullopt;
  return Origins::Window{second * kSecond, (second + 1) * kSecond};
}

IngestedFile read_file(const InputFile& input, const BinarySet& binaries,
                       const ReadOptions& options, WrongBuildDetector& wrong_builds,
                       DuplicateFiles& duplicates) {
  IngestedFile one;
  Result<InputBytes> file = InputBytes::open(input.path);
  Result<bool> read = false;
  if (file) {
    one.size = file->file().size();
    Result<void> same = check_digest(input, file->file());
    read = same ? read_input(*file, binaries, options, one) : Result<bool>(fail(same.error()));
  } else {
    read = fail(file.error());
  }
  if (!read) {
    one.skipped = skip_if_found(input, read.error(), one.warnings);
    if (!one.skipped) one.error = read.error();
  } else if (!*read) {
    refuse(input, *file, one);
  } else if (may_be_of_other_build(*file, options)) {
    Result<std::vector<std::string>> found =
        wrong_builds.leave_out_other_builds(one.profile, input.path, one.images);
    if (found)
      one.wrong_builds = *std::move(found);
    else
      one.error = found.error();
  }
  if (read && *read) {
    duplicates.add(input, file->file());
    Origins& origins = (one.symbolized ? one.symbolized->counted : one.profile).origins;
    origins.complete(input.origins());
    // A bundle says all that is known: its files are of the day on which it was made.
    if (!origins.window && !input.bundle && file->format() == Format::kPerfData)
      one.modified = Origins::of({}, second_of_change(input.path));
  }
  return one;
}

size_t pc_sample_rows(const AddressProfile& profile) {
  size_t count = 0;
  for (const BinaryCounts& counts : profile.binaries) count += counts.pc_samples.size();
  return count;
}

// What was read so far, and the inputs that count only when no other has something better.
struct PendingInputs {
  AddressMerger merger;
  bool has_traces = false, has_pc_samples = false;
  std::vector<UnusedInput> without_stacks, without_addresses;  // and why they would not count
  std::vector<UnusedInput> without_choice;                     // of `undecided`, likewise
  std::map<std::string, Error> undecided;                      // IngestedFile::undecided, by path
};

Result<void> add_symbolized(const InputFile& file, SymbolizedStacks stacks, IngestResult& input,
                            PendingInputs& pending) {
  uint64_t count = stacks.counted.samples.pending;
  if (count == 0)
    input.unused.push_back({file.path, explain_unused(stacks.counted)});
  else
    pending.without_addresses.push_back(
        {file.path, format_count(count, "sample has", "samples have") + " no address"});
  return input.symbolized.add(std::move(stacks), file.path, MergeFactor::of(file.weight));
}

Result<void> add_file(const InputFile& file, IngestedFile one, IngestResult& input,
                      PendingInputs& pending) {
  // Added as a whole, because that does not show the order of the files.
  input.profile.diagnostics.add(one.warnings);
  if (one.skipped) return ok();
  input.images.add(one.images);
  input.modified.add(one.modified);
  input.has_preaggregated_traces |= one.has_preaggregated_traces;
  input.has_assumed_build_ids |= one.has_assumed_build_ids;
  input.wrong_builds.insert(input.wrong_builds.end(), one.wrong_builds.begin(),
                            one.wrong_builds.end());
  if (one.symbolized) return add_symbolized(file, *std::move(one.symbolized), input, pending);
  bool has_traces = trace_count(one.profile) != 0;
  bool has_pc_samples = pc_sample_rows(one.profile) != 0;
  if (one.undecided) {
    pending.undecided.emplace(file.path, *one.undecided);
    pending.without_choice.push_back({file.path, "none of its events has branch records"});
  } else if (!has_traces) {
    (has_pc_samples ? pending.without_stacks : input.unused)
        .push_back({file.path, explain_unused(one.profile)});
  }
  pending.has_traces |= has_traces;
  pending.has_pc_samples |= has_pc_samples;
  pending.merger.add(std::move(one.profile), MergeFactor::of(file.weight));
  return ok();
}

// The best kind of samples counts: with branch stacks, else by address, else by function and line.
// Error: that of the first recording, by path, whose events the user has to choose from.
Result<void> choose_evidence(IngestResult& input, PendingInputs pending) {
  auto leave_out = [&](std::vector<UnusedInput>& files) {
    input.unused.insert(input.unused.end(), files.begin(), files.end());
  };
  if (!pending.has_traces && !pending.undecided.empty())
    return fail(pending.undecided.begin()->second);
  input.symbolized.add_up();
  if (pending.has_traces) leave_out(pending.without_choice);
  if (pending.has_traces || pending.has_pc_samples) {
    leave_out(pending.without_addresses);
    input.symbolized.leave_out();
  }
  pending.merger.add(std::move(input.symbolized.counted));
  input.symbolized.counted = {};
  Diagnostics warnings = std::move(input.profile.diagnostics);
  input.profile = std::move(pending.merger).finish();
  if (pending.has_traces && has_steps_and_pc_samples(input.profile))
    input.beside_steps = std::move(pending.without_stacks);
  else if (pending.has_traces)
    leave_out(pending.without_stacks);
  input.profile.diagnostics.add(warnings);
  return ok();
}

}  // namespace

void IngestResult::leave_out_pc_samples() {
  drop_beside_traces(profile);
  unused.insert(unused.end(), beside_steps.begin(), beside_steps.end());
  beside_steps.clear();
  std::sort(unused.begin(), unused.end());
}

bool IngestResult::proves_build(const BuildId& id) const {
  return images.has_build(id) && !has_preaggregated_traces && !has_assumed_build_ids &&
         !profile.diagnostics.entries().contains(kMatchedByName);
}

Result<IngestResult> ingest(const IngestRequest& request, const BinarySet& binaries) {
  const std::vector<InputFile>& files = request.files;
  IngestResult input;
  std::vector<uint64_t> sizes = sizes_of(files);
  uint64_t done = 0, total = std::accumulate(sizes.begin(), sizes.end(), uint64_t{0});
  const std::string what = files.size() == 1 ? "reading " + files[0].path : "reading recordings";
  auto report = [&](uint64_t bytes) { report_progress(request.progress, {what, bytes, total}); };
  PendingInputs pending;
  WrongBuildDetector wrong_builds(binaries);
  DuplicateFiles duplicates(files);
  size_t read_count = 0;
  for (const ReadingStep& step : plan_reading(sizes, resolve_jobs(request.read.jobs))) {
    // Side by side, or one by all threads; each file into a profile of its own.
    ReadOptions one_file = request.read;
    one_file.jobs = step.jobs_each;
    if (step.inputs.size() == 1) one_file.progress = [&](uint64_t bytes) { report(done + bytes); };
    std::vector<IngestedFile> read(step.inputs.size());
    parallel_for(read.size(), static_cast<unsigned>(read.size()), [&](size_t i) {
      read[i] = read_file(files[step.inputs[i]], binaries, one_file, wrong_builds, duplicates);
    });
    // Added in the order of the plan, whatever thread was quicker.
    for (size_t i = 0; i < read.size(); i++) {
      if (const std::optional<Error>& error = read[i].error) return fail(*error);
      read_count += read[i].skipped ? 0 : 1;
      done += read[i].size;
      PGO_CHECK(add_file(files[step.inputs[i]], std::move(read[i]), input, pending));
    }
    report(done);
  }
  duplicates.warn(input.profile.diagnostics);
  PGO_CHECK(choose_evidence(input, std::move(pending)));
  std::sort(input.unused.begin(), input.unused.end());
  std::sort(input.wrong_builds.begin(), input.wrong_builds.end());
  if (read_count == 0)
    return fail(ErrorKind::kInput,
                "none of the inputs is a recording" + name_unreadable(input.profile.diagnostics));
  return input;
}

}  // namespace pgo
