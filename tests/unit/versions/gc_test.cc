// collect_garbage() on layouts in a directory.
#include "pgo/versions/gc.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "pgo/registry/oci_layout.h"
#include "pgo/versions/version_list.h"
#include "tests/unit/versions/versions_fixture.h"

namespace pgo::gc_test {
namespace {

using test::kLlvm;
using test::open_layout;

class GarbageTest : public test::VersionsTest {};

TEST_F(GarbageTest, CollectsNoVersionWhoseAgeIsUnknown) {
  push_day("2026-11-26", "v1");
  const std::string undated = pushed({write("other.proftext", kLlvm)}, "v2").digest;
  std::unique_ptr<OciLayout> layout = OciLayout::open_to_push(path("p")).value();
  GarbageRequest request;
  request.layout = layout.get();
  request.newest = 1;
  const GarbageResult result = collect_garbage(request).value();
  EXPECT_TRUE(result.removed.empty());
  EXPECT_EQ(result.diagnostics.entries()
                .at("no-window")
                .messages[0]
                .find(undated + ": stays, because it does not say when it was recorded; "),
            0u);
}

// A pin has read the manifest of a version, and names it in its lock file next.
TEST_F(GarbageTest, GarbageWaitsForPins) {
  const std::string old = push_day("2026-11-05", "v1");
  push_day("2026-11-12", "v2");
  pinned("client", at("v2"));
  std::unique_ptr<OciLayout> layout = OciLayout::open_to_push(path("p")).value();
  GarbageRequest collection;
  collection.layout = layout.get();
  collection.locks = {path("pgo.lock"), path("pgo.lock")};  // each directory is locked once
  collection.newest = 1;
  std::future<Result<GarbageResult>> collected;
  PinRequest request{"server", at("v1"), path("pgo.lock"), {}, {}};
  request.open = [&](const RegistryReference& reference, RegistryUse use) {
    collected = std::async(std::launch::async, [&] { return collect_garbage(collection); });
    // It has nothing else to wait for, so it would end in this time.
    EXPECT_EQ(collected.wait_for(std::chrono::milliseconds(200)), std::future_status::timeout);
    return open_layout(reference, use);
  };
  const Result<PinResult> pinned_version = pin(request);
  const Result<GarbageResult> result = collected.get();
  ASSERT_TRUE(pinned_version && result);
  EXPECT_EQ(pinned_version->entry.manifest, old);
  EXPECT_TRUE(result->removed.empty());
  EXPECT_TRUE(get_manifest(*layout, old));
}

TEST_F(GarbageTest, CollectsWhatNoLockFileNames) {
  const std::string one = push_day("2026-11-05", "v1"), two = push_day("2026-11-12", "v2"),
                    three = push_day("2026-11-19", "v3"), four = push_day("2026-11-26", "v4");
  pinned("server", at("v1"));
  pinned("server", at("v2"));  // `one` is the previous
  std::unique_ptr<OciLayout> layout = OciLayout::open_to_push(path("p")).value();
  GarbageRequest request;
  request.layout = layout.get();
  request.locks = {path("pgo.lock")};
  request.newest = 1;
  const GarbageResult result = collect_garbage(request).value();
  ASSERT_EQ(result.removed.size(), 1u);
  EXPECT_EQ(result.removed[0].digest, three);
  EXPECT_EQ(result.kept.size(), 3u);
  EXPECT_EQ(result.blobs, 2u);  // the manifest and its bundle.json; the profile is one for all
  for (const std::string& digest : {one, two, four}) EXPECT_TRUE(get_manifest(*layout, digest));

  request.locks = {path("none.lock")};
  EXPECT_EQ(
      error_of(collect_garbage(request)),
      "none.lock: there is no lock file; 'pgo refresh' or 'pgo pin NAME REFERENCE' makes one; "
      "\xFF{lock} names another");
}

TEST_F(GarbageTest, GarbageTakesItsReferrersAlong) {
  const std::string old = push_day("2026-11-05", "v1");
  push_day("2026-11-12", "v2");
  OciManifest signature;
  signature.config = oci_empty_descriptor();
  signature.subject = OciDescriptor{kOciManifestType, old, 1};
  OciManifest foreign;
  foreign.config = oci_empty_descriptor();
  std::unique_ptr<OciLayout> layout = OciLayout::open_to_push(path("p")).value();
  ASSERT_TRUE(layout->push_manifest(oci_manifest_text(signature), ""));
  ASSERT_TRUE(layout->push_manifest(oci_manifest_text(foreign), "image"));
  GarbageRequest request;
  request.layout = layout.get();
  request.newest = 1;
  const GarbageResult result = collect_garbage(request).value();
  EXPECT_EQ(result.removed.size(), 1u);
  EXPECT_EQ(result.removed_referrers, 1u);
  EXPECT_EQ(list_versions(*layout).value().others.size(), 1u);
}

}  // namespace
}  // namespace pgo::gc_test
