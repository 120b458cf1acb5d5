// BinarySet: the --binary arguments, opened: each with the files that describe it and a map of its
// code. Files of one build (a stripped binary and its unstripped twin) are refused as ambiguous.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "converters/perf_data/perf_data_reader.h"
#include "pgo/elf/probe_table.h"
#include "pgo/profile/stack_profile.h"
#include "pgo/symbolize/debug_file.h"
#include "pgo/symbolize/source_profile_builder.h"

namespace pgo {

// A kind of warnings: what assume_build_ids() did.
inline constexpr const char* kAssumedBuildId = "assumed-build-id";

// Pseudo probes of which file to count by. Stripping may leave them in the debug file only.
enum class ProbeUse { kOfBinaryOrDebugFile, kOfBinary, kNone };

// The one of a binary and its debug file (or null) to read probes from; null when there are none.
// What BOLT rewrote has other addresses than its input's debug file.
const ElfImage* find_probes(const ElfImage& image, const ElfImage* debug,
                            ProbeUse use = ProbeUse::kOfBinaryOrDebugFile);

struct Binary {
  std::unique_ptr<ElfImage> image;
  std::unique_ptr<ElfImage> debug;  // null when `image` has what is needed itself
  std::unique_ptr<CodeMap> code;
  const ElfImage* probes = nullptr;  // `image` or `debug`; null when counts are by line

  const ElfImage& debug_image() const { return debug ? *debug : *image; }
  // The image with the symbol table: a stripped binary's is in its debug file.
  const ElfImage& symbol_image() const { return image->symbols().empty() ? debug_image() : *image; }
  SymbolizedBinary symbolized() const {
    return {image.get(), &symbol_image(), &debug_image(), code.get(), probes};
  }
};

class BinarySet {
 public:
  static Result<BinarySet> open(const std::vector<std::string>& paths, const DebugPlaces& debug,
                                ProbeUse probe_use = ProbeUse::kOfBinaryOrDebugFile);

  const std::vector<Binary>& binaries() const { return binaries_; }
  std::vector<perf_data::TargetBinary> targets() const;
  // Of the binaries those with `ids` are what a profile names without a build id: what has their
  // file name, and, of a single one, also the main binary of a profile. Error: an id of none.
  Result<void> assume(const std::vector<std::string>& ids);
  // Gives mappings of `profile` without a build id the assumed ones, and says so in `diagnostics`.
  void assume_build_ids(StackProfile& profile, const std::string& path,
                        Diagnostics& diagnostics) const;
  // The binary whose counts these are.
  const Binary& of(const BinaryCounts& counts) const;

 private:
  Result<void> check_used(const std::string& debug_file) const;

  std::vector<Binary> binaries_;
  std::vector<const ElfImage*> assumed_;
};

}  // namespace pgo
