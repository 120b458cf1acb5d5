#include "pgo/convert/bolt_outputs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "converters/preaggregated/preaggregated.h"
#include "pgo/convert/bolt_pair.h"
#include "pgo/convert/moved_counts.h"
#include "pgo/convert/output_plan.h"

namespace pgo {
namespace {

// A binary that gets a profile.
struct Target {
  size_t binary = 0;  // its place in ConvertResult::binaries
  // Those of the binaries whose counts these are: mostly itself alone.
  std::vector<size_t> counted = {};
  std::optional<BinaryCounts> joined = {};  // where they are not what was counted of it alone

  const BinaryCounts& counts(const ConvertResult& result) const {
    return joined ? *joined : result.profile.binaries[binary];
  }
  // Of what ran.
  BuildIdentity identity(const ConvertResult& result) const {
    return result.binaries[counted.empty() ? binary : counted[0]].identity;
  }
};

// The counts of `target`, and those that were recorded of its layouts, which llvm-bolt made of it.
Result<void> join_counts(const Binary& binary, const ConvertResult& result, Target& target,
                         std::vector<MovedBinary>& moved) {
  const BinaryCounts& own = result.profile.binaries[target.binary];
  for (size_t i = 0; i < result.profile.binaries.size(); i++) {
    const BinaryCounts& counts = result.profile.binaries[i];
    PGO_TRY(const Binary* recorded, result.opened.find(counts));
    if (counts.traces.empty() ||
        find_translation_target(*recorded->image, result.opened) != &binary)
      continue;
    PGO_TRY(TranslatedBinary translated,
            move_counts(without_newest_branches(counts), *recorded, binary));
    moved.push_back(std::move(translated.moved));
    target.counted.push_back(i);
    AddressProfile merged;
    merged.binaries = {std::move(translated.counts), target.counts(result)};
    merged.binaries[0].path_hint = own.path_hint;
    merged.normalize();
    target.joined = std::move(merged.binaries[0]);
  }
  return ok();
}

Result<std::vector<Target>> find_targets(const ConvertResult& result,
                                         std::vector<MovedBinary>& moved) {
  std::vector<Target> targets;
  for (size_t i = 0; i < result.profile.binaries.size(); i++) {
    PGO_TRY(const Binary* binary, result.opened.find(result.profile.binaries[i]));
    if (find_translation_target(*binary->image, result.opened) != nullptr) continue;
    Target target{i};
    if (!result.profile.binaries[i].traces.empty()) target.counted = {i};
    PGO_CHECK(join_counts(*binary, result, target, moved));
    targets.push_back(std::move(target));
  }
  return targets;
}

Result<void> add_output(const OutputSpec& output, const Target& target,
                        const ConvertRequest& request, const Perf2bolt& perf2bolt,
                        ConvertResult& result) {
  const BinaryCounts& counts = target.counts(result);
  PGO_TRY(const Binary* binary, result.opened.find(result.profile.binaries[target.binary]));
  const ElfImage& image = *binary->image;
  OutputFile file{
      path_for_binary(output.path, image.path(), image.build_id().hex()), {}, target.binary};
  if (target.counted.size() == 1) file.counted = target.counted[0];
  PGO_TRY(file.contents, write_preaggregated(counts));
  if (output.format == Format::kFdata) {
    PGO_TRY(Perf2boltOutput fdata, run_perf2bolt(perf2bolt, file.contents, image.path(),
                                                 {request.timeout}, target.identity(result)));
    file.contents = std::exchange(fdata.fdata, {});
    file.perf2bolt = std::move(fdata);
  }
  result.outputs.push_back(std::move(file));
  return ok();
}

}  // namespace

Result<Perf2bolt> find_perf2bolt_for(const ConvertRequest& request) {
  for (const OutputSpec& output : request.outputs)
    if (output.format == Format::kFdata)
      return find_perf2bolt({request.perf2bolt, "", request.timeout});
  return Perf2bolt();
}

Result<std::vector<MovedBinary>> add_bolt_outputs(const ConvertRequest& request,
                                                  const Perf2bolt& perf2bolt,
                                                  ConvertResult& result) {
  std::vector<MovedBinary> moved;
  if (std::all_of(request.outputs.begin(), request.outputs.end(),
                  [](const OutputSpec& output) { return merges_binaries(output.format); }))
    return moved;
  PGO_TRY(std::vector<Target> targets, find_targets(result, moved));
  for (const OutputSpec& output : request.outputs) {
    if (merges_binaries(output.format)) continue;
    for (const Target& target : targets) {
      const BinaryCounts& counts = target.counts(result);
      // Of several binaries some may not have run; of a single one that is an error elsewhere.
      if (targets.size() > 1 && counts.traces.empty()) {
        const std::string path = path_for_binary(output.path, counts.path_hint, counts.id.hex());
        result.profile.diagnostics.warn(
            "idle-binary",
            counts.path_hint + ": has no samples in these recordings; " + path + " is not written");
        continue;
      }
      PGO_CHECK(add_output(output, target, request, perf2bolt, result));
    }
  }
  return moved;
}

}  // namespace pgo
