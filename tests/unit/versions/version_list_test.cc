// list_versions() of registries that have too much.
#include "pgo/versions/version_list.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>

#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "pgo/registry/oci_layout.h"
#include "tests/data/forwarding_registry.h"
#include "tests/data/temporary_files.h"

namespace pgo::version_list_test {
namespace {

constexpr size_t kManifests = 100, kManifestSize = size_t{256} << 10;

size_t allocated_bytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Makes up a large manifest for each tag, and notes how much memory is in use.
class LargeManifests final : public test::ForwardingRegistry {
 public:
  using ForwardingRegistry::ForwardingRegistry;

  Result<std::vector<ManifestName>> list_manifests() override {
    std::vector<ManifestName> names;
    for (size_t i = 0; i < kManifests; i++) names.push_back({"v" + std::to_string(i), ""});
    return names;
  }
  Result<std::optional<StoredManifest>> find_manifest(const std::string& version) override {
    most_allocated = std::max(most_allocated, allocated_bytes());
    OciManifest manifest;
    manifest.config = oci_empty_descriptor();
    manifest.annotations = {{version, std::string(kManifestSize, 'a')}};
    const std::string text = oci_manifest_text(manifest);
    return std::optional<StoredManifest>(
        {Sha256::digest_of(as_bytes(text)), kOciManifestType, text});
  }

  size_t most_allocated = 0;
};

class VersionListTest : public test::TemporaryFiles {};

TEST_F(VersionListTest, KeepsNoManifests) {
  LargeManifests registry(OciLayout::open_to_push(path("p")).value());
  const size_t before = allocated_bytes();
  const VersionList list = list_versions(registry).value();
  EXPECT_EQ(list.others.size(), kManifests);
  EXPECT_EQ(list.others[0].tags.size(), 1u);
  EXPECT_TRUE(std::is_sorted(
      list.others.begin(), list.others.end(),
      [](const OtherArtifact& a, const OtherArtifact& b) { return a.digest < b.digest; }));
  EXPECT_LT(registry.most_allocated, before + kManifests * kManifestSize / 4);
}

}  // namespace
}  // namespace pgo::version_list_test
