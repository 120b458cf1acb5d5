#include "pgo/refresh/blend.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "pgo/merge/merge.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

// "queryd.generation-2.prof": 2. The name is of the kind that describe_files() knows.
uint64_t generation_of(const std::string& name) {
  const size_t dot = name.rfind('.');
  const size_t dash = name.rfind('-', dot);
  uint64_t number = 0;
  if (dot != name.npos && dash != name.npos)
    std::from_chars(name.data() + dash + 1, name.data() + dot, number);
  return number;
}

Result<std::string> copy_as(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error) return fail(ErrorKind::kIo, to + ": cannot copy: " + error.message());
  return to;
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
    PGO_TRY(std::string copy, copy_as(sources[i], path));
    result.generations.push_back(std::move(copy));
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
