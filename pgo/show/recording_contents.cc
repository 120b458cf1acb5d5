#include "pgo/show/recording_contents.h"

#include <algorithm>

#include "converters/perf_data/perf_data_reader.h"
#include "pgo/binary/binary_set.h"
#include "pgo/elf/hot_symbols.h"
#include "pgo/ingest/low_yield.h"
#include "pgo/ingest/pc_samples.h"
#include "pgo/ingest/recorded_images.h"
#include "pgo/profile/code_counts.h"
#include "pgo/symbolize/source_profile_builder.h"

namespace pgo {
namespace {

using perf_data::EventAttr;
using perf_data::Recording;

std::vector<RecordingContents::Event> events_of(const Recording& recording,
                                                const perf_data::RecordingSummary& summary) {
  std::vector<RecordingContents::Event> events;
  for (size_t i = 0; i < recording.events.size(); i++) {
    const EventAttr& attr = recording.events[i];
    events.push_back({.name = attr.name,
                      .period = attr.period_or_frequency,
                      .is_frequency = attr.is_frequency(),
                      .has_branch_stacks = attr.has_branch_stacks(),
                      .has_lbr_call_stacks = attr.has_lbr_call_stacks(),
                      .has_call_stacks = (attr.sample_type & perf_data::kSampleCallchain) != 0,
                      .counts = summary.events[i]});
  }
  return events;
}

// How dense the compiler's profile of `counts` would be, and which functions are hot.
Result<RecordingContents::UsedBinary> read_used_binary(const Binary& binary,
                                                       const BinaryCounts& counts,
                                                       const ShowRequest& request) {
  RecordingContents::UsedBinary used;
  used.path = counts.path_hint;
  used.build_id = counts.id.hex();
  used.has_lines = binary.probes != nullptr || has_debug_info(binary.debug_image());
  if (used.has_lines && !counts.traces.empty()) {
    BuildOptions build;
    build.jobs = request.jobs;
    PGO_TRY(SourceProfile source, build_source_profile(binary, counts, build));
    used.density = source.density(request.jobs);
    used.source_functions = source.function_count();
    used.is_probe_based = source.is_probe_based;
  }
  // PC samples tell where the time goes, and are in another unit than branch records.
  std::vector<RangeCount> ranges;
  if (counts.pc_samples.empty()) ranges = count_code(counts, *binary.code, request.jobs).ranges;
  HotSymbols hot = find_hot_symbols(binary.symbol_image(), *binary.code, ranges, counts.pc_samples);
  used.weight = hot.total;
  for (size_t i = 0; i < std::min(request.top, hot.functions.size()); i++)
    used.hottest.push_back({std::string(hot.functions[i].name), hot.functions[i].weight});
  return used;
}

Result<RecordingContents::Used> read_used(const Recording& recording,
                                          const perf_data::RecordingSummary& summary,
                                          const ShowRequest& request) {
  PGO_TRY(BinarySet binaries, BinarySet::open(request.binaries, request.debug, BinaryUse::kCounts));
  perf_data::ReadOptions read;
  read.events = request.events;
  read.jobs = request.jobs;
  read.progress = [&](uint64_t done) {
    report_progress(request.progress, {"reading " + recording.path, done, recording.data.size()});
  };
  PGO_TRY(AddressProfile profile, perf_data::read_samples(recording, binaries.targets(), read));
  keep_pc_samples(profile);

  RecordingContents::Used used;
  RecordedImages images;
  images.add(recording);
  images.add_samples(summary);
  used.unusable = diagnose_empty({profile, binaries, images});
  if (!used.unusable)
    for (const BinaryCounts& counts : profile.binaries) {
      PGO_TRY(const Binary* binary, binaries.find(counts));
      PGO_TRY(RecordingContents::UsedBinary one, read_used_binary(*binary, counts, request));
      used.binaries.push_back(std::move(one));
    }
  profile.binaries.clear();
  used.summary = std::move(profile);
  return used;
}

}  // namespace

Result<RecordingContents> read_recording_contents(Bytes bytes, const ShowRequest& request) {
  PGO_TRY(Recording recording, perf_data::scan_recording(bytes, request.path, [&](uint64_t done) {
            report_progress(request.progress, {"scanning " + request.path, done, bytes.size()});
          }));
  RecordingContents contents;
  contents.is_pipe = recording.pipe_mode;
  contents.is_compressed = recording.compressed;
  contents.is_truncated = recording.is_truncated;
  contents.has_aux_data = recording.has_aux_data;
  contents.lost = recording.lost;
  contents.diagnostics = recording.diagnostics;
  contents.summary = perf_data::summarize_recording(recording, request.jobs);
  contents.events = events_of(recording, contents.summary);
  if (!request.binaries.empty()) {
    PGO_TRY(contents.used, read_used(recording, contents.summary, request));
  }
  return contents;
}

}  // namespace pgo
