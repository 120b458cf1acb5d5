// VersionInput: one file of a version, where a command expects a profile.
//
//   oci-dir:PATH:TAG    oci://HOST/REPOSITORY:TAG    or either with @sha256:HEX
//   FILE#NAME           what the lock file FILE pins as NAME
//
// Conditions choose among the files of the version: "oci-dir:p:week-48#kind=llvm",
// "pgo.lock#server,file=server.prof", and configuration=WORD. The first stands behind '#', and
// others behind ','. Without any, the kinds of files that a command reads decide. One file must be
// left.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/registry/profile_version.h"
#include "pgo/versions/pull.h"
#include "pgo/versions/registry_opener.h"

namespace pgo {

struct VersionInput {
  std::string text;                            // as it was given, without conditions
  std::optional<RegistryReference> reference;  // nothing: `name` of the lock file `lock`
  std::string lock, name;
  std::string kind, file, configuration;  // of the file; empty: any
  std::string others;                     // other conditions, which are about labels

  bool has_conditions() const { return !kind.empty() || !file.empty() || !configuration.empty(); }
  bool operator==(const VersionInput&) const = default;
};

// Nothing for what is no version, such as the path of a file. A file of exactly this name wins.
// Error: kUsage for a reference or a kind that is none.
Result<std::optional<VersionInput>> parse_version_input(const std::string& argument);

// The one of `files` that `input` means, where a command reads files of `kinds`. Error: kUsage,
// which lists `files`, when there is none, or several.
Result<ProfileFile> choose_file(const VersionInput& input, const std::vector<FileKind>& kinds,
                                const std::vector<ProfileFile>& files);

// Those of `files` that fit the binary of this file name: without the BOLT profiles of others.
std::vector<ProfileFile> files_for_binary(const std::string& binary,
                                          std::vector<ProfileFile> files);

struct VersionInputRequest {
  VersionInput input;
  std::vector<FileKind> kinds;  // that the command reads
  OpenRegistry open;
  std::string cache;  // its directory
  // Where a BOLT profile is for one binary: the file name of that. A shared library takes the BOLT
  // profile that is of it, and a program the one that is of no library. Empty: any.
  std::string binary = {};
};

struct PulledInput {
  PulledFile file;      // in the cache
  std::string version;  // its reference with the digest
  Diagnostics diagnostics;
};

// Pulls only this file. With a lock file that lists one that fits, and with that in the cache, no
// registry is needed. Errors: those of choose_file() and of pull().
Result<PulledInput> pull_input(const VersionInputRequest& request);

// The recorded build of the BOLT profile that pull_input() took for `request`, out of the same
// version: that of its configuration and library. Nothing: the version has none. Errors: those of
// pull(); kUsage when the version has several.
Result<std::optional<PulledInput>> pull_recorded_build(const VersionInputRequest& request,
                                                       const PulledInput& profile);

// kFile: the file, under its name, and, for a BOLT profile, what its version says of its evidence,
// where pgo bolt looks for a report. kBundle: a bundle of the file, which says where it comes from.
enum class Placement : uint8_t { kFile, kBundle };
// Puts it into `directory`, which is made, and returns the path that stands for the input. Error:
// kIo.
Result<std::string> place_input(const PulledInput& input, const std::string& directory,
                                Placement placement);

}  // namespace pgo
