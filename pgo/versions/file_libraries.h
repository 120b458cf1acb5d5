// Which shared library each file for BOLT of a version is of: its profiles, and the recorded builds
// beside them. A build takes only those of its own binary, and a file says which binary that is by
// its build ID alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/registry/profile_version.h"

namespace pgo {

// A profile for BOLT, or the recorded build that such a profile is of.
bool is_for_bolt(const ProfileFile& file);

// "libquery.so" for the binary "/opt/queryd/libquery.so.1.2", and for its debug file and what it
// was before BOLT (".prebolt"). Empty for a program; nothing where the file is named by its build
// ID or its digest, as archives do.
std::optional<std::string> library_of_binary(const std::string& path);

// What the report of a conversion says of the binary that a BOLT profile is for.
struct BinaryInReport {
  std::optional<std::string> library;  // library_of_binary(); nothing without a report, too
  bool is_alone = true;                // the report is of no other binary

  bool operator==(const BinaryInReport&) const = default;
};

struct LibraryFile {
  std::string path;             // as the argument has it
  ProfileFile* file = nullptr;  // whose library is set
  BinaryInReport binary;
};

// `named` has arguments FILE=NAME, or FILE= for the program. They go before what reports say, and
// what is known of one file goes for all of the same build. The rest is of the program, with a
// warning where a report does not tell which of several binaries it is. Errors: kUsage for
// arguments that name no file for BOLT, and for two names of one build.
Result<void> set_libraries(const std::vector<LibraryFile>& files,
                           const std::vector<std::string>& named, Diagnostics& diagnostics);

}  // namespace pgo
