// ProfileVersion: the files of one version of a profile, and what they are worth, as an OCI
// artifact (docs/reference/registry.md has the media types and annotations).
//
//   StoredManifest stored = ...;
//   PGO_TRY(OciManifest manifest, parse_oci_manifest(stored.bytes, name));
//   PGO_TRY(ProfileVersion version, read_profile_version(manifest, name));
//
// A manifest says only what follows from the contents of the files, and what the team said about
// them: no clock, no path, no version of a tool. So the same version has the same digest whenever,
// wherever and in whatever order its files are pushed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/profile/quality.h"
#include "pgo/registry/oci_manifest.h"
#include "pgo/source/source.h"

namespace pgo {

inline constexpr const char* kProfileArtifact = "application/vnd.prodpgo.profile.v1";

// What a file is for. In this order files are listed.
enum class FileKind : uint8_t {
  kLlvm,     // clang's sample profile
  kGcc,      // for -fauto-profile
  kBolt,     // for llvm-bolt
  kGo,       // default.pgo
  kPrebolt,  // the binary that a BOLT profile is of: llvm-bolt's input
  kReport,   // of the conversion, as JSON
  kAddress,  // an address profile, which can be merged and converted again
  kPprof,
  kBundle,      // bundle.json: which profiles were chosen
  kSummary,     // for people
  kGeneration,  // a compiler's profile of one run, which later profiles are blended with
  kOther,       // of a media type that is not known here
};

// "llvm", "bolt": the word in lock files.
std::string_view file_kind_name(FileKind kind);
// Do lock files list such files?
bool is_locked_kind(FileKind kind);

// The forms that files have.
enum class FileForm : uint8_t {
  kLlvmProf,
  kLlvmProftext,
  kGccAfdo,
  kBoltFdata,
  kBoltYaml,
  kBoltTraces,
  kGoPgo,
  kPreboltElf,
  kReportJson,
  kAddr,
  kPprofGz,
  kBundleJson,
  kSummaryMarkdown,
  kGenerationProf,
};
std::string_view media_type_of(FileForm form);
FileKind kind_of_media_type(std::string_view media_type);

// Fields of a lock file that this pgo does not know, by name: the text of each value, as JSON.
using UnknownFields = std::map<std::string, std::string>;

struct ProfileFile {
  FileKind kind = FileKind::kOther;
  std::string media_type = {};     // empty in lock files
  std::string name;                // without a folder
  std::string digest;              // "sha256:<hex>"
  uint64_t size = 0;               // bytes
  std::string configuration = {};  // a word of the team's, of what fits one way to build only
  // Of a BOLT profile, or of its build, by library_name(); empty: of the program, or another kind.
  std::string library = {};
  std::vector<std::string> of_builds = {};  // build IDs that were recorded, in hexadecimal, sorted
  std::vector<std::string> of_libraries = {};  // those of them that are shared libraries, sorted
  std::string bolt_of = {};  // build ID of llvm-bolt's input that a BOLT profile fits
  Evidence evidence = Evidence::kUnknown;
  Quality quality = Quality::kUnknown;
  std::optional<double> density = {}, split_half_overlap = {};
  std::optional<uint64_t> samples = {};
  UnknownFields unknown = {};

  bool operator==(const ProfileFile&) const = default;
};

struct ProfileVersion {
  std::string service;               // empty: not known
  std::optional<TimeWindow> window;  // in which the profiles were recorded
  std::vector<std::string> sources;  // where they were fetched from
  std::string inputs;  // a digest of all that `pgo refresh` made it from; empty: not known
  std::vector<ProfileFile> files;  // by kind, configuration, library and name

  // The file whose figures stand for the version: the first of a compiler, or else of BOLT or Go.
  // Null when there is no profile.
  const ProfileFile* main_file() const;
  // The build IDs of all files, sorted.
  std::vector<std::string> builds() const;
  bool operator==(const ProfileVersion&) const = default;
};

// May `name` be that of a file: no folder, no control character, not "." or ".."?
bool is_plain_file_name(std::string_view name);

// By kind, configuration, library and name.
void sort_files(std::vector<ProfileFile>& files);

// Sorts the files, and rounds figures as they are written: density to one decimal, the overlap to
// three.
void normalize(ProfileVersion& version);

// Of a normalized version. The blobs are those of its files, and the empty one.
OciManifest manifest_of(const ProfileVersion& version);
// Errors, which begin with `name`: kUnsupported for an artifact of another type; kInput for one
// whose annotations cannot be right.
Result<ProfileVersion> read_profile_version(const OciManifest& manifest, const std::string& name);
// What read_profile_version() would refuse in the manifest of this version; nothing for one that it
// reads.
std::optional<std::string> unreadable_part(const ProfileVersion& version);

}  // namespace pgo
