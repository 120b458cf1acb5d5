#include "pgo/archive/sampled_builds.h"

#include <algorithm>
#include <map>
#include <utility>

#include "converters/address/address_profile_reader.h"
#include "converters/perf_data/recording_summary.h"
#include "pgo/base/parallel.h"
#include "pgo/ingest/reading_order.h"
#include "pgo/ingest/recorded_images.h"
#include "pgo/ingest/stack_input.h"
#include "pgo/profile/accounting.h"
#include "pgo/profile/address_selection.h"
#include "pgo/source/input_bytes.h"
#include "pgo/source/input_files.h"

namespace pgo {
namespace {

class BuildCounter {
 public:
  void add(const BuildId& id, std::string_view path, uint64_t samples) {
    if (id.bytes().size() < BuildId::kMinSize || samples == 0) return;
    SampledBuild& build = builds_[id];
    build.id = id;
    build.samples = saturating_add(build.samples, samples);
    if (build.path.empty() || (!path.empty() && path < build.path)) build.path = path;
  }

  void add(const BuildCounter& other) {
    for (const auto& [id, build] : other.builds_) add(id, build.path, build.samples);
  }

  std::vector<SampledBuild> sorted() && {
    std::vector<SampledBuild> sorted;
    for (auto& [id, build] : builds_) sorted.push_back(std::move(build));
    std::stable_sort(
        sorted.begin(), sorted.end(),
        [](const SampledBuild& a, const SampledBuild& b) { return a.samples > b.samples; });
    return sorted;
  }

 private:
  std::map<BuildId, SampledBuild> builds_;
};

void count_recording(const InputBytes& input, unsigned jobs, BuildCounter& counter) {
  const Result<perf_data::Recording> recording =
      perf_data::scan_recording(input.contents(), input.path(), {});
  if (!recording) return;
  for (const auto& [file, samples] : perf_data::summarize_recording(*recording, jobs).files)
    if (is_absolute_path(file.path)) counter.add(file.id, file.path, samples);
}

void count_stacks(const InputBytes& input, BuildCounter& counter) {
  Diagnostics ignored;
  Result<StackProfile> profile = read_stack_profile(input, ignored);
  if (!profile) return;
  profile->normalize();  // without locations that no sample has
  std::vector<uint64_t> frames(profile->mappings.size());
  for (const StackLocation& location : profile->locations)
    if (location.mapping != kNoMapping) frames[static_cast<size_t>(location.mapping)]++;
  for (size_t i = 0; i < frames.size(); i++) {
    const StackMapping& mapping = profile->mappings[i];
    const std::string_view path = profile->text(mapping.filename);
    if (!path.starts_with('[')) counter.add(profile->build_id_of(mapping), path, frames[i]);
  }
}

void count_addresses(const InputBytes& input, BuildCounter& counter) {
  const Result<AddressProfile> profile = read_address_profile(input.contents(), input.path());
  if (!profile) return;
  for (const BinaryCounts& counts : profile->binaries)
    counter.add(counts.id, counts.path_hint,
                counts.traces.empty() ? counts.pc_sample_weight() : sum_of_traces(counts));
}

BuildCounter count_file(const InputFile& file, unsigned jobs) {
  BuildCounter counter;
  if (file.named_before) return counter;
  const Result<InputBytes> input = InputBytes::open(file.path);
  if (!input || input->damage()) return counter;
  const std::optional<Format> format = input->format();
  if (!format) return counter;
  if (*format == Format::kPerfData)
    count_recording(*input, jobs, counter);
  else if (*format == Format::kAddressProfile)
    count_addresses(*input, counter);
  else if (is_stack_format(*format))
    count_stacks(*input, counter);
  return counter;
}

}  // namespace

Result<std::vector<SampledBuild>> find_sampled_builds(const std::vector<std::string>& inputs,
                                                      unsigned jobs) {
  PGO_TRY(const std::vector<InputFile> files, find_input_files(inputs));
  for (const InputFile& file : files)
    if (file.path == "-")
      return fail(ErrorKind::kUsage,
                  "standard input cannot be read twice, for its build IDs (\xFF{binary-from}) and "
                  "for its samples",
                  "write it to a file first");
  BuildCounter counter;
  for (const ReadingStep& step : plan_reading(sizes_of(files), resolve_jobs(jobs)))
    for (const BuildCounter& counted : parallel_map(step.inputs.size(), jobs, [&](size_t i) {
           return count_file(files[step.inputs[i]], step.jobs_each);
         }))
      counter.add(counted);
  return std::move(counter).sorted();
}

}  // namespace pgo
