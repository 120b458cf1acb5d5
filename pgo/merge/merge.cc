#include "pgo/merge/merge.h"

#include <malloc.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "pgo/merge/kinds.h"
#include "pgo/source/file_identity.h"
#include "pgo/source/input_files.h"

namespace pgo {
namespace {

// A kind of profiles, and which parts of a request it uses.
struct Kind {
  const char* name;
  bool (*has)(Format format);
  Result<MergeResult> (*merge)(const MergePlan& plan, const MergeRequest& request);
  bool has_stacks;  // labels and sample types
  bool has_builds;
  bool can_be_normalized;
  bool has_shards;  // merging them gives the same as merging all inputs at once
};

constexpr Kind kKinds[] = {
    {"address profiles", [](Format format) { return format == Format::kAddressProfile; },
     merge_addresses, false, true, true, true},
    {"LLVM sample profiles", is_llvm_profile, merge_llvm_samples, false, false, false, false},
    {"stack profiles", [](Format) { return true; }, merge_stacks, true, true, true, true},
};

// The kind of all outputs: one merge makes one kind.
Result<const Kind*> find_kind(const std::vector<OutputSpec>& outputs) {
  const Kind* kind = nullptr;
  for (const OutputSpec& output : outputs) {
    const Kind* one = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const Kind& k) { return k.has(output.format); });
    if (kind != nullptr && one != kind)
      return fail(ErrorKind::kUsage, "\xFF{output} " + outputs[0].path + " is of " + kind->name +
                                         ", \xFF{output} " + output.path + " of " + one->name +
                                         ": they are merged from different inputs");
    kind = one;
  }
  if (kind == nullptr)
    return fail(ErrorKind::kUsage, "there is no output", "name one with \xFF{output}");
  return kind;
}

// Refuses what would have no effect on this kind.
Result<void> check_rules(const MergeRequest& request, const Kind& kind) {
  auto refuse = [&](const char* option, bool is_given, bool is_used) -> Result<void> {
    if (!is_given || is_used) return ok();
    return fail(ErrorKind::kUsage, std::string(option) + " does not apply to " + kind.name);
  };
  PGO_CHECK(refuse("\xFF{normalize}", request.normalization != Normalization::kNone,
                   kind.can_be_normalized));
  if (request.host_label && request.normalization != Normalization::kHost)
    return fail(ErrorKind::kUsage, "\xFF{host-label} " + *request.host_label +
                                       " is for \xFF{normalize} host, which was not given");
  PGO_CHECK(refuse("\xFF{shard}", request.shard.has_value(), kind.has_shards));
  PGO_CHECK(refuse("\xFF{build-id}", !request.builds.empty(), kind.has_builds));
  PGO_CHECK(refuse("\xFF{sample-type}", !request.sample_types.empty(), kind.has_stacks));
  PGO_CHECK(refuse("\xFF{keep-label}", request.labels.kept.has_value(), kind.has_stacks));
  PGO_CHECK(refuse("\xFF{drop-label}", !request.labels.dropped.empty(), kind.has_stacks));
  PGO_CHECK(refuse("\xFF{allow-label}", !request.allowed_labels.empty(), kind.has_stacks));
  PGO_CHECK(refuse("\xFF{trim-path}", !request.trimmed_paths.empty(), kind.has_stacks));
  return refuse("\xFF{rename-label}", !request.labels.renamed.empty(), kind.has_stacks);
}

// The weights of `files`, by path. A weight must be of an input, and an input has one at most.
Result<std::map<std::string, Weight>> find_weights(const std::vector<InputWeight>& weights,
                                                   const std::vector<InputFile>& files) {
  std::map<std::string, Weight> found;
  if (weights.empty()) return found;
  std::multimap<std::string, std::string> paths;  // by identity
  for (const InputFile& file : files) paths.emplace(identity_of(file.path), file.path);
  std::map<std::string, const InputWeight*> given;  // by path
  for (const InputWeight& weight : weights) {
    const auto& [numerator, denominator] = weight.weight;
    if (std::min(numerator, denominator) == 0 ||
        std::max(numerator, denominator) > Weight::kMaxPart)
      return fail(ErrorKind::kUsage, weight.asked_by +
                                         ": a weight is a fraction of two numbers from "
                                         "1 to 1000000");
    if (weight.input == "@-")
      return fail(ErrorKind::kUsage,
                  weight.asked_by + ": the names on standard input are read once",
                  "write them to a file, and name it twice: as input @LIST, and in the weight");
    PGO_TRY(std::vector<InputFile> named, find_input_files({weight.input}));
    for (const InputFile& one : named) {
      auto [first, last] = paths.equal_range(identity_of(one.path));
      if (first == last)
        return fail(ErrorKind::kUsage, weight.asked_by + ": " + one.path + " is not an input");
      for (; first != last; ++first) {
        const std::string& path = first->second;
        const InputWeight* earlier = given.emplace(path, &weight).first->second;
        if (earlier != &weight)
          return fail(ErrorKind::kUsage, weight.asked_by + ": " + one.path +
                                             " has a weight already, by " + earlier->asked_by);
        found[path] = weight.weight;
      }
    }
  }
  return found;
}

// Refuses what a shard on its own cannot do as one merge of all inputs does it. The same for each
// shard: what is refused does not depend on which inputs it has.
Result<void> check_shard(const MergeRequest& request, const MergePlan& plan) {
  if (!request.shard) return ok();
  PGO_CHECK(request.shard->check());
  if (request.normalization != Normalization::kNone)
    return fail(ErrorKind::kUsage,
                "\xFF{shard} does not apply together with \xFF{normalize}, which needs the totals "
                "of all inputs",
                "merge all inputs at once, or give whole weights");
  for (const OutputSpec& output : request.outputs)
    if (output.format != Format::kAddressProfile && output.format != Format::kPprof &&
        output.format != Format::kPprofPlain)
      return fail(ErrorKind::kUsage,
                  "\xFF{output} " + output.path +
                      ": a shard is merged again, and only address profiles (.addr) and pprof "
                      "(.pb.gz) keep all that this needs");
  for (const InputWeight& weight : request.weights)
    if (weight.weight.numerator % weight.weight.denominator != 0)
      return fail(ErrorKind::kUsage,
                  weight.asked_by +
                      ": with \xFF{shard}, weights are whole numbers, because each shard is "
                      "rounded on its own");
  for (const InputFile& file : plan.files)
    if (!file.weight.is_one())
      return fail(ErrorKind::kUsage,
                  file.bundle->directory +
                      ": the members of this bundle have different weights, which \xFF{shard} does "
                      "not support, because each shard is rounded on its own",
                  "merge the bundle at once");
  return ok();
}

// Memory of one profile is kept for the next one. Giving it back to the system in between would
// cost a page fault for each page of each profile.
void keep_freed_memory() {
  constexpr int kKept = 2 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kKept);
  ::mallopt(M_MMAP_THRESHOLD, kKept);
}

// Outputs of an earlier run that were found in a directory are left out of `files`.
Result<void> check_outputs(const MergeRequest& request, std::vector<InputFile>& files,
                           Diagnostics& diagnostics) {
  std::vector<PlannedFile> planned;
  for (const OutputSpec& output : request.outputs)
    planned.push_back({output.path, "\xFF{output} " + output.path});
  planned.insert(planned.end(), request.other_files.begin(), request.other_files.end());
  PGO_CHECK(leave_out_outputs(planned, files, diagnostics));
  std::vector<std::string> read;
  for (const InputFile& file : files) read.push_back(file.path);
  return check_plan(planned, read);
}

}  // namespace

Result<MergeResult> merge(const MergeRequest& request) {
  MergePlan plan;
  Diagnostics diagnostics;
  plan.files = request.files;
  if (plan.files.empty()) {
    PGO_TRY(plan.files, find_input_files(request.inputs));
  }
  PGO_TRY(plan.weights, find_weights(request.weights, plan.files));
  PGO_TRY(const Kind* kind, find_kind(request.outputs));
  PGO_CHECK(check_rules(request, *kind));
  PGO_CHECK(check_outputs(request, plan.files, diagnostics));
  PGO_CHECK(check_shard(request, plan));
  const size_t all_inputs = plan.files.size();
  if (request.shard) plan.of_other_shards = leave_out_other_shards(*request.shard, plan.files);
  keep_freed_memory();
  PGO_TRY(MergeResult result, kind->merge(plan, request));
  result.shard = request.shard;
  if (request.shard) result.inputs_of_all_shards = all_inputs;
  result.diagnostics.add(diagnostics);
  return result;
}

}  // namespace pgo
