// A bundle on disk: files with bundle.json, whose digests and sizes fit them.
//
//   test::write_bundle(path("q"), {{.name = "a.folded", .contents = "main 1\n", .weight = {1,
//   2}}});
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "pgo/base/sha256.h"
#include "pgo/source/bundle.h"

namespace pgo::test {

struct BundleFile {
  std::string name, contents;
  Weight weight = {};
  Labels labels = {};
};

inline Bundle bundle_of(const std::vector<BundleFile>& files) {
  Bundle bundle{"pgo test", {"dir:/srv"}, {{"service", "queryd"}}, {}};
  for (const BundleFile& file : files) {
    BundleMember member;
    member.path = file.name;
    member.size = file.contents.size();
    member.digest =
        "sha256:" + Sha256::hex_of({reinterpret_cast<const uint8_t*>(file.contents.data()),
                                    file.contents.size()});
    member.source = "dir:/srv";
    member.object = file.name;
    member.labels = file.labels;
    member.weight = file.weight;
    bundle.members.push_back(std::move(member));
  }
  return bundle;
}

inline void write_bundle(const std::string& directory, const std::vector<BundleFile>& files) {
  for (const BundleFile& file : files) {
    const std::string path = directory + "/" + file.name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << file.contents;
  }
  std::ofstream(directory + "/" + kBundleName) << bundle_text(bundle_of(files));
}

}  // namespace pgo::test
