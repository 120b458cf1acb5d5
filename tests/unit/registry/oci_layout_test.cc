#include "pgo/registry/oci_layout.h"

#include <gtest/gtest.h>

#include <barrier>
#include <thread>

#include "pgo/base/sha256.h"
#include "tests/data/temporary_files.h"

namespace pgo::oci_layout_test {
namespace {

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string digest_of(std::string_view text) { return Sha256::digest_of(bytes_of(text)); }

class OciLayoutTest : public test::TemporaryFiles {
 protected:
  std::unique_ptr<OciLayout> opened() { return OciLayout::open_to_push(path("p")).value(); }

  // A manifest with one layer, and perhaps a subject; pushed with its blobs.
  std::string push(const std::string& contents, const std::string& tag,
                   const std::string& subject = "") {
    std::unique_ptr<OciLayout> layout = opened();
    OciManifest manifest;
    manifest.artifact_type = "application/vnd.example.v1";
    manifest.config = oci_empty_descriptor();
    manifest.layers = {{"text/plain", digest_of(contents), contents.size()}};
    if (!subject.empty()) manifest.subject = OciDescriptor{kOciManifestType, subject, 1};
    EXPECT_TRUE(layout->push_blob(manifest.config.digest, bytes_of(kOciEmptyBlob)));
    EXPECT_TRUE(layout->push_blob(manifest.layers[0].digest, bytes_of(contents)));
    const std::string text = oci_manifest_text(manifest);
    Result<void> pushed = layout->push_manifest(text, tag);
    EXPECT_TRUE(pushed) << pushed.error().message;
    return digest_of(text);
  }

  std::string blob_path(const std::string& digest) {
    return path("p/blobs/sha256/" + digest.substr(7));
  }

  std::string text_of_file(const std::string& name) {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::vector<ManifestName> names() { return opened()->list_manifests().value(); }

  template <typename T>
  std::string error_of(const Result<T>& result) {
    EXPECT_FALSE(result);
    return result ? "" : text_of(result.error());
  }
};

TEST_F(OciLayoutTest, IsMadeByTheFirstPush) {
  const std::string digest = push("one", "v1");
  EXPECT_EQ(text_of_file("p/oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}");
  EXPECT_EQ(
      text_of_file("p/index.json"),
      R"({"mediaType":"application/vnd.oci.image.index.v1+json","schemaVersion":2,"manifests":[)"
      "\n"
      R"({"annotations":{"org.opencontainers.image.ref.name":"v1"},"artifactType":)"
      R"("application/vnd.example.v1","digest":")" +
          digest + R"(","mediaType":"application/vnd.oci.image.manifest.v1+json","size":)" +
          std::to_string(std::filesystem::file_size(blob_path(digest))) + "}\n]}\n");
  EXPECT_TRUE(std::filesystem::is_empty(path("p/.prodpgo/tmp")));

  std::unique_ptr<OciLayout> layout = OciLayout::open(path("p")).value();
  for (const std::string& version : {std::string("v1"), digest}) {
    const StoredManifest stored = get_manifest(*layout, version).value();
    EXPECT_EQ(stored.digest, digest);
    EXPECT_EQ(stored.media_type, kOciManifestType);
    const OciManifest manifest = parse_oci_manifest(stored.bytes, "M").value();
    EXPECT_EQ(get_blob(*layout, manifest.layers[0], 100).value(), "one");
  }
}

TEST_F(OciLayoutTest, MovesTagsAndForgetsNoVersion) {
  const std::string one = push("one", "v1"), two = push("two", "v1");
  EXPECT_EQ(names(), (std::vector<ManifestName>{{"", one}, {"v1", two}}));
  push("two", "v2");
  EXPECT_EQ(names(), (std::vector<ManifestName>{{"", one}, {"v1", two}, {"v2", two}}));
  push("one", "v1");  // the untagged one has a tag again; `two` has another
  EXPECT_EQ(names(), (std::vector<ManifestName>{{"v1", one}, {"v2", two}}));
  push("one", "");
  push("one", "v2");
  EXPECT_EQ(names(), (std::vector<ManifestName>{{"", two}, {"v1", one}, {"v2", one}}));
}

TEST_F(OciLayoutTest, PushesTheSameOnlyOnce) {
  push("one", "v1");
  const std::string index = text_of_file("p/index.json");
  EXPECT_FALSE(opened()->push_blob(digest_of("one"), bytes_of("one")).value());
  EXPECT_TRUE(opened()->push_blob(digest_of("two"), bytes_of("two")).value());
  push("one", "v1");
  EXPECT_EQ(text_of_file("p/index.json"), index);
}

TEST_F(OciLayoutTest, FindsReferrers) {
  const std::string one = push("one", "v1");
  const std::string signature = push("signature", "", one);
  EXPECT_EQ(opened()->list_referrers(one).value(), std::vector<std::string>{signature});
  EXPECT_EQ(opened()->list_referrers(signature).value(), std::vector<std::string>{});
}

TEST_F(OciLayoutTest, FindsReferrersBesideDamagedManifests) {
  const std::string one = push("one", "v1"), signature = push("signature", "", one);
  const std::string damaged = push("two", "v2");
  write("p/blobs/sha256/" + damaged.substr(7), "{}");
  EXPECT_EQ(opened()->list_referrers(one).value(), std::vector<std::string>{signature});
}

TEST_F(OciLayoutTest, ChecksDigestsAtEachRead) {
  const std::string digest = push("one", "v1");
  write("p/blobs/sha256/" + digest_of("one").substr(7), "onE");
  std::unique_ptr<OciLayout> layout = opened();
  const OciDescriptor layer{"text/plain", digest_of("one"), 3};
  EXPECT_EQ(error_of(get_blob(*layout, layer, 100)),
            "p/blobs/sha256/" + digest_of("one").substr(7) + ": is damaged: its digest should be " +
                digest_of("one") + ", and is " + digest_of("onE") +
                "; push or archive the same files again");
  // Pushing it again repairs it.
  push("one", "v1");
  EXPECT_EQ(get_blob(*layout, layer, 100).value(), "one");

  write("p/blobs/sha256/" + digest.substr(7), "{}");
  EXPECT_EQ(error_of(layout->find_manifest("v1")),
            "p/blobs/sha256/" + digest.substr(7) + ": is damaged: its digest should be " + digest +
                ", and is " + digest_of("{}") + "; ");
  EXPECT_EQ(error_of(layout->push_blob(digest_of("two"), bytes_of("one"))),
            "oci-dir:p: contents with the digest " + digest_of("two") +
                " changed while they were read, and are " + digest_of("one") + " now; ");
}

TEST_F(OciLayoutTest, SaysWhatIsMissing) {
  push("one", "v1");
  std::unique_ptr<OciLayout> layout = opened();
  EXPECT_FALSE(layout->find_manifest("v2").value());
  EXPECT_FALSE(layout->find_manifest(digest_of("nothing")).value());
  EXPECT_EQ(error_of(get_manifest(*layout, "v2")),
            "oci-dir:p: has no version v2; did you mean v1? 'pgo list oci-dir:p' shows those that "
            "it has");
  EXPECT_EQ(error_of(get_manifest(*layout, "latest")),
            "oci-dir:p: has no version latest; 'pgo list oci-dir:p' shows those that it has");
  EXPECT_EQ(
      error_of(get_blob(*layout, {"text/plain", digest_of("two"), 3}, 100)),
      "oci-dir:p: there is no blob " + digest_of("two") + "; push or archive the same files again");
  EXPECT_EQ(error_of(get_blob(*layout, {"text/plain", digest_of("one"), 4}, 100)),
            "p/blobs/sha256/" + digest_of("one").substr(7) +
                ": has 3 bytes, and 4 by the manifest that names it; push or archive the same "
                "files again");
  EXPECT_TRUE(layout->glance_at({"text/plain", digest_of("one"), 3}));
  EXPECT_EQ(error_of(layout->glance_at({"text/plain", digest_of("two"), 3})),
            error_of(get_blob(*layout, {"text/plain", digest_of("two"), 3}, 100)));
  EXPECT_EQ(error_of(layout->glance_at({"text/plain", digest_of("one"), 4})),
            error_of(get_blob(*layout, {"text/plain", digest_of("one"), 4}, 100)));
  EXPECT_EQ(error_of(get_blob(*layout, {"text/plain", digest_of("one"), 101}, 100)),
            "oci-dir:p: the blob " + digest_of("one") +
                " has 101 bytes, and at most 100 bytes are read; ");
  EXPECT_EQ(error_of(get_blob(*layout, {"text/plain", "sha512:ab", 3}, 100)),
            "oci-dir:p: sha512:ab: only sha256 digests are supported; ");
}

TEST_F(OciLayoutTest, RefusesOtherDirectories) {
  EXPECT_EQ(error_of(OciLayout::open(path("none"))),
            "none: there is no such directory; check the path; 'pgo push' makes a new one");
  write("empty/x", "");
  EXPECT_EQ(
      error_of(OciLayout::open(path("empty"))),
      "empty: is not an OCI image layout: it has no file oci-layout; check the path; 'pgo push' "
      "makes a layout in an empty directory");
  write("other/file", "");
  EXPECT_EQ(error_of(OciLayout::open_to_push(path("other"))),
            "other: is a directory with other files, and no OCI image layout; name another "
            "directory");
  write("newer/oci-layout", R"({"imageLayoutVersion":"2.0.0"})");
  EXPECT_EQ(error_of(OciLayout::open_to_push(path("newer"))),
            "newer: is an OCI image layout of version 2.0.0, and only 1.0.0 is supported; ");
  EXPECT_FALSE(std::filesystem::exists(path("newer/index.json")));
  write("p/oci-layout", R"({"imageLayoutVersion":"1.0.0"})");
  EXPECT_EQ(error_of(OciLayout::open(path("p")).value()->list_manifests()),
            "p: is a damaged OCI image layout: it has no index.json; ");
}

// What a first push that was killed has left.
TEST_F(OciLayoutTest, IsCompletedByTheNextPush) {
  write("p/.prodpgo/tmp/1.0", "unfinished");
  write("p/blobs/sha256/" + digest_of("one").substr(7), "one");
  push("one", "v1");
  EXPECT_EQ(names().size(), 1u);
}

TEST_F(OciLayoutTest, SaysWhyAFileCannotBeWritten) {
  const std::unique_ptr<OciLayout> layout = opened();
  std::filesystem::remove(path("p/.prodpgo/tmp"));
  const std::string digest = digest_of("one");
  EXPECT_EQ(
      error_of(layout->push_blob(digest, bytes_of("one"))),
      "p/blobs/sha256/" + digest.substr(7) + ": the directory p/.prodpgo/tmp does not exist; ");
}

// What another push may have made when this one looks; and a layout may have other files.
TEST_F(OciLayoutTest, IsCompletedWhereAnotherPushHasBegun) {
  write("a/oci-layout", R"({"imageLayoutVersion":"1.0.0"})");
  write("b/index.json", R"({"schemaVersion":2,"manifests":[]})");
  write("c/.prodpgo/index.lock", "");
  write("d/oci-layout", R"({"imageLayoutVersion":"1.0.0"})");
  write("d/notes.txt", "mine");
  for (const char* name : {"a", "b", "c", "d"}) {
    Result<std::unique_ptr<OciLayout>> layout = OciLayout::open_to_push(path(name));
    ASSERT_TRUE(layout) << text_of(layout.error());
    EXPECT_TRUE((*layout)->list_manifests().value().empty()) << name;
    EXPECT_TRUE(OciLayout::open(path(name))) << name;
  }
}

TEST_F(OciLayoutTest, IsMadeByOneOfSeveralPushes) {
  for (int round = 0; round < 3; round++) {
    const std::string directory = path("new" + std::to_string(round));
    std::vector<std::string> outcomes(4);
    std::barrier start(static_cast<std::ptrdiff_t>(outcomes.size()));
    {
      std::vector<std::jthread> pushes;
      for (std::string& outcome : outcomes)
        pushes.emplace_back([&] {
          start.arrive_and_wait();
          const auto layout = OciLayout::open_to_push(directory);
          outcome = layout ? "opened" : text_of(layout.error());
        });
    }
    EXPECT_EQ(outcomes, std::vector<std::string>(4, "opened"));
  }
}

TEST_F(OciLayoutTest, CollectsGarbage) {
  const std::string one = push("one", "v1"), two = push("two", "v2");
  const std::string signature = push("signature", "", two);
  opened()->push_blob(digest_of("loose"), bytes_of("loose")).value();
  write("p/.prodpgo/tmp/1.0", "unfinished");
  auto keep_two = [&]() -> Result<std::set<std::string>> {
    return std::set<std::string>{two, signature};
  };
  const std::string index = text_of_file("p/index.json");
  auto garbage = opened()->collect_garbage(OciLayout::Removal::kDryRun, keep_two).value();
  EXPECT_EQ(garbage.manifests, 1u);
  EXPECT_EQ(garbage.blobs, 4u);  // the manifest, its layer, the loose one, the unfinished one
  EXPECT_EQ(text_of_file("p/index.json"), index);
  auto removed = opened()->collect_garbage(OciLayout::Removal::kRemove, keep_two).value();
  EXPECT_EQ(removed.bytes, garbage.bytes);
  EXPECT_EQ(names(), (std::vector<ManifestName>{{"", signature}, {"v2", two}}));
  EXPECT_FALSE(std::filesystem::exists(blob_path(one)));
  EXPECT_FALSE(std::filesystem::exists(blob_path(digest_of("loose"))));
  EXPECT_TRUE(std::filesystem::exists(blob_path(oci_empty_descriptor().digest)));
  EXPECT_TRUE(std::filesystem::is_empty(path("p/.prodpgo/tmp")));
}

// A manifest stays a manifest, with blobs of its own, where it is a layer of others, too.
TEST_F(OciLayoutTest, KeepsBlobsOfManifestsThatAreLayers) {
  const std::string one = push("one", "v1");
  const std::string text = get_manifest(*opened(), one).value().bytes;
  std::set<std::string> all = {one};
  for (const char* subject : {"a", "b", "c", "d"}) all.insert(push(text, "", digest_of(subject)));
  auto keep = [&]() -> Result<std::set<std::string>> { return all; };
  EXPECT_EQ(opened()->collect_garbage(OciLayout::Removal::kRemove, keep)->blobs, 0u);
  EXPECT_TRUE(std::filesystem::exists(blob_path(digest_of("one"))));
}

// A manifest that a lock file names, and that another tool took out of the index.
TEST_F(OciLayoutTest, KeepsManifestsThatAreInNoIndex) {
  const std::string one = push("one", "v1");
  write("p/index.json", R"({"schemaVersion":2,"manifests":[]})");
  auto keep_one = [&]() -> Result<std::set<std::string>> { return std::set<std::string>{one}; };
  EXPECT_EQ(opened()->collect_garbage(OciLayout::Removal::kRemove, keep_one)->blobs, 0u);
  EXPECT_TRUE(get_manifest(*opened(), one));
}

TEST_F(OciLayoutTest, MovesATagOnlyFromWhatItNames) {
  const std::string one = push("one", "v1"), two = push("two", "v2");
  const std::string text = get_manifest(*opened(), two).value().bytes;
  EXPECT_FALSE(opened()->move_tag(text, "v1", two).value());
  EXPECT_FALSE(opened()->move_tag(text, "v1", "").value());
  EXPECT_EQ(get_manifest(*opened(), "v1").value().digest, one);
  EXPECT_TRUE(opened()->move_tag(text, "v1", one).value());
  EXPECT_TRUE(opened()->move_tag(text, "v1", two).value());
  EXPECT_TRUE(opened()->move_tag(text, "v3", "").value());
  EXPECT_EQ(get_manifest(*opened(), "v1").value().digest, two);
  EXPECT_EQ(get_manifest(*opened(), "v3").value().digest, two);
}

TEST_F(OciLayoutTest, KeepsTheMediaTypeOfAManifestThatSaysNone) {
  const std::string foreign =
      R"({"schemaVersion":2,"config":{"mediaType":"a/b","digest":"sha256:)" + std::string(64, 'a') +
      R"(","size":1},"layers":[]})";
  ASSERT_TRUE(opened()->push_manifest_as("application/vnd.example.manifest", foreign, "v1"));
  for (const std::string& version : {std::string("v1"), digest_of(foreign)})
    EXPECT_EQ(get_manifest(*opened(), version).value().media_type,
              "application/vnd.example.manifest");
  push("one", "v2");
  EXPECT_EQ(get_manifest(*opened(), "v2").value().media_type, kOciManifestType);
}

TEST_F(OciLayoutTest, CollectsNothingWhereUseIsUnknown) {
  push("one", "v1");
  const std::string strange = R"({"mediaType":"application/vnd.example.tree"})";
  ASSERT_TRUE(opened()->push_manifest(strange, "strange"));
  auto keep = [&]() -> Result<std::set<std::string>> {
    return std::set<std::string>{digest_of(strange)};
  };
  EXPECT_EQ(error_of(opened()->collect_garbage(OciLayout::Removal::kRemove, keep)),
            "oci-dir:p: the manifest " + digest_of(strange) +
                " is of a kind that is not known; nothing was removed, because it is not known "
                "which blobs it uses; take it out of index.json");
  EXPECT_EQ(names().size(), 2u);
}

}  // namespace
}  // namespace pgo::oci_layout_test
