// What the files of a version are, and what they are worth: by their contents, and by what the
// report of the conversion and the bundle among them say. Names tell only what contents cannot:
// default.pgo is for Go, bundle.json a bundle, *.md a summary, and *.generation-1.prof (-2, ...)
// the profile of one run that others are blended with.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/result.h"
#include "pgo/registry/profile_version.h"

namespace pgo {

struct DescriptionRequest {
  std::vector<std::string> files;
  std::string service;  // empty: what the files say
  // Of profiles for BOLT and their binaries: a word for all of them, or FILE=WORD for one.
  std::vector<std::string> configurations;
  // Of those, the shared libraries that files are of: FILE=NAME, or FILE= for the program. Others
  // are of what the report of their conversion says, or of the program.
  std::vector<std::string> library_files;
  std::set<std::string> libraries;  // build IDs of shared libraries among those that were recorded
  std::string inputs;               // of ProfileVersion; empty: not known
  std::string bolt_of;  // build ID of llvm-bolt's input, in hexadecimal; empty: what the files say
  unsigned jobs = 0;    // threads; 0: all cores
};

struct DescribedFiles {
  ProfileVersion version;            // normalized
  std::vector<MappedFile> contents;  // of its files, in their order
  Diagnostics diagnostics;
};

// Is this the name of a file of kind kGeneration?
bool is_generation_name(std::string_view name);

// Errors: kUsage for two files of one name, for configurations and libraries of no file, and for
// BOLT profiles and recorded builds that builds could not tell apart; kUnsupported for files that
// are no part of a version; those of show() for damaged files.
Result<DescribedFiles> describe_files(const DescriptionRequest& request);

}  // namespace pgo
