#include "pgo/convert/bolt_outputs.h"

#include <algorithm>
#include <utility>

#include "converters/preaggregated/preaggregated.h"
#include "pgo/convert/moved_counts.h"
#include "pgo/convert/output_plan.h"

namespace pgo {
namespace {

bool has_traces(const ElfImage& image, const ConvertResult& result) {
  return std::any_of(result.profile.binaries.begin(), result.profile.binaries.end(),
                     [&](const BinaryCounts& counts) {
                       return counts.id == image.build_id() && counts.path_hint == image.path() &&
                              !counts.traces.empty();
                     });
}

// The BOLTed form of `image`, when that ran too: both profiles are then for `image`.
const ElfImage* find_bolted_that_ran(const ElfImage& image, const ConvertResult& result) {
  const Binary* bolted = find_bolted(image, result.opened);
  return bolted && has_traces(*bolted->image, result) ? bolted->image.get() : nullptr;
}

std::string describe_idle(const ElfImage& image, const std::string& path, const ElfImage* bolted) {
  if (bolted == nullptr)
    return image.path() + ": did not run in these recordings; " + path + " is not written";
  return image.path() + ": did not run, but the binary that llvm-bolt made from it did; " + path +
         " is not written; use the profile of " + bolted->path();
}

}  // namespace

Result<Perf2bolt> find_perf2bolt_for(const ConvertRequest& request) {
  for (const OutputSpec& output : request.outputs)
    if (output.format == Format::kFdata)
      return find_perf2bolt({request.perf2bolt, "", request.timeout});
  return Perf2bolt();
}

Result<void> add_bolt_outputs(const OutputSpec& output, const BoltTools& tools,
                              ConvertResult& result) {
  Diagnostics& diagnostics = result.profile.diagnostics;
  for (size_t i = 0; i < result.profile.binaries.size(); i++) {
    const BinaryCounts& counts = result.profile.binaries[i];
    PGO_TRY(const Binary* binary, result.opened.find(counts));
    const ElfImage& image = *binary->image;
    std::string path = path_for_binary(output.path, image.path(), image.build_id().hex());
    const ElfImage* bolted = find_bolted_that_ran(image, result);
    // Of several binaries some may not have run; of a single one that is an error elsewhere.
    if (result.opened.binaries().size() > 1 && counts.traces.empty()) {
      diagnostics.warn("idle-binary", describe_idle(image, path, bolted));
      continue;
    }
    if (bolted)
      diagnostics.warn("two-profiles-of-one-binary",
                       path + " and the profile of " + bolted->path() + " are both for " +
                           image.path() +
                           ", and merge-fdata cannot merge them: use the one with more samples");
    PGO_TRY(std::string text, write_preaggregated(counts));
    if (output.format == Format::kFdata) {
      PGO_TRY(Perf2boltOutput fdata, run_perf2bolt(tools.perf2bolt, text, image.path(),
                                                   tools.limits, result.binaries[i].identity));
      std::string contents = std::exchange(fdata.fdata, {});
      result.outputs.push_back({path, std::move(contents), i, std::move(fdata)});
      continue;
    }
    result.outputs.push_back({path, std::move(text), i});
  }
  return ok();
}

}  // namespace pgo
