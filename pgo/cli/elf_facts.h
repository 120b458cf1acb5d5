// What `pgo show` and `pgo doctor` both say of an ELF file.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"
#include "pgo/symbolize/debug_file.h"

namespace pgo {

struct DebugPlace {
  std::string path;  // empty: nowhere
  bool own = false;
};

Result<DebugPlace> find_debug_info(const ElfImage& image, const DebugPlaces& places);
// "in the file", or where else, or why it is missing and what to do.
std::string describe_debug_info(const ElfImage& image, const DebugPlace& place);

// What to do when debug information or probes are missing: `build`, unless they were stripped off.
std::string advise_on_missing(const ElfImage& image, const std::string& build);

// The note of a binary that was built with a profile: an object, or null when there is none. One
// that is not as it should be is an empty object: what strangers wrote is not shown.
nlohmann::json profile_note(const ElfImage& image);
// Its name, grade and tool, and the digests on lines of their own.
std::string describe_profile_note(const nlohmann::json& note);

// Writes `digest` ("sha256:…") of a BOLT profile into `contents`, the bytes of `image`, where its
// note has a place for it. The note is not part of the code, and the build id stays as it is.
void fill_bolt_digest(const ElfImage& image, const std::string& digest, std::string& contents);

}  // namespace pgo
