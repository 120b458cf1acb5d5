// Sources on the command line: which argument names what kind of store.
//
//   PGO_TRY(std::unique_ptr<Source> source, open_source("s3://profiles/queryd", options));
//
// And inputs of other commands that are sources, or versions of profiles: they are fetched first.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/base/unique_fd.h"
#include "pgo/cli/arguments/config_option.h"
#include "pgo/cli/arguments/network_options.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/fetch/fetch.h"
#include "pgo/registry/profile_version.h"
#include "pgo/source/source.h"
#include "pgo/versions/version_input.h"

namespace pgo {

struct SourceArguments {
  std::string path_template;
  NetworkArguments network;
};

// `text`: a path, dir:PATH, or the URL of a store. Errors: kUsage for a URL of another scheme, and
// for one that needs the network in a build without it; those of the source.
Result<std::unique_ptr<Source>> open_source(const std::string& text,
                                            const SourceArguments& arguments);

// Of the table [fetch] of pgo.toml.
FetchLimits fetch_limits(const FetchConfig& of_file);

// The bundles and files that stand for sources and versions among the inputs of a command. They go
// away with this object; those of a process that was killed go away with the next one. Their paths
// name the source, and are the same for the same command, unless others run at once.
class FetchedInputs {
 public:
  // `registry`: how registries and stores are reached. `config`: of the pgo.toml with the limits
  // that sources must keep.
  explicit FetchedInputs(RegistryArguments registry, ConfigArgument config = {})
      : registry_(std::move(registry)), config_(std::move(config)) {}

  // Fetches each of `inputs` that is a source ("s3://..."), and pulls each that is a version
  // ("pgo.lock#server"): from a version, the file whose kind is one of `kinds`. Replaces the input
  // by the path of a bundle. Warnings are printed. Errors: those of fetch() and pull_input();
  // kMismatch when limits are not kept.
  Result<void> replace(std::vector<std::string>& inputs, const std::vector<FileKind>& kinds);
  Result<void> replace(std::string& input, const std::vector<FileKind>& kinds);
  // The same for versions only, whose place a file takes.
  Result<void> replace_by_file(std::string& input, const std::vector<FileKind>& kinds);
  // The same for the BOLT profile of the binary with this file name. If `recorded_build` names
  // none, it becomes the one that the version has with the profile; a note says so.
  Result<void> replace_bolt_profile(std::string& input, const std::string& binary,
                                    std::string& recorded_build);
  // The same for sides of comparisons, which have conditions on labels ("s3://...#host=web-1").
  Result<void> replace_side(std::vector<std::string>& inputs, const std::string& path_template);
  // What stands for a source that was replaced; other texts stay.
  std::string replaced(const std::string& input) const;

  FetchedInputs(const FetchedInputs&) = delete;
  FetchedInputs& operator=(const FetchedInputs&) = delete;
  ~FetchedInputs();

 private:
  Result<void> begin();
  std::string next_directory(const std::string& shown);
  // Nothing for what is no version.
  Result<std::optional<VersionInputRequest>> version_request(const std::string& input,
                                                             std::vector<FileKind> kinds);
  Result<PulledInput> pull_version(const VersionInputRequest& request, Placement placement,
                                   std::string& input);
  Result<void> replace_version(std::string& input, const std::vector<FileKind>& kinds,
                               Placement placement);
  Result<void> fetch_input(std::string& input, const std::string& path_template);

  RegistryArguments registry_;
  ConfigArgument config_;
  FetchLimits limits_;
  std::map<std::string, std::string> replaced_;
  std::string cache_, directory_;  // empty: nothing was fetched yet
  std::unique_ptr<UniqueFd> lock_;
  size_t count_ = 0;
};

}  // namespace pgo
