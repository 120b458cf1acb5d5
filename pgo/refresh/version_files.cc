#include "pgo/refresh/version_files.h"

#include "pgo/base/atomic_file.h"
#include "pgo/refresh/run_workspace.h"

namespace pgo {
namespace {

constexpr const char* kOfBolt = ".bolt.json";

}  // namespace

bool is_compile_report(const std::string& name) { return !name.ends_with(kOfBolt); }

Result<std::vector<std::string>> write_version_files(const VersionParts& parts) {
  const ConvertedFiles& made = *parts.made;
  const std::string directory = parts.directory + "/";
  std::vector<std::string> files = parts.generations;
  auto write_report = [&](const std::string& name, const ConvertResult& conversion) {
    files.push_back(directory + name);
    return write_file_atomically(files.back(), parts.conversion_report(conversion));
  };
  for (const PulledFile& file : parts.kept) {
    files.push_back(directory + file.file.name);
    PGO_CHECK(copy_into_workspace(file.path, files.back()));
  }
  if (!parts.compile_profile.empty()) {
    files.push_back(parts.compile_profile);
    PGO_CHECK(write_report(parts.service + ".json", *made.compile));
  }
  for (const BoltProfile& profile : made.bolt) {
    files.push_back(profile.path);
    if (profile.prebolt) files.push_back(profile.prebolt->path);
    const bool has_report = !parts.compile_profile.empty() && profile.conversion == made.compile;
    if (!has_report)
      PGO_CHECK(write_report(bolt_file_stem(parts.service, profile.library) + kOfBolt,
                             *profile.conversion));
  }
  if (!made.go_profile.empty()) files.push_back(made.go_profile);
  Bundle bundle = *parts.bundle;
  forget_time_of_run(bundle);
  files.push_back(directory + kBundleName);
  PGO_CHECK(write_file_atomically(files.back(), bundle_text(bundle)));
  return files;
}

}  // namespace pgo
