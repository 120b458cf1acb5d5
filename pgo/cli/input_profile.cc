#include "pgo/cli/input_profile.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "bolt/preaggregated.h"
#include "converters/address/address_profile_reader.h"
#include "converters/gperftools/gperftools_cpu.h"
#include "converters/pprof/pprof_reader.h"
#include "pgo/base/inflate.h"
#include "pgo/base/parallel.h"
#include "pgo/cli/address_input.h"
#include "pgo/cli/build_fit.h"
#include "pgo/cli/empty_profile.h"
#include "pgo/cli/file_kind.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/input_files.h"
#include "pgo/cli/output_paths.h"
#include "pgo/cli/progress.h"
#include "pgo/cli/reading_order.h"
#include "pgo/cli/sample_choice.h"
#include "pgo/cli/stack_input.h"
#include "pgo/elf/stack_samples.h"

namespace pgo {
namespace {

using perf_data::is_perf_data;
using perf_data::read_samples;
using perf_data::ReadOptions;
using perf_data::Recording;
using perf_data::scan_recording;

// Folded stacks have neither addresses nor lines; pgo merge takes them.
bool may_be_stacks(Bytes bytes) {
  return find_compression(bytes) != Compression::kNone || is_pprof(bytes) ||
         is_gperftools_cpu(bytes);
}

constexpr const char* kGiveOthers = "; give only the profiles that count";

Result<AddressProfile> read_traces(Bytes bytes, const std::string& path, const BinarySet& binaries,
                                   const ReadOptions& options) {
  constexpr const char* kKind = "file of pre-aggregated traces";
  PGO_CHECK(refuse_sample_choice(path, kKind, kGiveOthers, options));
  if (!options.event.empty())
    return fail(ErrorKind::kUsage,
                path + ": is a " + kKind + ", which --event cannot choose from" + kGiveOthers);
  if (binaries.binaries().size() != 1)
    return fail(ErrorKind::kUsage,
                path +
                    ": pre-aggregated traces do not say which binary they are of; give one "
                    "--binary");
  PGO_TRY(PreaggregatedProfile traces, parse_preaggregated(bytes, path));
  const ElfImage& image = *binaries.binaries()[0].image;
  // Without an id on either side nothing can be said.
  const BuildId& id = traces.counts.id;
  if (!id.empty() && !image.build_id().empty() && !id.matches(image.build_id()))
    return fail(ErrorKind::kMismatch, path + ": its traces are of build " + id.hex() + ", but " +
                                          image.path() + " is build " + image.build_id().hex() +
                                          "; name the binary that ran");
  AddressProfile profile;
  if (traces.loose_fall_throughs != 0)
    profile.diagnostics.warn("loose-fall-throughs",
                             path +
                                 ": has fall-throughs without the branch before them (F, f, r); "
                                 "they count as entered from outside",
                             traces.loose_fall_throughs);
  for (const IpCount& ip : traces.counts.ips) {
    profile.samples.seen = saturating_add(profile.samples.seen, ip.count);
    uint64_t& plain = profile.samples[Dropped::kWithoutStack];
    plain = saturating_add(plain, ip.count);
  }
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

// What one input gave. A file that was only found in a directory and is none of ours, or damaged,
// gives nothing, and says so.
struct OneInput {
  std::optional<Error> error;
  bool skipped = false;
  Diagnostics said;
  uint64_t size = 0;  // in bytes
  AddressProfile profile;
  std::optional<NamedStacks> named;  // instead of `profile`
  RecordedImages images;
  bool has_preaggregated_traces = false;
};

Result<void> read_stacks(Bytes inflated, StackFormat format, const std::string& path,
                         const BinarySet& binaries, const ReadOptions& options, OneInput& one) {
  PGO_CHECK(refuse_sample_choice(path, name_of(format), kGiveOthers, options));
  Diagnostics oddities;
  PGO_TRY(StackProfile stacks, read_stack_profile(inflated, path, oddities));
  one.images.add(stacks);
  binaries.assume_build_ids(stacks, path, oddities);
  std::vector<const ElfImage*> wanted;
  for (const Binary& binary : binaries.binaries()) wanted.push_back(binary.image.get());
  if (has_addresses(stacks)) {
    PGO_TRY(one.profile, count_stack_samples(stacks, wanted, options.event, path));
  } else {
    PGO_TRY(one.named, take_named_stacks(stacks, wanted, options.event, path));
  }
  (one.named ? one.named->counted : one.profile).diagnostics.add(oddities);
  return ok();
}

// False when the file is of no kind that counts.
Result<bool> read_input(Bytes bytes, const std::string& path, const BinarySet& binaries,
                        const ReadOptions& options, OneInput& one) {
  if (is_perf_data(bytes)) {
    PGO_TRY(Recording recording, scan_recording(bytes, path, {}));
    one.images.add(recording);
    PGO_TRY(one.profile, read_samples(recording, binaries.targets(), options));
    return true;
  }
  if (is_preaggregated(bytes)) {
    PGO_TRY(one.profile, read_traces(bytes, path, binaries, options));
    one.has_preaggregated_traces = trace_count(one.profile) != 0;
    return true;
  }
  if (is_address_profile(bytes)) {
    PGO_TRY(AddressProfile profile, read_address_profile(bytes, path));
    one.images.add(profile);
    PGO_TRY(one.profile, count_for_binaries(std::move(profile), path, binaries, options));
    return true;
  }
  if (!may_be_stacks(bytes)) return false;
  PGO_TRY(InflatedBytes inflated, inflate(bytes, path));
  std::optional<StackFormat> format = find_stack_format(inflated.bytes());
  if (!format || format == StackFormat::kFolded) return false;
  PGO_CHECK(read_stacks(inflated.bytes(), *format, path, binaries, options, one));
  return true;
}

// What was only found in a directory is passed over; what was named is an error.
void refuse(const InputFile& input, Bytes bytes, OneInput& one) {
  const std::string empty = input.path + ": is empty; did the recording end before perf wrote it?";
  one.skipped = input.from_directory;
  if (one.skipped && bytes.empty())
    one.said.warn(kEmptyInput, empty);
  else if (one.skipped)
    one.said.warn(kOtherInput, input.path + ": is no recording and was passed over");
  else if (bytes.empty())
    one.error = {ErrorKind::kInput, empty};
  else
    one.error = {ErrorKind::kUnsupported, tell_inconvertible_file(bytes, input.path)};
}

// Traces that were aggregated before are of the binary that is named, and llvm-profgen takes all.
bool may_be_of_other_build(Bytes bytes, const ReadOptions& options) {
  return options.compatibility == perf_data::Compatibility::kNone && !is_preaggregated(bytes);
}

OneInput read_file(const InputFile& input, const BinarySet& binaries, const ReadOptions& options,
                   BuildFit& fit) {
  OneInput one;
  Result<MappedFile> file = MappedFile::open(input.path);
  Result<bool> read = false;
  if (file) {
    one.size = file->bytes().size();
    read = read_input(file->bytes(), input.path, binaries, options, one);
  } else {
    read = std::move(file).failure();
  }
  if (!read) {
    one.skipped = pass_over(input, read.error(), one.said);
    if (!one.skipped) one.error = read.error();
  } else if (!*read) {
    refuse(input, file->bytes(), one);
  } else if (may_be_of_other_build(file->bytes(), options)) {
    fit.leave_out_other_builds(one.profile, input.path, one.images);
  }
  return one;
}

size_t ip_count(const AddressProfile& profile) {
  size_t count = 0;
  for (const BinaryCounts& counts : profile.binaries) count += counts.ips.size();
  return count;
}

// What a profile takes in memory, in counts of any kind.
size_t count_entries(const AddressProfile& profile) {
  size_t count = 0;
  for (const BinaryCounts& counts : profile.binaries)
    count +=
        counts.traces.size() + counts.mispredicts.size() + counts.ips.size() + counts.calls.size();
  return count;
}

// Inputs of which it is not known yet whether they are of use, and why they may not be.
struct Doubtful {
  std::vector<std::string> without_stacks, without_addresses;
};

Result<void> add_named(const InputFile& file, NamedStacks named, InputProfile& input,
                       Doubtful& doubtful) {
  uint64_t count = named.counted.samples[Dropped::kWithoutStack];
  if (count == 0)
    input.unused.push_back(file.path + ": nothing of it is used: " + explain_unused(named.counted));
  else
    doubtful.without_addresses.push_back(file.path + ": nothing of it is used: " +
                                         format_count(count, "sample has", "samples have") +
                                         " no address");
  return input.named.add(std::move(named), file.path);
}

Result<void> add_one(const InputFile& file, OneInput one, InputProfile& input, Doubtful& doubtful) {
  if (!one.skipped) warn_if_repeated(file, one.said);
  // Added as a whole, because that does not show the order of the files.
  input.profile.diagnostics.add(one.said);
  if (one.skipped) return ok();
  input.images.add(one.images);
  input.has_preaggregated_traces |= one.has_preaggregated_traces;
  if (one.named) return add_named(file, *std::move(one.named), input, doubtful);
  if (trace_count(one.profile) == 0)
    (ip_count(one.profile) == 0 ? input.unused : doubtful.without_stacks)
        .push_back(file.path + ": nothing of it is used: " + explain_unused(one.profile));
  input.profile.add(std::move(one.profile));
  return ok();
}

// The best kind of samples counts: of branch stacks, else by address, else by name.
void choose_kind(InputProfile& input, Doubtful doubtful) {
  auto leave_out = [&](std::vector<std::string>& files) {
    input.unused.insert(input.unused.end(), files.begin(), files.end());
  };
  bool has_traces = trace_count(input.profile) > 0;
  if (has_traces) leave_out(doubtful.without_stacks);
  if (has_traces || ip_count(input.profile) > 0) {
    leave_out(doubtful.without_addresses);
    input.named.leave_out();
  }
  input.profile.add(std::move(input.named.counted));
  input.named.counted = {};
}

// In bytes; 0 for a pipe.
std::vector<uint64_t> sizes_of(const std::vector<InputFile>& files) {
  std::vector<uint64_t> sizes;
  for (const InputFile& file : files) {
    std::error_code no_size;
    uint64_t size = std::filesystem::file_size(file.path, no_size);
    sizes.push_back(no_size ? 0 : size);
  }
  return sizes;
}

}  // namespace

void RecordedImages::add(const perf_data::Recording& recording) {
  has_aux_data_ |= recording.has_aux_data;
  for (const perf_data::ProcessEvent& event : recording.process_events) {
    if (event.kind != perf_data::ProcessEvent::Kind::kMap || !event.executable ||
        !event.name.starts_with('/') || event.name.starts_with("//"))
      continue;
    Image& image = images_[event.name];
    image.seen++;
    BuildId id = recording.build_id_of(event);
    builds_.insert(id);
    if (image.id.empty()) image.id = id;
  }
}

void RecordedImages::add(const StackProfile& profile) {
  // What the last sample type, pprof's default, counts in each mapping.
  std::vector<uint64_t> counts(profile.mappings.size(), 0);
  for (size_t i = 0; i < profile.samples.size(); i++) {
    auto stack = profile.stacks[static_cast<size_t>(profile.samples[i].stack)];
    auto values = profile.values_of(i);
    if (stack.empty() || values.empty() || values.back() <= 0) continue;
    MappingId mapping = profile.locations[static_cast<size_t>(stack[0])].mapping;
    if (mapping == kNoMapping) continue;
    uint64_t& count = counts[static_cast<size_t>(mapping)];
    count = saturating_add(count, static_cast<uint64_t>(values.back()));
  }
  for (size_t i = 0; i < counts.size(); i++) {
    const StackMapping& mapping = profile.mappings[i];
    std::string path(profile.text(mapping.filename));
    builds_.insert(profile.build_id_of(mapping));
    if (path.empty() || path.starts_with('[') || path.starts_with("//")) continue;
    Image& image = images_[path];
    image.seen = saturating_add(image.seen, counts[i]);
    if (image.id.empty()) image.id = profile.build_id_of(mapping);
  }
  has_unknown_main_ |= !profile.mappings.empty() && profile.mappings[0].build_id == kEmptyString;
}

void RecordedImages::add(const AddressProfile& profile) {
  for (const BinaryCounts& counts : profile.binaries) {
    Image& image = images_[counts.path_hint];
    image.seen++;
    if (image.id.empty()) image.id = counts.id;
    builds_.insert(counts.id);
  }
}

std::string RecordedImages::list() const {
  constexpr size_t kShown = 8;
  std::vector<const std::pair<const std::string, Image>*> sorted;
  for (const auto& image : images_) sorted.push_back(&image);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->second.seen > b->second.seen; });
  std::string text;
  for (size_t i = 0; i < std::min(kShown, sorted.size()); i++)
    text += "\n  " + sorted[i]->first + "  " +
            (sorted[i]->second.id.empty() ? "no build id" : sorted[i]->second.id.hex());
  if (sorted.size() > kShown) text += "\n  and " + std::to_string(sorted.size() - kShown) + " more";
  return sorted.empty() ? "\n  no binary at all" : text;
}

void RecordedImages::add(const RecordedImages& other) {
  has_aux_data_ |= other.has_aux_data_;
  has_unknown_main_ |= other.has_unknown_main_;
  for (const auto& [path, image] : other.images_) {
    Image& mine = images_[path];
    mine.seen = saturating_add(mine.seen, image.seen);
    if (mine.id.empty()) mine.id = image.id;
  }
  builds_.insert(other.builds_.begin(), other.builds_.end());
}

bool RecordedImages::has_build(const BuildId& id) const {
  return std::any_of(builds_.begin(), builds_.end(),
                     [&](const BuildId& other) { return !id.empty() && id.matches(other); });
}

std::optional<std::string> RecordedImages::find_bolt_relative(const BuildId& id) const {
  for (const auto& [path, image] : images_)
    if (!image.id.matches(id) && image.id.matches_bolted(id)) return path;
  return std::nullopt;
}

Result<InputProfile> read_input_profile(const std::vector<std::string>& arguments,
                                        const std::vector<std::string>& written,
                                        const BinarySet& binaries, const ReadOptions& options) {
  InputProfile input;
  PGO_TRY(std::vector<InputFile> files, find_input_files(arguments));
  PGO_CHECK(leave_out_outputs(written, files, input.profile.diagnostics));
  std::vector<uint64_t> sizes = sizes_of(files);
  uint64_t done = 0, total = std::accumulate(sizes.begin(), sizes.end(), uint64_t{0});
  Progress progress(files.size() == 1 ? "reading " + files[0].path : "reading recordings", total);
  Doubtful doubtful;
  BuildFit fit(binaries);
  size_t read_count = 0, merged_size = 0;
  for (const ReadingStep& step : plan_reading(sizes, resolve_jobs(options.jobs))) {
    ReadOptions one_file = options;
    one_file.jobs = step.jobs_each;
    if (step.inputs.size() == 1)
      one_file.progress = [&](uint64_t bytes) { progress.update(done + bytes); };
    std::vector<OneInput> read(step.inputs.size());
    parallel_for(read.size(), static_cast<unsigned>(read.size()), [&](size_t i) {
      read[i] = read_file(files[step.inputs[i]], binaries, one_file, fit);
    });
    for (size_t i = 0; i < read.size(); i++) {
      if (const std::optional<Error>& error = read[i].error)
        return fail(error->kind, error->message);
      read_count += read[i].skipped ? 0 : 1;
      done += read[i].size;
      PGO_CHECK(add_one(files[step.inputs[i]], std::move(read[i]), input, doubtful));
    }
    progress.update(done);
    // Merge whenever what was added outgrows what is merged: linear in all, bounded in memory.
    if (count_entries(input.profile) > 2 * merged_size) {
      input.profile.normalize(options.jobs);
      merged_size = count_entries(input.profile);
    }
  }
  choose_kind(input, std::move(doubtful));
  std::sort(input.unused.begin(), input.unused.end());
  if (read_count == 0)
    return fail(ErrorKind::kInput,
                arguments[0] + ": holds no recording" + name_unreadable(input.profile.diagnostics));
  input.profile.normalize(options.jobs);
  return input;
}

Result<std::optional<std::pair<uint64_t, uint64_t>>> parse_time_window(const std::string& text) {
  using Window = std::optional<std::pair<uint64_t, uint64_t>>;
  if (text.empty()) return Window();
  std::pair<uint64_t, uint64_t> window{0, ~uint64_t{0}};
  size_t comma = text.find(',');
  auto parse = [](const std::string& part, uint64_t& nanoseconds) {
    if (part.empty()) return true;
    size_t dot = std::min(part.find('.'), part.size());
    std::string whole = part.substr(0, dot);
    std::string fraction = dot < part.size() ? part.substr(dot + 1) : "";
    if (whole.empty() || whole.size() > 10 || fraction.size() > 9 ||
        (whole + fraction).find_first_not_of("0123456789") != std::string::npos)
      return false;
    fraction.resize(9, '0');
    nanoseconds = std::stoull(whole) * 1'000'000'000u + std::stoull(fraction);
    return true;
  };
  if (comma == std::string::npos || !parse(text.substr(0, comma), window.first) ||
      !parse(text.substr(comma + 1), window.second))
    return fail(ErrorKind::kUsage,
                "--time " + text + ": FIRST,LAST in seconds expected, such as 12.5,20");
  if (window.first > window.second)
    return fail(ErrorKind::kUsage, "--time " + text + ": ends before it begins; was " +
                                       text.substr(comma + 1) + "," + text.substr(0, comma) +
                                       " meant?");
  return Window(window);
}

}  // namespace pgo
