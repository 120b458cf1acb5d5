// --binary-from: archives in which binaries are looked for, by the build IDs of the inputs.
//
//   BinaryFrom binary_from;                                    it lives as long as the command
//   add_binary_from_option(line, binary_from);
//   PGO_CHECK(binary_from.find(arguments.registry, request.inputs, 0, request.binaries,
//   request.debug));
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pgo/archive/archived_binaries.h"
#include "pgo/base/result.h"
#include "pgo/binary/binary.h"
#include "pgo/binary/debug_file.h"
#include "pgo/cli/arguments/command_line.h"
#include "pgo/cli/arguments/registries.h"
#include "pgo/source/blob_cache.h"

namespace pgo {

// Keeps the cache, so that no other process removes what was fetched while it is read.
class BinaryFrom {
 public:
  std::vector<std::string> archives;  // as named

  // Adds what the archives have of the builds that `inputs` sampled, and says which that is.
  // `registry`: how registries and stores are reached. Nothing happens without an archive. Errors:
  // those of open_archive(), find_sampled_builds() and find_archived_binaries().
  Result<void> find(const RegistryArguments& registry, const std::vector<std::string>& inputs,
                    unsigned jobs, std::vector<std::string>& binaries, DebugPlaces& debug,
                    BinaryUse use = BinaryUse::kCounts);
  // The same for names in inputs of sides, which may have conditions on labels.
  Result<void> find_for_sides(const RegistryArguments& registry,
                              const std::vector<std::string>& inputs,
                              std::vector<std::string>& binaries, DebugPlaces& debug);
  // Names what llvm-bolt made of `input`, if that was sampled, unless it is named.
  Result<void> find_bolted(const RegistryArguments& registry,
                           const std::vector<std::string>& inputs, unsigned jobs,
                           const std::string& input, std::string& recorded);

 private:
  Result<BuildArchives> open(const RegistryArguments& registry);

  std::unique_ptr<BlobCache> cache_;
};

void add_binary_from_option(CommandLine& line, BinaryFrom& binary_from);

}  // namespace pgo
