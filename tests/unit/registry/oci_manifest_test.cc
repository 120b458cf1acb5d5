#include "pgo/registry/oci_manifest.h"

#include <gtest/gtest.h>

namespace pgo::oci_manifest_test {
namespace {

const std::string kA = "sha256:" + std::string(64, 'a'), kB = "sha256:" + std::string(64, 'b');

OciManifest small_manifest() {
  OciManifest manifest;
  manifest.artifact_type = "application/vnd.example.v1";
  manifest.config = oci_empty_descriptor();
  manifest.layers = {{"text/plain", kA, 5, "", {{kOciTitle, "a.txt"}}}};
  manifest.annotations = {{"service", "queryd"}};
  return manifest;
}

const std::string kSmallText =
    R"({"annotations":{"service":"queryd"},"artifactType":"application/vnd.example.v1",)"
    R"("config":{"digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",)"
    R"("mediaType":"application/vnd.oci.empty.v1+json","size":2},"layers":[{"annotations":)"
    R"({"org.opencontainers.image.title":"a.txt"},"digest":")" +
    kA +
    R"(","mediaType":"text/plain","size":5}],)"
    R"("mediaType":"application/vnd.oci.image.manifest.v1+json","schemaVersion":2})";

std::string error_of(std::string_view text) {
  Result<OciManifest> manifest = parse_oci_manifest(text, "M");
  EXPECT_FALSE(manifest);
  return manifest ? "" : manifest.error().message;
}

TEST(OciManifest, HasOneText) {
  EXPECT_EQ(oci_manifest_text(small_manifest()), kSmallText);
  EXPECT_EQ(parse_oci_manifest(kSmallText, "M").value(), small_manifest());
  OciManifest signature = small_manifest();
  signature.subject = OciDescriptor{kOciManifestType, kB, 7};
  EXPECT_EQ(parse_oci_manifest(oci_manifest_text(signature), "M").value(), signature);
}

TEST(OciManifest, AcceptsWhatIsNotKnown) {
  Result<OciManifest> manifest = parse_oci_manifest(
      R"({"schemaVersion":2,"future":[1],"config":{"mediaType":"x/y","digest":"sha512:ab","size":1,)"
      R"("platform":{"os":"linux"}},"layers":[]})",
      "M");
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(manifest->config.digest, "sha512:ab");
  EXPECT_EQ(manifest->config.other_fields, R"({"platform":{"os":"linux"}})");
}

TEST(OciManifest, RefusesWhatIsNone) {
  EXPECT_EQ(error_of("{"), "M: is not an OCI manifest: line 1 is not valid JSON");
  EXPECT_EQ(error_of("[]"), "M: is not an OCI manifest: the manifest is not an object");
  EXPECT_EQ(error_of(R"({"schemaVersion":1})"),
            "M: is not an OCI manifest: 'schemaVersion' of the manifest is not a whole number "
            "from 2 to 2");
  EXPECT_EQ(error_of(R"({"schemaVersion":2})"),
            "M: is not an OCI manifest: the config is not an object");
  EXPECT_EQ(error_of(R"({"schemaVersion":2,"manifests":[]})"),
            "M: is an image index, and not a manifest");
  for (const char* digest : {"sha256:abc", "abc", ":abc", "SHA:abc", "sha512:"})
    EXPECT_EQ(error_of(R"({"schemaVersion":2,"config":{"mediaType":"x","digest":")" +
                       std::string(digest) + R"(","size":1},"layers":[]})"),
              "M: is not an OCI manifest: 'digest' of the config is not a digest such as "
              "sha256:<64 hexadecimal digits>");
  EXPECT_EQ(error_of(std::string(kMaxOciManifest + 1, ' ')),
            "M: is not an OCI manifest: it is larger than 4.2 MB");
  EXPECT_EQ(error_of(std::string(65, '[')),
            "M: is not an OCI manifest: it is nested more than 64 levels deep");
}

TEST(OciManifest, RefusesWhatIsCut) {
  for (size_t size = 0; size < kSmallText.size(); size++)
    EXPECT_FALSE(parse_oci_manifest(kSmallText.substr(0, size), "M")) << size;
}

// Another tool's fields must survive that we add a version.
TEST(OciIndex, KeepsWhatOthersWrote) {
  const std::string text =
      R"({"annotations":{"a":"b"},"mediaType":"application/vnd.oci.image.index.v1+json",)"
      R"("schemaVersion":2,"manifests":[)"
      "\n"
      R"({"annotations":{"org.opencontainers.image.ref.name":"v1"},"digest":")" +
      kA +
      R"(","mediaType":"application/vnd.oci.image.manifest.v1+json","platform":{"os":"linux"},"size":9})"
      "\n]}\n";
  Result<OciIndex> index = parse_oci_index(text, "I");
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ(oci_index_text(*index), text);
}

TEST(OciIndex, HasOneOrder) {
  OciIndex index;
  index.manifests = {{kOciManifestType, kB, 1}, {kOciManifestType, kA, 1}};
  OciIndex other;
  other.manifests = {{kOciManifestType, kA, 1}, {kOciManifestType, kB, 1}};
  EXPECT_EQ(oci_index_text(index), oci_index_text(other));
  EXPECT_EQ(parse_oci_index(oci_index_text(index), "I").value(), other);
}

TEST(OciIndex, RefusesWhatIsNone) {
  Result<OciIndex> index =
      parse_oci_index(R"({"schemaVersion":2,"manifests":[{"mediaType":"x"}]})", "I");
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().message,
            "I: is not an OCI image index: 'digest' of manifest 1 is not a text");
}

}  // namespace
}  // namespace pgo::oci_manifest_test
