// Profiles of stacks into one, as pprof, for Go's compiler or as folded stacks. The merging itself
// is in stack_merge.h.

#include "converters/folded/folded.h"
#include "converters/pprof/frame_pruning.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/merge_kinds.h"
#include "pgo/cli/stack_builds.h"
#include "pgo/cli/stack_merge.h"

namespace pgo {
namespace {

Result<std::string> render(const StackProfile& profile, OutputFormat format) {
  switch (format) {
    case OutputFormat::kPprof: return gzip(write_pprof(profile));
    case OutputFormat::kPprofPlain: return write_pprof(profile);
    case OutputFormat::kFolded: {
      PGO_TRY(StackProfile pruned, prune_frames(profile));
      return write_folded(pruned);
    }
    case OutputFormat::kGo: {
      PGO_TRY(StackProfile slim, for_go(profile));
      return gzip(write_pprof(slim));
    }
    default: return fail(ErrorKind::kInternal, "this format is not one of profiles of stacks");
  }
}

std::vector<std::string> describe(const StackMerge& merge) {
  std::vector<std::string> notes{format_count(merge.inputs, "profile") + ": " +
                                 format_count(merge.profile.samples.size(), "different sample")};
  add_builds(list_builds(merge.profile), notes);
  return notes;
}

}  // namespace

Result<MergeResult> merge_stacks(const std::vector<InputFile>& files, const MergeOptions& options,
                                 const std::vector<OutputFile>& outputs) {
  PGO_TRY(StackMerge merge, merge_stack_profiles(files, options));
  MergeResult result;
  for (const OutputFile& output : outputs) {
    PGO_TRY(std::string contents, render(merge.profile, output.format));
    result.contents.push_back(std::move(contents));
  }
  result.notes = describe(merge);
  result.json = {{"inputs", merge.inputs},
                 {"samples", merge.profile.samples.size()},
                 {"duration_ns", merge.profile.duration},
                 {"totals", totals_json(merge.profile)},
                 {"builds", builds_json(merge.profile)}};
  result.diagnostics = std::move(merge.diagnostics);
  return result;
}

}  // namespace pgo
