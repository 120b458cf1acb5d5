#include "pgo/cli/arguments/binary_from.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "pgo/cli/arguments/archives.h"
#include "pgo/cli/arguments/shared_options.h"
#include "pgo/cli/terminal/messages.h"
#include "pgo/diff/side_argument.h"

namespace pgo {
namespace {

constexpr size_t kMaxShownFiles = 8;

std::string words_for(ReleaseRole role) {
  switch (role) {
    case ReleaseRole::kExecutable: return "the executable";
    case ReleaseRole::kDebug: return "the debug file";
    case ReleaseRole::kPrebolt: return "llvm-bolt's input";
  }
  return "";
}

void print_stripped(const std::vector<ArchivedFile>& files) {
  for (size_t i = 0; i < std::min(kMaxShownFiles, files.size()); i++)
    print_note("build " + files[i].build_id.hex() + ": " + files[i].place +
               " is stripped, and its debug file was not found; its samples are not used");
  if (files.size() > kMaxShownFiles)
    print_note("and " + std::to_string(files.size() - kMaxShownFiles) + " more stripped files");
}

void print_found(const std::vector<ArchivedFile>& files) {
  for (size_t i = 0; i < std::min(kMaxShownFiles, files.size()); i++)
    print_note("build " + files[i].build_id.hex() + ": " + words_for(files[i].role) + " is " +
               files[i].place);
  if (files.size() > kMaxShownFiles)
    print_note("and " + std::to_string(files.size() - kMaxShownFiles) + " more files of archives");
}

}  // namespace

Result<BuildArchives> BinaryFrom::open(const RegistryArguments& registry) {
  PGO_TRY(const std::string directory, default_cache_directory());
  PGO_TRY(BlobCache cache, BlobCache::open(directory));
  cache_ = std::make_unique<BlobCache>(std::move(cache));
  BuildArchives opened;
  for (const std::string& name : archives) {
    PGO_TRY(std::unique_ptr<BuildArchive> archive, open_archive(name, registry, *cache_));
    opened.push_back(std::move(archive));
  }
  return opened;
}

Result<void> BinaryFrom::find(const RegistryArguments& registry,
                              const std::vector<std::string>& inputs, unsigned jobs,
                              std::vector<std::string>& binaries, DebugPlaces& debug,
                              BinaryUse use) {
  if (archives.empty()) return ok();
  PGO_TRY(const BuildArchives opened, open(registry));
  PGO_TRY(const std::vector<SampledBuild> builds, find_sampled_builds(inputs, jobs));
  PGO_TRY(const ArchivedBinaries found,
          find_archived_binaries(builds, opened, binaries, use, debug));
  binaries.insert(binaries.end(), found.binaries.begin(), found.binaries.end());
  debug.files.insert(debug.files.end(), found.debug_files.begin(), found.debug_files.end());
  print_found(found.files);
  print_stripped(found.stripped);
  return cache_->trim();
}

Result<void> BinaryFrom::find_for_sides(const RegistryArguments& registry,
                                        const std::vector<std::string>& inputs,
                                        std::vector<std::string>& binaries, DebugPlaces& debug) {
  if (archives.empty()) return ok();
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    PGO_TRY(SideArgument side, parse_side_argument(input));
    files.push_back(std::move(side.input));
  }
  return find(registry, files, 0, binaries, debug, BinaryUse::kNames);
}

Result<void> BinaryFrom::find_bolted(const RegistryArguments& registry,
                                     const std::vector<std::string>& inputs, unsigned jobs,
                                     const std::string& input, std::string& recorded) {
  if (archives.empty() || !recorded.empty()) return ok();
  PGO_TRY(const BuildArchives opened, open(registry));
  PGO_TRY(const std::vector<SampledBuild> builds, find_sampled_builds(inputs, jobs));
  PGO_TRY(const std::optional<ArchivedFile> found, find_archived_bolted(builds, opened, input));
  if (!found) return ok();
  recorded = found->path;
  print_found({*found});
  return cache_->trim();
}

void add_binary_from_option(CommandLine& line, BinaryFrom& binary_from) {
  line.option("--binary-from", binary_from.archives,
              "Look for binaries by the build IDs of the inputs in this archive ('pgo archive'):\n"
              "a directory (PATH or dir:PATH), oci-dir:PATH, oci://HOST/REPOSITORY, or\n"
              "s3://BUCKET/PREFIX; or at a debuginfod server: debuginfod+https://HOST, or\n"
              "debuginfod: for those in $DEBUGINFOD_URLS; may be given several times")
      .type_name("ARCHIVE")
      .group(kBinaryGroup);
}

}  // namespace pgo
