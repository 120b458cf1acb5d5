#include "pgo/refresh/blend.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "pgo/merge/merge.h"
#include "pgo/refresh/run_workspace.h"

namespace pgo {
namespace {

// "queryd.generation-2.prof": 2. The name is of the kind that describe_files() knows.
uint64_t generation_of(const std::string& name) {
  const size_t dot = name.rfind('.');
  const size_t dash = name.rfind('-', dot);
  uint64_t number = 0;
  if (dot != name.npos && dash != name.npos)
    std::from_chars(name.data() + dash + 1, name.data() + dot, number);
  return number;
}

}  // namespace

Result<BlendResult> blend(const BlendRequest& request) {
  BlendResult result;
  std::vector<PulledFile> earlier = request.earlier;
  std::sort(earlier.begin(), earlier.end(), [](const PulledFile& a, const PulledFile& b) {
    return generation_of(a.file.name) < generation_of(b.file.name);
  });
  if (earlier.size() > request.generations) earlier.resize(request.generations);
  const std::string extension = request.format == Format::kLlvmText ? ".proftext" : ".prof";
  std::vector<std::string> sources{request.profile};
  for (const PulledFile& file : earlier) sources.push_back(file.path);
  for (size_t i = 0; i < sources.size(); i++) {
    const std::string path =
        request.directory + "/" + request.name + ".generation-" + std::to_string(i + 1) + extension;
    PGO_CHECK(copy_into_workspace(sources[i], path));
    result.generations.push_back(path);
  }
  MergeRequest merging;
  merging.inputs = result.generations;
  merging.outputs = {{request.format, request.directory + "/blend" + extension}};
  merging.jobs = request.jobs;
  for (size_t i = 0; i < sources.size(); i++)
    merging.weights.push_back({result.generations[i],
                               {uint64_t{1} << (sources.size() - 1 - i), 1},
                               "the weight of generation " + std::to_string(i + 1)});
  PGO_TRY(MergeResult merged, merge(merging));
  result.contents = std::move(merged.outputs[0].contents);
  result.diagnostics = std::move(merged.diagnostics);
  result.blended = earlier.size();
  // The oldest one is not needed by the next run.
  if (result.generations.size() > request.generations)
    result.generations.resize(request.generations);
  return result;
}

}  // namespace pgo
